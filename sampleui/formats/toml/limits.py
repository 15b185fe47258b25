"""What keeps a hostile TOML file from holding up its reader, filling the memory or running out of stack."""

from __future__ import annotations

import re

from sampleui.errors import FormatError
from sampleui.formats.data import Table, deeper
from sampleui.formats.toml import scan
from sampleui.text.position import position_at

MAX_MARKS = 4_000_000
"""Of the brackets, commas, equals signs, quotes and backslashes of a file."""

MAX_ITEMS = 400_000
"""Of the brackets and commas of the samples in one piece, those in texts and comments left out."""

MAX_DEPTH = 200

_DIGITS = 500_000
_TOO_LONG = re.compile(r"(?<![0-9_])[0-9_]{4300}")  # Python's limit on the digits of an integer
_LONG_KEY = re.compile(rf"(?:[A-Za-z0-9_-]++[ \t]*\.[ \t]*){{{MAX_DEPTH}}}")
_TEXT = re.compile(f"{scan.STRING}|#[^\n]*")
_BRACKETS = re.compile(rf"{_TEXT.pattern}|[\[\]{{}}]")


def guard_file(text: str) -> None:
    """Refuse a text that could not be read in a few seconds. It need not be TOML.

    Raises:
        FormatError: when it has more than MAX_MARKS marks, or a number that would fill the memory.
    """
    if len(text) > MAX_MARKS and sum(map(text.count, "[{,=\"'\\")) > MAX_MARKS:
        raise FormatError(f"more than {MAX_MARKS:,} brackets, commas, quotes and backslashes", line=1, column=1)
    # Any run twice as long as a step fills one of the steps.
    for at in range(0, len(text) - _DIGITS, _DIGITS):
        if not text[at : at + _DIGITS].strip("0123456789_"):
            raise _error(text, at, "a number with too many digits")


def guard_piece(text: str) -> None:
    """Refuse a valid piece with so many values that they could not be placed in a few seconds.

    Raises:
        FormatError: when they have more than MAX_ITEMS brackets and commas.
    """
    if sum(map(text.count, "[{,")) > MAX_ITEMS and sum(map(_TEXT.sub("", text).count, "[{,")) > MAX_ITEMS:
        raise FormatError(f"more than {MAX_ITEMS:,} brackets and commas in one sample", line=1, column=1)


def guard_depth(text: str, data: Table) -> None:
    """Refuse values nested more than MAX_DEPTH levels deep. Raises FormatError."""
    if deeper(data, MAX_DEPTH):
        raise too_deep(text)


def too_deep(text: str) -> FormatError:
    """Return the error of a text with values nested too deep, at the place where that shows."""
    message = f"nested more than {MAX_DEPTH} levels deep"
    key = _LONG_KEY.search(text)
    if key:
        return _error(text, key.start(), message)
    depth = 0
    for token in _BRACKETS.finditer(text):
        depth += (token[0] in "[{") - (token[0] in "]}")
        if depth > MAX_DEPTH:
            return _error(text, token.start(), message)
    return _error(text, 0, message)


def too_long(text: str) -> FormatError:
    """Return the error of a text with an integer of more digits than Python reads."""
    found = _TOO_LONG.search(text)
    return _error(text, found.start() if found else 0, "an integer with too many digits")


def _error(text: str, offset: int, message: str) -> FormatError:
    place = position_at(text, offset)
    return FormatError(message, line=place.line, column=place.column)
