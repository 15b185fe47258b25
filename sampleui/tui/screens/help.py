"""The help: every command with its keys, by group, from the registry."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from sampleui.tui.commands import Command, Keymap, key_label
from sampleui.tui.rows import Row, text_rows
from sampleui.tui.screens.overlay import Overlay
from sampleui.tui.widgets.text_view import TextView

_WHERE = {
    "editor": "(While a text is edited.)",
    "samples": "(In the list of samples.)",
    "problems": "(In the list of problems.)",
    "records": "(In the list of records.)",
    "timeline": "(In the timeline.)",
    "detail": "(In the detail.)",
}


class Help(Overlay[None]):
    """All commands of a screen."""

    DEFAULT_CSS = """
    Help { align: center middle; background: $background 60%; }
    Help > Vertical {
        width: 92; max-width: 96%; height: 90%; padding: 0 1;
        background: $surface; border: round $accent;
        border-title-color: $accent; border-subtitle-color: $text-muted;
    }
    """

    def __init__(self, commands: Iterable[Command[Any]], keymap: Keymap[Any]) -> None:
        super().__init__()
        self._commands = tuple(commands)
        self._keymap = keymap
        self._view = TextView()

    def compose(self) -> ComposeResult:
        """Yield the table."""
        with Vertical() as frame:
            frame.border_title = Content("Keys")
            frame.border_subtitle = Content("j/k scroll · esc closes")
            yield self._view

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

    def on_key(self, event: events.Key) -> None:
        """Scroll, or close."""
        event.stop()
        if not self._view.take_key(event.key) and event.key in ("escape", "q", "question_mark"):
            self.dismiss()
