"""Lists that are written as a text which holds their JSON: read, found, edited and written as what they hold."""

from __future__ import annotations

import json

import pytest

from sampleui.errors import EditRefusedError
from sampleui.formats.data import DataPath, Plain
from sampleui.formats.document import Document, Splice
from sampleui.formats.json.document import JsonDocument
from sampleui.formats.json.lines import JsonlDocument
from sampleui.formats.operations import Delete, Insert, Move, Rename, Set

TURNS: list[Plain] = [{"role": "user", "content": 'Is it "20°"?'}, {"role": "assistant", "content": "Yes,\nit is"}]
INNER = json.dumps(TURNS)
JSON = json.dumps([{"scenario": "a", "turns": INNER, "name": "x"}, {"scenario": "b", "turns": "soon"}], indent=4)
LINES = json.dumps({"scenario": "a", "turns": INNER, "name": "x"}) + "\n"
BOTH = pytest.mark.parametrize(
    "document", [JsonDocument.parse(JSON), JsonlDocument.parse(LINES)], ids=["json", "jsonl"]
)


def after(document: Document, splice: Splice, index: int = 0) -> str:
    """Return the text that `turns` is after an edit, which nothing outside this text may have changed."""
    before, made = document.text, document.apply(splice).text
    old = json.loads(document.chunk(index).strip().strip(","))["turns"]
    new: str = json.loads(document.apply(splice).chunk(index).strip().strip(","))["turns"]
    assert made == before.replace(json.dumps(old), json.dumps(new), 1)
    return new


@BOTH
def test_a_text_that_holds_a_list_is_read_as_the_list(document: Document) -> None:
    assert document.read(0)["turns"] == TURNS


def test_a_text_that_holds_none_is_a_text() -> None:
    assert JsonDocument.parse(JSON).read(1)["turns"] == "soon"
    other = JsonDocument.parse(json.dumps([{"turns": "{}", "scenario": INNER}]))
    assert other.read(0) == {"turns": "{}", "scenario": INNER}


@BOTH
@pytest.mark.parametrize(
    ("path", "written"),
    [
        ((0, "role"), r"\"user\""),
        ((0, "content"), r"\"Is it \\\"20\\u00b0\\\"?\""),
        ((1,), r"{\"role\": \"assistant\", \"content\": \"Yes,\\nit is\"}"),
    ],
)
def test_what_the_text_holds_has_its_place_in_the_file(document: Document, path: DataPath, written: str) -> None:
    span = document.span(0, ("turns", *path))
    assert document.chunk(0)[span.start : span.end] == written


@BOTH
def test_a_key_inside_has_its_place_too(document: Document) -> None:
    span = document.key_span(0, ("turns", 1, "content"))
    assert document.chunk(0)[span.start : span.end] == r"\"content\""
    assert document.chunk(0)[span.end :].startswith(r": \"Yes,")


@BOTH
def test_every_edit_is_one_of_the_text_that_keeps_its_escapes(document: Document) -> None:
    told: Plain = {"role": "user", "content": "è"}
    answer: Plain = {"role": "assistant", "content": 'No: "é"'}
    edits: list[tuple[Splice, list[Plain]]] = [
        (document.edit(0, Set(("turns", 1, "content"), 'No: "é"')), [TURNS[0], answer]),
        (document.edit(0, Insert(("turns", 1), told)), [TURNS[0], told, TURNS[1]]),
        (document.edit(0, Delete(("turns", 0))), TURNS[1:]),
        (document.edit(0, Move(("turns", 0), 1)), TURNS[::-1]),
        (document.edit(0, Set(("turns",), [told])), [told]),
    ]
    for splice, wanted in edits:
        assert after(document, splice) == json.dumps(wanted)
    renamed = document.edit(0, Rename(("turns", 0, "content"), "said"))
    assert after(document, renamed) == INNER.replace("content", "said", 1)


def test_the_spacing_inside_is_kept() -> None:
    dense = json.dumps(TURNS, separators=(",", ":"), ensure_ascii=False)
    document = JsonlDocument.parse(json.dumps({"turns": dense}) + "\n")
    wanted = json.dumps([*TURNS, {"role": "user", "content": "è"}], separators=(",", ":"), ensure_ascii=False)
    assert after(document, document.edit(0, Insert(("turns", 2), {"role": "user", "content": "è"}))) == wanted


def test_the_escapes_inside_are_those_of_other_samples() -> None:
    plain = json.dumps([{"role": "user", "content": "Hi"}])
    document = JsonlDocument.parse(LINES + json.dumps({"turns": plain}) + "\n")
    assert after(document, document.edit(1, Set(("turns", 0, "content"), "é")), 1) == plain.replace("Hi", "\\u00e9")


def test_a_list_may_become_a_text_and_a_text_a_list() -> None:
    document = JsonDocument.parse(JSON)
    assert after(document, document.edit(0, Set(("turns",), "later"))) == "later"
    changed = document.apply(document.edit(1, Set(("turns",), TURNS)))
    assert json.loads(changed.text)[1]["turns"] == TURNS


@BOTH
def test_a_new_sample_is_written_as_its_neighbours_are(document: Document) -> None:
    changed = document.apply(document.insert_sample(1, {"scenario": "c", "turns": TURNS[:1]}))
    assert changed.read(1) == {"scenario": "c", "turns": TURNS[:1]}
    assert json.loads(changed.chunk(1).strip().strip(","))["turns"] == json.dumps(TURNS[:1])


def test_a_key_given_twice_inside_is_told_and_not_edited() -> None:
    document = JsonlDocument.parse(json.dumps({"turns": '[{"role": "user", "role": "x"}]'}) + "\n")
    assert [(one.rule, one.node) for one in document.findings(0)] == [("duplicate-key", ("turns", 0, "role"))]
    with pytest.raises(EditRefusedError, match="more than once"):
        document.edit(0, Set(("turns", 0, "role"), "y"))
