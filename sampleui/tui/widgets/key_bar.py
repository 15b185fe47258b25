"""The last line: the keys that matter where the focus is."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from textual import events
from textual.message import Message

from sampleui.tui.commands import Hint, key_label
from sampleui.tui.drawing.rows import Row
from sampleui.tui.widgets.line_bar import LineBar

_FIRST = 8
"""How many of the most important keys are shown rather than what is pinned after the first."""


class KeyBar(LineBar):
    """As many keys as fit, the most important first; the first that is pinned to the end always fits."""

    class Pressed(Message):
        """A key was clicked."""

        def __init__(self, hint: Hint) -> None:
            super().__init__()
            self.hint = hint

    offered: Sequence[Hint] = ()
    pinned: Sequence[Hint] = ()

    def show(self, offered: Sequence[Hint], pinned: Sequence[Hint] = ()) -> None:
        """Show other keys."""
        self.offered, self.pinned = offered, pinned
        self.update()

    def placed(self, width: int) -> list[tuple[int, int, Hint]]:
        """Return what fits: (first cell, end cell, key)."""
        first = sum(map(self._cells, self.offered[:_FIRST]))
        fits, fits_alone = (first < width - sum(map(self._cells, pins)) for pins in (self.pinned, self.pinned[:1]))
        pinned = self.pinned if fits or not fits_alone else self.pinned[:1]
        room = width - sum(map(self._cells, pinned)) - 1
        column, placed = 1, []
        for hint in self.offered:
            size = self._cells(hint)
            if column + size <= room:
                placed.append((column, column + size, hint))
                column += size
        column = width - sum(map(self._cells, pinned))
        for hint in pinned:
            size = self._cells(hint)
            placed.append((column, column + size, hint))
            column += size
        return placed

    def row(self, width: int) -> Row:
        """Return the keys and what they do."""
        parts: list[tuple[str, str]] = []
        column = 0
        for start, end, hint in self.placed(width):
            if start > column:
                parts.append(("text", " " * (start - column)))
            key, title = ("accent-bold", "muted") if hint.can_act else ("faint", "faint")
            parts += [(key, self._label(hint)), (title, f" {hint.title}  ")]
            column = end
        return tuple(parts)

    def on_click(self, event: events.Click) -> None:
        """Tell which key was clicked."""
        for start, end, hint in self.placed(self.size.width):
            if start <= event.x < end - 2:
                self.post_message(self.Pressed(hint))

    def _label(self, hint: Hint) -> str:
        return hint.key if self.is_plain else key_label(hint.key)

    def _cells(self, hint: Hint) -> int:
        return cell_len(self._label(hint)) + 1 + cell_len(hint.title) + 2
