"""Commands in a field that narrows a list, on every screen that has one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sampleui.tui.commands import FILTER, Registry

if TYPE_CHECKING:
    from sampleui.tui.screens.base import CommandScreen

FIELDS: Registry[CommandScreen] = Registry()
_GROUP = "Narrowing"


def a_filter(screen: CommandScreen) -> str:
    """Need a field that is typed into."""
    return "" if screen.scope == FILTER else "no filter is being typed"


@FIELDS.command("filter.keep", "enter down", "Keep", group=_GROUP, scopes=FILTER, bar=1, needs=a_filter)
def keep(screen: CommandScreen) -> None:
    """Keep what was typed and go to the list."""
    screen.filter_input.keep()


@FIELDS.command("filter.clear", "escape", "Clear", group=_GROUP, scopes=FILTER, bar=2, needs=a_filter)
def clear(screen: CommandScreen) -> None:
    """Drop what was typed and show everything again."""
    screen.filter_input.clear()
