"""The list of decks, as the screens opened from it know it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from sampleui.deck.history import Focus
from sampleui.settings.options import Settings
from sampleui.tui.screens.base import CommandScreen
from sampleui.tui.workspace.listing import Entry
from sampleui.tui.workspace.search import DeckSearch, Listing
from sampleui.tui.workspace.state import Workspace
from sampleui.workspace.text_search import Query, Replacement


class WorkspaceHost(Listing, Protocol):
    """What opens decks and comes back to the front when they are left.

    Attributes:
        wanted: what is to be done then: a place to open, or something to look for.
    """

    settings: Settings
    workspace: Workspace
    wanted: str | Query | None

    def open(self, entry: Entry, focus: Focus | None = None, sought: Query | None = None) -> None:
        """Open a deck at a place, with what is looked for there; or results."""

    async def pick_place(self) -> str:
        """Let any deck or sample be found by letters of its name; empty for none."""

    async def ask_query(self, over: CommandScreen) -> Query | None:
        """Ask what to look for, by a box over a screen; None for nothing."""

    def replace_in(self, search: DeckSearch, agreed: Sequence[tuple[Entry, Replacement]]) -> None:
        """Make replacements, those of a deck as one step of undo or not at all, and say what was done."""
