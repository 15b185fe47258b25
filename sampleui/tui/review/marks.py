"""Records of the queue that are marked, to be decided together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sampleui.tui.marked import Marked

if TYPE_CHECKING:
    from sampleui.tui.review.screen import ReviewScreen


class QueueMarks:
    """The marks of a review screen. They are places in the file, so they stay however the queue is sorted."""

    def __init__(self, screen: ReviewScreen) -> None:
        self._screen = screen
        self._marked: Marked[int] = Marked()

    @property
    def chosen(self) -> list[int]:
        """The indexes of marked records that the filter shows, in the order of the queue."""
        marked = self._marked.places
        return [index for index in self._screen.review.queue.visible if index in marked] if marked else []

    @property
    def places(self) -> frozenset[int]:
        """The indexes of marked records, shown or not."""
        return self._marked.places

    def toggle(self) -> None:
        """Mark the record with the cursor, or remove its mark, and go on to the next one."""
        self._marked.toggle(*self._rows())
        self._screen.show_marks()
        self._screen.queue.step(1)

    def extend(self) -> None:
        """Mark all from the one that was marked last to the one with the cursor."""
        self._marked.extend(*self._rows())
        self._screen.show_marks()

    def toggle_all(self) -> None:
        """Mark all records that the filter shows; if all are marked, none."""
        self._marked.toggle_all({*self._screen.review.queue.visible})
        self._screen.show_marks()

    def clear(self) -> None:
        """Remove all marks."""
        self._marked.become()
        self._screen.show_marks()

    def _rows(self) -> tuple[int, tuple[int, ...]]:
        """Return the row of the current record and the records that can be marked."""
        review = self._screen.review
        visible = review.queue.visible
        return visible.index(review.item.entry.index), visible
