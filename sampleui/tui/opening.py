"""From a path to the screen that shows what is there."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from textual.screen import Screen

from sampleui.formats.registry import LINES
from sampleui.settings.options import Settings
from sampleui.text.confined import is_file, size_of
from sampleui.text.limits import LARGE_DECK_BYTES, LARGE_LINES_BYTES
from sampleui.tui.author.screen import AuthorScreen
from sampleui.tui.screens.base import ScreenMaker
from sampleui.workspace.deck import Deck
from sampleui.workspace.head import AbsentFile, Broken, RunFile
from sampleui.workspace.opening import Opened, open_deck, open_path
from sampleui.workspace.reading import usual_dialects

if TYPE_CHECKING:
    from sampleui.review.results.file import Results
    from sampleui.settings.writing import NamedTable
    from sampleui.tui.screens.guessed_table import Taken
    from sampleui.workspace.unknown_files import Unknown


def first_screen(path: Path, settings: Settings, dialect: str | None) -> ScreenMaker:
    """Return what makes the first screen for a path.

    Raises:
        DeckError: for what is not a text at all: a folder, a device, a binary or an unreadable file; and for a file
            that does not exist, where its name is not that of a deck.
    """
    large = LARGE_LINES_BYTES if path.suffix.lower() in LINES else LARGE_DECK_BYTES
    if not is_file(path) or size_of(path) <= large:
        return _screen_for(open_path(path, settings, dialect), settings, dialect)
    from sampleui.tui.author.without_deck import LoadingScreen

    return lambda: LoadingScreen(path, lambda: _screen_for(open_path(path, settings, dialect), settings, dialect))


def deck_screen(path: Path, settings: Settings, dialect: str | None) -> ScreenMaker:
    """Return what makes the screen of a deck, for which nothing is guessed. Raises as `first_screen` does."""
    return _screen_for(open_deck(path, settings, dialect), settings, dialect)


def _screen_for(opened: Opened, settings: Settings, dialect: str | None) -> ScreenMaker:
    """Return what makes the screen that shows what was opened. What few paths are is imported by its case alone.

    Raises:
        DeckError: for a file without a text that could be shown, and for a missing one that is not named as a deck.
        ResultsError: when results or their log cannot be read.
    """
    match opened:
        case Deck():
            return lambda: AuthorScreen(opened, settings)
        case AbsentFile(path):
            from sampleui.tui.author.without_deck import MissingScreen

            usual_dialects(path)
            return lambda: MissingScreen(path, settings, dialect)
        case Broken(path, error):
            from sampleui.tui.author.without_deck import BrokenScreen

            if error.line is None:
                raise error
            return lambda: BrokenScreen(path, error, settings, lambda: deck_screen(path, settings, dialect))
        case RunFile(path, results):
            return _review(path, settings, results=results)
        case unknown:
            from sampleui.tui.screens.guessed_table import UnknownScreen

            return lambda: UnknownScreen(unknown, settings, lambda taken: _by_table(unknown, settings, taken))


def _by_table(unknown: Unknown, settings: Settings, taken: Taken | None) -> Screen[int]:
    """Return the screen of a file that is read by the table that was taken for it, or without one."""
    if taken is None:
        return deck_screen(unknown.path, settings, None)()
    if taken.named.reads_rows:
        return _review(unknown.path, taken.settings, taken.named)()
    return deck_screen(unknown.path, taken.settings, taken.asked_for)()


def _review(
    path: Path, settings: Settings, table: NamedTable | None = None, results: Results | None = None
) -> ScreenMaker:
    from sampleui.tui.review.first_screen import usual_review

    return usual_review(path, settings, table, results)
