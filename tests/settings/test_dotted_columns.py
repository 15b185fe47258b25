"""Columns whose names have dots, as tables of pandas have them, in tables of one's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from sampleui import open_deck
from sampleui.sample.convert import convert
from sampleui.sample.dialects.shipped import DIALECTS
from sampleui.settings.vocabulary import step, steps
from tests.command import ran


def test_a_column_whose_name_has_dots_is_guessed_read_edited_and_known_again(tmp_path: Path) -> None:
    path = tmp_path / "examples.csv"
    path.write_text("id,inputs.question,inputs.context,outputs.answer\n7,2 + 2?,sums,4\n")
    printed = ran("guess", path).out
    assert 'prompt = "\'inputs.question\'"\nresponse = "\'outputs.answer\'"\nid = "id"' in printed
    (tmp_path / ".sampleui.toml").write_text(printed)
    deck = open_deck(path)
    (sample,) = deck.samples
    assert (deck.dialect, sample.id) == ("examples", "7")
    assert [one["content"] for one in deck.render(sample).chat_prompt] == ["2 + 2?"]
    wanted = path.read_text().replace("2 + 2", "3 + 3")
    deck.set(0, sample.messages_path, "3 + 3?").save()
    assert path.read_text() == wanted
    made = convert(sample.data, deck.kind, DIALECTS["inspect"])
    assert made.data == {"id": "7", "input": "2 + 2?", "target": "4", "metadata": {"inputs.context": "sums"}}


@pytest.mark.parametrize(
    ("key", "named"),
    [
        ("a", "a"),
        ("a b", "a b"),
        ("a.b", "'a.b'"),
        ("a. b", "'a. b'"),
        ("it's", "it's"),
        ("it's.b", ""),
        (" a", ""),
    ],
)
def test_a_key_is_in_quotes_where_it_has_dots(key: str, named: str) -> None:
    assert step(key) == named
    assert not named or steps(f"x.{named}.y") == ("x", key, "y")
