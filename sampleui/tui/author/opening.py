"""From a deck that exists to its screen, or to a message that says why it cannot be opened."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from textual.screen import Screen

from sampleui.errors import DeckError
from sampleui.settings import Settings
from sampleui.tui.decks import open_for


def screen_for(path: Path, settings: Settings, dialect: str | None) -> Callable[[], Screen[int]]:
    """Load a deck and return what makes its screen: for one that does not parse, its text and the error."""
    from sampleui.tui.author.screen import AuthorScreen

    try:
        deck = open_for(path, settings, dialect)
    except DeckError as error:
        if error.line is None:
            raise
        from sampleui.tui.author.broken import BrokenScreen

        held = error
        return lambda: BrokenScreen(path, held, settings, lambda: screen_for(path, settings, dialect))
    return lambda: AuthorScreen(deck, settings)
