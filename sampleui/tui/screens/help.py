"""The help: every command with its keys, by group, from the registry."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from sampleui.tui.commands import COMMENT, FILTER, LINE, Command, Hint, Keymap, key_label
from sampleui.tui.rows import Row, text_rows
from sampleui.tui.screens.overlay import Overlay
from sampleui.tui.widgets.text_view import READING, TextView

_WHERE = {
    "editor": "(While a text is edited.)",
    LINE: "(While one line is edited.)",
    FILTER: "(In a filter or search.)",
    COMMENT: "(In the comment.)",
    "samples": "(In the list of samples.)",
    "problems": "(In the list of problems.)",
    "records": "(In the list of records.)",
    "timeline": "(In the timeline.)",
    "detail": "(In the detail.)",
}


class Help(Overlay[None]):
    """All commands of a screen."""

    DEFAULT_CSS = """
    Help > .box {
        width: 92; max-width: 96%; height: 90%; max-height: 100%; padding: 0 1;
        background: $surface; border: round $accent;
        border-title-color: $accent; border-subtitle-color: $text-muted;
    }
    """
    hints = (*READING, Hint("escape", "Close"))

    def __init__(self, commands: Iterable[Command[Any]], keymap: Keymap[Any]) -> None:
        super().__init__()
        self._commands = tuple(commands)
        self._keymap = keymap
        self._view = TextView()

    def compose(self) -> ComposeResult:
        """Yield the table."""
        with Vertical(classes="box") as frame:
            frame.border_title = Content("Keys")
            yield self._view
        yield self.footer

    def on_mount(self) -> None:
        """Show the table."""
        self._view.focus()
        self._view.show(self._rows)

    def _rows(self, width: int) -> list[Row]:
        rows: list[Row] = []
        for group in dict.fromkeys(command.group for command in self._commands):
            rows += [(("text", ""),), (("accent-bold", group),)]
            rows += [row for one in self._commands if one.group == group for row in self._entry(one, width)]
        return rows[1:]

    def _entry(self, command: Command[Any], width: int) -> list[Row]:
        keys = " ".join(map(key_label, self._keymap.keys(command))) or "unbound"
        where = _WHERE.get(min(command.scopes, default=""), "") if len(command.scopes) == 1 else ""
        lines = text_rows(f"{command.help} {where}".rstrip(), "text", max(width - 15, 20))
        head = ("accent-bold", f"  {keys}".ljust(15))
        return [(head, *lines[0]), *((("text", " " * 15), *row) for row in lines[1:])]

    def take_key(self, event: events.Key) -> bool:
        """Scroll, or close."""
        if event.key in ("escape", "q", "question_mark"):
            self.dismiss()
            return True
        return self._view.take_key(event.key)
