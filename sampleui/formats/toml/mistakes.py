"""Why a text is not TOML, in plain words: a quote that is never closed, a text without quotes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from sampleui.errors import FormatError
from sampleui.text.position import Position, error_at, offset_at, position_at

_TOKEN = re.compile(
    r"""
    \#[^\n]*+
    | (?P<long>\"{3}|'{3})
    | (?P<short>\"|')
    """,
    re.VERBOSE,
)
_ENDS = {
    '"': re.compile(r'(?:[^"\\\n]|\\.|)*+"'),
    "'": re.compile(r"[^'\n]*+'"),
    '"""': re.compile(r'(?:[^"\\]|\\.|"(?!"")|)*+"{3,5}', re.DOTALL),
    "'''": re.compile(r"(?:[^']|'(?!'')|)*+'{3,5}"),
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
    fault = offset_at(text, Position(error.line, error.column))
    mistakes = (_mistake_in_quotes(text, fault, quoted, error.message) for quoted in _texts(text, fault))
    mistake = next(filter(None, mistakes), None)
    if mistake is None:
        before = text[text.rfind("\n", 0, fault) + 1 : fault].rstrip(" \t")
        word = text[fault : fault + 1].isalpha() and before.endswith(("=", "[", ","))
        return error_at(text, fault, "a text needs quotes") if word and error.message == "Invalid value" else error
    offset, message = mistake
    return error_at(text, offset, message)


def _texts(text: str, most: int) -> Iterator[_Text]:
    """Yield the texts in quotes that begin before a place."""
    position = 0
    while (token := _TOKEN.search(text, position)) is not None and token.start() <= most:
        quotes = token["long"] or token["short"]
        if not quotes:
            position = token.end()
            continue
        closed = _ENDS[quotes].match(text, token.end())
        yield _Text(token.start(), closed.end() if closed else None, quotes)
        if closed is None:
            return
        position = closed.end()


def _mistake_in_quotes(text: str, offset: int, quoted: _Text, message: str) -> tuple[int, str] | None:
    """Return what is wrong with a text in quotes, if an error is due to it."""
    if quoted.end is None:
        return quoted.start, "the quote that begins here is never closed"
    if quoted.start < offset < quoted.end and "\\" in message:
        return offset, f"{message}: write \\\\ for a backslash, or put the text in '…'"
    if quoted.end > offset or text[quoted.end : offset].strip(" \t") or not text[offset : offset + 1].strip():
        return None
    if "\n" in text[quoted.start : quoted.end]:
        line = position_at(text, quoted.end - 1).line
        return (
            quoted.start,
            f"the quote that begins here is closed in line {line} only, and text follows: one is missing",
        )
    if quoted.quotes == '"' and text[offset] not in ",]}.=#":
        return quoted.start, "text follows the closing quote: write \\\" for a \" inside, or put the text in '…'"
    return None
