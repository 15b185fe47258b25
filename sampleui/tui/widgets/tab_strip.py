"""A line of tabs."""

from __future__ import annotations

from rich.cells import cell_len
from textual import events
from textual.message import Message

from sampleui.tui.drawing.rows import Row
from sampleui.tui.widgets.line_bar import LineBar


class TabStrip(LineBar):
    """Names beside each other, one of them the current one. Scrolls sideways so that the current one is in view."""

    class Picked(Message):
        """A tab was clicked."""

        def __init__(self, strip: TabStrip, index: int) -> None:
            super().__init__()
            self.strip = strip
            self.index = index

    tabs: tuple[str, ...] = ()
    current: int = 0

    def show(self, tabs: tuple[str, ...], current: int) -> None:
        """Show tabs and say which is the current one."""
        self.tabs, self.current = tabs, current
        self.update()

    def placed(self, width: int) -> list[tuple[int, int]]:
        """Return the index and the first cell of each tab in view: the first ones that the current one is among."""
        sizes = [cell_len(tab) + 2 for tab in self.tabs]
        placed: list[tuple[int, int]] = []
        for first in range(self.current + 1):
            column, placed = len(self._hidden(first, "‹")), []
            for index in range(first, len(self.tabs)):
                if column + sizes[index] > width - len(self._hidden(len(self.tabs) - 1 - index, "›")):
                    break
                placed.append((index, column))
                column += sizes[index]
            if placed and placed[-1][0] >= self.current:
                return placed
        return [(self.current, len(self._hidden(self.current, "‹")))] if self.tabs else []

    def row(self, width: int) -> Row:
        """Return the tabs in view, the current one between marks, so that it can be recognized without colour."""
        placed = self.placed(width)
        if not placed:
            return ()
        if self.is_plain:
            return (("accent-bold", f" {self.tabs[self.current]}, tab {self.current + 1} of {len(self.tabs)}"),)
        parts = [("faint", self._hidden(placed[0][0], "‹"))]
        for index, _ in placed:
            if index == self.current:
                parts.append(("accent-bold", f"[{self.tabs[index]}]"))
            else:
                parts.append(("muted", f" {self.tabs[index]} "))
        parts.append(("faint", self._hidden(len(self.tabs) - 1 - placed[-1][0], "›")))
        return tuple(part for part in parts if part[1])

    def _hidden(self, count: int, sign: str) -> str:
        """Return the mark of some tabs that are out of view at one side, with how many they are."""
        return f"{sign}{count}" if count else ""

    def on_click(self, event: events.Click) -> None:
        """Tell which tab was clicked."""
        for index, column in self.placed(self.size.width):
            if column <= event.x < column + cell_len(self.tabs[index]) + 2:
                self.post_message(self.Picked(self, index))
