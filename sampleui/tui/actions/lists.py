"""Commands of every screen that is one list: moving in it, and those of the app."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sampleui.tui.commands import Registry

if TYPE_CHECKING:
    from sampleui.tui.screens.one_list import ListScreen

LISTS: Registry[ListScreen] = Registry()
_MOVING = "Moving"
_SCOPES = "decks hits"


@LISTS.command("cursor.down", "j down", "Down", group=_MOVING, scopes=_SCOPES)
def down(screen: ListScreen) -> None:
    """Move down."""
    screen.list.step(1)


@LISTS.command("cursor.up", "k up", "Up", group=_MOVING, scopes=_SCOPES)
def up(screen: ListScreen) -> None:
    """Move up."""
    screen.list.step(-1)


@LISTS.command("cursor.page-down", "pagedown space", "Page down", group=_MOVING, scopes=_SCOPES)
def page_down(screen: ListScreen) -> None:
    """Move down by a screen."""
    screen.list.page(1)


@LISTS.command("cursor.page-up", "pageup", "Page up", group=_MOVING, scopes=_SCOPES)
def page_up(screen: ListScreen) -> None:
    """Move up by a screen."""
    screen.list.page(-1)


@LISTS.command("cursor.first", "home", "First", group=_MOVING, scopes=_SCOPES)
def first(screen: ListScreen) -> None:
    """Go to the first one."""
    screen.list.jump(last=False)


@LISTS.command("cursor.last", "end G", "Last", group=_MOVING, scopes=_SCOPES)
def last(screen: ListScreen) -> None:
    """Go to the last one."""
    screen.list.jump(last=True)


@LISTS.command("app.palette", "ctrl+p", "Palette", group="App", bar=30, anywhere=True)
async def palette(screen: ListScreen) -> None:
    """Find any command by its name and run it."""
    await screen.open_palette()


@LISTS.command("app.help", "?", "Help", group="App", bar=31)
def show_help(screen: ListScreen) -> None:
    """Show every command and its keys."""
    screen.open_help()


@LISTS.command("app.theme", "T", "Theme", group="App")
async def theme(screen: ListScreen) -> None:
    """Choose a theme; it is tried on at once."""
    await screen.choose_theme()


@LISTS.command("app.suspend", "ctrl+z", "Suspend", group="App")
def suspend(screen: ListScreen) -> None:
    """Go back to the shell for a while; its `fg` comes back here."""
    screen.suspend()
