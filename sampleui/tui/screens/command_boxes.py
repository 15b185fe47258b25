"""Every command of a screen: the palette that finds one by its name, and the help that lists all by group."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from textual.fuzzy import FuzzySearch

from sampleui.tui.commands import COMMENT, FILTER, LINE, Command, Hint, Keymap, key_label
from sampleui.tui.drawing.rows import Row, spread, text_rows
from sampleui.tui.screens.dialogs import Choices, Pick
from sampleui.tui.screens.overlay import Scrolled

_GROUP_SCORE = 0.3
_HELP_SCORE = 0.1
"""What a match counts that needs the name of the group, or is in the help alone: less than one in the title."""

_MOST_KEYS = 14
_HELP_FROM = 70
"""Cells from which a row has room for the help."""


class Entries(Choices):
    """The rows of the palette: names of commands, shown by their titles."""

    def __init__(self, commands: Iterable[Command[Any]], keymap: Keymap[Any]) -> None:
        super().__init__()
        self._commands = {command.id: command for command in commands}
        self._keymap = keymap

    def row(self, index: int, width: int) -> Row:
        """Return a command: its group and title, its keys, what it does."""
        command = self._commands[self.names[index]]
        keys = " ".join(map(key_label, self._keymap.keys(command)))[:_MOST_KEYS]
        left = [
            ("muted", f" {command.group}: "),
            ("text", command.title),
            ("accent-bold", f"  {keys}"),
        ]
        return spread([*left, ("faint", f"  {command.help}")] if width >= _HELP_FROM else left, [], width)


class Palette(Pick):
    """Answers with the id of a command.

    Not Textual's palette, which gathers its rows while one types: Enter would run what was found for fewer letters.
    """

    DEFAULT_CSS = """
    Palette > .box { width: 110; max-width: 96%; }
    """
    hints = (Hint("enter", "Run"), *Pick.hints[1:3], Hint("escape", "Close"))

    def __init__(self, commands: Sequence[Command[Any]], keymap: Keymap[Any]) -> None:
        super().__init__("Find a command", [command.id for command in commands])
        self._commands = commands
        self._list = Entries(commands, keymap)

    def narrowed(self, typed: str) -> Sequence[str]:
        """Return the commands that match, the best first."""
        if not typed.strip():
            return self.all_names()
        search = FuzzySearch()
        scored = [(_score(search, typed.strip(), command), command.id) for command in self._commands]
        return [name for score, name in sorted(scored, key=lambda item: -item[0]) if score > 0]


def _score(search: FuzzySearch, typed: str, command: Command[Any]) -> float:
    by_title, _ = search.match(typed, command.title)
    by_group, _ = search.match(typed, f"{command.group}: {command.title}")
    by_help = _HELP_SCORE if typed.casefold() in command.help.casefold() else 0.0
    return by_title or _GROUP_SCORE * by_group or by_help


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
            rows += [
                row for command in self._commands if command.group == group for row in self._entry(command, width)
            ]
        return rows[1:]

    def _entry(self, command: Command[Any], width: int) -> list[Row]:
        keys = " ".join(map(key_label, self._keymap.keys(command))) or "unbound"
        where = _WHERE.get(min(command.scopes, default=""), "") if len(command.scopes) == 1 else ""
        lines = text_rows(f"{command.help} {where}".rstrip(), "text", max(width - 15, 20))
        head = ("accent-bold", f"  {keys}".ljust(15))
        return [(head, *lines[0]), *((("text", " " * 15), *row) for row in lines[1:])]
