"""Decks opened with the settings that rendering depends on."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sampleui.deck.load import load
from sampleui.deck.model import DeckFiles
from sampleui.errors import DeckError
from sampleui.settings.options import Settings
from sampleui.workspace.deck import Deck, deck_of
from sampleui.workspace.reading import PromptOptions
from sampleui.workspace.samples import asks_nothing, has_run

if TYPE_CHECKING:
    from sampleui.guessing.unknown import Ran, Unknown


def open_for(path: Path, settings: Settings, dialect: str | None) -> Deck:
    """Open a deck with the settings that rendering depends on."""
    return deck_for(_loaded(path, settings), settings, dialect)


def deck_for(files: DeckFiles, settings: Settings, dialect: str | None, otherwise: str = "") -> Deck:
    """Return files as a deck with the settings that rendering depends on; `otherwise` is as in `deck_of`."""
    return deck_of(files, dialect, PromptOptions.of(settings), otherwise)


def look_at(path: Path, settings: Settings) -> Deck | Unknown | Ran:
    """Open a deck, or return what is guessed for a file that no dialect knows, or that it is results.

    Raises:
        DeckError: when the file cannot be opened, and nothing is guessed for it.
        SettingsError: when the settings cannot be used.
    """
    try:
        files = _loaded(path, settings)
    except DeckError:
        from sampleui.guessing.unknown import Ran
        from sampleui.review.results.logs import is_log

        if not is_log(path):
            raise
        return Ran(path)
    try:
        deck = deck_for(files, settings, None)
    except DeckError:
        unknown = _unknown(files, settings)
        if unknown is None:
            raise
        return unknown
    return ((_is_strange(deck) or has_run(deck.samples, deck.kind)) and _unknown(files, settings)) or deck


def _loaded(path: Path, settings: Settings) -> DeckFiles:
    return load(path, [*settings.dialects.values()] or None)


def _unknown(files: DeckFiles, settings: Settings) -> Unknown | Ran | None:
    from sampleui.guessing.unknown import unknown_deck  # a usual start must not wait for it

    return unknown_deck(files, PromptOptions.of(settings))


def _is_strange(deck: Deck) -> bool:
    """Tell whether no message is found where a deck is not empty: then a longer look is worth its time."""
    return asks_nothing(deck.samples) and bool(deck.samples or deck.around)
