"""The blocks of a report, for a terminal and in Markdown: sentences, tables, drawings.

A row of a table is a line at any width: columns go, and which is said.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate, chain, groupby
from typing import NamedTuple, TypeAlias

from rich.cells import cell_len

from sampleui.text.visible import visible
from sampleui.text.wording import apart

TextRows: TypeAlias = Sequence[Sequence[str]]
TextLines: TypeAlias = tuple[str, ...]


class ReportTable(NamedTuple):
    """A table of texts; of one of signs the heads are shortened first where there is little room."""

    head: Sequence[str]
    rows: TextRows
    of_signs: bool = False


class Drawing(NamedTuple):
    """Lines that stay as they are."""

    lines: TextLines


Blocks: TypeAlias = Sequence[str | ReportTable | Drawing]
ReportSection: TypeAlias = tuple[str, Blocks]
"""A title, and what stands below it."""

_INDENT = _GAP = 2
_MIN_CELL = 8
"""Cells below which a name says nothing."""

_MIN_HEAD = 5
"""Cells of the head of a column of signs."""


def text_lines(blocks: Blocks, width: int) -> TextLines:
    """Return blocks as lines for a terminal: tables in so many cells, as wide as they are for 0."""
    return tuple(line for block in blocks for line in _text_lines(block, width))


def _text_lines(block: str | ReportTable | Drawing, width: int) -> TextLines:
    if isinstance(block, str):
        return (block,)
    return block.lines if isinstance(block, Drawing) else _table_lines(block, width)


def markdown_lines(blocks: Blocks) -> TextLines:
    """Return blocks as lines of Markdown. A blank line keeps a sentence from being a row of a table above it."""
    parts = ([*chain.from_iterable(map(_markdown_lines, together))] for _, together in groupby(blocks, type))
    return tuple(line for index, part in enumerate(parts) for line in (*([""] if index else []), *part))


def _markdown_lines(block: str | ReportTable | Drawing) -> TextLines:
    if isinstance(block, str):
        return (markdown_text(block),)
    if isinstance(block, Drawing):
        return ("```", *block.lines, "```")
    return markdown_table(block.head, block.rows)


def _table_lines(table: ReportTable, width: int) -> TextLines:
    """Lay out columns: the first and texts to the left, figures to the right, all as one line shows it.

    In a width long texts are shortened, no two of a column alike; then the last columns go.
    """
    head = [visible(name) for name in table.head]
    rows = [[visible(cell) for cell in row] for row in table.rows]
    if not width:
        return _laid_out(head, rows)
    room = max(width // 3, _MIN_CELL)
    columns = [[row[column] for row in rows] for column in range(len(head))]
    short = [{} if all(map(is_figure, cells)) else apart(cells, room) for cells in columns]
    rows = [[of.get(cell, cell) for of, cell in zip(short, row, strict=True)] for row in rows]
    if table.of_signs:
        sample = max(map(cell_len, (head[0], *(row[0] for row in rows))))
        share = (width - _INDENT - sample) // max(len(head) - 1, 1) - _GAP
        names = {head[0]: head[0]} | apart(head[1:], max(min(share, width // 3), _MIN_HEAD))
    else:
        names = apart(head, room)
    widths = [max(map(cell_len, (names[name], *(row[index] for row in rows)))) for index, name in enumerate(head)]
    reached = accumulate(wide + (_GAP if index else _INDENT) for index, wide in enumerate(widths))
    kept = max(sum(end <= width for end in reached), 1)
    lines = _laid_out([names[name] for name in head[:kept]], [row[:kept] for row in rows])
    return (*lines, *_missing(head[kept:], width))


def _laid_out(head: Sequence[str], rows: TextRows) -> TextLines:
    table = [head, *rows]
    widths = [max(cell_len(row[column]) for row in table) for column in range(len(head))]
    right = [column > 0 and all(is_figure(row[column]) for row in rows) for column in range(len(head))]
    return tuple(" " * _INDENT + (" " * _GAP).join(map(_padded, row, widths, right)).rstrip() for row in table)


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
