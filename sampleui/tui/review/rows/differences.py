"""The differences in rows that show two texts merged into one, to go from each to the next. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sampleui.tui.drawing.marking import COME, GONE
from sampleui.tui.drawing.rows import Row

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


def lit(rows: Sequence[Row], one: Difference) -> list[Row]:
    """Return rows with a difference in the styles of the one that the cursor is on."""
    shown = [*rows]
    for at, piece in one.pieces:
        row = [*shown[at]]
        style, text = row[piece]
        row[piece] = (f"{style}-here", text)
        shown[at] = tuple(row)
    return shown


def differs(row: Row) -> bool:
    """Tell whether a row shows a part of a difference."""
    return any(style in DIFFERENT for style, _ in row)


def _runs(rows: Sequence[Row]) -> Iterator[list[tuple[int, int]]]:
    run: list[tuple[int, int]] = []
    for at, row in enumerate(rows):
        apart = not differs(row)
        for piece, (style, text) in enumerate(row):
            if style in DIFFERENT:
                run.append((at, piece))
            elif run and (apart or (style == "text" and text.strip())):
                yield run
                run = []
    if run:
        yield run
