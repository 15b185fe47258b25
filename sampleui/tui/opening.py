"""From a path to the first screen: the deck, or a message that says why it is not one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from textual.screen import Screen

from sampleui.reading import usual_dialects
from sampleui.settings import Settings
from sampleui.tui.author.opening import screen_for
from sampleui.tui.commands import ScreenKind
from sampleui.tui.registries import registry_of

LARGE = 4 * 1024 * 1024
"""Bytes from which a deck is read while the screen is up already."""


def first_screen(path: Path, settings: Settings, dialect: str | None) -> Callable[[], Screen[int]]:
    """Return what makes the first screen for a path.

    Raises:
        DeckError: for what is not a text at all: a folder, a device, a binary or an unreadable file; and for a file
            that does not exist, where its name is not that of a deck.
        SettingsError: for keys that cannot be used.
    """
    check_bound_keys(settings)
    if not path.exists() and not path.is_symlink():
        usual_dialects(path)
        from sampleui.tui.author.missing import MissingScreen

        return lambda: MissingScreen(path, settings, dialect)
    if path.is_file() and path.stat().st_size > LARGE:
        from sampleui.tui.author.loading import LoadingScreen

        return lambda: LoadingScreen(path, lambda: screen_for(path, settings, dialect))
    return screen_for(path, settings, dialect)


def check_bound_keys(settings: Settings) -> None:
    """Raise SettingsError for keys of the settings that cannot be used."""
    if settings.keys:
        from sampleui.tui.bound_keys import check_keys

        check_keys(settings, [registry_of(kind) for kind in ScreenKind])
