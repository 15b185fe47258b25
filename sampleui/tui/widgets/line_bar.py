"""A bar of one line that draws a row."""

from __future__ import annotations

from textual.strip import Strip

from sampleui.tui.drawing.rows import Row
from sampleui.tui.widgets.painted import Painted


class LineBar(Painted):
    """One line across the screen. Subclasses say what it shows; it is drawn again only when that changes."""

    DEFAULT_CSS = """
    LineBar { height: 1; width: 1fr; }
    """

    _drawn: Row | None = None

    def row(self, width: int) -> Row:
        """Return what to show in `width` cells."""
        raise NotImplementedError

    def update(self) -> None:
        """Draw again if what is shown has changed."""
        if self.size.width and self.row(self.size.width) != self._drawn:
            self.refresh()

    def render_line(self, y: int) -> Strip:
        """Draw the line."""
        width = self.size.width
        self._drawn = self.row(width)
        return self.drawn(self._drawn, width)
