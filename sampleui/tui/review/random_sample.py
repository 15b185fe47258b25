"""The form that asks for a random sample of records, from the queue and from figures that lack one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sampleui.errors import EditRefusedError
from sampleui.review.sampling import Design, Source
from sampleui.tui.screens.base import in_background
from sampleui.tui.screens.dialogs import Field, Form

if TYPE_CHECKING:
    from sampleui.tui.review.screen import ReviewScreen

_USUAL = Design(40, Source.PASSED)


async def draw_sample(screen: ReviewScreen, usual: Design | None = None) -> None:
    """Ask what is to be drawn, beginning with a design or else with the last one, and show what was drawn."""
    review = screen.review
    usual = usual or (review.drawn.design if review.drawn is not None else _USUAL)
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
        screen.take_draw(await in_background(review.draw, design_of(form.values)))


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
