"""The box that finds a deck or a sample of a workspace by letters of its name."""

from __future__ import annotations

from collections.abc import Sequence

from sampleui.tui.screens.dialogs import Pick
from sampleui.tui.workspace.state import matching


class PlacePick(Pick):
    """Decks and samples to be found by letters of their names."""

    DEFAULT_CSS = """
    PlacePick > .box { width: 110; max-width: 96%; }
    """

    def narrowed(self, typed: str) -> Sequence[str]:
        """Return the names that match, the best first."""
        return matching(self._names, typed)
