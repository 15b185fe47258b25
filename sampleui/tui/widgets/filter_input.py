"""The field that narrows a list."""

from __future__ import annotations

from typing import ClassVar

from textual.message import Message
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Input

from sampleui.tui.commands import FILTER
from sampleui.tui.textual_internals import once
from sampleui.tui.widgets.line_input import LineInput


class FilterInput(LineInput):
    """Hidden until it is opened. It can be left with the words kept, or dropped; emptied it stays open."""

    scope: ClassVar[str] = FILTER

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
    _opened_from: Widget | None = None

    def __init__(self, hint: str, *, id: str | None = None, debounce_s: float = 0.0) -> None:
        """Take what the empty field asks for, and seconds of quiet before words count where that takes long."""
        super().__init__(placeholder=hint, id=id, select_on_focus=False)
        self._debounce_s = debounce_s

    @property
    def words(self) -> str:
        """What the list is narrowed by."""
        return self.value.strip()

    def on_focus(self) -> None:
        """Draw the cursor of the list beside it as the active one, or again as an idle one."""
        for sibling in self.siblings:
            sibling.refresh()

    on_blur = on_focus

    def open(self) -> None:
        """Show the field and type into it."""
        self._opened_from = self.screen.focused
        self.display = True
        self.screen.set_focus(self)

    def next_focus(self, narrowed: Widget) -> Widget:
        """Return what has the keys once the field is left: the list, or where it was opened if it was dropped."""
        return narrowed if self.display or self._opened_from is None else self._opened_from

    def shut(self) -> None:
        """Hide the field and forget the words."""
        with self.prevent(Input.Changed):
            self.value = ""
        self.display = False

    def keep(self) -> None:
        """Leave the field and keep the words."""
        self._stop_timer()
        self._narrow()
        self.post_message(self.Done())

    def clear(self) -> None:
        """Leave the field and drop the words."""
        self.shut()
        self.keep()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Narrow, or where that takes long when the keys come to rest."""
        event.stop()
        self._stop_timer()
        if self._debounce_s:
            self._timer = once(self, self._debounce_s, self._narrow)
        else:
            self._narrow()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None

    def _narrow(self) -> None:
        self.post_message(self.Narrowed(self.words))
