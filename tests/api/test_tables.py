"""Tables as decks: which of them are some, in which dialect; and what a save of one writes."""

import pytest

from sampleui import open_deck
from sampleui.errors import DeckError

MESSAGES = '"[{""role"": ""user"", ""content"": ""Hi""}]"'


@pytest.mark.parametrize(
    ("header", "row", "dialect"),
    [
        ("id,messages,expected", f"a,{MESSAGES},x", "calibrate"),
        ("id,input_messages,criteria", f"a,{MESSAGES},x", "agentv"),
        ("id,input,expected_output", "a,Hi,x", "agentv"),
        ("schema_version,id,messages,references", f'v1,a,{MESSAGES},"[""x""]"', "gage"),
    ],
)
def test_the_columns_tell_the_dialect_with_rows_and_without(tmp_path, header, row, dialect):
    path = tmp_path / "deck.csv"
    for text in (f"{header}\n", f"{header}\n{row}\n"):
        path.write_text(text)
        assert open_deck(path).dialect == dialect
    assert [message["content"] for message in open_deck(path).samples[0].messages] == ["Hi"]


@pytest.mark.parametrize("header", ["order_id,status", "question,language", "a;b"])
def test_a_table_without_messages_is_no_deck(tmp_path, header):
    path = tmp_path / "data.csv"
    path.write_text(f"{header}\n1,2\n")
    with pytest.raises(DeckError, match="no column holds messages") as caught:
        open_deck(path)
    assert (caught.value.line, caught.value.column) == (1, 1)


def test_a_saved_table_changed_in_one_cell_alone(tmp_path):
    path = tmp_path / "deck.csv"
    before = f"\ufeffid;messages;note\r\na;{MESSAGES};x\r\nb;{MESSAGES};y"
    path.write_bytes(before.encode())
    open_deck(path).set(1, ("note",), "two\nlines; and more").save()
    assert path.read_bytes().decode() == before[:-1] + '"two\nlines; and more"'
