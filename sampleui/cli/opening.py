"""Open a deck as the settings say, for the commands that read one."""

from __future__ import annotations

from pathlib import Path

from sampleui.deck.load import load
from sampleui.settings.options import Settings
from sampleui.workspace.deck import Deck, deck_of
from sampleui.workspace.reading import PromptOptions


def opened(path: Path, dialect: str | None, settings: Settings) -> Deck:
    """Return a deck, its samples to be rendered with the settings.

    Raises:
        DeckError: when the file cannot be read as a deck.
    """
    return deck_of(load(path), dialect, PromptOptions.of(settings))
