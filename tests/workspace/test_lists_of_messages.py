"""What a bare list is taken for: one conversation, several, records that have some, or nothing that is known."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

import pytest

from sampleui.errors import ResultsError
from sampleui.formats.data import Plain
from sampleui.review.results.file import open_results
from sampleui.settings.options import Settings
from sampleui.trace.reading.files import records_of
from sampleui.workspace.deck import Deck
from sampleui.workspace.head import Broken, RunFile
from sampleui.workspace.opening import open_path

from ..sample.conversations import CONVERSATIONS

KINDS = [*CONVERSATIONS]


def lines(rows: Plain) -> str:
    assert isinstance(rows, list)
    return "".join(f"{json.dumps(row)}\n" for row in rows)


def counted(path: Path) -> tuple[int, int]:
    """Return how many records a file has, as results and as traces."""
    return len(open_results(path, ()).indexed().entries), len([*records_of(path)])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("times", [1, 20])
def test_a_list_of_messages_is_one_conversation_however_long(tmp_path: Path, kind: str, times: int) -> None:
    for name, spelled in (("talk.json", json.dumps), ("talk.jsonl", lines)):
        path = tmp_path / name
        path.write_text(spelled(CONVERSATIONS[kind] * times))
        assert counted(path) == (1, 1)
        assert open_path(path, Settings()) == RunFile(path)


@pytest.mark.parametrize("kind", KINDS)
def test_a_list_of_lists_of_messages_is_a_record_each(tmp_path: Path, kind: str) -> None:
    for name, spelled in (("talks.json", json.dumps), ("talks.jsonl", lines)):
        path = tmp_path / name
        path.write_text(spelled([CONVERSATIONS[kind], CONVERSATIONS[kind][:2], CONVERSATIONS["openai chat"]]))
        assert counted(path) == (3, 3)
        assert open_path(path, Settings()) == RunFile(path)


def test_samples_that_have_messages_are_a_deck(tmp_path: Path) -> None:
    path = tmp_path / "deck.json"
    path.write_text(
        json.dumps([{"id": str(number), "messages": CONVERSATIONS["openai chat"]} for number in (1, 2)])
    )
    assert isinstance(open_path(path, Settings()), Deck)


@pytest.mark.parametrize("value", [["a", "b"], [1, 2.5], [None], [[1], [2]], [[], []], ["a", 1, {"a": 1}, [1]], []])
def test_lists_of_anything_else_are_neither_records_nor_conversations(tmp_path: Path, value: Plain) -> None:
    for name, spelled in (("list.json", json.dumps), ("list.jsonl", lines)):
        path = tmp_path / name
        path.write_text(spelled(value))
        assert not isinstance(open_path(path, Settings()), RunFile)
        with suppress(ResultsError):
            assert not open_results(path, ()).indexed().entries
    assert isinstance(open_path(tmp_path / "list.json", Settings()), Broken | Deck)
