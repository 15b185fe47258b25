"""The command palette: the registry of the screen below it, found by fuzzy search."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from textual.app import ComposeResult
from textual.command import CommandPalette, DiscoveryHit, Hit, Hits, Provider

from sampleui.tui.commands import Command, Hint, key_label
from sampleui.tui.screens.base import CommandScreen
from sampleui.tui.screens.closing import Closing
from sampleui.tui.screens.overlay import Footer

_GROUP_SCORE = 0.3
_HELP_SCORE = 0.1
"""What a match counts that needs the name of the group, or is in the help alone: less than one in the title."""


class Palette(Closing[None], CommandPalette):
    """The palette, with its keys in a footer."""

    def __init__(self) -> None:
        super().__init__(providers=[Commands], placeholder="Find a command")

    def compose(self) -> ComposeResult:
        """Yield the palette and its footer."""
        yield from super().compose()
        yield Footer([Hint("enter", "Run"), Hint("down", "Next"), Hint("up", "Previous"), Hint("escape", "Close")])


class Commands(Provider):
    """The commands of the screen that the palette was opened over."""

    async def discover(self) -> Hits:
        """Yield every command."""
        for command, screen in self._commands():
            yield DiscoveryHit(
                self._title(command, screen), partial(screen.run_command, command), help=command.help
            )

    async def search(self, query: str) -> Hits:
        """Yield the commands that match."""
        matcher = self.matcher(query)
        for command, screen in self._commands():
            score = matcher.match(command.title) or _GROUP_SCORE * matcher.match(
                f"{command.group}: {command.title}"
            )
            if not score and query.casefold() in command.help.casefold():
                score = _HELP_SCORE
            if score > 0:
                title = matcher.highlight(self._title(command, screen))
                yield Hit(score, title, partial(screen.run_command, command), help=command.help)

    def _commands(self) -> Iterator[tuple[Command[Any], CommandScreen]]:
        screen = self.screen
        if isinstance(screen, CommandScreen):
            for command in screen.registry:
                if command.id != "app.palette" and not command.needs(screen):
                    yield command, screen

    def _title(self, command: Command[Any], screen: CommandScreen) -> str:
        keys = " ".join(map(key_label, screen.keymap.keys(command)))
        return f"{command.group}: {command.title}  ({keys})" if keys else f"{command.group}: {command.title}"
