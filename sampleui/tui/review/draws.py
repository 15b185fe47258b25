"""Records of a review that are drawn at random."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sampleui.review.filters import Filters
from sampleui.review.queue import Order
from sampleui.review.sampling import Design, Draw
from sampleui.review.session import draw, earlier_draw

if TYPE_CHECKING:
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


def take_draw(review: ReviewSession, new: Draw) -> str:
    """Show the records of a draw, when it is in the log, as it was drawn, and say what it is.

    Raises:
        ResultsError: when the log cannot be written.
    """
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
