"""The commands of the list of decks, and of what was found in them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sampleui.errors import DeckError
from sampleui.text.confined import exists, is_folder
from sampleui.tui.actions import APP, FIELDS, moving
from sampleui.tui.author.session import Session
from sampleui.tui.commands import Command, Registry, key_named
from sampleui.tui.screens.base import CommandScreen
from sampleui.tui.workspace.listing import ListedFile
from sampleui.tui.workspace.screen import WorkspaceScreen, some_names

if TYPE_CHECKING:
    from sampleui.tui.workspace.found import FoundScreen

WORKSPACE: Registry[WorkspaceScreen] = Registry()
_DECKS = "Decks"


def _moving(pane: str) -> Iterator[Command[CommandScreen]]:
    """Yield the commands that move in a list, by `space` too, as nothing there is marked."""
    for command in moving(pane):
        if command.id == "cursor.page-down":
            yield command._replace(keys=(*command.keys, "space"))
        elif command.id.startswith("cursor."):
            yield command


an_entry = WORKSPACE.need(lambda screen: screen.entry is not None, "there is no deck here")


def a_filter(screen: WorkspaceScreen) -> str:
    """Need a filter of the files."""
    return "" if screen.words else f"no filter is set; {key_named('sample.filter', '/')} sets one"


a_joint_step = WORKSPACE.need(
    lambda screen: screen.workspace.to_undo(),
    "nothing to undo that was done to several decks; open one for its own",
)
a_joint_step_back = WORKSPACE.need(lambda screen: screen.workspace.to_redo(), "nothing to redo")
an_unsaved_deck = WORKSPACE.need(lambda screen: screen.workspace.unsaved, "nothing to save")


@WORKSPACE.command("deck.open", "enter", "Open", group=_DECKS, scopes="decks", bar=1, needs=an_entry)
def open_entry(screen: WorkspaceScreen) -> None:
    """Open the deck in the author screen, results in the review; leaving it comes back, edits stay open."""
    screen.open_current()


@WORKSPACE.command("deck.new", "n", "New", group=_DECKS, scopes="decks", bar=7)
async def begin(screen: WorkspaceScreen) -> None:
    """Begin a deck in the folder; nothing is written before the first save."""
    from sampleui.tui.screens import asking

    paths = screen.workspace.paths
    folder = paths[0] if is_folder(paths[0]) else paths[0].parent
    name = await asking.ask(screen, f"A new deck in {folder}: its name", "samples.toml")
    if not name:
        return
    path = folder / name
    if exists(path):
        raise DeckError("it is there already", path)
    deck = await asking.begin_deck(screen, path)
    if deck is not None:
        screen.workspace.keep_open(path, Session(deck))
        screen.open(ListedFile(path))


@WORKSPACE.command("workspace.open", "ctrl+o", "Find a deck", group=_DECKS, bar=2, needs=an_entry)
async def find(screen: WorkspaceScreen) -> None:
    """Open any deck or sample by letters of its name, the most recently opened first."""
    from sampleui.tui.workspace.found import pick_place

    picked = await pick_place(screen)
    if picked:
        screen.open_place(picked)


@WORKSPACE.command("find.open", "ctrl+f", "Find", group=_DECKS, bar=3, needs=an_entry)
async def find_text(screen: WorkspaceScreen) -> None:
    """Find text in the turns and fields of all decks; every hit is listed, and can be replaced."""
    from sampleui.tui.workspace.found import ask_query

    query = await ask_query(screen, screen)
    if query is not None:
        screen.find_in_decks(query)


@WORKSPACE.command("sample.filter", "/", "Filter", group=_DECKS, bar=4)
def narrow(screen: WorkspaceScreen) -> None:
    """Show only files whose name, or the id of a sample, holds the words."""
    screen.began = None if screen.words else screen.entry
    screen.filter.open()


@WORKSPACE.command("sample.show-all", "escape", "Clear", group=_DECKS, scopes="decks", bar=2, needs=a_filter)
def show_all(screen: WorkspaceScreen) -> None:
    """Clear the filter and show every file."""
    screen.filter.shut()
    screen.words = ""
    screen.show_list()


@WORKSPACE.command("deck.save", "ctrl+s", "Save all", group=_DECKS, bar=5, needs=an_unsaved_deck)
async def save_all(screen: WorkspaceScreen) -> None:
    """Write every deck that has edits."""
    screen.save_all()


@WORKSPACE.command("deck.undo", "u", "Undo", group=_DECKS, scopes="decks", bar=8, needs=a_joint_step)
def undo(screen: WorkspaceScreen) -> None:
    """Take back what was last done to several decks at once, in each that was not edited since."""
    screen.turn_joint_step(screen.workspace.to_undo(), "undid", Session.undo)


@WORKSPACE.command("deck.redo", "ctrl+r", "Redo", group=_DECKS, scopes="decks", needs=a_joint_step_back)
def redo(screen: WorkspaceScreen) -> None:
    """Redo in all decks what was undone last."""
    screen.turn_joint_step(screen.workspace.to_redo(), "redid", Session.redo)


@WORKSPACE.command("workspace.reload", "ctrl+l", "Look again", group=_DECKS, bar=6)
def reload(screen: WorkspaceScreen) -> None:
    """Look for decks and results again; what is open stays open."""
    screen.discovery.look()


WORKSPACE.include(FIELDS)
WORKSPACE.include(_moving("decks"))
WORKSPACE.include(APP)


@WORKSPACE.command("app.quit", "ctrl+q", "Quit", group="App", bar=32, anywhere=True)
async def leave(screen: WorkspaceScreen) -> None:
    """Leave; unsaved edits of all decks are asked about together."""
    unsaved = screen.workspace.unsaved
    if unsaved:
        from sampleui.tui.screens import asking

        names = some_names([session.deck.path.name for session in unsaved])
        asks = {"s": "Save all and quit", "d": "Discard them all"}
        answer = await asking.confirm(screen, f"{names}: unsaved edits.", asks, "Keep editing")
        if answer not in asks or (answer == "s" and not screen.save_all()):
            return
    for session in screen.workspace.open:
        session.journal.discard()
    screen.discovery.stop()
    screen.leave()


FOUND: Registry[FoundScreen] = Registry()
_FINDING = "Finding"


def a_hit(screen: FoundScreen) -> str:
    """Need something that was found."""
    if screen.search.hits:
        return ""
    if not screen.search.complete:
        return "nothing is found yet"
    return f"nothing is found; {key_named('find.open', 'ctrl+f')} looks for something else"


def a_text(screen: FoundScreen) -> str:
    """Need something that is or may yet be found."""
    return a_hit(screen) if screen.search.complete else ""


@FOUND.command("find.go", "enter", "Go there", group=_FINDING, scopes="hits", bar=1, needs=a_hit)
def go_there(screen: FoundScreen) -> None:
    """Open the deck at the hit, where Next and Previous step on through it; leaving it comes back."""
    screen.open_current()


@FOUND.command("find.next", ";", "Next", group=_FINDING, scopes="hits", bar=2, needs=a_hit)
def following(screen: FoundScreen) -> None:
    """Go to the next hit; after the last one comes the first."""
    screen.list.cursor = (screen.list.cursor + 1) % screen.list.count()


@FOUND.command("find.previous", ",", "Previous", group=_FINDING, scopes="hits", bar=3, needs=a_hit)
def previous(screen: FoundScreen) -> None:
    """Go to the previous hit."""
    screen.list.cursor = (screen.list.cursor - 1) % screen.list.count()


@FOUND.command("find.replace", "r", "Replace", group=_FINDING, scopes="hits", bar=4, needs=a_text)
async def replace(screen: FoundScreen) -> None:
    """Replace in all decks: each change is shown and can be taken out; one step of undo, not saved yet."""
    await screen.replace()


@FOUND.command("find.open", "ctrl+f", "Find", group=_FINDING, bar=5)
async def find_again(screen: FoundScreen) -> None:
    """Look for something else."""
    from sampleui.tui.workspace.found import ask_query

    query = await ask_query(screen.around, screen)
    if query is not None:
        screen.look_for(query)


FOUND.include(_moving("hits"))
FOUND.include(APP)


@FOUND.command("app.quit", "ctrl+q escape", "Back", group="App", bar=32, anywhere=True)
def leave_hits(screen: FoundScreen) -> None:
    """Go back to the list of decks; a search that still runs ends."""
    screen.leave()
