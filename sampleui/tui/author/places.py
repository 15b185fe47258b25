"""The last places the author was at, to go back to."""

from __future__ import annotations

from collections.abc import Mapping

from sampleui.deck.history import Focus
from sampleui.formats.data import shown
from sampleui.workspace import Deck

_MOST = 50


class Places:
    """Where an author was, the last place first, each sample once."""

    def __init__(self) -> None:
        self._left: list[Focus] = []

    def leave(self, focus: Focus) -> None:
        """Take note of a place that is left."""
        self._left = [focus, *(one for one in self._left if one.sample != focus.sample)][:_MOST]

    def named(self, deck: Deck, here: int) -> Mapping[str, Focus]:
        """Return the places by what they are called, without the current sample, and those that are gone."""
        found: dict[str, Focus] = {}
        for focus in self._left:
            if focus.sample != here and -len(deck.files.sources) <= focus.sample < len(deck.samples):
                where = f" › {shown(focus.path)}" if focus.path else ""
                found[f"{deck.at(focus.sample).id}{where}"] = focus
        return found
