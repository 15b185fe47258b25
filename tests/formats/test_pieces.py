"""Where samples are in the file, before an edit and after it."""

from __future__ import annotations

from pathlib import Path

import pytest

from sampleui.errors import PathError
from sampleui.formats.document import Document
from sampleui.formats.operations import Set
from sampleui.formats.registry import parse_document

DECKS = {
    "deck.yaml": "# a\nsamples:\n- id: a\n  x: 1\n- id: b\n- id: c\n",
    "deck.toml": "[[samples]]\nid = 'a'\nx = 1\n\n[[samples]]\nid = 'b'\n[[samples]]\nid = 'c'\n",
    "deck.json": '[\n{"id": "a", "x": 1}, {"id": "b"}, {"id": "c"}\n]\n',
    "deck.jsonl": '{"id": "a", "x": 1}\n{"id": "b"}\n\n{"id": "c"}\n',
    "deck.csv": "input,x\na,1\nb,\nc,\n",
}


def places(document: Document) -> list[object]:
    return [document.position(index, offset) for index in range(len(document)) for offset in (0, 1)]


@pytest.mark.parametrize("name", DECKS)
@pytest.mark.parametrize("value", ["y", "two\nlines", "three\n\nlines", 12])
def test_samples_are_where_the_text_has_them_after_every_edit(name, value):
    document = parse_document(DECKS[name], Path(name))
    for index, new in ((0, value), (0, "z"), (1, value)):
        places(document)
        if not document.columns or isinstance(new, str):
            document = document.apply(document.edit(index, Set(("x",), new)))
        assert places(document) == places(document.again(document.text))
    places(document)
    after = document.apply(document.delete_sample(1))
    assert places(after) == places(after.again(after.text))


@pytest.mark.parametrize(
    ("name", "text", "path", "shown"),
    [
        ("deck.toml", DECKS["deck.toml"], ("y",), "y"),
        ("deck.toml", DECKS["deck.toml"], ("y", "z"), "y"),
        ("deck.toml", DECKS["deck.toml"], ("x", "y", "z"), "x.y"),
        ("deck.json", DECKS["deck.json"], ("y", "z"), "y"),
        ("deck.json", DECKS["deck.json"], ("x", "y", "z"), "x.y"),
        ("deck.json", '[{"a": {"b": 1}, "c": [1]}]', ("a", 0, "d"), "a[0]"),
        ("deck.json", '[{"a": {"b": 1}, "c": [1]}]', ("c", 1, "d"), "c[1]"),
        ("deck.csv", DECKS["deck.csv"], ("y", "z"), "y"),
        ("deck.csv", DECKS["deck.csv"], ("x", "y"), "x.y"),
        ("deck.csv", 'messages,x\n"[1]",[1]\ny,1\n', ("x", 0), "x[0]"),
        ("deck.csv", 'messages,x\ny,1\n"[1]",[1]\n', ("messages", 0), "messages[0]"),
    ],
)
def test_what_a_sample_has_not_is_nowhere(name, text, path, shown):
    with pytest.raises(PathError) as error:
        parse_document(text, Path(name)).span(0, path)
    assert str(error.value).endswith(shown)
