"""Two texts merged into one, with the differences marked word by word, as wrapped rows. Pure."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import TypeAlias

from sampleui.review.samples.diffwords import Op, Segment
from sampleui.text.visible import visible_lines
from sampleui.tui.drawing.room import Room
from sampleui.tui.drawing.rows import Row
from sampleui.tui.drawing.wrap import untabbed, wrap_line

_STYLES = {Op.DELETE: "gone", Op.INSERT: "come", Op.EQUAL: "text"}
_BRACKETS = {Op.DELETE: ("[-", "-]"), Op.INSERT: ("{+", "+}"), Op.EQUAL: ("", "")}

Pieces: TypeAlias = Sequence[tuple[str, str]]
"""A line as (name of a style, text) pairs, of any length."""


def word_rows(segments: Iterable[Segment], room: Room) -> list[Row]:
    """Return segments as wrapped rows: what was expected alone in style `gone`, what came instead in `come`."""
    parts: list[tuple[str, str]] = []
    for segment in segments:
        before, after = _BRACKETS[segment.op] if room.brackets else ("", "")
        parts += (("bracket", before), (_STYLES[segment.op], _seen(segment)), ("bracket", after))
    return [row for line in _lines(parts) for row in wrapped(line, room.width)]


def _seen(segment: Segment) -> str:
    """Return the text of a segment as it is shown: blanks that are a difference by themselves are to be seen."""
    if segment.op is Op.EQUAL or segment.text.strip():
        return visible_lines(segment.text)
    return visible_lines(segment.text).replace(" ", "·").replace("\n", "⏎\n")


def wrapped(parts: Pieces, width: int) -> Iterable[Row]:
    """Break a line of several styles. Breaking may drop spaces, so pieces are found again one after the other."""
    parts = [(style, untabbed(text)) for style, text in parts]
    text = "".join(part for _, part in parts)
    starts = [0, *accumulate(len(part) for _, part in parts)]
    at = 0
    for piece in wrap_line(text, width):
        at = text.index(piece, at)
        yield tuple(_styled(parts, starts, at, at + len(piece))) or (("text", ""),)
        at += len(piece)


def _lines(parts: Iterable[tuple[str, str]]) -> Iterable[Pieces]:
    line: list[tuple[str, str]] = []
    for style, text in parts:
        first, *rest = text.split("\n")
        line.append((style, first))
        for piece in rest:
            yield line
            line = [(style, piece)]
    yield line


def _styled(parts: Pieces, starts: Sequence[int], start: int, end: int) -> Iterable[tuple[str, str]]:
    index = bisect_right(starts, start) - 1
    while index < len(parts) and starts[index] < end:
        style, text = parts[index]
        cut = text[max(start - starts[index], 0) : end - starts[index]]
        if cut:
            yield style, cut
        index += 1
