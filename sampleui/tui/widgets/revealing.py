"""A view that scrolls to keep something in sight: where it ends depends on the keys, not on the frames drawn."""

from __future__ import annotations

from typing import Protocol, cast

from textual.containers import VerticalScroll
from textual.geometry import Size

from sampleui.tui.input.queue import InputQueue
from sampleui.tui.widgets.bars import Backdrop


class Typing(Protocol):
    """What hands on what is typed: the app."""

    input: InputQueue


class Revealing(VerticalScroll, Backdrop, inherit_bindings=False):
    """A view that scrolls as little as needed, from where it stood when the last key came.

    What a key causes may be laid out in one frame or in several. If each of them scrolled from where the one before
    it left the view, the view would end in another place for each number of frames.
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._handed = -1
        self._from = 0.0
        self.arrived = False
        """Whether the last key led to what is to be in sight, so that its beginning is to be seen before all."""

    def window(self, height: int) -> tuple[int, int]:
        """Return the first and the last line at which a view of a height may begin."""
        raise NotImplementedError

    def reveal(self, *, arrived: bool = False) -> None:
        """Scroll to what is to be in sight as soon as it has its place; `arrived` tells whether a key led there."""
        self._begin()
        self.arrived = self.arrived or arrived
        self.call_after_refresh(self._reach)

    def scroll_rows(self, rows: int) -> bool:
        """Scroll by some rows, whatever is in sight then; tell whether that was possible."""
        self._begin()
        before = self.scroll_y
        self.scroll_to(y=before + rows, animate=False, immediate=True)
        self._from = self.scroll_y
        return self.scroll_y != before

    def stand(self, y: float) -> None:
        """Scroll from another place than where the view stood when the last key came."""
        self._begin()
        self._from = y

    def on_resize(self) -> None:
        """Keep it in sight in the new size."""
        self.reveal()

    def watch_virtual_size(self, _old: Size, _new: Size) -> None:
        """Go on scrolling, since before the layout there was no room for that."""
        self.reveal()

    def _begin(self) -> None:
        handed = cast("Typing", self.app).input.handed
        if handed != self._handed:
            self._handed, self._from, self.arrived = handed, self.scroll_y, False

    def _reach(self) -> None:
        height = self.scrollable_content_region.height
        if height > 0:
            first, last = self.window(height)
            # Forced, because the scroll bar may still be on its way.
            self.scroll_to(y=max(first, min(self._from, last)), animate=False, immediate=True, force=True)


def around(line: int, height: int) -> tuple[int, int]:
    """Return where a view of a height may begin to have a line in sight, and one more at each side of it."""
    beside = 1 if height > 2 else 0
    return line + beside - height + 1, line - beside
