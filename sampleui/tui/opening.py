"""From a path to the first screen: the deck or the results, or what is to be said or asked before."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from textual.screen import Screen

from sampleui.errors import DeckError
from sampleui.settings.options import Settings
from sampleui.tui.author.opening.deck import Made, broken, screen_for, shown
from sampleui.tui.commands import ScreenKind
from sampleui.tui.decks import look_at
from sampleui.tui.registries import registry_of
from sampleui.workspace.deck import Deck
from sampleui.workspace.reading import usual_dialects

if TYPE_CHECKING:  # a usual start must not wait for what it does not need
    from sampleui.guessing.unknown import Unknown
    from sampleui.review.session import ReviewOptions
    from sampleui.tui.screens.guessed_table import Taken

LARGE = 4 * 1024 * 1024
"""Bytes from which a deck is read while the screen is up already."""


def first_screen(path: Path, settings: Settings, dialect: str | None) -> Made:
    """Return what makes the first screen for a path.

    Raises:
        DeckError: for what is not a text at all: a folder, a device, a binary or an unreadable file; and for a file
            that does not exist, where its name is not that of a deck.
        SettingsError: for keys that cannot be used.
    """
    check_bound_keys(settings)
    if not path.exists() and not path.is_symlink():
        usual_dialects(path)
        from sampleui.tui.author.opening.without_deck import MissingScreen

        return lambda: MissingScreen(path, settings, dialect)
    if path.is_file() and path.stat().st_size > LARGE:
        from sampleui.tui.author.opening.without_deck import LoadingScreen

        return lambda: LoadingScreen(path, lambda: _deck_screen(path, settings, dialect))
    return _deck_screen(path, settings, dialect)


def first_review(options: ReviewOptions, settings: Settings) -> Made:
    """Return what makes the first screen for results: for rows that no tool is known to write, their table.

    Raises:
        ResultsError: when the results, the baseline or the log cannot be read.
        DeckError: when the deck cannot be read.
        SettingsError: for keys that cannot be used.
    """
    from sampleui.tui.review.beginning import begun, by_table, with_decks
    from sampleui.tui.review.opening import review_screen
    from sampleui.tui.review.screen import ReviewScreen

    check_bound_keys(settings)
    review = begun(options, settings)
    usual = lambda: ReviewScreen(review, settings)  # noqa: E731
    unknown = None
    if review.results.guess is not None:
        from sampleui.guessing.unknown import unknown_results

        unknown = unknown_results(review.results)
    if unknown is None:
        return usual

    def opened(taken: Taken) -> Screen[int]:
        by_it = with_decks(by_table(options, taken.named), taken.settings)
        return review_screen(by_it, taken.settings)()

    return _asked(unknown, settings, usual, opened)


def _deck_screen(path: Path, settings: Settings, dialect: str | None) -> Made:
    """Return what makes the screen of a deck: for one that no dialect knows, the table that is guessed for it."""
    if dialect is not None:
        return screen_for(path, settings, dialect)
    try:
        found = look_at(path, settings)
    except DeckError as error:
        return broken(path, error, settings, dialect)
    if isinstance(found, Deck):
        return shown(found, settings)
    from sampleui.guessing.unknown import Ran

    if isinstance(found, Ran):
        from sampleui.tui.review.opening import usual_review

        return usual_review(path, settings)
    from sampleui.settings.tables import RESULTS

    def opened(taken: Taken) -> Screen[int]:
        if taken.named.setting == RESULTS:
            from sampleui.tui.review.opening import usual_review

            return usual_review(path, taken.settings, taken.named)()
        return screen_for(path, taken.settings, taken.asked_for)()

    def usual() -> Screen[int]:
        return screen_for(path, settings, None)()

    return _asked(found, settings, usual, opened)


def _asked(unknown: Unknown, settings: Settings, usual: Made, taken: Callable[[Taken], Screen[int]]) -> Made:
    from sampleui.tui.screens.guessed_table import UnknownScreen

    return lambda: UnknownScreen(unknown, settings, usual, taken)


def check_bound_keys(settings: Settings) -> None:
    """Raise SettingsError for keys of the settings that cannot be used."""
    if settings.keys:
        from sampleui.tui.bound_keys import check_keys

        check_keys(settings, [registry_of(kind) for kind in ScreenKind])
