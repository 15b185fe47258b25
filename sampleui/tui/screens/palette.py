"""The command palette: the commands of the screen below it, found by part of their names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from textual.fuzzy import FuzzySearch

from sampleui.tui.commands import Command, Hint, Keymap, key_label
from sampleui.tui.drawing.rows import Row, spread
from sampleui.tui.screens.dialogs import Choices, Pick

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
        self._commands = {one.id: one for one in commands}
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
        super().__init__("Find a command", [one.id for one in commands])
        self._commands = commands
        self._list = Entries(commands, keymap)

    def narrowed(self, typed: str) -> Sequence[str]:
        """Return the commands that match, the best first."""
        if not typed.strip():
            return self.all_names()
        search = FuzzySearch()
        found = [(_score(search, typed.strip(), one), one.id) for one in self._commands]
        return [name for score, name in sorted(found, key=lambda one: -one[0]) if score > 0]


def _score(search: FuzzySearch, typed: str, command: Command[Any]) -> float:
    by_title, _ = search.match(typed, command.title)
    by_group, _ = search.match(typed, f"{command.group}: {command.title}")
    by_help = _HELP_SCORE if typed.casefold() in command.help.casefold() else 0.0
    return by_title or _GROUP_SCORE * by_group or by_help
