"""The timeline: the events of a trace, one line each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from sampleui.trace.timeline import Row as Event
from sampleui.tui.drawing.rows import Row
from sampleui.tui.trace.rows import Columns, event_row
from sampleui.tui.trace.text import marked, pattern
from sampleui.tui.widgets.virtual_list import VirtualList


class Timeline(VirtualList):
    """Events, calls with their results below them. Only those in view are read."""

    scope: ClassVar[str] = "timeline"

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.events: Sequence[Event] = ()
        self._words = pattern("")
        self._columns: tuple[int, Columns] | None = None

    def show(self, events: Sequence[Event], words: str, cursor: int) -> None:
        """Show events, a text that is searched for marked in them."""
        self.events = events
        self._words = pattern(words)
        self._columns = None
        self.reload(cursor)

    def count(self) -> int:
        """Return the number of events shown."""
        return len(self.events)

    def row(self, index: int, width: int) -> Row:
        """Return an event."""
        if self._columns is None or self._columns[0] != width:
            self._columns = width, Columns.of(self.events, width)
        row = event_row(self.events[index], self._columns[1], width)
        return marked(row, self._words) if self._words else row

    def show_around(self) -> None:
        """Scroll so that there is something to see around the cursor, above all what led to it."""
        height = self.scrollable_content_region.height
        top = round(self.scroll_y)
        if not top + 1 < self.cursor < top + height - 3:
            self.scroll_to(y=self.cursor - height * 2 // 3, animate=False, immediate=True)
