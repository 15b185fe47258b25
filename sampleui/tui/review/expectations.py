"""Which samples expect something else now than when they were run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sampleui.review.record import Entry

if TYPE_CHECKING:
    from sampleui.tui.review.decks import ReviewDeck
    from sampleui.tui.review.session import ReviewSession


class Expectations:
    """The records whose sample was changed, in this review or before it.

    Attributes:
        reworded: those whose sample expects something else now than when it was run.
    """

    def __init__(self, review: ReviewSession) -> None:
        self._review = review
        self.reworded: frozenset[int] = frozenset()
        self._edited: frozenset[int] = frozenset()

    def note_edit(self, deck: ReviewDeck, name: str) -> None:
        """Note that a sample of a deck was changed."""
        from sampleui.tui.review.decks import reworded  # a review begins without its decks

        changed, digest = self._review.decks.index(deck), deck.digest(name)

        def of(entry: Entry) -> bool:
            return self._review.decks.sample_index(entry) == changed and deck.name_of(entry) == name

        its = [entry for entry in self._review.results.counted if of(entry)]
        for item in its:
            self._review.log.resampled(item.digest, digest)
        review = self._review
        review.queue = review.queue.revised(of, review.decision, lambda _: digest, review.view)
        indexes = {entry.index for entry in its}
        self._edited |= indexes
        self.reworded = (self.reworded - indexes) | reworded(self._review.results, self._review.decks, its)

    def know(self, indexes: frozenset[int]) -> None:
        """Note the records whose sample expects something else now, as a look through all of them found.

        Of samples that were changed in this review since, what was found then holds.
        """
        self.reworded = (indexes - self._edited) | (self.reworded & self._edited)
