"""Values of any size as rows: small ones are wrapped at once, large ones cut to rows as they are drawn."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from typing import TypeAlias, overload

from rich.cells import cell_len

from sampleui.text.visible import visible, visible_lines
from sampleui.tui.drawing.rows import Row, row_text, text_rows, untabbed
from sampleui.tui.limits import MAX_WRAPPED_TEXT

Painter: TypeAlias = Callable[[str], Row]
_KEY = re.compile(r'(\s*)("(?:[^"\\]|\\.)*")(:)(.*)')


class LazyRows(Sequence[Row]):
    """Rows that are made when they are drawn."""

    def row_at(self, index: int) -> Row:
        """Return a row by its place from the top."""
        raise NotImplementedError

    def find(self, wanted: re.Pattern[str]) -> int | None:
        """Return the first row that shows a match."""
        raise NotImplementedError

    @overload
    def __getitem__(self, index: int) -> Row: ...

    @overload
    def __getitem__(self, index: slice) -> list[Row]: ...

    def __getitem__(self, index: int | slice) -> Row | list[Row]:
        """Return a row, or a list of them for a slice."""
        if isinstance(index, slice):
            return [self.row_at(place) for place in range(*index.indices(len(self)))]
        if not -len(self) <= index < len(self):
            raise IndexError(index)
        return self.row_at(index % len(self))


class CutRows(LazyRows):
    """A long text cut at a width. Where each row begins is computed from the lengths of the lines alone."""

    def __init__(self, text: str, width: int, paint: Painter) -> None:
        if not text.isascii():
            text = visible_lines(text)
        self._lines = [untabbed(line) if "\t" in line else line for line in text.replace("\r\n", "\n").split("\n")]
        self._width = width
        self._paint = paint
        self._ends = list(accumulate(-(-len(line) // self._room(line)) or 1 for line in self._lines))

    def _room(self, line: str) -> int:
        """Return how many characters of a line are in a row: a wide one takes two cells."""
        if line.isascii() or (len(line) <= self._width and cell_len(line) <= self._width):
            return self._width
        return max(self._width // 2, 1)

    def __len__(self) -> int:
        """Return how many rows there are."""
        return self._ends[-1]

    def row_at(self, index: int) -> Row:
        """Return a row."""
        number = bisect_right(self._ends, index)
        line = self._lines[number]
        part = index - (self._ends[number - 1] if number else 0)
        room = self._room(line)
        return self._paint(visible(line[part * room : (part + 1) * room]))

    def find(self, wanted: re.Pattern[str]) -> int | None:
        """Return the row that the first match begins in."""
        for number, line in enumerate(self._lines):
            if match := wanted.search(line):
                return (self._ends[number - 1] if number else 0) + match.start() // self._room(line)
        return None


class StackedRows(LazyRows):
    """Parts under each other, what was searched for marked in them."""

    def __init__(self, parts: Sequence[Sequence[Row]], wanted: re.Pattern[str] | None = None) -> None:
        self._parts = [part for part in parts if len(part)]
        self._ends = list(accumulate(len(part) for part in self._parts))
        self._wanted = wanted

    def __len__(self) -> int:
        """Return how many rows there are."""
        return self._ends[-1] if self._ends else 0

    def row_at(self, index: int) -> Row:
        """Return a row."""
        number = bisect_right(self._ends, index)
        row = self._parts[number][index - (self._ends[number - 1] if number else 0)]
        return marked(row, self._wanted) if self._wanted else row

    def find(self, wanted: re.Pattern[str]) -> int | None:
        """Return the first row that shows a match."""
        for part, end in zip(self._parts, self._ends, strict=True):
            line = part.find(wanted) if isinstance(part, LazyRows) else _first_match(part, wanted)
            if line is not None:
                return end - len(part) + line
        return None


def pattern(words: str) -> re.Pattern[str] | None:
    """Return what finds a text in any case, None for an empty text."""
    return re.compile(re.escape(words), re.IGNORECASE) if words else None


def marked(row: Row, wanted: re.Pattern[str]) -> Row:
    """Return a row with every match in the style `match`."""
    if not wanted.search(row_text(row)):
        return row
    return tuple(piece for style, text in row for piece in _pieces(style, text, wanted))


def plain(line: str) -> Row:
    """Paint a line of text."""
    return (("text", line),)


def json_line(line: str) -> Row:
    """Paint a line of indented JSON: its key, then its value."""
    key_match = _KEY.match(line)
    if key_match is None:
        return (("text", line),)
    indent, key, colon, rest = key_match.groups()
    return (("text", indent), ("accent", key), ("muted", colon), ("text", rest))


def body(text: str, width: int, paint: Painter = plain) -> Sequence[Row]:
    """Return a text as rows."""
    if len(text) > MAX_WRAPPED_TEXT:
        return CutRows(text, width, paint)
    if paint is plain:
        return text_rows(text, "text", width)
    return [paint(row_text(row)) for row in text_rows(text, "text", width)]


def _first_match(rows: Sequence[Row], wanted: re.Pattern[str]) -> int | None:
    return next((index for index, row in enumerate(rows) if wanted.search(row_text(row))), None)


def _pieces(style: str, text: str, wanted: re.Pattern[str]) -> Iterator[tuple[str, str]]:
    start = 0
    for match in wanted.finditer(text):
        yield style, text[start : match.start()]
        yield "match", match[0]
        start = match.end()
    yield style, text[start:]
