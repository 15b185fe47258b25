"""Something that is done once, after a delay."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from textual.message_pump import MessagePump
from textual.timer import Timer


def kept(timer: Timer) -> Timer:
    """Return a timer that calls back once, made so that it does however late its task begins.

    A timer of Textual's leaves out ticks that it is late for. One whose task is held up for all of its time as it
    begins leaves its only tick out, and never comes.
    """
    timer._skip = False
    return timer


def once(pump: MessagePump, seconds: float, callback: Callable[[], Any]) -> Timer:
    """Call back once, some seconds from now."""
    return kept(pump.set_timer(seconds, callback))
