"""The comments of a review: notes on records, and those that go with a verdict."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sampleui.review.verdict import Decision, LabelValue, NotePlace

if TYPE_CHECKING:
    from sampleui.tui.review.session import ReviewSession


def last_said(review: ReviewSession, index: int) -> Decision | None:
    """Return the reviewer's verdict on a record, or ruling, whichever is the later; None if there is none."""
    digest, reviewer = review.queue.items[index].entry.digest, review.options.reviewer
    decisions = (review.log.own_decision(digest, reviewer, settles=settles) for settles in (False, True))
    return max((item for item in decisions if item is not None), key=lambda item: item.time, default=None)


def own_codes(review: ReviewSession, indexes: Sequence[int]) -> frozenset[str]:
    """Return the codes that all of some records have by the reviewer's own labels."""
    each = (
        {
            str(label.code)
            for label in review.log.labels(review.queue.items[index].entry.digest, review.options.reviewer)
            if label.label is LabelValue.YES
        }
        for index in indexes
    )
    return frozenset(set.intersection(*each))


def own_comment(review: ReviewSession, index: int) -> str:
    """Return what the reviewer said with the verdict on a record; empty for nothing."""
    decision = last_said(review, index)
    return "" if decision is None else decision.comment


def own_note(review: ReviewSession, index: int, place: NotePlace | None) -> Decision | None:
    """Return the reviewer's last note on a record as a whole or on a place in it; None if there is none."""
    notes = review.log.notes(review.queue.items[index].entry.digest, review.options.reviewer)
    return next((note for note in reversed(notes) if not note.carried and note.place == place), None)


def commented(review: ReviewSession, words: str) -> frozenset[int]:
    """Return the records on which a comment that the reviewer may see holds a text."""
    wanted = words.casefold()
    return frozenset(
        item.entry.index
        for item in review.queue.items
        if any(wanted in text.casefold() for text in item.view.comments)
    )
