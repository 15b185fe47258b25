"""Samples that are put at the end one after the other: the text is that of as many single edits."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sampleui.errors import EditRefusedError
from sampleui.formats.data import Plain, Table
from sampleui.formats.document import MAX_ASKED, Document
from sampleui.formats.registry import BY_NAME
from sampleui.workspace.sample_transfer import Growing

HEADS = {
    "csv": "id,messages,label,metadata\n",
    "tsv": "id\tmessages\tlabel\tmetadata\r\n",
    "jsonl": "",
    "json": '[\n  {"id": "first", "label": ""}\n]\n',
    "yaml": "samples:\n  - id: first\n    label: ''\n",
    "toml": '[meta]\na = 1\n\n[[samples]]\nid = "first"\n',
}
COUNT = 3 * MAX_ASKED


def begun(name: str) -> Document:
    document = BY_NAME[name].parse(HEADS[name])
    assert isinstance(document, Document)
    return document


def a_sample(number: int, turned: bool) -> Table:
    turn: Table = {"role": "user", "content": f'Is it {number}, or "{number + 1}"?'}
    said: list[Plain] = [dict(reversed(turn.items())) if turned else turn]
    made: Table = {"id": f"s{number}", "messages": said, "label": f"{number}", "metadata": {"n": number}}
    return dict(reversed(made.items())) if turned else made


@pytest.mark.parametrize("name", HEADS)
@settings(max_examples=max(settings().max_examples // 10, 1), deadline=None)
@given(turned=st.lists(st.booleans(), min_size=COUNT, max_size=COUNT))
def test_the_text_is_that_of_single_edits(name: str, turned: list[bool]) -> None:
    single = begun(name)
    growing = Growing(single)
    for number, one in enumerate(turned):
        data = a_sample(number, one)
        single = single.apply(single.insert_sample(len(single), data))
        growing.add(data)
    assert growing.document.text == single.text


def test_a_sample_that_widens_a_table_is_put_into_the_whole_of_it() -> None:
    growing = Growing(begun("csv"))
    for number in range(COUNT):
        growing.add(a_sample(number, turned=False))
    growing.add({"id": "wide", "description": "new"})
    growing.add(a_sample(COUNT, turned=False))
    assert len(growing.document) == COUNT + 2
    assert growing.document.columns == ("id", "messages", "label", "metadata", "description")
    assert growing.document.read(0) == a_sample(0, turned=False)
    assert growing.document.read(COUNT) == {"id": "wide", "description": "new"}


def test_what_cannot_be_written_is_refused_and_leaves_the_others() -> None:
    growing = Growing(begun("csv"))
    for number in range(COUNT):
        growing.add(a_sample(number, turned=False))
    with pytest.raises(EditRefusedError):
        growing.add({"id": 7})
    assert len(growing.document) == COUNT


def test_what_is_looked_at_for_a_sample_does_not_grow(monkeypatch: pytest.MonkeyPatch) -> None:
    growing, most = Growing(begun("jsonl")), 0
    of_all = Document.insert_sample

    def counted(document: Document, index: int, data: Table) -> object:
        nonlocal most
        most = max(most, len(document))
        return of_all(document, index, data)

    monkeypatch.setattr(Document, "insert_sample", counted)
    for number in range(10 * MAX_ASKED):
        growing.add(a_sample(number, turned=False))
    assert len(growing.document) == 10 * MAX_ASKED
    assert most <= 2 * MAX_ASKED
