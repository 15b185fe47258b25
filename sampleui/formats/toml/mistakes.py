"""What is wrong with a text that is not TOML: a quote is not closed, told where it opens; a text has none."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from sampleui.errors import FormatError
from sampleui.text.position import Position, offset_at, position_at

_TOKEN = re.compile(
    r"""
    \#[^\n]*+
    | (?P<long>\"{3}|'{3})
    | (?P<short>\"|')
    """,
    re.VERBOSE,
)
_ENDS = {
    '"': re.compile(r'(?:[^"\\\n]|\\.)*+"'),
    "'": re.compile(r"[^'\n]*+'"),
    '"""': re.compile(r'(?:[^"\\]|\\.|"(?!""))*+"{3,5}', re.DOTALL),
    "'''": re.compile(r"(?:[^']|'(?!''))*+'{3,5}"),
}


class _Text(NamedTuple):
    """A text in quotes: where it begins and ends, None for one that is never closed, and its quotes."""

    start: int
    end: int | None
    quotes: str


def explained(text: str, error: FormatError) -> FormatError:
    """Return the error of a text with what cures it, if that is known; else the error as it is."""
    if error.line is None or error.column is None:
        return error
    at = offset_at(text, Position(error.line, error.column))
    found = next((told for one in _texts(text, at) if (told := _told(text, at, one, error.message))), None)
    if found is None:
        before = text[text.rfind("\n", 0, at) + 1 : at].rstrip(" \t")
        if error.message == "Invalid value" and text[at : at + 1].isalpha() and before.endswith(("=", "[", ",")):
            return FormatError("a text needs quotes", line=error.line, column=error.column)
        return error
    offset, message = found
    place = position_at(text, offset)
    return FormatError(message, line=place.line, column=place.column)


def _texts(text: str, most: int) -> Iterator[_Text]:
    """Yield the texts in quotes that begin before a place."""
    at = 0
    while (found := _TOKEN.search(text, at)) is not None and found.start() <= most:
        quotes = found["long"] or found["short"]
        if not quotes:
            at = found.end()
            continue
        closed = _ENDS[quotes].match(text, found.end())
        yield _Text(found.start(), closed.end() if closed else None, quotes)
        if closed is None:
            return
        at = closed.end()


def _told(text: str, at: int, one: _Text, message: str) -> tuple[int, str] | None:
    """Return what is wrong with a text in quotes, if an error is due to it."""
    if one.end is None:
        return one.start, "the quote that begins here is never closed"
    if one.start < at < one.end and "\\" in message:
        return at, f"{message}: write \\\\ for a backslash, or put the text in '…'"
    if one.end > at or text[one.end : at].strip(" \t") or not text[at : at + 1].strip():
        return None
    if "\n" in text[one.start : one.end]:
        line = position_at(text, one.end - 1).line
        return (
            one.start,
            f"the quote that begins here is closed in line {line} only, and text follows: one is missing",
        )
    if one.quotes == '"' and text[at] not in ",]}.=#":
        return one.start, "text follows the closing quote: write \\\" for a \" inside, or put the text in '…'"
    return None
