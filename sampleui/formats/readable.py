"""The reading half of a deck file: its text in pieces, and the values in them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Self

from sampleui.errors import FormatError, PathError
from sampleui.formats.data import DataPath, Table
from sampleui.formats.pieces import Pieces
from sampleui.formats.timestamps import dates_as_texts
from sampleui.text.diagnostic import Finding
from sampleui.text.position import Position, Span


@dataclass(frozen=True, repr=False)
class Readable(Pieces, ABC):
    """A deck file as it is read. Immutable."""

    format: ClassVar[str]

    has_dates: ClassVar[bool] = False
    """Whether the format has dates and times, which all its readers know from texts."""

    def __repr__(self) -> str:
        """Return what it is, and not the whole file."""
        return f"{type(self).__name__}({len(self)} samples)"

    @classmethod
    @abstractmethod
    def parse(cls, text: str) -> Self:
        """Split a text into pieces.

        Raises:
            FormatError: when the text as a whole is not in this format, with its line and column.
        """

    @classmethod
    def under(cls, text: str, holder: tuple[str, ...]) -> Self | None:
        """Split a text whose samples are under keys that few files have them under; None if none are.

        Args:
            text: one that `parse` has read.
            holder: the keys that lead to the samples; none for a table that has a sample under each of its keys.
        """
        return None

    @abstractmethod
    def read(self, index: int) -> Table:
        """Return a sample's value, never to be changed by the caller.

        Raises:
            FormatError: when the chunk is not exactly one sample. Positions are relative to the chunk.
        """

    @abstractmethod
    def span(self, index: int, path: DataPath) -> Span:
        """Return where the value at a path is in the sample's chunk (for the empty path, the whole sample).

        Raises:
            PathError: when the path does not exist.
        """

    def start(self, index: int) -> int:
        """Return where a sample begins in its chunk, comments and blank lines above left out; 0 if unreadable."""
        try:
            return self.span(index, ()).start
        except (PathError, FormatError):
            return 0

    def key_span(self, index: int, path: DataPath) -> Span:
        """Return where the key that ends a path is; the value's span if there is none (list items)."""
        return self.span(index, path)

    def name(self, index: int) -> str | None:
        """Return the name of a keyed sample, None if samples are list items."""
        return None

    def made_name(self, index: int) -> str | None:
        """Return what AgentV 5 calls a sample that is made of two entries; None for any other."""
        return None

    @property
    def keyed(self) -> bool:
        """Whether samples are named by their key and not listed."""
        return False

    @property
    def refers(self) -> bool:
        """Whether the file names other files for its samples."""
        return False

    @property
    def anonymous(self) -> bool:
        """Whether the file is one sample as a whole that does not say its id."""
        return False

    @property
    def container(self) -> tuple[str, ...]:
        """The keys under which the samples stand: `("samples",)`; empty when the file itself is the list."""
        return ()

    @property
    def context(self) -> Table:
        """The values of the file beside its samples, such as `meta`, `prompts` or `execution`."""
        return {}

    @property
    def columns(self) -> tuple[str, ...] | None:
        """The keys that any sample of a table can have; None if each sample has keys of its own."""
        return None

    @property
    def combines(self) -> bool:
        """Whether values beside the samples are made into samples."""
        return False

    @property
    def from_suite(self) -> bool:
        """Whether paths in the file are counted from the folder of the file that names it, as in a part of that."""
        return False

    def sharing(self, index: int, path: DataPath) -> tuple[str, int]:
        """Return what a value of a sample stands in beside the samples, and how many samples are made of that."""
        return "", 1

    def referred_to(self, piece: int) -> bool:
        """Tell whether other samples may read otherwise when a piece changes, because they refer into it."""
        return False

    def with_kinds(self, structured: frozenset[str], numbers: frozenset[str]) -> Self:
        """Return a table with further columns in which cells may be JSON lists or tables, or numbers."""
        return self

    def fitting(self, data: Table) -> tuple[Table, tuple[str, ...]]:
        """Return a sample as near as the format can hold it and, in words, what it loses by that."""
        return dates_as_texts(data, has_dates=self.has_dates)

    def again(self, text: str) -> Self:
        """Read another text as this one was read. Raises FormatError as `parse` does."""
        return self.parse(text)

    def begun_under(self, container: tuple[str, ...]) -> Self:
        """Return a document without samples whose first one is to be under some keys."""
        return self

    def findings(self, index: int) -> tuple[Finding, ...]:
        """Return what the format itself says about a sample, such as duplicate keys."""
        return ()

    def tags(self, index: int) -> tuple[tuple[DataPath, str], ...]:
        """Return what a sample's text says of values beyond the values: the tags of its own that YAML may have."""
        return ()

    def notes(self) -> tuple[tuple[Finding, Position], ...]:
        """Return what the format says about the file outside its samples, with absolute positions."""
        return ()
