"""The comments of a review: those that go with a verdict, and those that wait for one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sampleui.review.verdict import Decision, Verdict

if TYPE_CHECKING:
    from sampleui.tui.review.session import ReviewSession


def waiting_comment(review: ReviewSession, index: int) -> str:
    """Return the comment that waits for a verdict on a record; empty if none does."""
    return review.state.drafts.get(review.queue.items[index].entry.digest, "")


def last_said(review: ReviewSession, index: int) -> Decision | None:
    """Return the reviewer's verdict on a record, or ruling, whichever is the later; None if there is none."""
    digest, reviewer = review.queue.items[index].entry.digest, review.options.reviewer
    decisions = (review.log.own_decision(digest, reviewer, settles=settles) for settles in (False, True))
    return max((item for item in decisions if item is not None), key=lambda item: item.time, default=None)


def own_verdict(review: ReviewSession, index: int) -> Verdict | None:
    """Return the verdict that the reviewer gave a record, None if there is none."""
    mine = review.own_decision(review.queue.items[index].entry.digest)
    return mine.verdict if mine is not None else None


def own_tags(review: ReviewSession, index: int) -> tuple[str, ...]:
    """Return the kinds of failure that the reviewer tagged a record with."""
    mine = last_said(review, index)
    return mine.tags if mine is not None else ()


def own_comment(review: ReviewSession, index: int) -> str:
    """Return what the reviewer wrote about a record: what waits for the verdict, or else what goes with it."""
    decision = last_said(review, index)
    return waiting_comment(review, index) or (decision.comment if decision is not None else "")


def commented(review: ReviewSession, words: str) -> frozenset[int]:
    """Return the records on which a comment that the reviewer may see holds a text."""
    wanted = words.casefold()
    return frozenset(
        item.entry.index
        for item in review.queue.items
        if any(
            wanted in text.casefold() for text in (*item.comments, review.state.drafts.get(item.entry.digest, ""))
        )
    )


def keep_draft(review: ReviewSession, digest: str, text: str) -> None:
    """Let a comment wait for the verdict on its record, even if the session dies; empty for none.

    Raises:
        ResultsError: when it is kept for this session only.
    """
    before, review.state = review.state.drafts.get(digest), review.state.drafting(digest, text)
    if text or before:
        review.waiting.keep(digest, text)


def drop_drafts(review: ReviewSession) -> None:
    """Give up all comments that wait.

    Raises:
        ResultsError: when they cannot be removed.
    """
    for digest in tuple(review.state.drafts):
        keep_draft(review, digest, "")


def take_back_draft(review: ReviewSession) -> str:
    """Take back the comment written last without a verdict, go to its record, and say what was done.

    Raises:
        ResultsError: when it is taken back for this session only.
    """
    drafted = review.state.last_drafted
    assert drafted is not None, "what the command needs"
    review.state = replace(
        review.state, drafted=tuple(item for item in review.state.drafted if item is not drafted)
    )
    if drafted.record_index < len(review.queue.items):
        review.current = drafted.record_index
    keep_draft(review, drafted.digest, drafted.before)
    return "took back the comment that waits for a verdict"
