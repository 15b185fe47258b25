"""Two texts as one, what differs marked word by word, as wrapped rows. Pure."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate

from sampleui.review.diffwords import Op, Segment
from sampleui.text.visible import visible_lines
from sampleui.tui.rows import Row
from sampleui.tui.wrap import untabbed, wrap_line

_MARKS = {Op.DELETE: ("[-", "-]", "removed"), Op.INSERT: ("{+", "+}", "added"), Op.EQUAL: ("", "", "text")}


def word_rows(segments: Iterable[Segment], width: int) -> list[Row]:
    """Return segments as wrapped rows: what was expected as `[-…-]`, what came instead as `{+…+}`."""
    parts: list[tuple[str, str]] = []
    for segment in segments:
        before, after, style = _MARKS[segment.op]
        parts.append((style, before + visible_lines(segment.text) + after))
    rows: list[Row] = []
    for line in _lines(parts):
        rows += _wrapped(line, width)
    return rows


def _lines(parts: Iterable[tuple[str, str]]) -> Iterable[list[tuple[str, str]]]:
    line: list[tuple[str, str]] = []
    for style, text in parts:
        first, *rest = text.split("\n")
        line.append((style, first))
        for piece in rest:
            yield line
            line = [(style, piece)]
    yield line


def _wrapped(parts: list[tuple[str, str]], width: int) -> Iterable[Row]:
    """Break a line of several styles. Breaking may drop spaces, so pieces are found again one after the other."""
    parts = [(style, untabbed(text)) for style, text in parts]
    text = "".join(part for _, part in parts)
    starts = [0, *accumulate(len(part) for _, part in parts)]
    at = 0
    for piece in wrap_line(text, width):
        at = text.index(piece, at)
        yield tuple(_styled(parts, starts, at, at + len(piece))) or (("text", ""),)
        at += len(piece)


def _styled(parts: list[tuple[str, str]], starts: list[int], start: int, end: int) -> Iterable[tuple[str, str]]:
    index = bisect_right(starts, start) - 1
    while index < len(parts) and starts[index] < end:
        style, text = parts[index]
        cut = text[max(start - starts[index], 0) : end - starts[index]]
        if cut:
            yield style, cut
        index += 1
