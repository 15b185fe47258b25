"""What widgets of the line API share: the theme's styles."""

from __future__ import annotations

from textual.widget import Widget

from sampleui.tui.themes import Paint, paint_of


class Painted(Widget):
    """A widget that draws rows in the styles of the current theme."""

    @property
    def paint(self) -> Paint:
        """The styles of the current theme."""
        return paint_of(self.app.theme_variables)
