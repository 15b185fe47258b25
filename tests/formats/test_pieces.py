"""Where samples are in the file, before an edit and after it."""

from __future__ import annotations

from pathlib import Path

import pytest

from sampleui.formats.document import Document
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
            document = document.apply(document.set(index, ("x",), new))
        assert places(document) == places(document.again(document.text))
    places(document)
    after = document.apply(document.delete_sample(1))
    assert places(after) == places(after.again(after.text))
