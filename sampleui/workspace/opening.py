"""What is at a path: the first rule of a table that tells it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from sampleui.errors import DeckError
from sampleui.settings.options import Settings
from sampleui.text.confined import exists, is_link
from sampleui.workspace.deck import Deck, open_with
from sampleui.workspace.head import AbsentFile, Broken, Head, OpeningRule, RunFile
from sampleui.workspace.samples import asks_nothing, has_run

if TYPE_CHECKING:  # a usual start must not wait for what guesses
    from sampleui.workspace.unknown_files import Unknown

Opened: TypeAlias = "Deck | Unknown | RunFile | AbsentFile | Broken"
"""All that a path may be; a kind that is added is one more value, and one more case where it is shown."""


def open_path(path: Path, settings: Settings, dialect: str | None = None) -> Opened:
    """Return what is at a path: a deck in a dialect if one is named, else whatever it shows itself to be.

    Raises:
        SettingsError: when the settings cannot be used.
        UnknownDialectError: when the dialect is not one.
    """
    if dialect is not None and not _is_free(path):
        return open_deck(path, settings, dialect)
    head = Head.of(path, settings)
    return next(found for rule in rules() if (found := rule.opened(head)) is not None)


def open_deck(path: Path, settings: Settings, dialect: str | None) -> Deck | Broken:
    """Return the deck at a path, whose samples may be of no dialect; nothing is guessed. Raises as `open_path`."""
    try:
        return open_with(settings, path, dialect)
    except DeckError as error:
        return Broken(path, error)


def rules() -> Iterator[OpeningRule]:
    """Yield the rules by which paths are told, in order; the last of them tells any."""
    yield from USUAL
    from sampleui.workspace.unknown_files import UNUSUAL  # a longer look is worth its time

    yield from UNUSUAL


def _is_free(path: Path) -> bool:
    return not exists(path) and not is_link(path)


def _absent(head: Head) -> AbsentFile | None:
    return AbsentFile(head.path) if _is_free(head.path) else None


def _usual(head: Head) -> Deck | None:
    """Return the deck that is there, but for one that asks nothing, or has answers as results do."""
    deck = head.deck
    if isinstance(deck, DeckError) or has_run(deck.samples, deck.kind):
        return None
    return None if asks_nothing(deck.samples) and (deck.samples or deck.around) else deck


USUAL = (
    OpeningRule("nothing is there", "a deck to begin", _absent),
    OpeningRule("a dialect finds what is asked, and nothing that a run adds", "a deck", _usual),
)
"""What a path usually is; `unknown_files.UNUSUAL` tells the others."""
