"""Commands that choose what to review: a random sample, marks."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from sampleui.errors import EditRefusedError
from sampleui.review.sampling import Design, Source
from sampleui.tui.actions.marking import marking
from sampleui.tui.review.actions.needs import REVIEW, a_listed_record, a_record
from sampleui.tui.review.screen import NONE_ALIKE
from sampleui.tui.screens.dialogs import Field, Form

if TYPE_CHECKING:
    from sampleui.tui.review.screen import ReviewScreen

_QUEUE = "Queue"
_USUAL = Design(40, Source.PASSED)


def all_records(screen: ReviewScreen) -> str:
    """Need all records to be read: only then each has the chance that is written down."""
    return "" if screen.review.results.complete else "the results are still being read"


@REVIEW.command("review.sample", "S", "Random sample", group=_QUEUE, bar=16, needs=all_records)
async def sample(screen: ReviewScreen) -> None:
    """Draw records at random, with known chances: what is decided about them tells of all, by weighted figures."""
    review = screen.review
    usual = review.drawn.design if review.drawn is not None else _USUAL
    form = Form(
        "Random sample",
        [
            Field("How many", str(usual.size), "records"),
            Field("From", str(usual.source), ", ".join(Source)),
            Field("By", ", ".join(usual.by), "target, tag, outcome or a field"),
            Field("Seed", usual.seed, "the same draws the same"),
        ],
        design_of,
    )
    if await screen.asked(form):
        screen.take_draw(await asyncio.to_thread(review.draw, design_of(form.values)))


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


REVIEW.include(marking("queue", a_listed_record))


def design_of(values: Sequence[str]) -> Design:
    """Return the design that the lines of the form say.

    Raises:
        EditRefusedError: if a line says nothing that is understood.
    """
    size, source, by, seed = values
    if not (size.isascii() and size.isdigit() and int(size[:9]) > 0):
        raise EditRefusedError(f"{size or 'nothing'} is no number of records")
    sources = [item for item in Source if source and item.startswith(source)]
    if len(sources) != 1:
        raise EditRefusedError(f"records are drawn from {', '.join(Source)}, not from {source or 'nothing'}")
    names = (name.strip() for name in by.split(","))
    return Design(int(size[:9]), sources[0], tuple(name for name in names if name), seed or "1")
