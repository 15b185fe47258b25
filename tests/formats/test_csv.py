"""What tables say as decks, what edits of them write, and what is refused where."""

import pytest

from sampleui.errors import EditRefusedError, FormatError
from sampleui.formats.csv import CsvDocument, TsvDocument
from sampleui.formats.csv_cells import NUMBERS, STRUCTURED
from sampleui.formats.operations import Delete, Rename, Set
from sampleui.sample.dialects.shipped import DIALECTS

TURNS = '"[{""role"":""user"",""content"":""Hi, \\""you\\""""}]"'
DECK = f"id,messages,score,note\na,{TURNS},0.50,plain\nb,{TURNS},,\n"
TEXTS = frozenset(
    """
    id name description suite conversation_id mode schema_version task_type question_type label note question prompt
    text model_prompt_tmpl model_prompt_placeholder assertScoringFunction
    """.split()  # noqa: SIM905
)


def edited(text, deed, form=CsvDocument):
    document = form.parse(text)
    return document.apply(deed(document)).text


def test_every_key_of_a_dialect_has_a_kind_of_cell():
    for dialect in DIALECTS.values():
        scalars = {
            key for key, words in dialect.fields.items() if {*words.type.split("|")} <= {"text", "number", "truth"}
        }
        columns = {key for key in dialect.known if key.startswith("__")}  # promptfoo's, of tables alone
        assert dialect.known - STRUCTURED - NUMBERS - scalars - columns <= TEXTS, dialect.name
    assert not TEXTS & (STRUCTURED | NUMBERS)


def test_cells_are_texts_but_json_and_numbers_under_columns_that_hold_them():
    assert CsvDocument.parse(DECK).read(0) == {
        "id": "a",
        "messages": [{"role": "user", "content": 'Hi, "you"'}],
        "score": 0.5,
        "note": "plain",
    }
    assert CsvDocument.parse('id,messages,note\n1,"",[1]\n').read(0) == {"id": "1", "messages": "", "note": "[1]"}


@pytest.mark.parametrize("delimiter", ",;\t|")
def test_the_delimiter_is_that_of_the_header(delimiter):
    document = CsvDocument.parse(f'id{delimiter}messages\n"a,;\t|"{delimiter}x\n')
    assert document.read(0) == {"id": "a,;\t|", "messages": "x"}


def test_rows_decide_where_the_header_has_several_delimiters():
    assert CsvDocument.parse("id;a,b\n1;2\n3;4\n").columns == ("id", "a,b")
    with pytest.raises(FormatError, match="a comma or a semicolon") as caught:
        CsvDocument.parse("id;a,b\n")
    assert (caught.value.line, caught.value.column) == (1, 1)
    assert TsvDocument.parse("id;a,b\tc\n").columns == ("id;a,b", "c")


@pytest.mark.parametrize(
    ("deed", "row"),
    [
        (lambda d: d.edit(0, Set(("note",), "a, b")), f'a,{TURNS},0.50,"a, b"'),
        (lambda d: d.edit(0, Set(("note",), 'say "x"')), f'a,{TURNS},0.50,"say ""x"""'),
        (lambda d: d.edit(0, Set(("note",), "two\nlines")), f'a,{TURNS},0.50,"two\nlines"'),
        (lambda d: d.edit(0, Set(("note",), "")), f'a,{TURNS},0.50,""'),
        (lambda d: d.edit(0, Set(("score",), 2)), f"a,{TURNS},2,plain"),
        (lambda d: d.edit(0, Delete(("id",))), f",{TURNS},0.50,plain"),
        (
            lambda d: d.edit(0, Set(("messages", 0, "role"), "tool")),
            f"a,{TURNS.replace('user', 'tool')},0.50,plain",
        ),
    ],
)
def test_an_edit_writes_one_cell(deed, row):
    assert edited(DECK, deed) == DECK.replace(f"a,{TURNS},0.50,plain", row)


def test_a_new_key_is_a_new_column_and_the_last_value_of_a_column_takes_it_along():
    wide = edited("id,messages\r\na,x\r\nb,y\r\nshort\r\n", lambda d: d.edit(1, Set(("note",), "n")))
    assert wide == "id,messages,note\r\na,x,\r\nb,y,n\r\nshort\r\n"
    assert edited(wide, lambda d: d.edit(1, Delete(("note",)))) == "id,messages\r\na,x\r\nb,y\r\nshort\r\n"


def test_new_cells_are_quoted_where_the_others_are():
    text = '"id","messages"\n"a","x"\n'
    assert edited(text, lambda d: d.edit(0, Set(("note",), "n"))) == '"id","messages","note"\n"a","x","n"\n'
    assert edited(text, lambda d: d.insert_sample(1, {"id": "b", "messages": "y"})) == text + '"b","y"\n'


def test_json_is_spaced_as_that_of_its_column():
    text = f"id,messages\na,{TURNS}\n"
    turn = {"role": "user", "content": "x"}
    assert edited(text, lambda d: d.insert_sample(1, {"id": "b", "messages": [turn]})) == (
        text + 'b,"[{""role"":""user"",""content"":""x""}]"\n'
    )


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        (("note",), ["x"], "note: a cell of this column cannot hold a list"),
        (("note",), None, "note: a cell of this column cannot hold null"),
        (("score",), "5", "score: in a table this text would be read as a number"),
        (("expected",), "[1]", "expected: in a table this text would be read as JSON"),
        (("note",), "a\0b", "NUL"),
    ],
)
def test_what_a_cell_cannot_hold_is_refused(path, value, reason):
    document = CsvDocument.parse(DECK)
    with pytest.raises(EditRefusedError, match=reason):
        document.edit(0, Set(path, value))


@pytest.mark.parametrize(
    ("text", "line", "column", "said"),
    [
        ('id,messages\na,x\nb,"y\nc,z\n', 3, 3, "never closed"),
        ('id,"messages\n', 1, 4, "never closed"),
        ("id,messages\na,b\0\n", 2, 4, "NUL"),
        ('id,"messages"x\n', 1, 4, "after the closing quote"),
    ],
)
def test_a_broken_table_is_one_error_with_its_place(text, line, column, said):
    with pytest.raises(FormatError, match=said) as caught:
        CsvDocument.parse(text)
    assert (caught.value.line, caught.value.column) == (line, column)


@pytest.mark.parametrize(
    ("row", "column", "said"), [("a,b,c", 5, "3 cells and the header 2"), ('a,"b"c', 6, "after the closing quote")]
)
def test_a_broken_row_spoils_no_other(row, column, said):
    text = f"id,messages\n{row}\nb,y\n"
    document = CsvDocument.parse(text)
    assert document.read(1) == {"id": "b", "messages": "y"}
    with pytest.raises(FormatError, match=said) as caught:
        document.read(0)
    assert (caught.value.line, caught.value.column) == (1, column)
    with pytest.raises(EditRefusedError, match="cannot be read"):
        document.edit(0, Set(("id",), "c"))


def test_no_column_is_added_beside_a_row_that_has_more_cells():
    with pytest.raises(EditRefusedError, match="sample 1 has cells beyond the header"):
        CsvDocument.parse("id,messages\na,b,c\nb,y\n").edit(1, Set(("note",), "n"))


def test_a_short_row_is_read_said_and_kept():
    document = CsvDocument.parse("id,messages,note\na,x\n")
    assert document.read(0) == {"id": "a", "messages": "x"}
    assert [one.rule for one in document.findings(0)] == ["row-short"]
    assert document.apply(document.edit(0, Set(("note",), "n"))).text == "id,messages,note\na,x,n\n"


def test_a_column_named_twice_is_said_and_not_edited():
    document = CsvDocument.parse("id,messages,note,note\na,x,1,2\n")
    assert [(finding.rule, place.column) for finding, place in document.notes()] == [("duplicate-key", 18)]
    assert document.read(0)["note"] == "2"
    with pytest.raises(EditRefusedError, match="more than once"):
        document.edit(0, Set(("note",), "3"))


def test_a_conversion_says_what_cells_lose():
    data = {"id": "a", "messages": [], "note": 5, "expected": None, "score": 1, "other": {"x": 1}}
    assert CsvDocument.parse("").fitting(data) == (
        {"id": "a", "messages": [], "note": "5", "score": 1, "other": '{"x": 1}'},
        (
            "note: a number is written as text",
            "expected: null has no cell and is left out",
            "other: a table is written as text",
        ),
    )


def test_the_key_of_a_value_in_a_cell_has_a_place_of_its_own():
    deck = CsvDocument.parse('id,expected\na,"{""score"": 1}"\n')
    places = [deck.key_span(0, path) for path in (("expected",), ("expected", "score"))]
    assert [deck.chunk(0)[place.start : place.end] for place in places] == ['"{""score"": 1}"', '""score""']
    assert deck.chunk(0)[(value := deck.span(0, ("expected", "score"))).start : value.end] == "1"


def test_a_column_gets_no_name_that_cannot_be_written():
    deck = CsvDocument.parse("id,note\na,x\n")
    with pytest.raises(EditRefusedError, match="surrogate"):
        deck.edit(0, Rename(("note",), "\ud800"))
    with pytest.raises(EditRefusedError, match="surrogate"):
        deck.edit(0, Set(("\ud800",), "x"))


def test_the_column_of_one_row_alone_is_renamed_where_it_stands():
    before = "id,note,messages\na,x,[]\nb,,[]\n"
    after = edited(before, lambda deck: deck.edit(0, Rename(("note",), "comment")))
    assert after == before.replace("note", "comment")


def test_a_sample_whose_columns_would_leave_it_open_what_divides_the_cells_is_refused_or_reads_back():
    document = CsvDocument.parse("id;messages\na;[]\n")
    after = document.apply(document.insert_sample(1, {"id": "b", "a,b": "x", "c|d": "y"}))
    assert CsvDocument.parse(after.text).read(1) == {"id": "b", "a,b": "x", "c|d": "y"}


def test_the_column_of_the_messages_stays_when_its_last_cell_goes():
    before = "id,messages,note\na,[],x\n"
    assert edited(before, lambda deck: deck.edit(0, Delete(("messages",)))) == "id,messages,note\na,,x\n"
    assert edited(before, lambda deck: deck.edit(0, Delete(("note",)))) == "id,messages\na,[]\n"


def test_the_last_column_with_a_name_stays_beside_one_without():
    assert edited('_,""\n1,x\n', lambda deck: deck.edit(0, Delete(("_",)))) == '_,""\n,x\n'


def test_no_column_goes_that_a_row_without_values_stands_on():
    before = "note,more\nx,y\n,\n"
    after = edited(before, lambda deck: deck.edit(0, Delete(("more",))))
    assert after == "note,more\nx,\n,\n"
    assert CsvDocument.parse(after).read(1) == {}


def test_a_value_is_copied_into_a_column_of_its_own():
    document = CsvDocument.parse("id,input\none,First\ntwo,Second\n")
    after = document.apply(document.duplicate(1, ("id",), Set(("id_2",), "two")))
    assert after.text == "id,input,id_2\none,First,\ntwo,Second,two\n"
