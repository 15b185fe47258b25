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
        """Return the index and the first cell of each tab in view."""
        sizes = [cell_len(tab) + 2 for tab in self.tabs]
        first = 0
        while first < self.current and sum(sizes[first : self.current + 1]) > width - 2:
            first += 1
        column, placed = 0, []
        for index in range(first, len(self.tabs)):
            mark = len(_more(len(self.tabs) - 1 - index))
            if column + sizes[index] > width - mark:
                break
            placed.append((index, column))
            column += sizes[index]
        return placed

    def row(self, width: int) -> Row:
        """Return the tabs in view, the current one between marks, so that it can be recognized without colour."""
        parts: list[tuple[str, str]] = []
        for index, _ in self.placed(width):
            if index == self.current:
                parts.append(("accent-bold", f"[{self.tabs[index]}]"))
            else:
                parts.append(("muted", f" {self.tabs[index]} "))
        shown = self.placed(width)
        if shown and shown[-1][0] < len(self.tabs) - 1:
            parts.append(("faint", _more(len(self.tabs) - 1 - shown[-1][0])))
        return tuple(parts)

    def on_click(self, event: events.Click) -> None:
        """Tell which tab was clicked."""
        for index, column in self.placed(self.size.width):
            if column <= event.x < column + cell_len(self.tabs[index]) + 2:
                self.post_message(self.Picked(self, index))


def _more(hidden: int) -> str:
    """Return the mark of some tabs that are not in view to the right, with how many they are."""
    return f"›{hidden}" if hidden else ""
