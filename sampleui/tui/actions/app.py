"""Commands of the app, the same on every screen, except for how a screen is left."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sampleui.tui.commands import Registry

if TYPE_CHECKING:
    from sampleui.tui.screens.base import CommandScreen

APP: Registry[CommandScreen] = Registry()
_GROUP = "App"


@APP.command("app.palette", "ctrl+p", "Palette", group=_GROUP, bar=30, anywhere=True)
async def palette(screen: CommandScreen) -> None:
    """Find any command by its name and run it."""
    await screen.open_palette()


@APP.command("app.help", "?", "Help", group=_GROUP, bar=31)
def show_help(screen: CommandScreen) -> None:
    """Show every command and its keys."""
    screen.open_help()


@APP.command("app.theme", "T", "Theme", group=_GROUP)
async def theme(screen: CommandScreen) -> None:
    """Choose a theme; it is tried on at once."""
    await screen.choose_theme()


@APP.command("app.suspend", "ctrl+z", "Suspend", group=_GROUP)
def suspend(screen: CommandScreen) -> None:
    """Go back to the shell for a while; its `fg` comes back here."""
    screen.suspend()
