"""Edits that programs propose: kept beside the deck, and taken the same bytes as when they are made."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sampleui.errors import EditError, SaveError
from sampleui.workspace.deck import open_deck
from sampleui.workspace.edit_requests import make_edits, requests_in
from sampleui.workspace.folders import deck_check
from sampleui.workspace.proposed_edits import ProposalAnswer, answer, proposals_path, propose, proposed_edits

DECK = """# A deck.
[[samples]]
id = "a"  # the first
score = 1
messages = [{role = "user", content = "Hi"}]
tags = ["x", "y"]

[[samples]]
id = "b"
messages = [{role = "user", content = "Yo"}]
"""
EDITS = [
    {"op": "set", "sample": "a", "path": "messages[0].content", "value": "ü\n"},
    {"op": "set", "sample": "a", "path": "metadata.weight", "value": 1.1},
    {"op": "insert", "sample": "a", "path": "tags[0]", "value": "z"},
    {"op": "move", "sample": "a", "path": "tags[0]", "to": 1},
    {"op": "rename", "sample": "a", "path": "score", "name": "points"},
    {"op": "delete", "sample": "a", "path": "tags"},
    {"op": "set", "beside": True, "path": "meta.owner", "value": "ada"},
    {"op": "add-sample", "value": {"id": "c", "messages": [{"role": "user", "content": "New"}]}},
    {"op": "move-sample", "sample": "b", "to": "#1"},
    {"op": "rename-sample", "sample": "b", "name": "d"},
    {"op": "delete-sample", "sample": "b"},
]


@pytest.fixture
def deck(tmp_path: Path) -> Path:
    path = tmp_path / "deck.toml"
    path.write_text(DECK)
    return path


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit["op"])
def test_what_is_taken_is_what_would_have_been_made(deck: Path, edit: dict[str, object]) -> None:
    requests = requests_in(json.dumps(edit))
    propose(open_deck(deck), requests, "agent:bot", "why")
    assert deck.read_text() == DECK, "nothing is made yet"
    (kept,) = proposed_edits(deck)
    assert (kept.agent, kept.comment, [*kept.edits], kept.answer) == ("agent:bot", "why", requests, None)
    made, taken = make_edits(open_deck(deck), requests), kept.made_of(open_deck(deck))
    assert taken.files.sources[0].document.text == made.files.sources[0].document.text != DECK


def test_answers_are_of_people_and_can_be_taken_back(deck: Path) -> None:
    kept = propose(open_deck(deck), requests_in(json.dumps(EDITS[2])), "agent:bot")
    for said, found in (
        (ProposalAnswer.REFUSE, ProposalAnswer.REFUSE),
        (ProposalAnswer.REOPEN, None),
        (ProposalAnswer.TAKE, ProposalAnswer.TAKE),
    ):
        answer(deck, kept, "ada", said)
        assert proposed_edits(deck)[0].answer is found
    with pytest.raises(SaveError, match="takes and refuses no proposal"):
        answer(deck, kept, "Agent:bot", ProposalAnswer.TAKE)


def test_lines_that_a_merge_has_mixed_say_the_same(deck: Path) -> None:
    kept = propose(open_deck(deck), requests_in(json.dumps(EDITS[2])), "agent:bot")
    for said in (ProposalAnswer.TAKE, ProposalAnswer.REOPEN, ProposalAnswer.REFUSE):
        answer(deck, kept, "ada", said)
    log = proposals_path(deck)
    log.write_text("".join(reversed(log.read_text().splitlines(keepends=True))))
    assert proposed_edits(deck)[0].answer is ProposalAnswer.REFUSE


def test_a_proposal_by_number_is_of_the_deck_that_it_was_made_of_alone(deck: Path) -> None:
    kept = propose(open_deck(deck), requests_in('{"op": "delete-sample", "sample": "#1"}'), "agent:bot")
    assert len(kept.made_of(open_deck(deck)).samples) == 1
    deck.write_text(DECK.replace('"Yo"', '"Yes"'))
    with pytest.raises(EditError, match="has changed since the proposal"):
        kept.made_of(open_deck(deck))


def test_lines_that_are_no_proposals_are_passed_over_and_a_torn_one_is_ended(deck: Path) -> None:
    first = propose(open_deck(deck), requests_in(json.dumps(EDITS[1])), "agent:bot")
    with proposals_path(deck).open("a") as file:
        file.write(
            '{"kind": "other"}\nno json\n{"kind": "propose", "id": "x", "edits": [{"op": "fly"}]}\n{"kind": "prop'
        )
    second = propose(open_deck(deck), requests_in(json.dumps(EDITS[2])), "agent:bot")
    assert [item.id for item in proposed_edits(deck)] == [first.id, second.id]


def test_nothing_is_written_or_read_through_a_link_and_the_file_is_no_deck(deck: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.write_text("export A=1\n")
    proposals_path(deck).symlink_to(outside)
    with pytest.raises(SaveError, match="it is a link"):
        propose(open_deck(deck), requests_in(json.dumps(EDITS[2])), "agent:bot")
    with pytest.raises(SaveError, match="cannot be read"):
        proposed_edits(deck)
    assert outside.read_text() == "export A=1\n"
    proposals_path(deck).unlink()
    propose(open_deck(deck), requests_in(json.dumps(EDITS[2])), "agent:bot")
    assert deck_check(proposals_path(deck)).reason == "proposed edits of a deck"
