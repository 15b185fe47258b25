"""The dialect of a deck that is edited: told anew by what it is told by, and by nothing else."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from unittest import mock

import pytest

from sampleui.deck import edit
from sampleui.errors import DeckError
from sampleui.formats.operations import Rename
from sampleui.text.diagnostic import Severity
from sampleui.tui.author.session import Session
from sampleui.workspace import deck as decks
from sampleui.workspace.deck import Deck, open_deck

TOLD = {
    "jsonl": ('{{"id": "s{0}", "messages": [{{"role": "user", "content": "Hi"}}]}}\n', ""),
    "toml": ('[[samples]]\nid = "s{0}"\nmessages = [{{ role = "user", content = "Hi" }}]\n\n', ""),
    "yaml": ("  - id: s{0}\n    input: Hi\n    criteria: yes\n", "evalcases:\n"),
}


def large(folder: Path, form: str) -> Deck:
    row, head = TOLD[form]
    path = folder / f"deck.{form}"
    path.write_text(head + "".join(row.format(number) for number in range(60)))
    return open_deck(path)


@pytest.mark.parametrize("form", TOLD)
def test_a_sample_that_shows_no_dialect_does_not_have_it_detected_again(tmp_path, form):
    deck = large(tmp_path, form)
    with mock.patch.object(decks, "detected", wraps=decks.detected) as detected:
        deck.set(50, ("id",), "other").redetected(deck)
        assert not detected.called
        deck.set(0, ("id",), "other").redetected(deck)
        assert detected.called


@pytest.mark.parametrize("index", [0, 39])
def test_a_sample_that_the_dialect_is_told_by_counts(tmp_path, index):
    path = tmp_path / "deck.jsonl"
    path.write_text('{"text": "Hi"}\n' * 60)
    deck = open_deck(path)
    edited = deck.set(index, ("messages",), [{"role": "user", "content": "Hi"}]).set(index, ("tags",), ["a"])
    assert edited.redetected(deck) == edited.redetected()


def test_a_table_that_an_edit_leaves_without_messages_is_said_to_be_no_deck(tmp_path):
    path = tmp_path / "deck.csv"
    path.write_text("id,input,expected\na,Hi,x\n")
    session = Session(open_deck(path))
    session.problems.look(9)
    assert not session.problems.counts()[Severity.ERROR]
    session.perform("rename", partial(edit.apply, index=0, operation=Rename(("input",), "note")))
    told = [one for one in session.problems.placed() if one.rule == "not-a-deck"]
    path.write_text(session.deck.text)
    with pytest.raises(DeckError) as refused:
        open_deck(path)
    assert [one.message for one in told] == [refused.value.message]
    assert session.problems.counts()[Severity.ERROR]
    session.undo()
    session.problems.look(9)
    assert not session.problems.counts()[Severity.ERROR]
    session.journal.discard()
