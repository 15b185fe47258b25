"""The field that narrows the list of samples."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.message import Message
from textual.timer import Timer
from textual.widgets import Input

_SETTLE = 0.12


class FilterInput(Input):
    """Hidden until it is opened. Enter keeps the words, Escape drops them."""

    scope: ClassVar[str] = "samples"

    DEFAULT_CSS = """
    FilterInput { display: none; border: none; height: 1; padding: 0 1; background: $panel; }
    FilterInput:focus { border: none; }
    """

    class Narrowed(Message):
        """The words changed."""

        def __init__(self, words: str) -> None:
            super().__init__()
            self.words = words

    class Done(Message):
        """The field was left."""

    _timer: Timer | None = None

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(placeholder="filter by any words", id=id, select_on_focus=False)

    def open(self) -> None:
        """Show the field and type into it."""
        self.display = True
        self.focus()

    def shut(self) -> None:
        """Hide the field and forget the words."""
        with self.prevent(Input.Changed):
            self.value = ""
        self.display = False

    def on_input_changed(self, event: Input.Changed) -> None:
        """Narrow when the keys come to rest."""
        event.stop()
        if self._timer is not None:
            self._timer.stop()
        self._timer = self.set_timer(_SETTLE, self._narrow)

    def _narrow(self) -> None:
        self.post_message(self.Narrowed(self.value.strip()))

    def on_key(self, event: events.Key) -> None:
        """Leave the field."""
        if event.key in ("enter", "escape", "down"):
            event.stop()
            event.prevent_default()
            if self._timer is not None:
                self._timer.stop()
            if event.key == "escape":
                self.shut()
            self._narrow()
            self.post_message(self.Done())
        elif event.key in ("home", "end"):
            # They are keys of the list in the same pane too, which would take them.
            event.stop()
            self.action_home() if event.key == "home" else self.action_end()
