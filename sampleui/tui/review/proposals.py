"""What programs propose in a review, for records and for their samples, and a person takes or refuses."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from sampleui.review.record import Entry
from sampleui.review.verdict import Decision, LogAction
from sampleui.tui.review.comments import own_comment
from sampleui.tui.review.joined import DecksOfRun, Unmatched
from sampleui.tui.review.state import ReviewState

if TYPE_CHECKING:
    from sampleui.review.log.store import Log
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
    """Return what of the proposals about a record can be taken: the last verdict, comments and labels, by time."""
    proposed = sorted(waiting(review, index), key=lambda item: (item.time, item.id))
    last = next((item.id for item in reversed(proposed) if item.verdict is not None), None)
    return tuple(item for item in proposed if item.verdict is None or item.id == last)


def taken_words(log: Log, proposed: Iterable[Decision]) -> dict[str, str]:
    """Say by the ids of proposed labels how often those of their program for their code were taken so far."""
    from sampleui.review.labels import taken_by_code

    counts = taken_by_code(log)
    labels = ((item, counts.get((item.reviewer, log.codebook.now(item.code)))) for item in proposed if item.code)
    return {
        item.id: f"{item.code} of {item.reviewer} so far: {count.taken:,} taken, {count.refused:,} refused"
        for item, count in labels
        if count is not None
    }


async def answer(
    review: ReviewSession, taken: Sequence[tuple[int, Decision]], refused: Sequence[Decision] = ()
) -> tuple[Decision, ...]:
    """Take what programs proposed about records as the reviewer's own, and refuse the rest, as one step of undo.

    Of several programs' verdicts on a record it is the last one, with its comment; a comment that is proposed alone
    becomes a note.

    A code goes into the file of the codes, also where a label of it is taken.

    Args:
        review: the review.
        taken: the records, -1 for a code, and what of `takeable` was seen of each; what waits no longer is left.
        refused: what is not taken; likewise.

    Raises:
        EditRefusedError: when a code cannot be written into the file of the codes.
        ResultsError: when a record cannot be read, or the log cannot be written; then nothing is taken or refused.
    """
    from sampleui.review.labels import label_about, take_code, take_codes_of
    from sampleui.review.session import noted_at
    from sampleui.tui.review.session_verdicts import made_about  # with what reads samples

    def own(index: int, item: Decision) -> Decision:
        record = review.results.record(index)
        if item.label is not None and item.code is not None:
            return label_about(
                made_about(review, record), review.log.codebook, item.code, item.label, place=item.place
            )
        if item.verdict is None:
            return noted_at(made_about(review, record, comment=item.comment), record, item.place)
        made = made_about(review, record, item.verdict, item.comment or own_comment(review, index))
        return replace(made, tags=item.tags)

    def decisions() -> list[Decision]:
        made = [
            replace(own(index, item), proposal=item.id, proposed_by=item.reviewer)
            for index, item in taken
            if index >= 0 and item in takeable(review, index)
        ]
        made += [_refusing(review, item) for item in left]
        return [replace(item, step=made[0].id if item is not made[0] else None) for item in made]

    log, reviewer = review.log, review.options.reviewer
    log.refresh()
    left = [item for item in refused if item in log.open_proposals(item.record, reviewer)]
    codes = [item for index, item in taken if index < 0 and item in log.open_proposals("", reviewer)]
    for code in codes:
        take_code(log, code, reviewer)
    take_codes_of(log, [item for _, item in taken if item.label is not None], reviewer)
    made = review.log.append_all(await asyncio.to_thread(decisions))
    review.revise()
    return (*codes, *made)


def _refusing(review: ReviewSession, item: Decision) -> Decision:
    return Decision(
        reviewer=review.options.reviewer,
        record=item.record,
        record_id=item.record_id,
        sample=item.sample,
        kind=LogAction.REFUSE,
        proposal=item.id,
        proposed_by=item.reviewer,
    )


def refusals(review: ReviewSession, digest: str) -> tuple[Decision, ...]:
    """Return the refusals of proposals that one may see: one's own; once one has decided, all."""
    decided = review.own_decision(digest) is not None
    mine = review.options.reviewer
    return tuple(item for item in review.log.refusals(digest) if decided or item.reviewer == mine)
