"""Tables of texts, for a terminal and in Markdown. A row is a line at any width: columns go, and which is said."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import TypeAlias

from rich.cells import cell_len

from sampleui.text.visible import visible
from sampleui.text.wording import apart

TextRows: TypeAlias = Sequence[Sequence[str]]
TextLines: TypeAlias = tuple[str, ...]
WritesTable: TypeAlias = Callable[[Sequence[str], TextRows], TextLines]

_INDENT = _GAP = 2
_MIN_CELL = 8
"""Cells below which a name says nothing."""

_MIN_HEAD = 5
"""Cells of the head of a column of signs."""


def plain_table(head: Sequence[str], rows: TextRows) -> TextLines:
    """Lay out columns, as wide as they are: the first and texts to the left, figures to the right."""
    return _laid_out(*_made_visible(head, rows))


def _made_visible(head: Sequence[str], rows: TextRows) -> tuple[Sequence[str], TextRows]:
    """Return a table with all in a cell as one line shows it, before anybody asks how wide it is."""
    return [visible(name) for name in head], [[visible(cell) for cell in row] for row in rows]


def _laid_out(head: Sequence[str], rows: TextRows) -> TextLines:
    table = [head, *rows]
    widths = [max(cell_len(row[column]) for row in table) for column in range(len(head))]
    right = [column > 0 and all(is_figure(row[column]) for row in rows) for column in range(len(head))]
    return tuple(" " * _INDENT + (" " * _GAP).join(map(_padded, row, widths, right)).rstrip() for row in table)


def table_within(width: int, head: Sequence[str], rows: TextRows) -> TextLines:
    """Lay out columns in a width. Long texts are shortened, no two of a column alike; the last columns go first."""
    head, rows = _made_visible(head, rows)
    texts = [column for column in range(len(head)) if not all(is_figure(row[column]) for row in rows)]
    room = max(width // 3, _MIN_CELL)
    short = [
        apart((row[column] for row in rows), room)
        if column in texts
        else {row[column]: row[column] for row in rows}
        for column in range(len(head))
    ]
    shown = [[cells[cell] for cells, cell in zip(short, row, strict=True)] for row in rows]
    names = apart(head, max(room, _MIN_CELL))
    for kept in range(len(head), 0, -1):
        lines = _laid_out([names[name] for name in head[:kept]], [row[:kept] for row in shown])
        if max(map(cell_len, lines)) <= width or kept == 1:
            return (*lines, *_missing(head[kept:], width))
    return ()


def grid_within(width: int, head: Sequence[str], rows: TextRows) -> TextLines:
    """Lay out columns of signs in a width. Heads are shortened first, no two alike; then the last columns go."""
    head, rows = _made_visible(head, rows)
    first, *others = head
    names = apart((row[0] for row in rows), max(width // 3, _MIN_CELL))
    shown = [(names[row[0]], *row[1:]) for row in rows]
    sample = max(map(cell_len, (first, *names.values())))
    room = (width - _INDENT - sample) // max(len(others), 1) - _GAP
    heads = apart(others, max(min(room, width // 3), _MIN_HEAD))
    widths = [
        max([cell_len(heads[name]), *(cell_len(row[index]) for row in rows)]) + _GAP
        for index, name in enumerate(others, 1)
    ]
    kept = sum(_INDENT + sample + used <= width for used in accumulate(widths))
    lines = _laid_out([first, *(heads[name] for name in others[:kept])], [row[: kept + 1] for row in shown])
    return (*lines, *_missing(others[kept:], width))


def _missing(columns: Sequence[str], width: int) -> TextLines:
    """Return a line, or several, that say which columns are not shown."""
    if not columns:
        return ()
    lines = [" " * _INDENT + "no room for"]
    names = apart(columns, max(width - _INDENT - 1, 1))
    for index, column in enumerate(names[column] for column in columns):
        part = f" {column}" if index + 1 == len(columns) else f" {column},"
        if cell_len(lines[-1] + part) > width:
            lines.append(" " * _INDENT + part[1:])
        else:
            lines[-1] += part
    return tuple(lines)


def markdown_table(head: Sequence[str], rows: TextRows) -> TextLines:
    """Return a table of Markdown."""
    dashes = [
        "---:" if column and all(is_figure(row[column]) for row in rows) else "---" for column in range(len(head))
    ]
    return tuple(f"| {' | '.join(map(markdown_text, row))} |" for row in (head, dashes, *rows))


def markdown_text(cell: str) -> str:
    """Return a text that Markdown shows literally, on one line, with no mentions and no links."""
    escaped = "".join(f"\\{char}" if char in "\\|*_`[]<>#" else char for char in " ".join(cell.split()))
    return _LINKED.sub(lambda found: f"{found[0]}<!-- -->", escaped)


_LINKED = re.compile(r"@(?=\w)|#(?=\d)|(?:https?|ftp|mailto|xmpp):|www(?=\.)|GH-(?=\d)", re.IGNORECASE)
"""What GitHub and others make links of, and mentions of people, wherever it stands outside of code."""


def _padded(cell: str, width: int, right: bool) -> str:
    blank = " " * (width - cell_len(cell))
    return blank + cell if right else cell + blank


def is_figure(cell: str) -> bool:
    """Tell whether a cell holds numbers, signs around them, or that they are not known."""
    numbers = (
        cell.replace("not known", "")
        .replace("no variation seen", "")
        .replace("no difference seen", "")
        .translate({ord(char): None for char in " .,%+-−<()to±"})
    )
    return not numbers or numbers.isdigit()
