"""What to write to a terminal so that its lines become others and a screen reader reads only what is new. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import takewhile

from rich.cells import cell_len

from sampleui.values import NamedTuple

_MOST_MOVES = 4
"""Blocks of lines that are moved for one frame."""


class Frame(NamedTuple):
    """What a terminal shows.

    Attributes:
        lines: its lines, without blanks at their ends.
        cursor: the column and the row of its cursor, from 0.
        item: the rows of the item that has the cursor; none where the cursor is on no item.
        message: the row that tells what a key did; None where nothing is told.
        title: the row that tells several things apart from each other; None for none.
        typed: the rows of the field that is typed in.
    """

    lines: tuple[str, ...]
    cursor: tuple[int, int] = (0, 0)
    item: range = range(0)
    message: int | None = None
    title: int | None = None
    typed: range = range(0)


def updates(before: Frame | None, now: Frame) -> Iterator[str]:
    """Yield what to write, in the order in which it is to be read, and then the way to the cursor.

    Lines that only moved are moved by the terminal. The message comes first, then the item under the cursor, which
    is written again where the cursor has come to it, then all else that changed, from the top. Of a field that is
    typed in only the characters that changed are written.
    """
    if before is None or len(before.lines) != len(now.lines):
        yield "\x1b[H\x1b[2J"
        before = Frame(("",) * len(now.lines))
    lines = [*before.lines]
    for top, bottom, by in _moves(lines, now.lines):
        moving = f"\x1b[{by}L" if by > 0 else f"\x1b[{-by}M"
        yield f"\x1b[{top + 1};{bottom}r{_place(top, 0)}{moving}\x1b[r"
    arrived = now.item != before.item or any(lines[row] != now.lines[row] for row in now.item)
    first = [now.message] if now.message is not None else []
    for row in dict.fromkeys((*first, *now.item, *range(len(lines)))):
        old, new = lines[row], now.lines[row]
        if row in now.typed and old:
            yield _typed(row, old, new) if old != new else ""
        elif old != new:
            yield from _phrases(row, old, new) if row == now.title else [_whole(row, new)]
        elif row in now.item and arrived and new:
            yield _whole(row, new)
    yield _place(now.cursor[1], now.cursor[0])


def _place(row: int, column: int) -> str:
    return f"\x1b[{row + 1};{column + 1}H"


def _whole(row: int, text: str) -> str:
    words = text.lstrip(" ")
    return (
        f"{_place(row, 0)}\x1b[K{_place(row, len(text) - len(words))}{words}"
        if words
        else f"{_place(row, 0)}\x1b[K"
    )


def _phrases(row: int, old: str, new: str) -> Iterator[str]:
    """Yield what changed of a line whose parts have blanks between them: each part that is not where it was."""
    if not old or any(cell_len(line) != len(line) for line in (old, new)):
        yield _whole(row, new)
        return
    column, size = 0, max(len(old), len(new))
    for part in re.findall(r"(?:\S| (?=\S))+|\s+", new.ljust(size)):
        if not old.ljust(size).startswith(part, column):
            yield f"{_place(row, cell_len(new[:column]))}{part}"
        column += len(part)


def _alike(first: str, second: str) -> int:
    """Return how many characters at the beginning of two texts are the same."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(first, second, strict=False)))


def _typed(row: int, old: str, new: str) -> str:
    """Return what changes a part of a line; the terminal moves what follows."""
    begin = _alike(old, new)
    end = _alike(old[begin:][::-1], new[begin:][::-1])
    gone, come = old[begin : len(old) - end], new[begin : len(new) - end]
    wider = cell_len(come) - cell_len(gone)
    moving = f"\x1b[{-wider}P" if wider < 0 else f"\x1b[{wider}@" if wider and end else ""
    return f"{_place(row, cell_len(new[:begin]))}{moving}{come}"


def _moves(lines: list[str], wanted: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """Yield the blocks to move, and move them in `lines`: (first row, end row, rows down) of what is scrolled."""
    for _ in range(_MOST_MOVES):
        best, cost = None, _cost(lines, wanted)
        blocks = SequenceMatcher(None, lines, wanted, autojunk=False).get_matching_blocks()
        for block in blocks:
            by = block.b - block.a
            if not by or not block.size:
                continue
            top, bottom = min(block.a, block.b), max(block.a, block.b) + block.size
            moved = _moved(lines, top, bottom, by)
            if _cost(moved, wanted) < cost:
                best, cost = (top, bottom, by, moved), _cost(moved, wanted)
        if best is None:
            return
        *move, lines[:] = best
        yield (move[0], move[1], move[2])


def _moved(lines: Sequence[str], top: int, bottom: int, by: int) -> list[str]:
    inside = lines[top:bottom]
    blank = [""] * min(abs(by), len(inside))
    shifted = [*blank, *inside[: len(inside) - by]] if by > 0 else [*inside[-by:], *blank]
    return [*lines[:top], *shifted, *lines[bottom:]]


def _cost(lines: Sequence[str], wanted: Sequence[str]) -> int:
    """Return how many characters would be written."""
    return sum(len(new) for old, new in zip(lines, wanted, strict=True) if old != new)
