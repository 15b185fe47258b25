"""Commands of the list of what was found in the decks of a workspace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sampleui.tui.commands import Registry, key_named
from sampleui.tui.workspace.actions.lists import LISTS

if TYPE_CHECKING:
    from sampleui.tui.workspace.found import FoundScreen

FOUND: Registry[FoundScreen] = Registry()
_GROUP = "Finding"


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


@FOUND.command("find.go", "enter", "Go there", group=_GROUP, scopes="hits", bar=1, needs=a_hit)
def go_there(screen: FoundScreen) -> None:
    """Open the deck at the hit, where Next and Previous step on through it; Quit there comes back."""
    screen.open_current()


@FOUND.command("find.next", ";", "Next", group=_GROUP, scopes="hits", bar=2, needs=a_hit)
def following(screen: FoundScreen) -> None:
    """Go to the next hit; after the last one comes the first."""
    screen.turn(1)


@FOUND.command("find.previous", ",", "Previous", group=_GROUP, scopes="hits", bar=3, needs=a_hit)
def previous(screen: FoundScreen) -> None:
    """Go to the previous hit."""
    screen.turn(-1)


@FOUND.command("find.replace", "r", "Replace", group=_GROUP, scopes="hits", bar=4, needs=a_text)
async def replace(screen: FoundScreen) -> None:
    """Replace in all decks: each change is shown and can be taken out; one step of undo a deck, not saved yet."""
    await screen.replace()


@FOUND.command("find.open", "ctrl+f", "Find", group=_GROUP, bar=5)
async def find(screen: FoundScreen) -> None:
    """Look for something else."""
    await screen.ask_again()


FOUND.include(LISTS)


@FOUND.command("app.quit", "ctrl+q escape", "Back", group="App", bar=32, anywhere=True)
def leave(screen: FoundScreen) -> None:
    """Go back to the list of decks; a search that still runs ends."""
    screen.leave()
