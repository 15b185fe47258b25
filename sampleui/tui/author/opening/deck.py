"""From a deck that exists to its screen, or to a message that says why it cannot be opened."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from textual.screen import Screen

from sampleui.errors import DeckError
from sampleui.settings.options import Settings
from sampleui.tui.decks import open_for
from sampleui.workspace.deck import Deck

Made: TypeAlias = Callable[[], Screen[int]]


def screen_for(path: Path, settings: Settings, dialect: str | None) -> Made:
    """Load a deck and return what makes its screen: for one that does not parse, its text and the error."""
    try:
        deck = open_for(path, settings, dialect)
    except DeckError as error:
        return broken(path, error, settings, dialect)
    return shown(deck, settings)


def shown(deck: Deck, settings: Settings) -> Made:
    """Return what makes the screen of a deck."""
    from sampleui.tui.author.screen import AuthorScreen

    return lambda: AuthorScreen(deck, settings)


def broken(path: Path, error: DeckError, settings: Settings, dialect: str | None) -> Made:
    """Return what makes the screen of a deck that cannot be opened.

    Raises:
        DeckError: the error, if it has no place to show.
    """
    if error.line is None:
        raise error
    from sampleui.tui.author.opening.without_deck import BrokenScreen

    return lambda: BrokenScreen(path, error, settings, lambda: screen_for(path, settings, dialect))
