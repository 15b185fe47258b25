"""The queue of records and the scores of one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from sampleui.tui.drawing.marking import marked, ranges
from sampleui.tui.drawing.rows import Row
from sampleui.tui.review.rows.scores import score_rows
from sampleui.tui.review.session import Spot
from sampleui.tui.review.shown import Shown
from sampleui.tui.widgets.text_view import NOMINAL, TextView
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


class ScoreView(TextView):
    """How an answer was graded, and what reviewers said about it."""

    scope: ClassVar[str] = "scores"

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._graded = Shown()
        self._words = ""
        self._found: int | None = None

    @property
    def shows_match(self) -> bool:
        """Whether it shows what is searched for, or will once it has its place."""
        return bool(ranges(score_rows(self._graded, NOMINAL), self._words))

    def grade(self, shown: Shown, words: str, *, keep: bool) -> None:
        """Show how an answer was graded, what is searched for marked in it and in view."""
        keep = keep and words == self._words
        self._graded, self._words = shown, words
        self.show(self._graded_rows, keep, None if keep else self._first)

    def _graded_rows(self, width: int) -> Sequence[Row]:
        rows, self._found = marked(score_rows(self._graded, width), self._words)
        return rows

    def _first(self) -> tuple[int, int] | None:
        return None if self._found is None else (self._found, self._found)
