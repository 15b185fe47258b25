"""Commands of the list of decks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sampleui.tui.actions import FIELDS
from sampleui.tui.commands import Registry, key_named
from sampleui.tui.workspace.actions.lists import LISTS

if TYPE_CHECKING:
    from sampleui.tui.workspace.screen import WorkspaceScreen

WORKSPACE: Registry[WorkspaceScreen] = Registry()
_GROUP = "Decks"


def an_entry(screen: WorkspaceScreen) -> str:
    """Need a deck or results in the list."""
    return "" if screen.entry is not None else "there is no deck here"


def a_filter(screen: WorkspaceScreen) -> str:
    """Need a filter of the files."""
    return "" if screen.filter.words else f"no filter is set; {key_named('sample.filter', '/')} sets one"


def an_unsaved_deck(screen: WorkspaceScreen) -> str:
    """Need a deck with edits that are not saved."""
    return "" if screen.workspace.unsaved else "nothing to save"


@WORKSPACE.command("deck.open", "enter", "Open", group=_GROUP, scopes="decks", bar=1, needs=an_entry)
def open_entry(screen: WorkspaceScreen) -> None:
    """Open the deck in the author screen, results in the review; Quit there comes back, edits stay open."""
    screen.open_current()


@WORKSPACE.command("workspace.open", "ctrl+o", "Find a deck", group=_GROUP, bar=2, needs=an_entry)
async def find(screen: WorkspaceScreen) -> None:
    """Open any deck or sample by letters of its name, those that were open last first."""
    await screen.find_place()


@WORKSPACE.command("find.open", "ctrl+f", "Find", group=_GROUP, bar=3, needs=an_entry)
async def find_text(screen: WorkspaceScreen) -> None:
    """Find text in the turns and fields of all decks; every hit is listed, and can be replaced."""
    await screen.ask_to_find()


@WORKSPACE.command("sample.filter", "/", "Filter", group=_GROUP, bar=4)
def narrow(screen: WorkspaceScreen) -> None:
    """Show only files whose name, or the id of a sample, holds the words."""
    screen.filter.open()


@WORKSPACE.command("sample.show-all", "escape", "Clear", group=_GROUP, scopes="decks", bar=2, needs=a_filter)
def show_all(screen: WorkspaceScreen) -> None:
    """Clear the filter and show every file."""
    screen.show_all()


@WORKSPACE.command("deck.save", "ctrl+s", "Save all", group=_GROUP, bar=5, needs=an_unsaved_deck)
async def save_all(screen: WorkspaceScreen) -> None:
    """Write every deck that has edits."""
    screen.save_all()


@WORKSPACE.command("workspace.reload", "ctrl+l", "Look again", group=_GROUP, bar=6)
def reload(screen: WorkspaceScreen) -> None:
    """Look again for decks and results; what is open stays open."""
    screen.discovery.look()


WORKSPACE.include(FIELDS)
WORKSPACE.include(LISTS)


@WORKSPACE.command("app.quit", "ctrl+q", "Quit", group="App", bar=32, anywhere=True)
async def leave(screen: WorkspaceScreen) -> None:
    """Leave; unsaved edits of all decks are asked about together."""
    await screen.leave_all()
