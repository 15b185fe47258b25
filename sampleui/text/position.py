"""Offsets, and the lines and columns that people count in."""

from __future__ import annotations

import re

from sampleui.values import NamedTuple


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
    line_start = text.rfind("\n", 0, offset) + 1
    return Position(text.count("\n", 0, offset) + 1, offset - line_start + 1)


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


def key_offset(text: str, name: str) -> int | None:
    """Return where a key is at the root of a text of TOML, YAML or JSON: where it is indented least."""
    key = re.escape(name)
    keys = re.finditer(rf"^[ \t{{,]*\[?[ \t]*([\"']?){key}\1[ \t]*[=.:\]]", text, re.MULTILINE)
    starts = (match.start(1) for match in keys)
    return min(starts, key=lambda start: start - text.rfind("\n", 0, start), default=None)
