"""Commands of the list of decks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sampleui.tui.actions.fields import FIELDS
from sampleui.tui.commands import Registry

if TYPE_CHECKING:
    from sampleui.tui.screens.workspace import WorkspaceScreen

WORKSPACE: Registry[WorkspaceScreen] = Registry()
_GROUP = "Decks"


def an_entry(screen: WorkspaceScreen) -> str:
    """Need a deck or results in the list."""
    return "" if screen.entry is not None else "there is no deck here"


def an_unsaved_deck(screen: WorkspaceScreen) -> str:
    """Need a deck with edits that are not saved."""
    return "" if screen.workspace.unsaved else "nothing to save"


@WORKSPACE.command("deck.open", "enter", "Open", group=_GROUP, scopes="decks", bar=1, needs=an_entry)
def open_entry(screen: WorkspaceScreen) -> None:
    """Open the deck in the author screen, results in the review; ctrl+q there comes back, edits stay open."""
    screen.open_current()


@WORKSPACE.command("workspace.open", "ctrl+o", "Find a deck", group=_GROUP, bar=2, needs=an_entry)
async def find(screen: WorkspaceScreen) -> None:
    """Open any deck or sample by letters of its name, those that were open last first."""
    await screen.find_place()


@WORKSPACE.command("sample.filter", "/", "Filter", group=_GROUP, bar=3)
def narrow(screen: WorkspaceScreen) -> None:
    """Show only files whose name, or the id of a sample, holds the words."""
    screen.filter.open()


@WORKSPACE.command("deck.save", "ctrl+s", "Save all", group=_GROUP, bar=4, needs=an_unsaved_deck)
async def save_all(screen: WorkspaceScreen) -> None:
    """Write every deck that has edits."""
    screen.save_all()


@WORKSPACE.command("workspace.reload", "ctrl+l", "Look again", group=_GROUP, bar=5)
def reload(screen: WorkspaceScreen) -> None:
    """Look again for decks and results; what is open stays open."""
    screen.look()


WORKSPACE.include(FIELDS)
_MOVING = "Moving"


@WORKSPACE.command("cursor.down", "j down", "Down", group=_MOVING, scopes="decks")
def down(screen: WorkspaceScreen) -> None:
    """Move down."""
    screen.list.step(1)


@WORKSPACE.command("cursor.up", "k up", "Up", group=_MOVING, scopes="decks")
def up(screen: WorkspaceScreen) -> None:
    """Move up."""
    screen.list.step(-1)


@WORKSPACE.command("cursor.page-down", "pagedown space", "Page down", group=_MOVING, scopes="decks")
def page_down(screen: WorkspaceScreen) -> None:
    """Move down by a screen."""
    screen.list.page(1)


@WORKSPACE.command("cursor.page-up", "pageup", "Page up", group=_MOVING, scopes="decks")
def page_up(screen: WorkspaceScreen) -> None:
    """Move up by a screen."""
    screen.list.page(-1)


@WORKSPACE.command("cursor.first", "home", "First", group=_MOVING, scopes="decks")
def first(screen: WorkspaceScreen) -> None:
    """Go to the first one."""
    screen.list.jump(last=False)


@WORKSPACE.command("cursor.last", "end G", "Last", group=_MOVING, scopes="decks")
def last(screen: WorkspaceScreen) -> None:
    """Go to the last one."""
    screen.list.jump(last=True)


@WORKSPACE.command("app.palette", "ctrl+p", "Palette", group="App", bar=30, anywhere=True)
async def palette(screen: WorkspaceScreen) -> None:
    """Find any command by its name and run it."""
    await screen.open_palette()


@WORKSPACE.command("app.help", "?", "Help", group="App", bar=31)
def show_help(screen: WorkspaceScreen) -> None:
    """Show every command and its keys."""
    screen.open_help()


@WORKSPACE.command("app.theme", "T", "Theme", group="App")
async def theme(screen: WorkspaceScreen) -> None:
    """Choose a theme; it is tried on at once."""
    await screen.choose_theme()


@WORKSPACE.command("app.suspend", "ctrl+z", "Suspend", group="App")
def suspend(screen: WorkspaceScreen) -> None:
    """Go back to the shell for a while; its `fg` comes back here."""
    screen.suspend()


@WORKSPACE.command("app.quit", "ctrl+q", "Quit", group="App", bar=32, anywhere=True)
async def leave(screen: WorkspaceScreen) -> None:
    """Leave; unsaved edits of all decks are asked about at once."""
    await screen.leave_all()
