"""Items of a list of samples that name a file of samples: `file://cases/*.yaml`, or `{path: t.csv}`."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from sampleui.errors import FormatError
from sampleui.formats.data import Plain
from sampleui.text.position import Position, position_at

SUFFIXES = r"(?:ya?ml|jsonl?|csv|xlsx?|[cm]?[jt]s|py)"
NAME = rf"(?:[a-z]+://[^\n\"']+|[^\s\"'{{\[&!|>#][^\n\"']*\.{SUFFIXES}(?:[:\#]\w+)?|[^\s\"'{{\[&!|>#*](?:(?!/\*)[^\s\"']|)*+/\*[^\s\"']*)"
"""What a text is that names files: `file://` and a path, an address, the path of a file, or a glob in a folder."""

_TARGET = re.compile(NAME)
_PATH, _CONFIG = "path", "config"


class FileItem(NamedTuple):
    """A file, or several, that an item of a list of samples names.

    Attributes:
        path: as it is written.
        in_table: whether it stands in a table, as a `path` with a `config` for a program.
        position: where it is.
    """

    path: str
    in_table: bool
    position: Position


class _ExternalItem(NamedTuple):
    piece: int
    path: str
    in_table: bool
    start: int


class ExternalItems(tuple[_ExternalItem, ...]):
    """The pieces of a document that name a file instead of being a sample, in order."""

    __slots__ = ()

    def piece_of(self, index: int) -> int:
        """Return the piece that is the sample of an index."""
        piece = index + 1
        for item in self:
            if item.piece <= piece:
                piece += 1
        return piece

    def samples_in(self, piece: int, last: int) -> range:
        """Return the index of the sample that a piece is, none for a named file, the head, and the last piece."""
        before = bisect_left(self, piece, key=lambda item: item.piece)
        names_file = before < len(self) and self[before].piece == piece
        if names_file or not 0 < piece < last:
            return range(0)
        return range(piece - 1 - before, piece - before)

    def files(self, pieces: Sequence[str]) -> Iterator[FileItem]:
        """Yield the files that are named, in order, given the pieces of the document."""
        text = "".join(pieces) if self else ""
        for item in self:
            before = sum(map(len, pieces[: item.piece]))
            yield FileItem(item.path, item.in_table, position_at(text, before + item.start))


NO_ITEMS = ExternalItems()


def external_items(
    pieces: Sequence[str], may_name: Callable[[str], bool], item_in: Callable[[int], tuple[Plain, int]]
) -> ExternalItems:
    """Return the pieces between the head and the tail that name a file.

    Args:
        pieces: the pieces of the document.
        may_name: tells of a piece whether it may name a file; nearly always false, and known at its first line.
        item_in: returns what an item is and where in its piece; raises FormatError when it cannot be read.
    """
    items = []
    for piece in (number for number in range(1, len(pieces) - 1) if may_name(pieces[number])):
        try:
            value, start = item_in(piece)
        except FormatError:
            continue
        if (named := path_of(value)) is not None:
            items.append(_ExternalItem(piece, *named, start))
    return ExternalItems(items)


def path_of(value: Plain) -> tuple[str, bool] | None:
    """Return the path that an item names and whether a table has it, None if the item may be a sample."""
    if isinstance(value, dict):
        return path_in_place(value)
    return (value, False) if isinstance(value, str) and _TARGET.fullmatch(value) else None


def path_in_place(value: Plain) -> tuple[str, bool] | None:
    """Return the path that stands in the place of samples and whether a table has it, None if none does."""
    if isinstance(value, str):
        return value, False
    if isinstance(value, dict) and isinstance(path := value.get(_PATH), str) and value.keys() <= {_PATH, _CONFIG}:
        return path, True
    return None
