"""The author screen of a deck that stays open in a workspace when it is left."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sampleui.deck.history import Focus
from sampleui.tui.author.session import Session
from sampleui.tui.screens.author import AuthorScreen

if TYPE_CHECKING:
    from sampleui.tui.screens.workspace import WorkspaceScreen


class MemberScreen(AuthorScreen):
    """Edits a deck of a workspace; its session, with history and journal, belongs to the workspace."""

    stays_open = True

    def __init__(self, around: WorkspaceScreen, path: Path, session: Session, focus: Focus | None) -> None:
        super().__init__(session.deck, around.settings, focus, session)
        self._around = around
        self._path = path

    async def open_other(self) -> None:
        """Let another deck or sample of the workspace be found, and go there."""
        picked = await self._around.pick_place()
        if picked:
            self._around.wanted = picked
            self.leave()

    def leave(self) -> None:
        """Go back to the list; the deck stays open."""
        self._around.workspace.took(self._path, self.session)
        self._around.workspace.left(self._path, self.here)
        super().leave()
