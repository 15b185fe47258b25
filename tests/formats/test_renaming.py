"""Keys and the names of samples get other names wherever the text repeats them, and nothing else changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from sampleui.errors import EditRefusedError, PathError
from sampleui.formats.json.document import JsonDocument
from sampleui.formats.operations import Rename
from sampleui.formats.toml import TomlDocument
from sampleui.formats.yaml import YamlDocument

KEYED = (Path(__file__).parents[2] / "examples" / "decks" / "keyed.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("parse", "text", "path", "name", "after"),
    [
        (TomlDocument, "[[samples]]\na = 1 # x\n", ("a",), "b c", '[[samples]]\n"b c" = 1 # x\n'),
        (TomlDocument, "[[samples]]\na.b = 1\na.c = 2\n", ("a",), "d", "[[samples]]\nd.b = 1\nd.c = 2\n"),
        (TomlDocument, "[[samples]]\na = { b = 1 }\n", ("a", "b"), "c", "[[samples]]\na = { c = 1 }\n"),
        (
            TomlDocument,
            "[[samples]]\n[[samples.m]]\nx = 1\n[samples.m.y]\nz.w = 1\n[[samples.m]]\n",
            ("m",),
            "n",
            "[[samples]]\n[[samples.n]]\nx = 1\n[samples.n.y]\nz.w = 1\n[[samples.n]]\n",
        ),
        (
            TomlDocument,
            "[[samples]]\n[[samples.m]]\n[samples.m.y]\nz.w = 1\n",
            ("m", 0, "y", "z"),
            "v",
            "[[samples]]\n[[samples.m]]\n[samples.m.y]\nv.w = 1\n",
        ),
        (YamlDocument, "- 'a': 1\n  b: 2 # x\n", ("a",), "it's", "- 'it''s': 1\n  b: 2 # x\n"),
        (YamlDocument, "- a: 1\n", ("a",), "yes", '- "yes": 1\n'),
        (JsonDocument, '[{"a": {"b" : 1}}]', ("a", "b"), "é", '[{"a": {"é" : 1}}]'),
    ],
)
def test_a_key_is_renamed_in_place(parse, text, path, name, after):
    document = parse.parse(text)
    assert document.apply(document.edit(0, Rename(path, name))).text == after


@pytest.mark.parametrize("name", ["other", "other name", "a.b", "é"])
def test_a_keyed_sample_is_renamed_in_every_header(name):
    document = TomlDocument.parse(KEYED)
    for index in range(len(document)):
        old = document.name(index)
        after = document.apply(document.rename_sample(index, name))
        assert after.name(index) == name
        assert after.read(index) == document.read(index)
        assert [after.name(at) for at in range(len(after)) if at != index] == [
            document.name(at) for at in range(len(document)) if at != index
        ]
        changed = [line for line in after.text.splitlines() if line not in document.text.splitlines()]
        assert len(changed) == KEYED.count(f"samples.{old}") + KEYED.count(f'samples."{old}"')


@pytest.mark.parametrize(
    ("parse", "text", "after"),
    [
        (YamlDocument, "samples:\n  a:\n    x: 1\n  b:\n    x: 2\n", "samples:\n  a:\n    x: 1\n  c:\n    x: 2\n"),
        (JsonDocument, '{"samples": {"a": {}, "b": {}}}', '{"samples": {"a": {}, "c": {}}}'),
    ],
)
def test_samples_are_renamed_in_every_form(parse, text, after):
    document = parse.parse(text)
    assert document.apply(document.rename_sample(1, "c")).text == after
    with pytest.raises(EditRefusedError, match="already"):
        document.rename_sample(1, "a")


def test_what_cannot_be_renamed_says_so():
    document = TomlDocument.parse("[[samples]]\na = 1\nb = 2\nc = [1]\n")
    with pytest.raises(EditRefusedError, match="b is there already"):
        document.edit(0, Rename(("a",), "b"))
    with pytest.raises(PathError, match="no key c"):
        document.edit(0, Rename(("c", 0), "x"))
    with pytest.raises(EditRefusedError, match="items of a list"):
        document.rename_sample(0, "x")
