"""Two texts drawn as one: line by line or word by word, as what they are compared as. Pure."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Container, Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import accumulate, zip_longest
from typing import NamedTuple, TypeAlias

from sampleui.formats.data import Plain
from sampleui.review.samples.diffwords import Op, Segment, diff_words, likeness
from sampleui.text.visible import visible_lines
from sampleui.tui.drawing.marking import COME, GONE, ranges
from sampleui.tui.drawing.room import Room, columns
from sampleui.tui.drawing.rows import Row, untabbed, wrap_line
from sampleui.tui.limits import MAX_COMPARED_PAIRS

_STYLES = {Op.DELETE: "gone", Op.INSERT: "come", Op.EQUAL: "text"}
_BRACKETS = {Op.DELETE: ("[-", "-]"), Op.INSERT: ("{+", "+}"), Op.EQUAL: ("", "")}

Pieces: TypeAlias = Sequence[tuple[str, str]]
"""A line as (name of a style, text) pairs, of any length."""


def word_rows(segments: Iterable[Segment], room: Room) -> list[Row]:
    """Return segments as wrapped rows: what was expected alone in style `gone`, what came instead in `come`."""
    parts: list[tuple[str, str]] = []
    for segment in segments:
        before, after = _BRACKETS[segment.op] if room.brackets else ("", "")
        parts += (("bracket", before), (_STYLES[segment.op], _visible_text(segment)), ("bracket", after))
    return [row for line in _lines(parts) for row in wrapped(line, room.width)]


def _visible_text(segment: Segment) -> str:
    """Return the text of a segment as it is shown: blanks that are a difference by themselves are to be seen."""
    if segment.op is Op.EQUAL or segment.text.strip():
        return visible_lines(segment.text)
    return visible_lines(segment.text).replace(" ", "·").replace("\n", "⏎\n")


def wrapped(parts: Pieces, width: int) -> Iterable[Row]:
    """Break a line of several styles. Breaking may drop spaces, so pieces are found again one after the other."""
    parts = [(style, untabbed(text)) for style, text in parts]
    text = "".join(part for _, part in parts)
    starts = [0, *accumulate(len(part) for _, part in parts)]
    start = 0
    for piece in wrap_line(text, width):
        start = text.index(piece, start)
        yield tuple(_styled(parts, starts, start, start + len(piece))) or (("text", ""),)
        start += len(piece)


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


ALIKE = 0.3
"""The part of the longer text that both must share for their differences to be worth reading word by word."""

_Pair = tuple[str | None, str | None]
"""A line of the first text and what stands for it in the second; None if nothing does."""


def line_rows(text: str, other: str, room: Room) -> list[Row]:
    """Return two texts line by line: `-` for lines of the first alone, `+` for those of the second.

    Where there is room they are side by side.
    """
    before, after = visible_lines(text).split("\n"), visible_lines(other).split("\n")
    make = _columns if room.beside else _below
    rows: list[Row] = []
    for op, start, end, other_start, until in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        pairs = list(zip_longest(before[start:end], after[other_start:until]))
        if op == "equal":
            rows += _equal(before[start:end], room)
        else:
            rows += make(pairs, room)
    return rows


def _equal(lines: Sequence[str], room: Room) -> Iterator[Row]:
    width = room.column if room.beside else room.width
    for line in lines:
        row = [*_signed("  ", "text", [("text", line)], width)]
        yield from columns(row, row, room) if room.beside else row


def _below(pairs: Sequence[_Pair], room: Room) -> Iterator[Row]:
    told = [_pieces_of_lines(*pair) for pair in pairs]
    for gone, _ in told:
        if gone is not None:
            yield from _signed("- ", "gone-line", gone, room.width)
    for _, come in told:
        if come is not None:
            yield from _signed("+ ", "come-line", come, room.width)


def _columns(pairs: Sequence[_Pair], room: Room) -> Iterator[Row]:
    for pair in pairs:
        gone, come = _pieces_of_lines(*pair)
        left = [] if gone is None else [*_signed("- ", "gone-line", gone, room.column)]
        right = [] if come is None else [*_signed("+ ", "come-line", come, room.column)]
        yield from columns(left, right, room)


def _pieces_of_lines(gone: str | None, come: str | None) -> tuple[Pieces | None, Pieces | None]:
    """Return both lines in pieces; where they are nearly the same, the words that differ in styles of their own."""
    if gone is not None and come is not None:
        segments = diff_words(gone, come)
        if likeness(segments) >= ALIKE:
            return (
                [
                    ("gone" if segment.op is Op.DELETE else "gone-line", segment.text)
                    for segment in segments
                    if segment.op is not Op.INSERT
                ],
                [
                    ("come" if segment.op is Op.INSERT else "come-line", segment.text)
                    for segment in segments
                    if segment.op is not Op.DELETE
                ],
            )
    return None if gone is None else [("gone-line", gone)], None if come is None else [("come-line", come)]


def _signed(sign: str, style: str, line: Pieces, width: int) -> Iterator[Row]:
    for row in wrapped(line, max(width - len(sign), 1)):
        yield ((style, sign), *row)


FENCED = re.compile(r"\A\s*```[\w-]*\n(.*?)\n?```\s*\Z", re.DOTALL)
LEAST_LINES = 4
LONG = 40
"""Lines from which a text is compared by lines whatever it is."""

SHOWN_EQUAL = 2
LEAST_FOLDED = 6


def structure_of(text: str) -> Plain:
    """Return the JSON object or list that a text is, in a code fence or without; None when it is not JSON."""
    fenced = FENCED.match(text)
    try:
        structure: Plain = json.loads(fenced[1] if fenced else text)
    except (ValueError, RecursionError):
        return None
    return structure if isinstance(structure, dict | list) else None


def laid_out(value: Plain) -> str:
    """Return JSON so that equal values are equal texts: keys in order, an item a line."""
    return json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False)


def is_of_lines(text: str, other: str) -> bool:
    """Tell whether two texts are to be read line by line: code, or long texts. What would take too long is not."""
    lines, others = text.splitlines(), other.splitlines()
    if len(lines) * len(others) > MAX_COMPARED_PAIRS or min(len(lines), len(others)) < 2:
        return False
    if max(len(lines), len(others)) >= LONG:
        return True
    return any(_is_code(part) for part in (lines, others))


def folded(rows: Sequence[Row], sought: str = "") -> list[Row]:
    """Return rows with long stretches in which nothing differs folded to a line that says how long they are.

    Rows that show a text that is searched for are kept, with those beside them.
    """
    shown: list[Row] = []
    position = 0
    for start, end in _equal_runs(rows, ranges(rows, sought)):
        shown += rows[position:start]
        head = SHOWN_EQUAL if start else 0
        tail = SHOWN_EQUAL if end < len(rows) else 0
        hidden = end - start - head - tail
        if hidden < LEAST_FOLDED:
            shown += rows[start:end]
        else:
            shown += rows[start : start + head]
            shown.append((("faint", f"⋯ {hidden:,} equal lines"),))
            shown += rows[end - tail : end]
        position = end
    return [*shown, *rows[position:]]


def _equal_runs(rows: Sequence[Row], kept: Container[int]) -> Iterator[tuple[int, int]]:
    start = None
    for index, row in enumerate((*rows, (("come", ""),))):
        equal = index not in kept and not differs(row)
        if equal and start is None:
            start = index
        elif not equal and start is not None:
            yield start, index
            start = None


def _is_code(lines: Sequence[str]) -> bool:
    if any(line.startswith("```") for line in lines):
        return True
    return len(lines) >= LEAST_LINES and sum(line.startswith(("  ", "\t")) for line in lines) * 3 >= len(lines)


DIFFERENT = GONE | COME


class Difference(NamedTuple):
    """Pieces that differ, with nothing equal between them: (row, piece) pairs in order."""

    pieces: tuple[tuple[int, int], ...]

    @property
    def row(self) -> int:
        """The row that it begins in."""
        return self.pieces[0][0]

    @property
    def end(self) -> int:
        """The row that it ends in."""
        return self.pieces[-1][0]


def differences(rows: Sequence[Row]) -> tuple[Difference, ...]:
    """Return the differences that rows show, in order."""
    return tuple(Difference(tuple(pieces)) for pieces in _runs(rows))


def lit(rows: Sequence[Row], difference: Difference) -> list[Row]:
    """Return rows with a difference in the styles of the one that the cursor is on."""
    shown = [*rows]
    for column, piece in difference.pieces:
        row = [*shown[column]]
        style, text = row[piece]
        row[piece] = (f"{style}-here", text)
        shown[column] = tuple(row)
    return shown


def differs(row: Row) -> bool:
    """Tell whether a row shows a part of a difference."""
    return any(style in DIFFERENT for style, _ in row)


def _runs(rows: Sequence[Row]) -> Iterator[list[tuple[int, int]]]:
    run: list[tuple[int, int]] = []
    for index, row in enumerate(rows):
        apart = not differs(row)
        for piece, (style, text) in enumerate(row):
            if style in DIFFERENT:
                run.append((index, piece))
            elif run and (apart or (style == "text" and text.strip())):
                yield run
                run = []
    if run:
        yield run
