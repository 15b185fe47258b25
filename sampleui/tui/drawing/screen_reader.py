"""What a screen reader is given: words in the place of signs, and only those lines that are new. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate, takewhile
from typing import NamedTuple

from rich.cells import cell_len

from sampleui.text.aligning import stretches
from sampleui.text.position import shared_end, shared_start
from sampleui.tui.drawing.rows import Row

_DATA = frozenset({"text", "text-bold", "match", "gone", "come", "gone-line", "come-line"})
"""The styles of what comes from files: its characters stay as they are."""

_DRAWN = re.compile("[\u2500-\u25ff\u2800-\u28ff⋯╮◆●▲■○◇▤▣]")
"""Lines, blocks, shapes and the dots of plots."""

_WORDS = {
    ("error", "✖ "): "error:",
    ("warning", "▲ "): "warning:",
    ("info", "i "): "info:",
    ("hint", "· "): "hint:",
    ("warning", "≠ "): "differs:",
    ("warning", "~ "): "changed:",
    ("accent-bold", "* "): "marked:",
    ("added", "✓ "): "yes:",
    ("added-bold", "✓ "): "passed:",
    ("error-bold", "✖ "): "failed:",
    ("faint", "· "): "undecided",
}
"""Signs that mean one thing in one style alone."""

_ALONE = {
    "✓": "passed",
    "✖": "failed",
    "–": "ungraded",
    "!": "error",
    "▼": "worse",
    "▲": "better",
    "↕": "mixed",
    "≠": "differs",
    "↩": "carried",
    "▸": "folded",
    "▾": "open",
    "[✓]": "[passed]",
    "[✖]": "[failed]",
    "∅": "null",
    "“": "text",
    "·": "none",
}
"""Signs that stand alone between others."""

_TOLD = re.compile(r"^(\s*)[–·] (?=\S)|(?<!\S)[✓✖≠≈↩] (?=\S)")
"""A sign before words that say the same."""


_COUNTED = re.compile(r"([✖▲]) ?(?=[\d,]+\s*$)")
"""A sign before a number that nothing else is said of."""

_BETWEEN = " · "
_INSIDE = {
    " › ": ", ",
    _BETWEEN: ", ",
    "→ call": "call",
    "→ ": "call ",
    "← ": "",
    "⏎": "enter",
    "⇧": "shift+",
    "↓": "down",
    "↑": "up",
}
"""Signs between words."""


def _counted(match: re.Match[str]) -> str:
    return "errors: " if match[1] == "✖" else "warnings: "


def plain_row(row: Row) -> Row:
    """Return a row as it is read aloud: `user:` for the sign of a role and its name."""
    spoken = [*_spoken(row)]
    texts = [words for _, words in spoken]
    return tuple(part for number, part in enumerate(spoken, 1) if not _is_next(part[1].strip(), texts[number:]))


def _is_next(word: str, texts: Sequence[str]) -> bool:
    """Tell whether texts begin with a word, which may be in pieces where some of it is marked."""
    begun = takewhile(lambda text: len(text) <= len(word), map(str.strip, accumulate(texts)))
    return bool(word) and word in begun


def _spoken(row: Row) -> Iterator[tuple[str, str]]:
    begun = False
    for style, text in row:
        words = text
        if not text.strip():
            words = text[:2] if begun else text
        elif style == "edge":
            words = _DRAWN.sub("", text)
            words = words if words.strip() else ""
        elif style not in _DATA or (style, text) in _WORDS:
            words = _words(style, text)
        begun = begun or bool(words.strip())
        if words:
            yield style, words


def _words(style: str, text: str) -> str:
    if (style, text) in _WORDS:
        return f"{_WORDS[style, text]} "
    sign = text.strip()
    if sign in _ALONE and text != _BETWEEN:
        return f"{_ALONE[sign]} "
    if style.startswith("role-") and style.endswith("-bold") and _DRAWN.match(sign):
        return f"{_DRAWN.sub('', sign).strip()}:"
    spoken = _TOLD.sub(r"\g<1>", _COUNTED.sub(_counted, text))
    for character, read in _INSIDE.items():
        spoken = spoken.replace(character, read)
    return re.sub(r" {3,}", "  ", _DRAWN.sub("", spoken).replace("›", ">")) if _DRAWN.search(spoken) else spoken


_MAX_MOVES = 4
"""Blocks of lines that are moved for one frame."""


class TerminalFrame(NamedTuple):
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


def updates(before: TerminalFrame | None, now: TerminalFrame) -> Iterator[str]:
    """Yield what to write, in the order in which it is to be read, and then what moves the cursor.

    Lines that only moved are moved by the terminal. The message comes first, then the item under the cursor, which
    is written again where the cursor has come to it or more than its first line is new, then all else that changed,
    from the top. Of a field that is typed in only the characters that changed are written, of the title the parts.
    """
    if before is None or len(before.lines) != len(now.lines):
        yield "\x1b[H\x1b[2J"
        before = TerminalFrame(("",) * len(now.lines))
    lines = [*before.lines]
    for top, bottom, by in _moves(lines, now.lines):
        moving = f"\x1b[{by}L" if by > 0 else f"\x1b[{-by}M"
        yield f"\x1b[{top + 1};{bottom}r{_cursor_sequence(top, 0)}{moving}\x1b[r"
    arrived = now.item != before.item or any(lines[row] != now.lines[row] for row in now.item[1:])
    first = [now.message] if now.message is not None else []
    for row in dict.fromkeys((*first, *now.item, *range(len(lines)))):
        old, new = lines[row], now.lines[row]
        if row in now.typed and old:
            yield _typed(row, old, new) if old != new else ""
        elif old != new:
            yield from _phrases(row, old, new) if row == now.title else [_whole(row, new)]
        elif row in now.item and arrived and new:
            yield _whole(row, new)
    yield _cursor_sequence(now.cursor[1], now.cursor[0])


def _cursor_sequence(row: int, column: int) -> str:
    return f"\x1b[{row + 1};{column + 1}H"


def _whole(row: int, text: str) -> str:
    words = text.lstrip(" ")
    return (
        f"{_cursor_sequence(row, 0)}\x1b[K{_cursor_sequence(row, len(text) - len(words))}{words}"
        if words
        else f"{_cursor_sequence(row, 0)}\x1b[K"
    )


def _phrases(row: int, old: str, new: str) -> Iterator[str]:
    """Yield what changed of a line whose parts have blanks between them; the terminal moves the parts that stay."""
    before, now = _parts(old), _parts(new)
    most, size = max(cell_len(old), cell_len(new)), cell_len(old)
    written: list[str] = []
    for equal, old_parts, new_parts in stretches(before, now):
        if equal:
            continue
        gone = "".join(before[old_parts.start : old_parts.stop])
        come = "".join(now[new_parts.start : new_parts.stop])
        size += cell_len(come) - cell_len(gone)
        column = cell_len("".join(now[: new_parts.start]))
        written.append(_changed(row, column, gone, come, at_end=old_parts.stop == len(before)))
        if size > most:  # the terminal would lose what it moves out of the line
            yield _whole(row, new)
            return
    yield from written if old else [_whole(row, new)]


def _parts(line: str) -> list[str]:
    return re.findall(r"(?:\S| (?=\S))+|\s+", line)


def _changed(row: int, column: int, gone: str, come: str, *, at_end: bool) -> str:
    """Return what puts a text in the place of another in a line; the terminal moves what follows."""
    wider = cell_len(come) - cell_len(gone)
    moving = f"\x1b[{-wider}P" if wider < 0 else f"\x1b[{wider}@" if wider and not at_end else ""
    return f"{_cursor_sequence(row, column)}{moving}{come}"


def _typed(row: int, old: str, new: str) -> str:
    """Return what changes a part of a line; the terminal moves what follows."""
    begin = shared_start(old, new)
    end = shared_end(old[begin:], new[begin:])
    gone, come = old[begin : len(old) - end], new[begin : len(new) - end]
    return _changed(row, cell_len(new[:begin]), gone, come, at_end=not end)


def _moves(lines: list[str], wanted: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """Yield the blocks to move, and move them in `lines`: (first row, end row, rows down) of what is scrolled."""
    for _ in range(_MAX_MOVES):
        best, cost = None, _cost(lines, wanted)
        for equal, before, after in stretches(lines, wanted):
            by = after.start - before.start
            if not by or not equal:
                continue
            top, bottom = min(before.start, after.start), max(before.stop, after.stop)
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
