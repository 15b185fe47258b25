"""Single lines: a bar that draws a row, the line in the border of a pane, and the one that many lines are like."""

from __future__ import annotations

from typing import Any

from textual.content import Content
from textual.geometry import Offset, Region
from textual.strip import Strip
from textual.widget import Widget

from sampleui.tui.drawing.rows import Row, strip_of
from sampleui.tui.themes import Paint, paint_of

PLAIN = "plain"
"""The class of an app whose screens are for a screen reader."""

_SLACK = 16
"""Cells that rows leave free for words, which take more room than signs."""

_BORDERS = 2
"""Lines that borders take of the height of a widget."""


class Painted(Widget):
    """A widget that draws rows in the styles of the current theme."""

    @property
    def paint(self) -> Paint:
        """The styles of the current theme."""
        return paint_of(self.app.theme_variables)

    @property
    def is_plain(self) -> bool:
        """Whether rows are for a screen reader."""
        return self.is_running and self.app.has_class(PLAIN)

    def room(self, width: int) -> int:
        """Return how wide rows may be made to be drawn in `width` cells."""
        return max(width - _SLACK, width // 2) if self.is_plain else width

    def point(self, y: int, height: int = 1) -> None:
        """Put the terminal's cursor, which a screen reader follows, on an item of some lines, by its first."""
        app: Any = self.app
        if self.screen is app.screen:
            app.cursor_position, app.item_height = self.content_region.offset + Offset(0, y), height

    def drawn(self, row: Row, width: int, back: str = "") -> Strip:
        """Return a row as Textual draws it, exactly `width` cells wide, on the widget's background or another."""
        base = self.visual_style.rich_style
        if self.is_plain:
            from sampleui.tui.drawing.plain import plain_row

            row = plain_row(row)
        return strip_of(row, self.paint, width).apply_style(base + self.paint[back] if back else base)


class Backdrop(Widget):
    """What lies behind other widgets and shows nothing itself: one line between its borders is drawn for all."""

    def render_lines(self, crop: Region) -> list[Strip]:
        """Return the lines of a region of the widget. Textual keeps those of any other than the whole."""
        size = self.outer_size
        if crop != size.region or size.height <= _BORDERS:
            return super().render_lines(crop)
        top, between, last = (
            super(Backdrop, self).render_lines(Region(0, y, size.width, 1)) for y in (0, 1, size.height - 1)
        )
        return [*top, *between * (size.height - _BORDERS), *last]


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


def caption(pane: Widget, text: str) -> None:
    """Write a line into the lower border of a pane. One that says so already is not painted again."""
    told = Content(text)
    if pane.border_subtitle != told.markup:
        pane.border_subtitle = told
