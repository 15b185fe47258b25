"""A search text found in rows and marked there, even across styles and the ends of rows. Pure."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import lru_cache
from itertools import accumulate
from typing import TypeAlias

from sampleui.text.limits import MAX_MARKED_TEXT
from sampleui.tui.drawing.rows import Row

Range: TypeAlias = tuple[int, int]
"""Where a match begins and ends in the text of a row."""

GONE = frozenset({"gone", "gone-line"})
COME = frozenset({"come", "come-line"})
"""The styles of what is in the first alone of two texts that are compared, and in the second alone."""

_SIGNS = frozenset({"bracket"})
"""The styles of what is in no text."""


def ranges(rows: Sequence[Row], words: str) -> Mapping[int, list[Range]]:
    """Return by row where it shows a text, upper and lower case alike.

    A match may go on in the next row. Where two texts are shown as one, each is read without the other.
    """
    by_row: dict[int, list[Range]] = {}
    if words.strip():
        styles = {style for row in rows for style, _ in row}
        for other in (GONE, COME) if styles & (GONE | COME) else (frozenset[str](),):
            for row_index, part in _matches(rows, words, other | _SIGNS):
                by_row.setdefault(row_index, []).append(part)
    return {row: sorted(set(parts)) for row, parts in sorted(by_row.items())}


def marked(rows: Sequence[Row], words: str) -> tuple[list[Row], int | None]:
    """Return rows with a text marked in the style `match`, and the first row that shows it."""
    by_row = ranges(rows, words)
    if not by_row:
        return [*rows], None
    return [with_style(row, by_row.get(index, ()), "match") for index, row in enumerate(rows)], min(by_row)


def with_style(row: Row, parts: Iterable[Range], style: str) -> Row:
    """Return a row with some parts of its text in a style."""
    parts = [*parts]
    return tuple(_cut(row, parts, style)) if parts else row


def _matches(rows: Sequence[Row], words: str, other: Set[str]) -> Iterator[tuple[int, Range]]:
    pieces = [*_pieces(rows, other)]
    starts = [0, *accumulate(len(text) for text, _, _ in pieces)]
    for match in _across(words).finditer("".join(text for text, _, _ in pieces)):
        piece_index = bisect_right(starts, match.start()) - 1
        while piece_index < len(pieces) and starts[piece_index] < match.end():
            text, row, column = pieces[piece_index]
            start, end = (
                max(match.start() - starts[piece_index], 0),
                min(match.end() - starts[piece_index], len(text)),
            )
            if text != "\n":
                yield row, (column + start, column + end)
            piece_index += 1


def _pieces(rows: Sequence[Row], other: Set[str]) -> Iterator[tuple[str, int, int]]:
    """Yield the texts to read, with row and column; after each row a line feed."""
    for index, row in enumerate(rows):
        column = 0
        for style, text in row:
            if style not in other:
                yield text, index, column
            column += len(text)
        yield "\n", index, column


def _cut(row: Row, parts: Sequence[Range], style: str) -> Iterator[tuple[str, str]]:
    begin = 0
    for own, text in row:
        position, end = begin, begin + len(text)
        for start, until in parts:
            start, until = max(start, position), min(until, end)
            if start < until:
                yield own, text[position - begin : start - begin]
                yield style, text[start - begin : until - begin]
                position = until
        yield own, text[position - begin :]
        begin = end


@lru_cache(maxsize=64)
def _across(words: str) -> re.Pattern[str]:
    """Return what finds a text in rows that may have cut it, taken its blanks or put a sign before a line."""
    parts = (r"(?:\n[-+ ]{0,3})?".join(map(re.escape, word)) for word in words[:MAX_MARKED_TEXT].split())
    return re.compile(r"(?:[^\S\n]|\n[-+ ]{0,3})+".join(parts), re.IGNORECASE)
