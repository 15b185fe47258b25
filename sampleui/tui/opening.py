"""From a path to the first screen: the deck, or what there is to say about why it is none."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from textual.screen import Screen

from sampleui.deck.load import load
from sampleui.deck.model import DeckFiles
from sampleui.errors import DeckError
from sampleui.reading import PromptOptions, usual_dialects
from sampleui.settings import Settings
from sampleui.workspace import Deck, deck_of

LARGE = 4 * 1024 * 1024
"""Bytes from which a deck is read while the screen is up already."""


def first_screen(path: Path, settings: Settings, dialect: str | None) -> Callable[[], Screen[int]]:
    """Return what makes the first screen for a path.

    Raises:
        DeckError: for what is no text at all: a folder, a device, a binary or an unreadable file; and for a file
            that does not exist, where its name is not that of a deck.
        SettingsError: for keys that cannot be used.
    """
    check_bound_keys(settings)
    if not path.exists() and not path.is_symlink():
        usual_dialects(path)
        from sampleui.tui.screens.missing import MissingScreen

        return lambda: MissingScreen(path, settings, dialect)
    if path.is_file() and path.stat().st_size > LARGE:
        from sampleui.tui.screens.loading import LoadingScreen

        return lambda: LoadingScreen(path, settings, dialect)
    return screen_for(path, settings, dialect)


def check_bound_keys(settings: Settings) -> None:
    """Raise SettingsError for keys of the settings that cannot be used."""
    if settings.keys:
        from sampleui.tui.actions.author.all import AUTHOR
        from sampleui.tui.actions.found import FOUND
        from sampleui.tui.actions.review.records import REVIEW
        from sampleui.tui.actions.trace.records import TRACE
        from sampleui.tui.actions.workspace import WORKSPACE
        from sampleui.tui.bound_keys import check_keys

        check_keys(settings, (AUTHOR, TRACE, REVIEW, WORKSPACE, FOUND))


def screen_for(path: Path, settings: Settings, dialect: str | None) -> Callable[[], Screen[int]]:
    """Load a deck and return what makes its screen: for one that does not parse, its text and the error."""
    from sampleui.tui.screens.author import AuthorScreen

    try:
        deck = open_for(path, settings, dialect)
    except DeckError as error:
        if error.line is None:
            raise
        from sampleui.tui.screens.broken import BrokenScreen

        held = error
        return lambda: BrokenScreen(path, held, settings, dialect)
    return lambda: AuthorScreen(deck, settings)


def open_for(path: Path, settings: Settings, dialect: str | None) -> Deck:
    """Open a deck with the settings that rendering depends on."""
    return deck_for(load(path), settings, dialect)


def deck_for(files: DeckFiles, settings: Settings, dialect: str | None, otherwise: str = "") -> Deck:
    """Return files as a deck with the settings that rendering depends on; `otherwise` is as in `deck_of`."""
    return deck_of(files, dialect, PromptOptions.of(settings), otherwise)
