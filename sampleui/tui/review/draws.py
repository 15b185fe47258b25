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


class Draws:
    """The random samples of a review.

    Attributes:
        last: the one that was drawn last in this session; None before that.
    """

    def __init__(self, review: ReviewSession) -> None:
        self._review = review
        self.last: Draw | None = None

    def draw(self, design: Design) -> Draw:
        """Draw records at random; the draw is not in the log yet.

        Raises:
            ResultsError: if nothing can be drawn so.
            PathError: if a name in the design cannot be the name of a field.
        """
        return draw(
            self._review.results,
            design,
            self._review.options.reviewer,
            self._review.decks.sample,
            fail_under=self._review.options.fail_under,
        )

    def take(self, new: Draw) -> str:
        """Show the records of a draw, when it is in the log, as it was drawn, and say what it is.

        Raises:
            ResultsError: when the log cannot be written.
        """
        before = earlier_draw(self._review.log, new)
        kept = self._review.log.keep_draw(new)
        stays = self.last is not None or self._review.options.record_id
        self.last = kept
        indexes = {entry.digest: entry.index for entry in self._review.results.counted}
        ranks = {indexes[digest]: float(rank) for rank, digest in enumerate(kept.records)}
        self._review.queue = replace(self._review.queue, order=Order.DRAWN).ranked(Order.DRAWN, ranks)
        self._review.narrow(Filters(only=frozenset(ranks), named=SAMPLED))
        if not (stays and self._review.current in ranks):
            self._review.begin()
        what = f"{len(ranks):,} of {kept.population:,} {kept.design.source.among}"
        if kept is not new:
            return f"the {what} that were drawn on {kept.time[:10]}"
        if before is not None:
            again = len(before.records.keys() & kept.records.keys())
            return (
                f"the run has other records than on {before.time[:10]}: drew {what} anew, {again:,} of them again;"
                " only this draw counts for figures"
            )
        return f"drew {what}; the chances are in {self._review.log.path.name}"
