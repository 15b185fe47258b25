"""Records of a review that are drawn at random."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from sampleui.errors import EditRefusedError, ResultsError
from sampleui.review.filters import Filters
from sampleui.review.queue import Order
from sampleui.review.sampling import Design, Draw, Population
from sampleui.review.session import draw, earlier_draw
from sampleui.tui.screens.base import in_background
from sampleui.tui.screens.dialogs import Form, FormField

if TYPE_CHECKING:
    from sampleui.tui.review.screen import ReviewScreen
    from sampleui.tui.review.session import ReviewSession


SAMPLED = "random sample"
"""What the records of a draw are called where they alone are shown."""


def draw_of(review: ReviewSession, design: Design) -> Draw:
    """Draw records at random; the draw is not in the log yet.

    Raises:
        ResultsError: if nothing can be drawn so.
        PathError: if a name in the design cannot be the name of a field.
    """
    options = review.options
    return draw(review.results, design, options.reviewer, review.decks.sample, fail_under=options.fail_under)


def take_draw(screen: ReviewScreen, new: Draw) -> None:
    """Show the records of a draw, when it is in the log, as it was drawn, and say what it is."""
    try:
        line = _taken(screen.review, new)
    except ResultsError as error:
        screen.complain(error)
        return
    screen.show_all()
    screen.say(line)


def _taken(review: ReviewSession, new: Draw) -> str:
    before, state = earlier_draw(review.log, new), review.state
    kept = review.log.keep_draw(new)
    stays = state.draw is not None or review.options.record_id
    indexes = {entry.digest: entry.index for entry in review.results.counted}
    ranks = {indexes[digest]: float(rank) for rank, digest in enumerate(kept.records)}
    queue = replace(state.queue, order=Order.DRAWN).ranked(Order.DRAWN, ranks)
    state = replace(state, queue=queue, draw=kept).narrowed(Filters(only=frozenset(ranks), named=SAMPLED))
    review.state = state if stays and state.record in ranks else state.begun()
    what = f"{len(ranks):,} of {kept.population:,} {kept.design.source.among}"
    if kept is not new:
        return f"the {what} that were drawn on {kept.time[:10]}"
    if before is not None:
        again = len(before.records.keys() & kept.records.keys())
        return (
            f"the run has other records than on {before.time[:10]}: drew {what} anew, {again:,} of them again;"
            " only this draw counts for figures"
        )
    return f"drew {what}; the chances are in {review.log.path.name}"


_USUAL = Design(40, Population.PASSED)


async def draw_sample(screen: ReviewScreen, usual: Design | None = None) -> None:
    """Ask what is to be drawn, beginning with a design or else with the last one, and show what was drawn."""
    review = screen.review
    usual = usual or (review.state.draw.design if review.state.draw is not None else _USUAL)
    form = Form(
        "Random sample",
        [
            FormField("How many", str(usual.size), "records"),
            FormField("From", str(usual.source), ", ".join(Population)),
            FormField("By", ", ".join(usual.by), "target, tag, outcome or a field"),
            FormField("Seed", usual.seed, "the same draws the same"),
        ],
        design_of,
    )
    if await screen.answer_to(form):
        take_draw(screen, await in_background(draw_of, review, design_of(form.values)))


def design_of(values: Sequence[str]) -> Design:
    """Return the design that the lines of the form say.

    Raises:
        EditRefusedError: if a line says nothing that is understood.
    """
    size, source, by, seed = values
    if not (size.isascii() and size.isdigit() and int(size[:9]) > 0):
        raise EditRefusedError(f"{size or 'nothing'} is not a number of records")
    sources = [item for item in Population if source and item.startswith(source)]
    if len(sources) != 1:
        raise EditRefusedError(f"records are drawn from {', '.join(Population)}, not from {source or 'nothing'}")
    names = (name.strip() for name in by.split(","))
    return Design(int(size[:9]), sources[0], tuple(name for name in names if name), seed or "1")
