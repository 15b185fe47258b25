"""What is told of a log to programs: what people said of its run, what programs proposed, and what became of it."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from sampleui.formats.data import Table
from sampleui.review.log.store import Log
from sampleui.review.verdict import Decision, LogAction, ProposalState, subject_of
from sampleui.settings.reviewers import is_program
from sampleui.text.visible import one_line


def of_people(log: Log) -> Iterator[Decision]:
    """Yield what people decided last about each record, rulings, notes and labels, by time; nothing of programs."""
    standing = (decision for decision in log.said if not is_program(decision.reviewer))
    yield from sorted(standing, key=lambda decision: (decision.time, decision.id))


def decided_since(log: Log, seen: Seen) -> Iterator[Decision]:
    """Yield what people decided and refused since, and what stands of it."""
    refused = (item for record in sorted(log.proposed) for item in log.refusals(record))
    yield from (decision for decision in (*of_people(log), *refused) if seen.lacks(decision))


def programs_said(log: Log) -> Iterator[Decision]:
    """Yield what programs proposed and did not take back, by time."""
    said = (item for record in log.proposed for item in log.proposals(record))
    yield from sorted(said, key=lambda decision: (decision.time, decision.id))


class StatedProposal(NamedTuple):
    """A proposal, and what became of it.

    Attributes:
        line: what was proposed.
        state: what became of it.
        by: who answered it, or took it back; None for nobody.
        when: when that was, as decisions note it.
    """

    line: Decision
    state: ProposalState
    by: str | None = None
    when: str | None = None

    def __str__(self) -> str:
        """Return what became of it in words: `refused by ann on 2026-03-01`."""
        return " ".join((str(self.state), *((f"by {self.by} on {str(self.when)[:10]}",) if self.by else ())))


def stated(log: Log) -> Iterator[StatedProposal]:
    """Yield all that programs proposed about the records of a log, by time, with what became of it."""
    lines = log.decisions
    undos = {line.undoes: line for line in lines if line.kind is LogAction.UNDO}
    answers = {line.proposal: line for line in lines if line.proposal is not None and line.id not in undos}
    proposed = [line for line in lines if line.kind is LogAction.PROPOSE]
    last = {(line.reviewer, line.record, subject_of(line)): line for line in proposed if line.id not in undos}
    waiting = {item.id for record in {line.record for line in proposed} for item in log.open_proposals(record)}
    for line in proposed:
        instead = last.get((line.reviewer, line.record, subject_of(line)))
        if (answer := answers.get(line.id)) is not None:
            refused = answer.kind is LogAction.REFUSE
            state = ProposalState.REFUSED if refused else ProposalState.TAKEN
        elif (answer := undos.get(line.id) or instead) is not line:
            state = ProposalState.WITHDRAWN
        else:
            yield StatedProposal(line, ProposalState.OPEN if line.id in waiting else ProposalState.PASSED_OVER)
            continue
        assert answer is not None
        yield StatedProposal(line, state, answer.reviewer, answer.time)


class Seen(NamedTuple):
    """What was read of a log: of each who wrote in it the time of the last line, since merges bring older lines.

    Attributes:
        until: by name, ISO 8601; of answers to proposed edits by the name of the deck and that of who answered.
    """

    until: Mapping[str, str] = {}

    @classmethod
    def of(cls, log: Log, answers: Mapping[str, str] = {}) -> Seen:
        """Return that all of a log was read, and answers to proposed edits."""
        return cls({**{decision.reviewer: decision.time for decision in log.decisions}, **answers})  # by time

    @classmethod
    def read(cls, token: str) -> Seen:
        """Return what a token says. Raises ValueError for a text that is none."""
        until = json.loads(urlsafe_b64decode(token.encode("ascii")))
        if not isinstance(until, dict) or not all(isinstance(time, str) for time in until.values()):
            raise ValueError("not a token")
        return cls(until)

    @property
    def token(self) -> str:
        """It as a text for programs."""
        return urlsafe_b64encode(json.dumps(self.until).encode()).decode()

    def lacks(self, decision: Decision) -> bool:
        """Tell whether a line was written since."""
        return decision.time > self.until.get(decision.reviewer, "")


def as_data(decision: Decision, address: tuple[Path, str] | None = None) -> Table:
    """Return a decision, or a refusal, as the JSON object that commands print.

    `address` is the file of its sample's deck, and its sample as commands on decks take it, where these are known.
    """
    return {
        "id": decision.id,
        "record": decision.record_id or None,
        "deck": None if address is None else str(address[0]),
        "sample": (decision.sample or None) if address is None else address[1],
        "reviewer": decision.reviewer,
        "kind": str(decision.kind),
        "verdict": None if decision.verdict is None else str(decision.verdict),
        "comment": decision.comment or None,
        "code": decision.code,
        "label": None if decision.label is None else str(decision.label),
        **({} if decision.formerly is None else {"formerly": decision.formerly}),
        "proposed_by": decision.proposed_by,
        "time": decision.time,
        **({} if decision.place is None else {"place": decision.place.data}),
    }


def words(decision: Decision) -> str:
    """Return a decision, or a refusal, as a line."""
    said = (
        f"refused, {decision.verdict_words.partition(', ')[2]}"
        if decision.kind is LogAction.REFUSE
        else decision.verdict_words
    )
    kinds = f" # {', '.join(decision.tags)}" if decision.tags else ""
    comment = f": {one_line(decision.comment, 2_000)}" if decision.comment else ""
    about = f"{decision.record_id}: " if decision.record_id else ""
    return f"{about}{said} by {one_line(decision.reviewer, 60)}{kinds}{comment}"
