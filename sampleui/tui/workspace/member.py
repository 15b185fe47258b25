"""The author screen of a deck that stays open in a workspace when it is left."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from sampleui.deck.history import Focus
from sampleui.tui.author.screen import AuthorScreen
from sampleui.tui.author.session import Session
from sampleui.tui.screens.finding import EVERYWHERE
from sampleui.tui.workspace.found import hits_counted, pick_place
from sampleui.tui.workspace.listing import DECK
from sampleui.workspace.deck import Deck
from sampleui.workspace.text_search import Query

if TYPE_CHECKING:
    from sampleui.tui.workspace.screen import WorkspaceScreen


class MemberScreen(AuthorScreen):
    """Edits a deck of a workspace; its session, with history and journal, belongs to the workspace."""

    stays_open = True

    def __init__(
        self,
        around: WorkspaceScreen,
        path: Path,
        session: Session,
        focus: Focus | None,
        sought: Query | None = None,
    ) -> None:
        super().__init__(session.deck, around.settings, focus, session)
        self._sought = sought
        self._around = around
        self._path = path

    def _begin(self, focus: Focus) -> None:
        super()._begin(focus)
        sought, self._sought = self._sought, None
        if sought is not None:
            self.seeking.start(sought)

    def other_decks(self) -> Mapping[str, Path]:
        """Return the decks that samples may go to, by their names: those of the workspace."""
        workspace = self._around.workspace
        own = self.session.deck.path
        decks = (
            entry.path
            for entry in workspace.entries
            if entry.kind == DECK and not entry.failure and entry.path != own
        )
        return {workspace.name_of(path): path for path in decks}

    def session_of(self, path: Path, deck: Deck | None) -> Session | None:
        """Return the session that edits of another deck go to: one that is open, or that opens a deck."""
        workspace = self._around.workspace
        return workspace.session(path) if deck is None else workspace.take_up(path, deck)[0]

    def moved_to(self, path: Path) -> None:
        """Note that the deck is another file from now on; the workspace keeps that one open."""
        self._around.workspace.forget(self._path)
        self._path = path
        self._around.workspace.keep_open(path, self.session)

    def hits_counted(self, query: Query, options: frozenset[str]) -> AsyncIterator[int]:
        """Yield how many hits there are so far, in all decks where those are asked for."""
        everywhere = EVERYWHERE in options
        return hits_counted(self._around, query) if everywhere else super().hits_counted(query, options)

    def find_everywhere(self, query: Query) -> None:
        """Look for something in all decks of the workspace; this one stays open."""
        self._around.wanted = query
        self.leave()

    async def open_other(self) -> None:
        """Ask for another deck or sample of the workspace, and go there."""
        picked = await pick_place(self._around)
        if picked:
            self._around.wanted = picked
            self.leave()

    def leave(self) -> None:
        """Go back to the list; the deck stays open."""
        self._around.workspace.keep_open(self._path, self.session)
        self.session.left_at = self.here
        super().leave()
