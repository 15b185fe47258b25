"""What a file holds beside its samples is edited and the samples are not; what would touch them is refused."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from sampleui import open_deck
from sampleui.errors import EditRefusedError, PathError
from sampleui.formats.data import Plain, with_set
from sampleui.formats.document import Document
from sampleui.formats.json.document import JsonDocument
from sampleui.formats.operations import Set
from sampleui.formats.toml.document import TomlDocument
from sampleui.formats.whole_file import edited
from sampleui.formats.yaml.document import YamlDocument
from tests.inside import inside

TEXTS = {
    TomlDocument: '# a\ntitle = "x" # c\n[meta]\nn = 1 # d\ntags = ["a"]\n\n'
    '# s\n[[samples]]\nid = "1"\n[[samples]]\nid = "2"\n\n[tail] # e\nx = 1\n',
    YamlDocument: "# a\ntitle: x # c\nmeta:\n  n: 1 # d\n  tags: [a]\n"
    "cases:\n  # s\n  - id: 1\n  - id: 2\n\n# e\ntail:\n  x: 1\n",
    JsonDocument: '{\n  "title": "x",\n  "meta": {"n": 1, "tags": ["a"]},\n'
    '  "cases": [\n    {"id": 1},\n    {"id": 2}\n  ],\n  "tail": {"x": 1}\n}\n',
}
READERS: dict[type[Document], Callable[[str], Any]] = {
    TomlDocument: tomllib.loads,
    YamlDocument: yaml.safe_load,
    JsonDocument: json.loads,
}
VALUES = st.text("ab\n#'\"", max_size=5) | st.integers(0, 9) | st.booleans() | st.lists(st.just(1), max_size=2)
PATHS = st.sampled_from([("title",), ("new",), ("meta", "n"), ("meta", "new"), ("meta", "tags"), ("tail", "x")])


@pytest.mark.parametrize("kind", TEXTS)
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
@given(PATHS, VALUES)
def test_a_value_is_set_and_nothing_else(kind, ends: str, path, value: Plain) -> None:
    document = kind.parse(TEXTS[kind].replace("\n", ends))
    splice = edited(document, Set(path, value))
    after = document.apply(splice)
    wanted = with_set(READERS[kind](document.text), path, value)
    assert READERS[kind](after.text) == wanted
    assert after.pieces == kind.parse(after.text).pieces
    assert after.context == {key: one for key, one in inside(wanted).items() if key not in ("samples", "cases")}
    assert after.pieces[1:-1] == document.pieces[1:-1]
    assert after.apply(splice.inverse()).text == document.text
    assert after.apply(splice.inverse()).context == document.context
    assert all(f"# {one}" in after.text for one in "acde" if f"# {one}" in document.text)


@pytest.mark.parametrize(
    "text",
    [
        'samples = [ {id = "1"} ]\nmeta = "x" # m\n',
        'title = "t"\nsamples = [ {id = "1"} ]\nmeta = "x"',
        'samples.a.id = "1"\nmeta = "x"\nsamples.b.id = "2"\n',
    ],
)
def test_what_stands_below_samples_that_have_no_headers_is_edited_saved_and_undone(tmp_path: Path, text) -> None:
    path = tmp_path / "deck.toml"
    path.write_text(text)
    deck = open_deck(path)
    edited = deck.set_beside(("meta",), "y")
    assert edited.around["meta"] == "y" and deck.around["meta"] == "x"
    edited.save()
    assert path.read_text() == text.replace('"x"', '"y"')
    back = edited.set_beside(("meta",), "x")
    assert back.text == text and back.around == deck.around


@pytest.mark.parametrize("kind", TEXTS)
def test_the_samples_themselves_are_refused(kind) -> None:
    document = kind.parse(TEXTS[kind])
    key = document.container[0]
    for path in ((key,), (key, 0, "id"), ()):
        with pytest.raises(EditRefusedError):
            edited(document, Set(path, []))
    with pytest.raises(PathError):
        edited(document, Set(("no", "x"), 1))


def test_a_value_that_samples_repeat_by_its_anchor_is_refused() -> None:
    document = YamlDocument.parse("meta: &m\n  a: 1\ncases:\n  - id: x\n    held: *m\n  - id: y\n")
    with pytest.raises(EditRefusedError):
        edited(document, Set(("meta", "a"), 2))


@pytest.mark.parametrize("text", ['{"id": "a"}\n{"id": "b"}\n', ""])
def test_lines_have_no_place_for_it(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(EditRefusedError, match="no place"):
        open_deck(path).set_beside(("meta",), 1)


def test_tables_between_samples_are_edited_where_they_stand(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    text = "[[samples]]\nmessages = []\n\n[meta]\nx = 1\n\n[[samples]]\nmessages = []\n"
    path.write_text(text, encoding="utf-8")
    deck = open_deck(path).set_beside(("meta", "x"), 2)
    assert deck.text == text.replace("x = 1", "x = 2")
    assert deck.files.sources[0].document.context == {"meta": {"x": 2}}
    deck.save()
    assert path.read_text(encoding="utf-8") == deck.text


@pytest.mark.parametrize("kind", TEXTS)
def test_an_edit_in_front_of_the_samples_is_one_of_the_head_alone(kind) -> None:
    document = kind.parse(TEXTS[kind])
    splice = edited(document, Set(("title",), "y"))
    assert (splice.start, splice.removed) == (0, document.pieces[:1])


def test_a_value_with_an_anchor_is_edited_where_no_sample_repeats_it() -> None:
    document = YamlDocument.parse("base: &b x\ncases:\n- id: 1\n- id: 2\n")
    splice = edited(document, Set(("base",), "z"))
    assert document.apply(splice).text == document.text.replace("x", "z")
    used = YamlDocument.parse("base: &b x\ncases:\n- id: 1\n- id: *b\n")
    with pytest.raises(EditRefusedError):
        edited(used, Set(("base",), "y"))
