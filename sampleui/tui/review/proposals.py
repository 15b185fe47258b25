"""What programs propose in a review, for records and for their samples, and a person takes or refuses."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from sampleui.review.record import Entry
from sampleui.review.verdict import Decision, LogAction
from sampleui.tui.review.comments import own_comment, own_tags
from sampleui.tui.review.joined import DecksOfRun, Unmatched
from sampleui.tui.review.state import ReviewState

if TYPE_CHECKING:
    from sampleui.tui.review.session import ReviewSession
    from sampleui.workspace.proposed_edits import ProposedEdit


def with_edits(state: ReviewState, decks: DecksOfRun, entries: Iterable[Entry]) -> ReviewState:
    """Return the state with the edits that programs propose for samples, as the decks have read them last."""
    waiting = [(index, item) for index, deck in enumerate(decks) for item in deck.proposals]
    by_sample: dict[tuple[int | None, str | None], list[ProposedEdit]] = {}
    for index, item in waiting:
        for sample in item.samples:
            by_sample.setdefault((index, sample), []).append(item)
    edits: dict[int, list[ProposedEdit]] = {}
    for entry in entries if by_sample else ():
        answered = decks.sample_index(entry), decks.name_of(entry)
        if answered in by_sample:
            edits[entry.index] = by_sample[answered]
    placed = {item.id for items in edits.values() for item in items}
    elsewhere = tuple(
        Unmatched(", ".join(item.samples) or "beside the samples", deck=index, edit=item)
        for index, item in waiting
        if item.id not in placed
    )
    return replace(state, edits=edits, edits_elsewhere=elsewhere)


def waiting(review: ReviewSession, index: int) -> tuple[Decision, ...]:
    """Return what programs proposed about a record that waits for the reviewer."""
    digest, reviewer = review.queue.items[index].entry.digest, review.options.reviewer
    return review.log.open_proposals(digest, reviewer)


def takeable(review: ReviewSession, index: int) -> tuple[Decision, ...]:
    """Return what of the proposals about a record can be taken: the last verdict, or else the last comment."""
    proposed = sorted(waiting(review, index), key=lambda item: (item.time, item.id))
    return tuple([item for item in proposed if item.verdict is not None][-1:] or proposed[-1:])


async def take(review: ReviewSession, taken: Sequence[tuple[int, Decision]]) -> tuple[Decision, ...]:
    """Take what programs proposed about records as the reviewer's own, as one step of undo.

    Of several programs' verdicts on a record it is the last one, with its comment and kinds of failure; a
    comment that is proposed alone becomes a note.

    Args:
        review: the review.
        taken: the records and what of `takeable` was seen of each; what waits no longer is left.

    Raises:
        ResultsError: when a record cannot be read, or the log cannot be written; then none is taken.
    """
    from sampleui.tui.review.session_verdicts import made_about, note_about  # with what reads samples

    def decisions() -> list[Decision]:
        made: list[Decision] = []
        for index, item in taken:
            if item not in takeable(review, index):
                continue
            record = review.results.record(index)
            if item.verdict is None:
                decision = note_about(review, record, item.comment, item.place)
            else:
                comment, tags = item.comment or own_comment(review, index), item.tags or own_tags(review, index)
                decision = made_about(review, record, item.verdict, comment, tags)
            step = made[0].id if made else None
            made.append(replace(decision, proposal=item.id, proposed_by=item.reviewer, step=step))
        return made

    made = review.log.append_all(await asyncio.to_thread(decisions))
    review.revise({decision.record for decision in made})
    return made


def refuse(review: ReviewSession, indexes: Sequence[int]) -> tuple[Decision, ...]:
    """Refuse what programs proposed about records, as one step of undo.

    Raises:
        ResultsError: when the log cannot be written; then none is refused.
    """
    made: list[Decision] = []
    for item in (item for index in indexes for item in waiting(review, index)):
        refusal = Decision(
            reviewer=review.options.reviewer,
            record=item.record,
            record_id=item.record_id,
            sample=item.sample,
            kind=LogAction.REFUSE,
            proposal=item.id,
            proposed_by=item.reviewer,
            step=made[0].id if made else None,
        )
        made.append(refusal)
    refused = review.log.append_all(made)
    review.revise({decision.record for decision in refused})
    return refused


def refusals(review: ReviewSession, digest: str) -> tuple[Decision, ...]:
    """Return the refusals of proposals that one may see: one's own; once one has decided, all."""
    decided = review.own_decision(digest) is not None
    mine = review.options.reviewer
    return tuple(item for item in review.log.refusals(digest) if decided or item.reviewer == mine)
