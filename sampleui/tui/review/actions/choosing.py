"""Commands that choose what to review: a random sample, marks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sampleui.tui.actions import marking
from sampleui.tui.review.actions.needs import REVIEW, a_listed_record, a_record
from sampleui.tui.review.random_sample import draw_sample
from sampleui.tui.review.screen import NONE_ALIKE

if TYPE_CHECKING:
    from sampleui.tui.review.screen import ReviewScreen

_QUEUE = "Queue"


def all_records(screen: ReviewScreen) -> str:
    """Need all records to be read: only then each has the chance that is written down."""
    return "" if screen.review.results.complete else "the results are still being read"


@REVIEW.command("review.sample", "S", "Random sample", group=_QUEUE, bar=16, needs=all_records)
async def sample(screen: ReviewScreen) -> None:
    """Draw records at random, with known chances: what is decided about them tells of all, by weighted figures."""
    await draw_sample(screen)


def alike(screen: ReviewScreen) -> str:
    """Need other open records with the same answer as the record decided just now, or else as the current one."""
    lacking = a_record(screen)
    if lacking or screen.feed.comparing:
        return lacking
    return "" if screen.review.alike(screen.about) else NONE_ALIKE


@REVIEW.command("verdict.same", "=", "Same answers", group="Verdicts", needs=alike)
async def decide_same(screen: ReviewScreen) -> None:
    """Give your verdict on the record just decided, or else on this one, to all open ones with the same answer."""
    await screen.decide_alike()


REVIEW.include(marking("queue", a_listed_record, beside="turns answer scores"))
