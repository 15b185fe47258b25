"""The queue of what was typed: a key acts on the screen as the key before it left it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any, TypeAlias

from textual import events
from textual.app import App

from sampleui.tui.input.reader import EscapedKey
from sampleui.tui.textual_internals import is_idle, wait_until_idle

Typed: TypeAlias = events.InputEvent | events.Paste


class InputQueue:
    """Hands keys, mouse events and pasted texts to the app one by one, each when the one before has had its effect.

    Textual gives each key to the widget that has the focus when the key is read, though keys before it may be on
    their way still, and what they do (a dialog, an editor, a filter, another sample) is not there yet.

    Args:
        app: the app.
        bound: tells whether a key, by its name, does anything where the focus is.

    Attributes:
        handed: how many were handed to the app so far.
    """

    def __init__(self, app: App[Any], bound: Callable[[str], bool]) -> None:
        self._app = app
        self._bound = bound
        self.handed = 0
        self._open = False
        self._waiting: deque[Typed] = deque()
        self._admitted: Typed | None = None
        self._pumping = False

    def open(self) -> None:
        """Let events through from now on: there is a screen to meet them."""
        self._open = True
        self._start()

    @property
    def busy(self) -> bool:
        """Whether an event waits for its turn."""
        return bool(self._waiting) or self._pumping

    def admit(self, event: Typed) -> bool:
        """Tell whether the app may handle an event now; one that may not comes again when its turn is.

        What is typed into an app that ends is for nobody.
        """
        if not self._app.screen_stack:
            return False
        if event is self._admitted:
            self._admitted = None
        elif not self._open or self._waiting or self._pumping or not self._at_once(event):
            self._append(event)
            self._start()
            return False
        self.handed += 1
        return True

    def _at_once(self, event: Typed) -> bool:
        if isinstance(event, events.Key) and event.key in getattr(self._app.screen, "at_once", ()):
            return True
        return not isinstance(event, EscapedKey) and is_idle(self._app)

    def _start(self) -> None:
        if self._open and self._waiting and not self._pumping:
            self._pumping = True
            self._app.run_worker(self._pump(), group="input")

    def _append(self, event: Typed) -> None:
        last = self._waiting[-1] if self._waiting else None
        if (
            isinstance(event, events.MouseMove)
            and isinstance(last, events.MouseMove)
            and last.button == event.button
        ):
            self._waiting.pop()
        self._waiting.append(event)

    async def _pump(self) -> None:
        try:
            while self._waiting:
                await wait_until_idle(self._app)
                event = self._waiting.popleft()
                if isinstance(event, EscapedKey):
                    first, *others = event.apart() if not self._bound(event.key) else (event.together(),)
                    self._waiting.extendleft(others)
                    event = first
                self._admitted = event
                self._app.post_message(event)
        finally:
            self._pumping = False
