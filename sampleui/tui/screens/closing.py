"""Screens that close only once, however often they are told to."""

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
