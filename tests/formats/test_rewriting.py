"""A sample's own text is exchanged whole; what does not read, or touches another, is refused with its place."""

from __future__ import annotations

import re
from typing import NoReturn

import pytest

from sampleui.errors import EditRefusedError, FormatError
from sampleui.formats.json.document import JsonDocument
from sampleui.formats.json.lines import JsonlDocument
from sampleui.formats.json.writing import Style
from sampleui.formats.toml import TomlDocument
from sampleui.formats.whole_file import rewrite_sample
from sampleui.formats.yaml import YamlDocument

DECKS = {
    TomlDocument: '# top\n\n[[samples]]\nid = "a"\n\n[[samples]]\nid = "b" # mine\n\n[meta]\nx = 1\n',
    YamlDocument: "# top\ntests:\n  - id: a\n\n  - id: b # mine\n\nx: 1\n",
    JsonDocument: '[\n  {"id": "a"},\n  {"id": "b"}\n]\n',
    JsonlDocument: '{"id": "a"}\n{"id": "b"}\n',
}


def source(document, index):
    span = document.source_span(index)
    return document.chunk(index)[span.start : span.end]


@pytest.mark.parametrize("parse", DECKS, ids=lambda parse: parse.format)
def test_a_text_takes_the_place_of_another(parse):
    document = parse.parse(DECKS[parse])
    for index, name in enumerate("ab"):
        old = source(document, index)
        after = document.apply(rewrite_sample(document, index, re.sub(rf"\b{name}\b", "new", old)))
        assert after.text == re.sub(rf"(id\W+){name}\b", r"\1new", document.text)
        assert after.read(index) == {"id": "new"}
        assert parse.parse(after.text).pieces == after.pieces


@pytest.mark.parametrize(
    ("parse", "text", "why"),
    [
        (TomlDocument, '[[samples]]\nid = "b"\nx = = 1\n', "line 3, column 5"),
        (TomlDocument, "[[samples]]\nid = 1\n[[samples]]\nid = 2\n", "1 sample more"),
        (TomlDocument, "", "1 sample fewer"),
        (TomlDocument, '[[samples]]\nid = "b"\n[meta]\n', "line 4"),
        (YamlDocument, "  - id: [b\n", "line "),
        (YamlDocument, "  - just text\n", "line 1, column 5"),
        (YamlDocument, "  - id: 1\n  - id: 2\n", "1 sample more"),
        (JsonDocument, '{"id": }', "line 1, column 8"),
        (JsonDocument, '{"id": 1}, {"id": 2}', "1 sample more"),
        (JsonlDocument, '{"id": "x"', "line 1, column"),
        (JsonlDocument, '{"id": 1}\n{"id": 2}', "1 sample more"),
    ],
)
def test_what_does_not_read_is_refused_with_its_place(parse, text, why):
    document = parse.parse(DECKS[parse])
    with pytest.raises(EditRefusedError, match=why):
        rewrite_sample(document, 1, text)


def test_a_line_that_cannot_be_read_can_be_mended():
    document = JsonlDocument.parse('{"id": "a"}\n{"id":\n')
    assert source(document, 1) == '{"id":'
    assert document.apply(rewrite_sample(document, 1, '{"id": "b"}')).text == '{"id": "a"}\n{"id": "b"}\n'


def test_an_anchor_that_another_sample_uses_is_not_changed_under_it():
    document = YamlDocument.parse("tests:\n  - id: a\n    x: &x 1\n  - id: b\n    x: *x\n")
    with pytest.raises(EditRefusedError, match="another sample"):
        rewrite_sample(document, 0, "  - id: a\n    x: &x 2\n")
    with pytest.raises(EditRefusedError):
        rewrite_sample(document, 0, "  - id: a\n    x: 1\n")


def test_an_error_without_a_place_is_told_without_a_column() -> None:
    class Odd(JsonlDocument):
        @classmethod
        def parse(cls, text: str) -> NoReturn:
            raise FormatError("odd")

    with pytest.raises(EditRefusedError, match=r"^line 1: odd$"):
        rewrite_sample(Odd(JsonlDocument.parse('{"a": 1}\n{"b": 2}\n').pieces, Style()), 1, "x")
