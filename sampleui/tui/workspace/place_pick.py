"""The box that finds a deck or a sample of a workspace by letters of its name."""

from __future__ import annotations

from collections.abc import Sequence

from textual.widgets import Input

from sampleui.tui.screens.dialogs import Pick
from sampleui.tui.workspace.search import Listing
from sampleui.tui.workspace.state import Workspace, matching

_FRAME = 0.25
"""Seconds between two looks at what was listed meanwhile."""


class PlacePick(Pick):
    """Decks and samples to be found by letters of their names. It grows as long as more are listed."""

    DEFAULT_CSS = """
    PlacePick > .box { width: 110; max-width: 96%; }
    """

    def __init__(self, title: str, workspace: Workspace, listing: Listing) -> None:
        super().__init__(title, [])
        self._workspace, self._listing = workspace, listing
        self._entries = len(workspace.entries)

    def on_mount(self) -> None:
        """Follow the list where it is not complete yet."""
        if not self._listing.complete:
            self.set_interval(_FRAME, self._grow)

    def all_names(self) -> Sequence[str]:
        """Return the names of all places that are listed."""
        return [*self._workspace.places()]

    def narrowed(self, typed: str) -> Sequence[str]:
        """Return the names that match, the best first."""
        return matching(self._names, typed)

    def _grow(self) -> None:
        entries = len(self._workspace.entries)
        if entries != self._entries:
            self._entries = entries
            self._names = self.all_names()
            picked = self.picked
            names = self.narrowed(self.query_one(Input).value)
            self._show(names)
            self._list.reload(names.index(picked) if picked in names else 0)
