"""The list of what was found in several decks."""

from __future__ import annotations

from typing import ClassVar

from sampleui.tui.drawing.rows import Row, fitted
from sampleui.tui.widgets.virtual_list import VirtualList
from sampleui.tui.workspace.search import DeckSearch

_PLACE, _LONGEST_PLACE = 0.5, 72
"""How much of a row says where a hit is: a share, and a number of cells."""


class HitList(VirtualList):
    """A row for each hit: its place, and the text around it."""

    scope: ClassVar[str] = "hits"

    def __init__(self, search: DeckSearch, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.search = search

    def count(self) -> int:
        """Return the number of hits."""
        return len(self.search.hits)

    def row(self, index: int, width: int) -> Row:
        """Return a hit."""
        one = self.search.hits[index]
        room = min(int(width * _PLACE), _LONGEST_PLACE)
        place = fitted(one.place, room)
        return (
            ("muted", place.ljust(room + 2)),
            ("text", one.before),
            ("match", one.found),
            ("text", one.after),
        )
