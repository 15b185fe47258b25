"""Two texts drawn as one: line by line or word by word, as what they are compared as. Pure."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from typing import NamedTuple

from sampleui.review.samples.comparing import LinePair, line_blocks, shown_text
from sampleui.review.samples.diffwords import DiffOp, DiffSegment
from sampleui.tui.drawing.matches import COME, GONE, ranges
from sampleui.tui.drawing.rows import Pieces, Room, Row, side_by_side, split_lines, wrapped

_STYLES = {DiffOp.DELETE: "gone", DiffOp.INSERT: "come", DiffOp.EQUAL: "text"}
_BRACKETS = {DiffOp.DELETE: ("[-", "-]"), DiffOp.INSERT: ("{+", "+}"), DiffOp.EQUAL: ("", "")}


def word_rows(segments: Iterable[DiffSegment], room: Room) -> list[Row]:
    """Return segments as wrapped rows: what was expected alone in style `gone`, what came instead in `come`."""
    parts: list[tuple[str, str]] = []
    for segment in segments:
        before, after = _BRACKETS[segment.op] if room.brackets else ("", "")
        parts += (("bracket", before), (_STYLES[segment.op], shown_text(segment)), ("bracket", after))
    return [row for line in split_lines(parts) for row in wrapped(line, room.width)]


def line_rows(text: str, other: str, room: Room) -> list[Row]:
    """Return two texts line by line: `-` for lines of the first alone, `+` for those of the second.

    Where there is room they are side by side.
    """
    make = _columns if room.beside else _below
    rows: list[Row] = []
    for block in line_blocks(text, other):
        rows += _equal(block.pairs, room) if block.equal else make(block.pairs, room)
    return rows


def _equal(pairs: Sequence[LinePair], room: Room) -> Iterator[Row]:
    width = room.column if room.beside else room.width
    for pair in pairs:
        row = [*_signed("  ", "text", _pieces(pair.line, "text"), width)]
        yield from columns(row, row, room) if room.beside else row


def _below(pairs: Sequence[LinePair], room: Room) -> Iterator[Row]:
    for pair in pairs:
        if pair.line is not None:
            yield from _signed("- ", "gone-line", _pieces(pair.line, "gone-line"), room.width)
    for pair in pairs:
        if pair.other is not None:
            yield from _signed("+ ", "come-line", _pieces(pair.other, "come-line"), room.width)


def _columns(pairs: Sequence[LinePair], room: Room) -> Iterator[Row]:
    for line, other in pairs:
        left = [] if line is None else [*_signed("- ", "gone-line", _pieces(line, "gone-line"), room.column)]
        right = [] if other is None else [*_signed("+ ", "come-line", _pieces(other, "come-line"), room.column)]
        yield from columns(left, right, room)


def _pieces(segments: Iterable[DiffSegment] | None, style: str) -> Pieces:
    return [
        (style if segment.op is DiffOp.EQUAL else _STYLES[segment.op], segment.text) for segment in segments or ()
    ]


def _signed(sign: str, style: str, line: Pieces, width: int) -> Iterator[Row]:
    for row in wrapped(line, max(width - len(sign), 1)):
        yield ((style, sign), *row)


SHOWN_EQUAL = 2
MIN_FOLDED = 6


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
        if hidden < MIN_FOLDED:
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


DIFFERENT = GONE | COME


class TextDifference(NamedTuple):
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


def differences(rows: Sequence[Row]) -> tuple[TextDifference, ...]:
    """Return the differences that rows show, in order."""
    return tuple(TextDifference(tuple(pieces)) for pieces in _runs(rows))


def lit(rows: Sequence[Row], difference: TextDifference) -> list[Row]:
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


def columns(left: Sequence[Row], right: Sequence[Row], room: Room) -> Iterator[Row]:
    """Yield the rows of two columns beside each other."""
    return side_by_side((left, right), (room.column, 0))


def line_legend(text: str, other: str, room: Room) -> list[Row]:
    """Return what says which text has which lines, and an empty row."""
    heads: list[Row] = [(("removed", f"- {text}"),), (("added", f"+ {other}"),)]
    row: Row = (*heads[0], ("muted", "  "), *heads[1])
    return [*(columns(heads[:1], heads[1:], room) if room.beside else [row]), (("text", ""),)]


def word_legend(text: str, other: str, room: Room) -> list[Row]:
    """Return what says which text has which words, and an empty row."""
    gone, come = (f"[-{text}-]", f"{{+{other}+}}") if room.brackets else (text, other)
    return [(("gone-bold", gone), ("muted", "  "), ("come-bold", come)), (("text", ""),)]
