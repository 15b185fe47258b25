"""The help: every command with its keys, by group, from the registry."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sampleui.tui.commands import COMMENT, FILTER, LINE, Command, Keymap, key_label
from sampleui.tui.drawing.rows import Row, text_rows
from sampleui.tui.screens.overlay import Scrolled

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


class Help(Scrolled[None]):
    """All commands of a screen."""

    DEFAULT_CSS = """
    Help > .box { width: 92; }
    """

    def __init__(self, commands: Iterable[Command[Any]], keymap: Keymap[Any]) -> None:
        super().__init__("Keys", self._table, dict.fromkeys(("escape", "q", "question_mark")))
        self._commands = tuple(commands)
        self._keymap = keymap

    def _table(self, width: int) -> list[Row]:
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
