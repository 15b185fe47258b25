"""The line above the keys: a message about the last key, or else what is known of where the cursor is."""

from __future__ import annotations

from textual.strip import Strip

from sampleui.tui.drawing.rows import Row, fitted, text_rows
from sampleui.tui.widgets.line_bar import Painted

_MOST_LINES = 3


class MessageLine(Painted):
    """One line that is always there, so that nothing moves when something is said; more for a long message."""

    DEFAULT_CSS = """
    MessageLine { height: 1; width: 1fr; }
    """

    said: tuple[str, str] | None = None
    known: tuple[str, str] = ("text", "")

    def say(self, text: str, style: str) -> None:
        """Show a message."""
        self._become((style, text), self.known)

    def hush(self) -> None:
        """Take the message back."""
        self._become(None, self.known)

    def know(self, text: str, style: str) -> None:
        """Show something else while there is no message."""
        self._become(self.said, (style, text))

    def rows(self, width: int) -> list[Row]:
        """Return what to show in `width` cells."""
        if self.said is None:
            style, text = self.known
            return [(("text", " "), (style, fitted(text, width - 2)))]
        style, text = self.said
        room = max(width - 2, 1)
        lines = text_rows(text, style, room)
        if len(lines) > _MOST_LINES:
            lines = text_rows(with_short_paths(text, width // 2), style, room)
        kept = lines[:_MOST_LINES]
        if len(lines) > len(kept):
            kept[-1] = ((style, fitted(kept[-1][0][1], max(width - 3, 1)) + "…"),)
        return [(("text", " "), *row) for row in kept]

    def on_resize(self) -> None:
        """Take as many lines as a message needs in the new width."""
        self._fit()

    def _become(self, message: tuple[str, str] | None, known: tuple[str, str]) -> None:
        if (message, known) != (self.said, self.known):
            self.said, self.known = message, known
            self._fit()
            self.refresh()

    def _fit(self) -> None:
        self.styles.height = len(self.rows(self.size.width)) if self.size.width else 1

    def render_line(self, y: int) -> Strip:
        """Draw a line."""
        width = self.size.width
        rows = self.rows(width)
        return self.drawn(rows[y] if y < len(rows) else (), width)


def with_short_paths(text: str, most: int) -> str:
    """Return a text with no more than the ends of its longest words: paths, whose ends tell most."""
    return " ".join(word if len(word) <= most else f"…{word[1 - most :]}" for word in text.split(" "))
