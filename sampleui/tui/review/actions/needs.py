"""The registry of the review screen's commands, and what they need: why one cannot act on the current record."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sampleui.tui.commands import COMMENT, Registry, key_named
from sampleui.tui.review.rows.queue import all_decided

if TYPE_CHECKING:
    from sampleui.tui.review.screen import ReviewScreen

REVIEW: Registry[ReviewScreen] = Registry()

PANES = "queue turns answer scores timeline detail"
"""The scopes of the panes of a review."""


def a_record(screen: ReviewScreen) -> str:
    """Need a record."""
    return "" if isinstance(screen.review.current, int) else "there is no record here"


def a_readable_record(screen: ReviewScreen) -> str:
    """Need a record that can be read."""
    return a_record(screen) or ("what cannot be read cannot be decided" if screen.shown.problem else "")


def a_listed_record(screen: ReviewScreen) -> str:
    """Need a record that is among those in the filter."""
    return "" if screen.review.current in screen.review.queue.visible else "there is no record here to mark"


def to_decide(screen: ReviewScreen) -> str:
    """Need marked records, or one that can be read."""
    return "" if screen.marks.chosen else a_readable_record(screen)


def several_records(screen: ReviewScreen) -> str:
    """Need another record in the filter."""
    visible = screen.review.queue.visible
    alone = len(visible) == 1 and visible[0] == screen.review.current
    return "" if visible and not alone else "there is no other record in the filter"


def undecided(screen: ReviewScreen) -> str:
    """Need a record in the filter that is not decided."""
    progress = screen.review.progress
    if not progress.total:
        return "there is no record in the filter"
    undecided = progress.reviewed + progress.disputed < progress.total
    return "" if undecided else all_decided(progress)


def a_decision(screen: ReviewScreen) -> str:
    """Need a decision of one's own, a fix, or a comment that waits."""
    review = screen.review
    done = screen.fixing.last or review.last_draft or review.log.can_undo(review.options.reviewer)
    return "" if done else "nothing to undo"


def several_views(screen: ReviewScreen) -> str:
    """Need more than one view of the answer."""
    return "" if screen.answer.count > 1 else "there is one view here"


def a_deck(screen: ReviewScreen) -> str:
    """Need a deck that could have the sample of the record."""
    return screen.fixing.without_deck


def an_answer(screen: ReviewScreen) -> str:
    """Need a deck that could have the sample of the record, and an answer that could be taken into it."""
    return a_deck(screen) or screen.fixing.nothing_to_take


def a_comment(screen: ReviewScreen) -> str:
    """Need a comment that is being typed."""
    return (
        ""
        if screen.scope == COMMENT
        else f"no comment is being typed; {key_named('verdict.comment', 'c')} writes one"
    )
