"""What screens share that lie over each other: they close once, and below a box draw only what has changed."""

from __future__ import annotations

from typing import TypeVar

from textual.await_complete import AwaitComplete
from textual.screen import Screen

Answer = TypeVar("Answer")


class Closing(Screen[Answer]):
    """A screen over another one. Only the one in front closes.

    Keys and clicks that were on their way when it closed still reach it, and a second answer would be that of the
    screen below.
    """

    def dismiss(self, result: Answer | None = None) -> AwaitComplete:
        """Close with an answer; a screen that is not in front, any more or for now, stays as it is."""
        return super().dismiss(result) if self.is_active else AwaitComplete()

    def _compositor_refresh(self) -> None:
        """Draw what has changed. Below a box, Textual would draw all of both screens at each later message."""
        super()._compositor_refresh()
        if self is not self.app.screen:
            self._repaint_required = False
