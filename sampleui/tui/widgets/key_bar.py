"""The last line: the keys that matter where the focus is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.cells import cell_len
from textual import events
from textual.message import Message

from sampleui.tui.commands import Hint, key_label
from sampleui.tui.drawing.rows import Row
from sampleui.tui.widgets.line_bar import LineBar

_GAP = 2


class KeyBar(LineBar):
    """As many keys as fit, the most important first; those that stay and those pinned to the end always do."""

    class Pressed(Message):
        """A key was clicked."""

        def __init__(self, hint: Hint) -> None:
            super().__init__()
            self.hint = hint

    offered: Sequence[Hint] = ()
    pinned: Sequence[Hint] = ()
    needed: int = 0

    def show(self, offered: Sequence[Hint], pinned: Sequence[Hint] = (), needed: int = 0) -> None:
        """Show other keys; so many of the first ones are moved together where they do not fit otherwise."""
        self.offered, self.pinned, self.needed = offered, pinned, needed
        self.update()

    def placed(self, width: int) -> list[tuple[int, int, Hint]]:
        """Return what fits: (first cell, end cell, key)."""
        gap = self._gap(width)

        def cells(hints: Iterable[Hint]) -> int:
            return sum(self._cells(hint) + gap for hint in hints)

        staying = [hint for hint in self.offered if hint.stays]
        pinned = self.pinned
        while len(pinned) > 1 and 1 + cells((*staying, *pinned)) - gap > width:
            pinned = pinned[:-1]
        room = width - cells(pinned) + (gap if pinned else 0)
        column, placed = 1, []
        for hint in self.offered:
            reserved = cells(other for other in staying if other is not hint)
            size = cells([hint])
            if column + size + reserved <= room or (hint.stays and column + size <= room):
                placed.append((column, column + size, hint))
                column += size
            staying = [other for other in staying if other is not hint]
        column = room
        for hint in pinned:
            size = cells([hint])
            placed.append((column, column + size, hint))
            column += size
        return placed

    def _gap(self, width: int) -> int:
        """Return the cells after each key: fewer where those that are needed would not fit."""
        needed = (*self.offered[: self.needed], *self.pinned)
        fits = 1 + sum(self._cells(hint) + _GAP for hint in needed) - _GAP <= width
        return _GAP if fits or self.is_plain else 1

    def row(self, width: int) -> Row:
        """Return the keys and what they do."""
        parts: list[tuple[str, str]] = []
        column = 0
        for start, end, hint in self.placed(width):
            if start > column:
                parts.append(("text", " " * (start - column)))
            key, title = ("accent-bold", "muted") if hint.can_act else ("faint", "faint")
            label = self._label(hint)
            rest = " " * (min(end, width) - start - self._cells(hint))
            parts += [(key, label), (title, f" {hint.title}{rest}")]
            column = end
        return tuple(parts)

    def on_click(self, event: events.Click) -> None:
        """Tell which key was clicked."""
        for start, _, hint in self.placed(self.size.width):
            if start <= event.x < start + self._cells(hint):
                self.post_message(self.Pressed(hint))

    def _label(self, hint: Hint) -> str:
        return hint.key if self.is_plain else key_label(hint.key)

    def _cells(self, hint: Hint) -> int:
        """Return the cells of a key and what it does."""
        return cell_len(self._label(hint)) + 1 + cell_len(hint.title)
