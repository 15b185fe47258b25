"""The queue of records."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from sampleui.tui.drawing.rows import Row
from sampleui.tui.review.shown import Spot
from sampleui.tui.widgets.virtual_list import VirtualList


class QueueList(VirtualList):
    """Places of a queue in the order they are stepped through. Only those in view are made to rows."""

    scope: ClassVar[str] = "queue"

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.spots: Sequence[Spot] = ()
        self._make: Callable[[Spot, int], Row] = lambda _spot, _width: ()

    def show(self, spots: Sequence[Spot], make: Callable[[Spot, int], Row], cursor: int) -> None:
        """Show places, each as `make` draws it in a width."""
        self.spots, self._make = spots, make
        self.reload(cursor)

    def count(self) -> int:
        """Return the number of places."""
        return len(self.spots)

    def row(self, index: int, width: int) -> Row:
        """Return a place."""
        return self._make(self.spots[index], width)
