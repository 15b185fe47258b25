"""How the deck as edited differs from its files on disk."""

from __future__ import annotations

from difflib import unified_diff

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from sampleui.deck.load import MAX_BYTES
from sampleui.deck.model import DeckFiles, Source
from sampleui.text.confined import read_whole
from sampleui.tui.commands import Hint
from sampleui.tui.message_rows import diff_rows
from sampleui.tui.screens.overlay import Overlay
from sampleui.tui.widgets.text_view import READING, TextView


class Difference(Overlay[bool]):
    """A diff from the disk to the edits."""

    DEFAULT_CSS = """
    Difference > .box {
        width: 110; max-width: 96%; height: 90%; padding: 0 1; background: $surface;
        border: round $accent; border-title-color: $accent;
    }
    """
    hints = (*READING, Hint("escape", "Back"))

    def __init__(self, files: DeckFiles) -> None:
        super().__init__()
        self._text = "".join(_difference(source) for source in files.sources)
        self.view = TextView()

    def compose(self) -> ComposeResult:
        """Yield the diff."""
        with Vertical(classes="box") as frame:
            frame.border_title = Content("from the file on disk to mine")
            yield self.view
        yield self.footer

    def on_mount(self) -> None:
        """Show the diff."""
        self.view.focus()
        self.view.show(lambda width: diff_rows(self._text, width), keep=False)

    def take_key(self, event: events.Key) -> bool:
        """Scroll, or go back."""
        if event.key in ("escape", "enter"):
            self.dismiss(True)
            return True
        return self.view.take_key(event.key)


def _difference(source: Source) -> str:
    try:
        disk = read_whole(source.path, MAX_BYTES).decode("utf-8", "replace")
    except OSError:
        disk = ""
    old, new = disk.splitlines(keepends=True), source.document.text.splitlines(keepends=True)
    return "".join(unified_diff(old, new, str(source.path), "mine"))
