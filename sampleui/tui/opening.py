"""From a path to the screen that shows it: a deck, or what is to be said or asked before."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from textual.screen import Screen

from sampleui.deck.load import load
from sampleui.errors import DeckError
from sampleui.formats.registry import LINES
from sampleui.settings.options import Settings
from sampleui.text.confined import exists, is_file, is_link, size_of
from sampleui.tui.author.screen import AuthorScreen
from sampleui.tui.limits import LARGE_DECK_BYTES, LARGE_LINES_BYTES
from sampleui.tui.screens.base import ScreenMaker
from sampleui.workspace.deck import Deck, deck_of, open_with
from sampleui.workspace.reading import PromptOptions, usual_dialects
from sampleui.workspace.samples import asks_nothing, has_run

if TYPE_CHECKING:  # a usual start must not wait for what it does not need
    from sampleui.tui.screens.guessed_table import Taken
    from sampleui.workspace.unknown_files import Ran, Unknown


def first_screen(path: Path, settings: Settings, dialect: str | None) -> ScreenMaker:
    """Return what makes the first screen for a path.

    Raises:
        DeckError: for what is not a text at all: a folder, a device, a binary or an unreadable file; and for a file
            that does not exist, where its name is not that of a deck.
    """
    if not exists(path) and not is_link(path):
        usual_dialects(path)
        from sampleui.tui.author.without_deck import MissingScreen

        return lambda: MissingScreen(path, settings, dialect)
    large = LARGE_LINES_BYTES if path.suffix.lower() in LINES else LARGE_DECK_BYTES
    if is_file(path) and size_of(path) > large:
        from sampleui.tui.author.without_deck import LoadingScreen

        return lambda: LoadingScreen(path, lambda: _deck_or_guess_screen(path, settings, dialect))
    return _deck_or_guess_screen(path, settings, dialect)


def deck_screen(path: Path, settings: Settings, dialect: str | None) -> ScreenMaker:
    """Return what makes the screen of a deck: for one that does not parse, its text and the error.

    Raises:
        DeckError: when it cannot be opened and the error has no place in its text.
    """
    try:
        return _author_screen(open_with(settings, path, dialect), settings)
    except DeckError as error:
        return _broken_screen(path, error, settings, dialect)


def open_or_guess(path: Path, settings: Settings) -> Deck | Unknown | Ran:
    """Open a deck, or return what is guessed for a file that no dialect knows, or that it is results.

    Raises:
        DeckError: when the file cannot be opened, and nothing is guessed for it.
        SettingsError: when the settings cannot be used.
    """
    try:
        files = load(path, [*settings.dialects.values()] or None)
    except DeckError:
        from sampleui.review.results.run_paths import is_log
        from sampleui.workspace.unknown_files import Ran

        if not is_log(path):
            raise
        return Ran(path)
    prompts = PromptOptions.of(settings)
    try:
        deck = deck_of(files, None, prompts)
    except DeckError:
        from sampleui.workspace.unknown_files import unknown_deck

        guess = unknown_deck(files, prompts)
        if guess is None:
            raise
        return guess
    is_strange = asks_nothing(deck.samples) and (deck.samples or deck.around)  # a longer look is worth its time
    if not is_strange and not has_run(deck.samples, deck.kind):
        return deck
    from sampleui.workspace.unknown_files import unknown_deck

    return unknown_deck(files, prompts) or deck


def _deck_or_guess_screen(path: Path, settings: Settings, dialect: str | None) -> ScreenMaker:
    """Return what makes the screen of a deck: for one that no dialect knows, the table that is guessed for it."""
    if dialect is not None:
        return deck_screen(path, settings, dialect)
    try:
        opened = open_or_guess(path, settings)
    except DeckError as error:
        return _broken_screen(path, error, settings, dialect)
    if isinstance(opened, Deck):
        return _author_screen(opened, settings)
    from sampleui.workspace.unknown_files import Ran

    if isinstance(opened, Ran):
        from sampleui.tui.review.opening import usual_review

        return usual_review(path, settings)

    def by_taken_table(taken: Taken) -> Screen[int]:
        from sampleui.settings.writing import RESULTS
        from sampleui.tui.review.opening import usual_review

        if taken.named.setting == RESULTS:
            return usual_review(path, taken.settings, taken.named)()
        return deck_screen(path, taken.settings, taken.asked_for)()

    def without_table() -> Screen[int]:
        return deck_screen(path, settings, None)()

    from sampleui.tui.screens.guessed_table import UnknownScreen

    return lambda: UnknownScreen(opened, settings, without_table, by_taken_table)


def _author_screen(deck: Deck, settings: Settings) -> ScreenMaker:
    return lambda: AuthorScreen(deck, settings)


def _broken_screen(path: Path, error: DeckError, settings: Settings, dialect: str | None) -> ScreenMaker:
    """Return what makes the screen of a deck that cannot be opened. Raises its error if that has no place."""
    if error.line is None:
        raise error
    from sampleui.tui.author.without_deck import BrokenScreen

    return lambda: BrokenScreen(path, error, settings, lambda: deck_screen(path, settings, dialect))
