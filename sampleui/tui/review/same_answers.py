"""Which records of a review have the same answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from sampleui.review.record import Entry
from sampleui.text.confined import size_of
from sampleui.text.limits import MAX_READ_AT_ONCE_BYTES

if TYPE_CHECKING:
    from sampleui.tui.review.session import ReviewSession


class SameAnswers:
    """The records that can be decided as one, as a look through the answers found."""

    def __init__(self, review: ReviewSession) -> None:
        self._review = review
        self._alike: dict[int, Sequence[int]] = {}

    @property
    def to_compare(self) -> Sequence[Entry]:
        """The records whose answers are compared: of a run that takes long to read, those of one sample alone."""
        counted = self._review.results.counted
        if size_of(self._review.results.path) <= MAX_READ_AT_ONCE_BYTES:
            return counted
        several = {index for indexes in self._review.cases.values() for index in indexes}
        return [entry for entry in counted if entry.index in several]

    def know(self, groups: Iterable[Sequence[int]]) -> None:
        """Note which records have the same answer."""
        self._alike = {index: group for group in groups for index in group}

    def alike(self, index: int) -> list[int]:
        """Return the other records in the filter that have the same answer as one and are not decided."""
        group = self._alike.get(index, ())
        queue = self._review.queue
        return [
            other for other in group if other != index and queue.items[other].verdict is None and queue.shows(other)
        ]
