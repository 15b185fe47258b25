"""JSON Lines decks: lines are samples, broken ones too, and an edit is one line."""

import gc
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sampleui.errors import EditRefusedError, FormatError, PathError
from sampleui.formats.document import Splice
from sampleui.formats.json.lines import JsonlDocument
from sampleui.formats.operations import Set

from .by_name import splice_of

ROWS = '{"id":"a","messages":[{"role":"user","content":"Hi"}]}\n\n{"id": "b", "messages": []}\n{"id": "c"}\n'
BROKEN = '{"id": "a"}\n{"id": "b"\n{"id": "c"}\n'


def edited(text, deed, *args):
    document = JsonlDocument.parse(text)
    return document.apply(splice_of(document, deed, *args)).text


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("", ("", "")),
        ("\n \n", ("\n \n", "")),
        ("\ufeff", ("\ufeff", "")),
        ('{"a": 1}', ("", '{"a": 1}', "")),
        ('{"a": 1}\n{"a": 2}\n', ("", '{"a": 1}\n', '{"a": 2}\n', "")),
        ('\ufeff\n\n {"a": 1}\r\n \r\n{"a": 2}', ("\ufeff\n\n", ' {"a": 1}\r\n \r\n', '{"a": 2}', "")),
        ('{"a": "x\u2028y\x85"}\n \t', ("", '{"a": "x\u2028y\x85"}\n \t', "")),
    ],
)
def test_a_chunk_is_a_line_and_the_blank_lines_after_it(text, pieces):
    document = JsonlDocument.parse(text)
    assert document.pieces == pieces
    assert all(document.read(at)["a"] for at in range(len(document)))


def test_samples_and_values_have_lines_and_columns():
    document = JsonlDocument.parse(ROWS)
    assert [document.position(at).line for at in range(3)] == [1, 3, 4]
    span = document.span(0, ("messages", 0, "content"))
    assert document.chunk(0)[span.start : span.end] == '"Hi"'
    assert document.position(0, span.start).column == 48


def test_a_broken_line_is_a_sample_that_cannot_be_read_and_spoils_no_other():
    document = JsonlDocument.parse(BROKEN)
    with pytest.raises(FormatError) as caught:
        document.read(1)
    assert (caught.value.line, caught.value.column) == (1, 11)
    assert [(finding.rule, finding.severity) for finding in document.findings(1)] == [("parse-error", "error")]
    assert document.span(1, ()).start == 0
    with pytest.raises(PathError):
        document.span(1, ("id",))
    with pytest.raises(EditRefusedError, match="cannot be read"):
        document.edit(1, Set(("id",), "x"))
    assert edited(BROKEN, "set", 2, ("id",), "x") == BROKEN.replace('"c"', '"x"')
    assert edited(BROKEN, "insert_sample", 2, {"id": "n"}) == BROKEN.replace('"b"\n', '"b"\n{"id": "n"}\n')
    assert edited(BROKEN, "delete_sample", 1) == '{"id": "a"}\n{"id": "c"}\n'
    assert edited(BROKEN, "delete_sample", 0) == '{"id": "b"\n{"id": "c"}\n'
    assert edited(BROKEN, "move_sample", 2, 0) == '{"id": "c"}\n{"id": "a"}\n{"id": "b"\n'


@pytest.mark.parametrize("line", ["3", "[]", '{"a": 1} {"b": 2}', '{"a": 1},', "x", '{"a": "\x00"}', '{"a":'])
def test_lines_that_are_no_sample(line):
    document = JsonlDocument.parse(f'{line}\n{{"id": "ok"}}\n')
    assert [finding.rule for finding in document.findings(0)] == ["parse-error"]
    assert document.findings(1) == ()


def test_a_text_without_any_object_is_no_deck():
    with pytest.raises(FormatError, match="no line is a JSON object") as caught:
        JsonlDocument.parse("\n Hello\nworld\n")
    assert (caught.value.line, caught.value.column) == (2, 2)


@pytest.mark.parametrize(
    ("deed", "args"),
    [
        ("set", (0, ("messages", 0, "content"), "two\nlines\u2028\x85")),
        ("set", (0, ("new",), {"deep": [{"er": 1}]})),
        ("insert", (0, ("messages", 1), {"role": "user", "content": "a\nb"})),
        ("insert", (1, ("messages", 0), {"role": "user", "content": "a\nb"})),
        ("delete", (0, ("messages", 0))),
    ],
)
def test_an_edit_touches_one_line_and_writes_one(deed, args):
    before, after = ROWS.splitlines(), edited(ROWS, deed, *args).splitlines()
    assert len(before) == len(after)
    assert sum(one != other for one, other in zip(before, after, strict=True)) == 1


def test_new_lines_are_written_as_most_are():
    compact = '{"id":"n","messages":[{"role":"user","content":"é"}]}\n'
    data = {"id": "n", "messages": [{"role": "user", "content": "é"}]}
    assert edited(ROWS + compact * 3, "insert_sample", 0, data) == compact + ROWS + compact * 3
    assert edited("", "insert_sample", 0, {"id": "n"}) == '{"id": "n"}\n'
    escaped = '{"id": "e"}\n{"id": "\\u00e9"}\n'
    assert edited(escaped, "insert_sample", 2, {"id": "ü"}) == escaped + '{"id": "\\u00fc"}\n'
    assert edited(escaped, "set", 0, ("id",), "ü") == escaped.replace('"e"', '"\\u00fc"')
    mixed = escaped + '{"id": "ö"}\n'
    assert edited(mixed, "set", 0, ("id",), "ü") == mixed.replace('"e"', '"ü"')


@pytest.mark.parametrize("eol", ["\n", "\r\n"])
@pytest.mark.parametrize("end", ["", "\n", "\n\n"])
def test_the_end_of_the_file_stays(eol, end):
    end = end.replace("\n", eol)
    text = f'{{"id": "a"}}{eol}{{"id": "b"}}{end}'
    assert (
        edited(text, "insert_sample", 2, {"id": "n"}) == f'{{"id": "a"}}{eol}{{"id": "b"}}{eol}{{"id": "n"}}{end}'
    )
    assert edited(text, "delete_sample", 1) == f'{{"id": "a"}}{end}'
    assert edited(text, "delete_sample", 0) == f'{{"id": "b"}}{end}'
    assert edited(text, "move_sample", 1, 0) == f'{{"id": "b"}}{eol}{{"id": "a"}}{end}'


def test_indexes_that_do_not_exist():
    document = JsonlDocument.parse(ROWS)
    for deed, args in (
        ("set", (3, ("id",), "x")),
        ("set", (-1, ("id",), "x")),
        ("insert_sample", (4, {"id": "n"})),
        ("delete_sample", (3,)),
        ("move_sample", (0, 3)),
        ("move_sample", (-1, 0)),
    ):
        with pytest.raises(PathError):
            splice_of(document, deed, *args)


def test_lines_are_not_read_when_a_file_is_opened_and_the_collector_is_left_as_it_was():
    text = '{"id": "a"}\n' + '{"id": broken}\n' * 20_000
    document = JsonlDocument.parse(text)
    assert len(document) == 20_001
    assert gc.isenabled()
    assert document.text == text


def test_a_blank_first_line_belongs_to_no_sample():
    assert JsonlDocument.parse('\n {"id": "a"}\n').pieces == ("\n", ' {"id": "a"}\n', "")


def test_positions_known_before_an_edit_are_right_after_it():
    document = JsonlDocument.parse("".join(f'{{"id": "{at}"}}\n' for at in range(5)))
    assert [document.position(at).line for at in range(5)] == [1, 2, 3, 4, 5]
    for splice in (Splice(2, ('{"id": "1"}\n',), ('{"id": "1"}\n\n\n',)), document.delete_sample(1)):
        after = document.apply(splice)
        again = JsonlDocument.parse(after.text)
        count = len(again)
        assert [after.position(at) for at in range(count)] == [again.position(at) for at in range(count)]


@pytest.mark.parametrize("text", ["", " ", "\n", "\n  ", "\ufeff\n\t", "\r\n \r\n "])
def test_a_file_of_blanks_is_a_deck_without_samples(text):
    document = JsonlDocument.parse(text)
    assert (len(document), document.text) == (0, text)
    after = document.apply(document.insert_sample(0, {"id": "a"}))
    assert JsonlDocument.parse(after.text).read(0) == {"id": "a"}


@given(
    lines=st.lists(
        st.sampled_from(
            ['{"id": "a"}', '{"id": "\u2028\x85"}', " {}", "[1]", "{broken", "\v", '\ufeff{"id": "b"}', "\r{}"]
        )
    ),
    eol=st.sampled_from(["\n", "\r\n"]),
    end=st.booleans(),
)
def test_lines_are_the_deck_of_their_text_wherever_they_are_taken(lines, eol, end):
    text = eol.join(lines) + eol * (end and bool(lines))
    document = JsonlDocument.of_lines(re.findall(r"[^\n]*\n|[^\n]+", text))
    assert (document is None) == (not lines or not lines[0].startswith("{"))
    if document is not None:
        parsed = JsonlDocument.parse(text)
        assert (document, document.breaks) == (parsed, parsed.breaks)
