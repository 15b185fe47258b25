"""Decks opened with the settings that rendering depends on."""

from __future__ import annotations

from pathlib import Path

from sampleui.deck.load import load
from sampleui.deck.model import DeckFiles
from sampleui.reading import PromptOptions
from sampleui.settings import Settings
from sampleui.workspace import Deck, deck_of


def open_for(path: Path, settings: Settings, dialect: str | None) -> Deck:
    """Open a deck with the settings that rendering depends on."""
    return deck_for(load(path), settings, dialect)


def deck_for(files: DeckFiles, settings: Settings, dialect: str | None, otherwise: str = "") -> Deck:
    """Return files as a deck with the settings that rendering depends on; `otherwise` is as in `deck_of`."""
    return deck_of(files, dialect, PromptOptions.of(settings), otherwise)
