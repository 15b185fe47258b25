"""Items of a list of samples that name a file of samples: `file://cases/*.yaml`, promptfoo's `{path: t.csv}`."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import NamedTuple, Self

from sampleui.errors import FormatError
from sampleui.formats.data import Plain
from sampleui.formats.document import Document
from sampleui.text.position import Position, position_at

SUFFIXES = r"(?:ya?ml|jsonl?|csv|xlsx?|[cm]?[jt]s|py)"
NAME = rf"(?:[a-z]+://[^\n\"']+|[^\s\"'{{\[&!|>#][^\n\"']*\.{SUFFIXES}(?:[:\#]\w+)?|[^\s\"'{{\[&!|>#*][^\s\"']*/\*[^\s\"']*)"
"""What a text is that names files: `file://` and a path, an address, the path of a file, or a glob in a folder."""

_TARGET = re.compile(NAME)
_PATH, _CONFIG = "path", "config"


class Named(NamedTuple):
    """A file, or several, that an item of a list of samples names.

    Attributes:
        path: as it is written.
        apart: whether it stands in a table, as promptfoo's `path` with a `config` for a program.
        position: where it is.
    """

    path: str
    apart: bool
    position: Position


def path_of(value: Plain) -> tuple[str, bool] | None:
    """Return the path that an item names and whether a table has it, None if the item may be a sample."""
    if isinstance(value, dict):
        return held_in(value)
    return (value, False) if isinstance(value, str) and _TARGET.fullmatch(value) else None


def held_in(value: Plain) -> tuple[str, bool] | None:
    """Return the path that stands in the place of samples and whether a table has it, None if none does."""
    if isinstance(value, str):
        return value, False
    if isinstance(value, dict) and isinstance(path := value.get(_PATH), str) and value.keys() <= {_PATH, _CONFIG}:
        return path, True
    return None


class Referring(Document):
    """A document among whose pieces some name a file with samples instead of being one."""

    @property
    @abstractmethod
    def references(self) -> tuple[Named, ...]:
        """The files that hold further samples: items of the list of samples, or in its place."""

    @abstractmethod
    def may_name(self, piece: str) -> bool:
        """Tell whether a piece may be such an item; nearly always false, and found at its first line."""

    @abstractmethod
    def item_in(self, piece: int) -> tuple[Plain, int]:
        """Return what an item is, and where in its piece. Raises FormatError when it cannot be read."""

    @cached_property
    def _referring(self) -> Mapping[int, tuple[str, bool, int]]:
        """The pieces that name a file: its path, whether a table has it, where it is in the piece."""
        found: dict[int, tuple[str, bool, int]] = {}
        for at in (at for at in range(1, len(self.pieces) - 1) if self.may_name(self.pieces[at])):
            try:
                value, start = self.item_in(at)
            except FormatError:
                continue
            if (named := path_of(value)) is not None:
                found[at] = (*named, start)
        return found

    def listed(self) -> Iterator[Named]:
        """Yield the files that are named among the samples, in order."""
        for piece, (path, apart, start) in self._referring.items():
            before = sum(map(len, self.pieces[:piece]))
            yield Named(path, apart, position_at(self.text, before + start))

    def __len__(self) -> int:
        """Return the number of samples."""
        return len(self.pieces) - 2 - len(self._referring)

    def piece_of(self, index: int) -> int:
        """Return the index of the piece that holds a sample."""
        piece = index + 1
        for other in self._referring:
            piece += other <= piece
        return piece

    def samples_in(self, piece: int) -> range:
        """Return the index of the sample that a piece holds, none if it names a file."""
        if not 0 < piece < len(self.pieces) - 1 or piece in self._referring:
            return range(0)
        index = piece - 1 - sum(other < piece for other in self._referring)
        return range(index, index + 1)

    def spliced(self, start: int, end: int, added: tuple[str, ...]) -> Self:
        """Return the same with pieces replaced; that none of them names a file is known of most at once."""
        changed = super().spliced(start, end, added)
        if not self._referring and not any(map(self.may_name, added)):
            changed.__dict__["_referring"] = {}
        return changed
