"""What a deck tells, every edit of it, and saving, on every form."""

from __future__ import annotations

import copy
import dataclasses

import pytest

from .forms import ROWS, TURN, contents, saved


def test_what_a_deck_tells(any_deck):
    deck = any_deck
    text = deck.path.read_text()
    assert deck.text == text
    assert deck.format == {".md": "markdown"}.get(deck.path.suffix, deck.path.suffix[1:])
    assert deck.dialect == "calibrate"
    assert [sample.id for sample in deck.samples] == ["sum", "sky"]
    assert len(deck.samples) == 2
    first, last = deck.samples[0], deck.samples[-1]
    assert (first.index, last.index) == (0, 1)
    assert type(first.data) is dict
    assert first.data["tags"] == ["math"]
    assert first.messages == ROWS[0]["messages"]
    assert first.messages_path == ("messages",)
    lines = first.path.read_text().splitlines()
    assert "sum" in "".join(lines[first.line - 1 : first.line + 1])
    assert [problem for problem in deck.diagnostics if problem.severity != "info"] == []
    with pytest.raises(IndexError):
        deck.samples[2]


def test_every_edit_does_what_it_says(any_deck):
    deck = any_deck
    before = [copy.deepcopy(sample.data) for sample in deck.samples]
    steps = [
        deck.set(0, ("messages", 1, "content"), "3+3?\n\n\tTabs & \u00e9\U0001f642"),
        deck.set(0, ("score",), 0.5),
        deck.insert(0, ("messages", 1), TURN),
        deck.delete(0, ("messages", 0)),
        deck.delete(0, ("expected",)),
        deck.move(0, ("messages", 0), 1),
        deck.insert_sample(1, {"id": "new", "messages": [TURN], "expected": "x"}),
        deck.delete_sample(0),
        deck.move_sample(0, 1),
    ]
    wanted = [copy.deepcopy(before) for _ in steps]
    wanted[0][0]["messages"][1]["content"] = "3+3?\n\n\tTabs & \u00e9\U0001f642"
    wanted[1][0]["score"] = 0.5
    wanted[2][0]["messages"].insert(1, TURN)
    del wanted[3][0]["messages"][0]
    del wanted[4][0]["expected"]
    wanted[5][0]["messages"].reverse()
    keyed = "id" not in before[0]
    wanted[6].insert(1, {**({} if keyed else {"id": "new"}), "messages": [TURN], "expected": "x"})
    del wanted[7][0]
    wanted[8].reverse()
    for edited, data in zip(steps, wanted, strict=True):
        assert [sample.data for sample in edited.samples] == data
        assert edited.changed
    assert [sample.data for sample in deck.samples] == before, "an edit changed the deck that it was asked of"
    assert not deck.changed


def test_edits_are_saved_and_read_back(any_deck):
    comments = any_deck.samples[0].path.read_text().count("#")
    deck = any_deck.set(0, ("messages", 0, "content"), "Be kind.").insert(1, ("messages", 0), TURN)
    deck = deck.insert_sample(2, {"id": "third", "messages": [TURN]}).move_sample(2, 0).delete_sample(2)
    again = saved(deck)
    assert [sample.id for sample in again.samples] == ["third", "sum"]
    assert [sample.data for sample in again.samples] == [sample.data for sample in deck.samples]
    assert contents(again, 1) == ["Be kind.", "2+2?"]
    assert not deck.changed
    assert again.samples[0].path.read_text().count("#") == comments


def test_a_save_without_an_edit_leaves_the_file_alone(any_deck):
    held = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in any_deck.path.parent.iterdir()}
    any_deck.save()
    assert {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in held} == held


def test_a_deck_is_a_value(deck):
    for name in ("path", "text", "samples", "files"):
        with pytest.raises((dataclasses.FrozenInstanceError, AttributeError)):
            setattr(deck, name, None)
    with pytest.raises(dataclasses.FrozenInstanceError):
        deck.samples[0].id = "other"  # type: ignore[misc]


def test_the_data_of_a_sample_is_the_callers_own(deck):
    data = deck.samples[0].data
    data["id"] = "copy"
    data["messages"][0]["content"] = "changed"
    assert contents(deck) == ["Be short.", "2+2?"]
    assert deck.samples[0].id == "sum"
    more = deck.insert_sample(1, data)
    assert [sample.id for sample in more.samples] == ["sum", "copy", "sky"]
    assert contents(more, 1) == ["changed", "2+2?"]
