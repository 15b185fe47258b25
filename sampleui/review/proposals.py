"""What became of what programs proposed about the records of a run: lines of its log, each with its answer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sampleui.review.log.store import Log
from sampleui.review.verdict import Decision, LogAction, ProposalState, subject_of


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
