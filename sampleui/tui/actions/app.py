"""Commands of the app, and of a field that narrows a list: the same on every screen that has one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sampleui.tui.commands import FILTER, Registry

if TYPE_CHECKING:
    from sampleui.tui.screens.base import CommandScreen

APP: Registry[CommandScreen] = Registry()
_GROUP = "App"


@APP.command("app.palette", "ctrl+p", "Palette", group=_GROUP, bar=30, anywhere=True)
async def palette(screen: CommandScreen) -> None:
    """Find any command by its name and run it, while a text is edited too."""
    await screen.open_commands()


@APP.command("app.help", "?", "Help", group=_GROUP, bar=31)
async def show_help(screen: CommandScreen) -> None:
    """List every command and its keys, the most used here first; type to narrow, Enter runs one."""
    await screen.open_commands()


@APP.command("app.theme", "T", "Theme", group=_GROUP)
async def theme(screen: CommandScreen) -> None:
    """Choose a theme; it is tried on at once."""
    await screen.choose_theme()


@APP.command("app.suspend", "ctrl+z", "Suspend", group=_GROUP)
def suspend(screen: CommandScreen) -> None:
    """Go back to the shell for a while; its `fg` comes back here."""
    screen.suspend()


FIELDS: Registry[CommandScreen] = Registry()
_FIELDS = "Narrowing"


def a_filter(screen: CommandScreen) -> str:
    """Need a field that is typed into."""
    return "" if screen.scope == FILTER else "no filter is being typed"


@FIELDS.command("filter.keep", "enter down", "Keep", group=_FIELDS, scopes=FILTER, bar=1, needs=a_filter)
def keep(screen: CommandScreen) -> None:
    """Keep what was typed and go to the list."""
    screen.filter_input.keep()


@FIELDS.command("filter.clear", "escape", "Clear", group=_FIELDS, scopes=FILTER, bar=2, needs=a_filter)
def clear(screen: CommandScreen) -> None:
    """Drop what was typed and show everything again."""
    screen.filter_input.clear()
