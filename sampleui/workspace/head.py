"""A path that is to be opened, each part of it read once, whoever asks; and what it may be beside a deck."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sampleui.deck.load import load
from sampleui.deck.model import DeckFiles
from sampleui.errors import DeckError, OtherFileError, ResultsError
from sampleui.integrations.index import logs_like
from sampleui.settings.options import Settings
from sampleui.settings.vocabulary import UserTable
from sampleui.text.confined import start_of
from sampleui.workspace.deck import Deck, deck_of
from sampleui.workspace.reading import PromptOptions

if TYPE_CHECKING:
    from sampleui.review.results.file import Results
    from sampleui.workspace.opening import Opened


class AbsentFile(NamedTuple):
    """Nothing is there: a deck may be begun."""

    path: Path


@dataclass(frozen=True, slots=True)
class RunFile:
    """The results of a tool, or of a table of the user's.

    Attributes:
        path: the file.
        results: its records, if they were opened to tell.
    """

    path: Path
    results: Results | None = field(default=None, compare=False, repr=False)


class Broken(NamedTuple):
    """A file that cannot be opened as a deck, and why. The error has no line where there is no text to show."""

    path: Path
    error: DeckError


@dataclass(frozen=True, eq=False)
class Head:
    """A path that is to be opened, and what was seen of it so far. What cannot be read is the error that says why.

    Attributes:
        path: the path.
        prompts: the settings that its samples are read by.
        tables: the tables of the user's dialects; None for those of the project of the path.
        loaded: its text as a deck, where that was read before.
    """

    path: Path
    prompts: PromptOptions
    tables: Sequence[UserTable] | None = None
    loaded: DeckFiles | None = None

    @classmethod
    def of(cls, path: Path, settings: Settings) -> Head:
        """Return a path to be opened by settings.

        Raises:
            SettingsError: when the settings cannot be used.
        """
        return cls(path, PromptOptions.of(settings), [*settings.dialects.values()] or None)

    @cached_property
    def files(self) -> DeckFiles | DeckError:
        """Its text as that of a deck, whatever it holds."""
        try:
            return self.loaded or load(self.path, self.tables)
        except DeckError as error:
            return error

    @cached_property
    def deck(self) -> Deck | DeckError:
        """The deck that it is."""
        if isinstance(self.files, DeckError):
            return self.files
        try:
            return deck_of(self.files, None, self.prompts)
        except DeckError as error:
            return error

    @cached_property
    def start(self) -> bytes | None:
        """Its first 64 KiB; None where they cannot be read."""
        return start_of(self.path)

    @cached_property
    def is_log(self) -> bool:
        """Whether it is named or begins as the log of a run does."""
        return bool(logs_like(self.path, self.start))

    @cached_property
    def results(self) -> Results | ResultsError:
        """Its rows as those of a run; the error is an `OtherFileError` where it is told for another tool's file.

        Raises:
            SettingsError: when the settings cannot be used.
        """
        from sampleui.review.results.file import open_results  # most paths are decks

        try:
            return open_results(self.path, start=self.start)
        except OtherFileError as error:
            return error
        except (ResultsError, OSError) as error:
            return error if isinstance(error, ResultsError) else ResultsError(str(error), self.path)


class OpeningRule(NamedTuple):
    """How a kind of path is told, for a table of such rules of which the first one that fits holds.

    Attributes:
        signs: what it is told by, for people.
        reads: what it is opened as, for people.
        opened: returns what it is opened as; None for any other path.
    """

    signs: str
    reads: str
    opened: Callable[[Head], Opened | None]
