"""How a TOML deck is read: where its samples and their values are."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate
from typing import ClassVar, Self

from sampleui.errors import FormatError
from sampleui.formats.collector import collector_off
from sampleui.formats.data import DataPath, Table
from sampleui.formats.document import Document
from sampleui.formats.toml import scan
from sampleui.formats.toml.pieces import (
    BOM,
    CONTAINERS,
    Holder,
    at_keys,
    held,
    load,
    ordered,
    parted,
    split,
    stray_notes,
)
from sampleui.formats.toml.tree import Place, place_at, span_of, tree
from sampleui.formats.toml.tree import Table as TableNode
from sampleui.text.diagnostic import Finding
from sampleui.text.position import Position, Span


@dataclass(frozen=True, repr=False)
class TomlReading(Document):
    """A TOML deck as it is read.

    Attributes:
        holder: the keys under which the samples stand.
        unusual: whether they were looked for there for a table of the user's alone.
        is_keyed: whether they are named by their keys.
        mixed: whether a piece may hold another number of samples than one: samples that interleave, that dotted
            keys spell, or that are in one inline array.
        beside: what the file holds beside the samples.
        strays: what is among the samples and is not a table: names, or places in the list.
    """

    format: ClassVar[str] = "toml"
    has_dates: ClassVar[bool] = True

    holder: Holder = CONTAINERS[:1]
    is_keyed: bool = False
    mixed: bool = False
    beside: Table = field(default_factory=dict, compare=False, repr=False)
    strays: tuple[str | int, ...] = ()
    unusual: bool = False

    @classmethod
    def parse(cls, text: str) -> Self:
        """Split a text into pieces. Raises FormatError if it is not TOML, with line and column."""
        return cls._split(text, None)

    @classmethod
    def under(cls, text: str, holder: Holder) -> Self | None:
        """Split a text whose samples are under keys that few files have them under; None if none are.

        Args:
            text: TOML, which `parse` has read.
            holder: the keys that lead to the samples; none for a file that has a sample under each of its keys.
        """
        found = cls._split(text, holder)
        held = at_keys(load(text), holder)
        items = held if isinstance(held, list) else [*held.values()] if isinstance(held, dict) else []
        count = sum(isinstance(one, dict) for one in items)
        alone = not holder and count < len(items)
        return replace(found, unusual=True) if count and count == len(found) and not alone else None

    def again(self, text: str) -> Self:
        """Read another text as this one was read."""
        return replace(self._split(text, self.holder), unusual=True) if self.unusual else self.parse(text)

    @classmethod
    def _split(cls, text: str, holder: Holder | None) -> Self:
        with collector_off():
            data = load(text)
            found = split(text, data, holder)
        strays, beside = parted(data, found.holder)
        return cls(found.pieces, found.holder, found.keyed, found.mixed, beside, strays)

    def read(self, index: int) -> Table:
        """Return a sample's value."""
        return self._own(index)[1]

    def span(self, index: int, path: DataPath) -> Span:
        """Return where the value at a path is: for a table, from its first header to its last pair."""
        return span_of(place_at(self._place(index), path))

    def start(self, index: int) -> int:
        """Return where a sample begins in its chunk: at the first statement, wherever a piece is one sample."""
        if self.mixed:
            return super().start(index)
        chunk = self.chunk(index)
        below = scan.trivia_end(chunk, int(chunk.startswith(BOM)))
        return below + len(chunk[below:]) - len(chunk[below:].lstrip(" \t"))

    def key_span(self, index: int, path: DataPath) -> Span:
        """Return where the key that ends a path is."""
        place = place_at(self._place(index), path)
        key = None if isinstance(place, TableNode) and path and isinstance(path[-1], int) else place.key
        return Span(key.start, key.end) if key and (path or self.keyed) else span_of(place)

    def name(self, index: int) -> str | None:
        """Return the name of a keyed sample."""
        return str(self._base(index)[-1]) if self.keyed else None

    @property
    def container(self) -> tuple[str, ...]:
        """The keys under which the samples stand."""
        return self.holder

    def begun_under(self, container: tuple[str, ...]) -> Self:
        """Return a document whose first sample goes under some keys; TOML has no list without one."""
        usual = not container or (len(container) == 1 and container[0] in CONTAINERS)
        return replace(self, holder=container or self.holder, unusual=not usual)

    @property
    def context(self) -> Table:
        """The values of the file beside its samples."""
        return self.beside

    def notes(self) -> tuple[tuple[Finding, Position], ...]:
        """Return `parse-error` for what is among the samples and is not a table."""
        return stray_notes(self.text, self.holder, self.strays)

    @property
    def keyed(self) -> bool:
        """Whether samples are named by their key."""
        return self.is_keyed

    # Pieces

    @cached_property
    def _starts(self) -> tuple[int, ...]:
        """The number of samples before each piece, and at the end of all; only for mixed documents."""
        inner = (len(self._held(piece)) for piece in self.pieces[1:-1])
        return tuple(accumulate(inner, initial=0))

    def __len__(self) -> int:
        """Return the number of samples."""
        return self._starts[-1] if self.mixed else super().__len__()

    def piece_of(self, index: int) -> int:
        """Return the index of the piece that holds a sample."""
        return bisect_right(self._starts, index) if self.mixed else super().piece_of(index)

    def samples_in(self, piece: int) -> range:
        """Return the indexes of the samples that a piece holds."""
        if not self.mixed or not 0 < piece < len(self.pieces) - 1:
            return super().samples_in(piece)
        return range(self._starts[piece - 1], self._starts[piece])

    @cached_property
    def newline(self) -> str:
        """How the file ends its lines; as its first line does."""
        for piece in self.pieces:
            end = piece.find("\n")
            if end >= 0:
                return "\r\n" if piece[max(end - 1, 0)] == "\r" else "\n"
        return "\n"

    # Where samples are in their pieces

    def _held(self, piece: str) -> dict[str | int, Table]:
        return held(piece, self.holder, self.is_keyed)

    def _ordered(self, piece: str) -> tuple[tuple[str | int, Table], ...]:
        return ordered(piece, self.holder, self.is_keyed)

    def _own(self, index: int) -> tuple[str | int, Table]:
        """Return a sample, behind its name or its index in its piece. Raises FormatError if there is none."""
        piece = self.piece_of(index)
        held = self._ordered(self.pieces[piece])
        if len(held) != len(self.samples_in(piece)):
            raise FormatError("the text is not exactly one sample", line=1, column=1)
        return held[index - self.samples_in(piece).start]

    def _base(self, index: int) -> DataPath:
        """Return where a sample is in the tree of its piece."""
        return (*self.holder, self._own(index)[0])

    def _place(self, index: int) -> Place:
        return place_at(tree(self.chunk(index)), self._base(index))
