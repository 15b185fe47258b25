"""What is at a path, told by one look at it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from sampleui.deck.load import load
from sampleui.deck.model import DeckFiles
from sampleui.errors import DeckError
from sampleui.settings.options import Settings
from sampleui.text.confined import exists, is_link
from sampleui.workspace.deck import Deck, deck_of, open_with
from sampleui.workspace.openable import AbsentFile, Broken, RunFile
from sampleui.workspace.reading import PromptOptions
from sampleui.workspace.samples import asks_nothing, has_run

if TYPE_CHECKING:  # a usual start must not wait for what guesses
    from sampleui.workspace.unknown_files import Unknown

_TALKS = (".json", ".jsonl", ".ndjson")
"""Endings of files that may be lists of conversations, which no deck is."""

Opened: TypeAlias = "Deck | Unknown | RunFile | AbsentFile | Broken"
"""All that a path may be; a kind that is added is one more value, and one more case where it is shown."""


def open_path(path: Path, settings: Settings, dialect: str | None = None) -> Opened:
    """Return what is at a path: a deck in a dialect if one is named, else whatever it shows itself to be.

    Raises:
        SettingsError: when the settings cannot be used.
        UnknownDialectError: when the dialect is not one.
    """
    if not exists(path) and not is_link(path):
        return AbsentFile(path)
    if dialect is not None:
        return open_deck(path, settings, dialect)
    try:
        files = load(path, [*settings.dialects.values()] or None)
    except DeckError as error:
        from sampleui.review.results.run_paths import is_log

        if is_log(path):
            return RunFile(path)
        from sampleui.workspace.unknown_files import of_conversations

        return (of_conversations(path) if path.suffix in _TALKS else None) or Broken(path, error)
    try:
        return _deck_or_guess(files, PromptOptions.of(settings))
    except DeckError as error:
        return Broken(path, error)


def open_deck(path: Path, settings: Settings, dialect: str | None) -> Deck | Broken:
    """Return the deck at a path, whose samples may be of no dialect; nothing is guessed. Raises as `open_path`."""
    try:
        return open_with(settings, path, dialect)
    except DeckError as error:
        return Broken(path, error)


def _deck_or_guess(files: DeckFiles, prompts: PromptOptions) -> Deck | Unknown | RunFile:
    """Return the deck of files; where no dialect knows them, or they may be results, what is guessed.

    Raises:
        DeckError: when they are no deck, and nothing is guessed.
    """
    try:
        deck = deck_of(files, None, prompts)
    except DeckError as error:
        deck, unread = None, error
    if deck is not None and not _is_strange(deck):
        return deck
    from sampleui.workspace.unknown_files import unknown_deck  # a longer look is worth its time

    opened = unknown_deck(files, prompts) or deck
    if opened is None:
        raise unread
    return opened


def _is_strange(deck: Deck) -> bool:
    """Tell whether a deck asks nothing, though something is there, or has answers as results do."""
    asks_in_vain = asks_nothing(deck.samples) and bool(deck.samples or deck.around)
    return asks_in_vain or has_run(deck.samples, deck.kind)
