"""What all boxes over a screen share: a footer of their own with only the keys that work in them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import ClassVar

from textual import events
from textual.app import ComposeResult, SuspendNotSupported
from textual.containers import Container, Vertical
from textual.content import Content
from textual.screen import ModalScreen

from sampleui.text.visible import one_line
from sampleui.tui.commands import Hint, key_label
from sampleui.tui.drawing.rows import Row
from sampleui.tui.terminal import stop
from sampleui.tui.textual_internals import Answer, StackedScreen
from sampleui.tui.widgets.bars import KeyBar, MessageLine
from sampleui.tui.widgets.text_view import READING, TextView, move_by_key


class Footer(Container):
    """The last two lines of a box: its message, and its keys."""

    DEFAULT_CSS = """
    Footer { dock: bottom; height: auto; width: 1fr; background: $surface; }
    """

    def __init__(self, hints: Sequence[Hint]) -> None:
        super().__init__()
        self.message_line = MessageLine()
        self.key_bar = KeyBar()
        self.more: Sequence[Hint] = ()
        self.show(hints)

    def compose(self) -> ComposeResult:
        """Yield the lines."""
        yield self.message_line
        yield self.key_bar

    def show(self, hints: Sequence[Hint]) -> None:
        """Show other keys; the one that gets out always fits."""
        out = [hint for hint in hints if hint.key == "escape"]
        self.key_bar.show([*(hint for hint in hints if hint not in out), *self.more], out)

    def refuse(self, key: str) -> None:
        """Say that a key does nothing here."""
        self.message_line.say(f"– {one_line(key_label(key))} does nothing here", "muted")

    def on_key_bar_pressed(self, message: KeyBar.Pressed) -> None:
        """Take a click on a key for the key."""
        message.stop()
        key = message.hint.key
        self.app.post_message(events.Key(key, key if len(key) == 1 else None))


class Overlay(ModalScreen[Answer], StackedScreen[Answer]):
    """A box over the screen. A subclass takes the keys it knows in `take_key`."""

    hints: ClassVar[Sequence[Hint]] = ()
    """The keys that work in it."""

    DEFAULT_CSS = """
    Overlay {
        align: center middle; background: $background 60%;
        & > .box {
            width: 64; max-width: 90%; height: auto; max-height: 100%; padding: 1 2; background: $surface;
            border: round $accent; border-title-color: $accent; border-subtitle-color: $text-muted;
        }
        Input { border: none; height: 1; padding: 0 1; background: $panel; }
        Input:focus { border: none; }
    }
    """

    def __init__(self, hints: Sequence[Hint] = (), answers: Mapping[str, Answer] | None = None) -> None:
        super().__init__()
        self.footer = Footer(hints or self.hints)
        self._answers = answers or {}

    def answer_too(self, answers: Mapping[str, Answer], *hints: Hint) -> None:
        """Let more keys answer, and say so by hints."""
        self._answers = {**self._answers, **answers}
        self.footer.more = hints
        self.footer.show(self.hints)

    def take_key(self, event: events.Key) -> bool:
        """Do what a key says; tell whether it is one that is known here."""
        raise NotImplementedError

    def on_key(self, event: events.Key) -> None:
        """Do what a key says, or else say that it does nothing."""
        self.footer.message_line.hush()
        if event.key in self._answers:
            event.stop()
            self.dismiss(self._answers[event.key])
        elif self.take_key(event):
            event.stop()
        elif event.key == "ctrl+z":
            event.stop()
            with suppress(SuspendNotSupported):
                stop(self.app)
        elif event.key not in self.active_bindings:
            event.stop()
            self.footer.refuse(event.character if event.is_printable and event.character else event.key)


class Scrolled(Overlay[Answer]):
    """Rows under a title. Some keys answer and leave, the others scroll."""

    DEFAULT_CSS = """
    Scrolled > .box { width: 110; max-width: 96%; height: 90%; padding: 0 1; }
    """
    hints: ClassVar[Sequence[Hint]] = (*READING, Hint("escape", "Close"))

    def __init__(
        self,
        title: str,
        rows: Callable[[int], Sequence[Row]],
        answers: Mapping[str, Answer],
        hints: Sequence[Hint] = (),
    ) -> None:
        super().__init__(hints, answers)
        self.frame = Vertical(classes="box")
        self.frame.border_title = Content(title)
        self.view = TextView()
        self.rows = rows

    def compose(self) -> ComposeResult:
        """Yield the rows."""
        with self.frame:
            yield self.view
        yield self.footer

    def on_mount(self) -> None:
        """Show the rows."""
        self.view.focus()
        self.view.show(self.rows)

    def take_key(self, event: events.Key) -> bool:
        """Scroll."""
        return move_by_key(self.view, event.key)
