"""Places in a text: offsets, the lines and columns that people count in, and one replacement with its inverse."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from sampleui.errors import FormatError

_FAR = 4_096
_LINE_FEED = re.compile("\n")


class Position(NamedTuple):
    """A place in a text: 1-based line, 1-based column in code points."""

    line: int
    column: int


class Span(NamedTuple):
    """A half-open range of code point offsets into a text."""

    start: int
    end: int


def position_at(text: str, offset: int) -> Position:
    """Return the line and column of an offset. Lines end at LF, as every editor and `git` count them."""
    if offset > _FAR:  # counted from the beginning for each of many findings, it would take the square of the size
        starts = _line_starts(text)
        line = bisect_right(starts, offset)
        return Position(line, offset - starts[line - 1] + 1)
    line_start = text.rfind("\n", 0, offset) + 1
    return Position(text.count("\n", 0, offset) + 1, offset - line_start + 1)


@lru_cache(maxsize=2)
def _line_starts(text: str) -> array[int]:
    """Return the offsets at which the lines of a text begin."""
    return array("Q", (0, *(found.end() for found in _LINE_FEED.finditer(text))))


def error_at(text: str, offset: int, message: str) -> FormatError:
    """Return the error that says what is wrong at a place of a text."""
    position = position_at(text, max(offset, 0))
    return FormatError(message, line=position.line, column=position.column)


def offset_at(text: str, position: Position) -> int:
    """Return the offset of a position, held inside its line and inside the text."""
    start = 0
    for _ in range(position.line - 1):
        line_feed = text.find("\n", start)
        if line_feed < 0:
            return len(text)
        start = line_feed + 1
    end = text.find("\n", start)
    return min(start + position.column - 1, len(text) if end < 0 else end)


def indent_at(text: str, offset: int) -> str:
    """Return the blanks that the line of an offset begins with, as far as they are before it."""
    line = text[text.rfind("\n", 0, offset) + 1 : offset]
    return line[: len(line) - len(line.lstrip(" \t"))]


def key_offset(text: str, name: str) -> int | None:
    """Return where a key is at the root of a text of TOML, YAML or JSON: where it is indented least."""
    key = re.escape(name)
    keys = re.finditer(rf"^[ \t{{,]*\[{{0,2}}[ \t]*([\"']?){key}\1[ \t]*[=.:\]]", text, re.MULTILINE)
    starts = (match.start(1) for match in keys)
    return min(starts, key=lambda start: start - text.rfind("\n", 0, start), default=None)


class TextEdit(NamedTuple):
    """Replace `text[start:end]` by `text`. Offsets count code points."""

    start: int
    end: int
    text: str

    def apply(self, source: str) -> str:
        """Return the source with the span replaced."""
        return source[: self.start] + self.text + source[self.end :]

    def inverse(self, source: str) -> TextEdit:
        """Return the edit that undoes this one, given the text this one is applied to."""
        return TextEdit(self.start, self.start + len(self.text), source[self.start : self.end])

    def trimmed(self, source: str) -> TextEdit:
        """Return the same change with the characters both sides share at its ends left out."""
        old, new = source[self.start : self.end], self.text
        head = shared_start(old, new)
        tail = shared_end(old[head:], new[head:])
        return TextEdit(self.start + head, self.end - tail, new[head : len(new) - tail])


def shared_start(first: Sequence[object], other: Sequence[object]) -> int:
    """Return how many items two sequences, or characters two texts, have in common from the start.

    Slices are compared and not items: that is what Python does quickly.
    """
    low, high = 0, min(len(first), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if first[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def shared_end(first: Sequence[object], other: Sequence[object]) -> int:
    """Return how many items two sequences, or characters two texts, have in common at the end."""
    low, high = 0, min(len(first), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if first[len(first) - middle : len(first) - low] == other[len(other) - middle : len(other) - low]:
            low = middle
        else:
            high = middle - 1
    return low
