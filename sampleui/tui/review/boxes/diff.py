"""A change of a deck, shown before it is saved."""

from __future__ import annotations

from functools import partial

from sampleui.text.visible import one_line
from sampleui.tui.commands import Hint
from sampleui.tui.message_rows import diff_rows
from sampleui.tui.screens.scrolled import Scrolled
from sampleui.tui.widgets.text_view import READING


class ShowDiff(Scrolled[bool]):
    """A unified diff. Enter answers yes, Escape no."""

    DEFAULT_CSS = """
    ShowDiff > .box { height: auto; max-height: 90%; }
    """
    hints = (Hint("enter", "Save it"), *READING, Hint("escape", "Cancel"))

    def __init__(self, title: str, diff: str) -> None:
        super().__init__(one_line(title, 80), partial(diff_rows, diff), {"enter": True, "escape": False})
        self.view.styles.height = len(diff_rows(diff, 100)) + 1
