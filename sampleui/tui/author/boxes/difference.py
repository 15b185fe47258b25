"""How the deck as edited differs from its files on disk."""

from __future__ import annotations

from difflib import unified_diff
from functools import partial

from sampleui.deck.load import MAX_BYTES
from sampleui.deck.model import DeckFiles, Source
from sampleui.text.confined import read_whole
from sampleui.tui.commands import Hint
from sampleui.tui.drawing.message_rows import diff_rows
from sampleui.tui.screens.scrolled import Scrolled
from sampleui.tui.widgets.text_view import READING


class Difference(Scrolled[bool]):
    """A diff from the disk to the edits."""

    hints = (*READING, Hint("escape", "Back"))

    def __init__(self, files: DeckFiles) -> None:
        text = "".join(map(_difference, files.sources))
        super().__init__(
            "from the file on disk to mine", partial(diff_rows, text), dict.fromkeys(("escape", "enter"), True)
        )


def _difference(source: Source) -> str:
    try:
        disk = read_whole(source.path, MAX_BYTES).decode("utf-8", "replace")
    except OSError:
        disk = ""
    old, new = disk.splitlines(keepends=True), source.document.text.splitlines(keepends=True)
    return "".join(unified_diff(old, new, str(source.path), "mine"))
