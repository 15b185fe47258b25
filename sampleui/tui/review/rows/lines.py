"""Two texts line by line, merged or side by side, with the words that differ inside a line marked. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import zip_longest

from sampleui.review.samples.diffwords import Op, diff_words, likeness
from sampleui.text.visible import visible_lines
from sampleui.tui.drawing.room import Room, columns
from sampleui.tui.drawing.rows import Row
from sampleui.tui.review.rows.words import Pieces, wrapped

ALIKE = 0.3
"""The part of the longer text that both must share for their differences to be worth reading word by word."""

_Pair = tuple[str | None, str | None]
"""A line of the first text and what stands for it in the second; None if nothing does."""


def line_rows(one: str, other: str, room: Room) -> list[Row]:
    """Return two texts line by line: `-` for lines of the first alone, `+` for those of the second.

    Where there is room they are side by side.
    """
    before, after = visible_lines(one).split("\n"), visible_lines(other).split("\n")
    make = _beside if room.beside else _below
    rows: list[Row] = []
    for op, start, end, at, until in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        pairs = list(zip_longest(before[start:end], after[at:until]))
        if op == "equal":
            rows += _equal(before[start:end], room)
        else:
            rows += make(pairs, room)
    return rows


def _equal(lines: Sequence[str], room: Room) -> Iterator[Row]:
    width = room.column if room.beside else room.width
    for line in lines:
        made = [*_signed("  ", "text", [("text", line)], width)]
        yield from columns(made, made, room) if room.beside else made


def _below(pairs: Sequence[_Pair], room: Room) -> Iterator[Row]:
    told = [_told(*pair) for pair in pairs]
    for gone, _ in told:
        if gone is not None:
            yield from _signed("- ", "gone-line", gone, room.width)
    for _, come in told:
        if come is not None:
            yield from _signed("+ ", "come-line", come, room.width)


def _beside(pairs: Sequence[_Pair], room: Room) -> Iterator[Row]:
    for pair in pairs:
        gone, come = _told(*pair)
        left = [] if gone is None else [*_signed("- ", "gone-line", gone, room.column)]
        right = [] if come is None else [*_signed("+ ", "come-line", come, room.column)]
        yield from columns(left, right, room)


def _told(gone: str | None, come: str | None) -> tuple[Pieces | None, Pieces | None]:
    """Return both lines in pieces; where they are nearly the same, the words that differ in styles of their own."""
    if gone is not None and come is not None:
        segments = diff_words(gone, come)
        if likeness(segments) >= ALIKE:
            return (
                [
                    ("gone" if one.op is Op.DELETE else "gone-line", one.text)
                    for one in segments
                    if one.op is not Op.INSERT
                ],
                [
                    ("come" if one.op is Op.INSERT else "come-line", one.text)
                    for one in segments
                    if one.op is not Op.DELETE
                ],
            )
    return None if gone is None else [("gone-line", gone)], None if come is None else [("come-line", come)]


def _signed(sign: str, style: str, line: Pieces, width: int) -> Iterator[Row]:
    for row in wrapped(line, max(width - len(sign), 1)):
        yield ((style, sign), *row)
