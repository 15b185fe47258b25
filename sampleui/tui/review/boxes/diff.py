"""A change of a deck, shown before it is saved."""

from __future__ import annotations

from functools import partial

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from sampleui.text.visible import one_line
from sampleui.tui.commands import Hint
from sampleui.tui.message_rows import diff_rows
from sampleui.tui.screens.overlay import Overlay
from sampleui.tui.widgets.text_view import READING, TextView


class ShowDiff(Overlay[bool]):
    """A unified diff. Enter answers yes, Escape no."""

    DEFAULT_CSS = """
    ShowDiff > .box {
        width: 110; max-width: 96%; height: auto; max-height: 90%; padding: 0 1; background: $surface;
        border: round $accent; border-title-color: $accent; border-subtitle-color: $text-muted;
    }
    """
    hints = (Hint("enter", "Save it"), *READING, Hint("escape", "Cancel"))

    def __init__(self, title: str, diff: str) -> None:
        super().__init__()
        self._title = title
        self._diff = diff
        self.view = TextView()

    def compose(self) -> ComposeResult:
        """Yield the diff."""
        with Vertical(classes="box") as frame:
            frame.border_title = Content(one_line(self._title, 80))
            yield self.view
        yield self.footer

    def on_mount(self) -> None:
        """Show the diff."""
        self.view.styles.height = len(diff_rows(self._diff, 100)) + 1
        self.view.focus()
        self.view.show(partial(diff_rows, self._diff))

    def take_key(self, event: events.Key) -> bool:
        """Scroll, or answer."""
        if event.key in ("enter", "escape"):
            self.dismiss(event.key == "enter")
            return True
        return self.view.take_key(event.key)
