"""What widgets of the line API share: the theme's styles."""

from __future__ import annotations

from textual.strip import Strip
from textual.widget import Widget

from sampleui.tui.drawing.rows import Row, strip_of
from sampleui.tui.themes import Paint, paint_of


class Painted(Widget):
    """A widget that draws rows in the styles of the current theme."""

    @property
    def paint(self) -> Paint:
        """The styles of the current theme."""
        return paint_of(self.app.theme_variables)

    def drawn(self, row: Row, width: int, back: str = "") -> Strip:
        """Return a row as Textual draws it, exactly `width` cells wide, on the widget's background or another."""
        base = self.visual_style.rich_style
        return strip_of(row, self.paint, width).apply_style(base + self.paint[back] if back else base)
