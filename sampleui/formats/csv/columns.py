"""Edits of the columns of a table, which are edits of all its rows."""

from __future__ import annotations

from collections.abc import Callable

from sampleui.formats.csv.cells import Habit, habit_of_all, name_written
from sampleui.formats.csv.table import body_of, cells_of, header_cells, skip_blank_lines
from sampleui.formats.document import Splice


def joined(cells: list[str], delimiter: str, width: int) -> str:
    """Return cells as a row. One empty cell of several is written with a delimiter: an empty line is not a row."""
    row = delimiter.join(cells)
    return delimiter if not row and width > 1 else row


def with_cell(cells: list[str], column: int, cell: str) -> list[str]:
    """Return the cells of a row with another one in a column, which the row may not reach yet."""
    cells = [*cells, *[""] * (column + 1 - len(cells))]
    cells[column] = cell
    return cells


def widened(pieces: tuple[str, ...], delimiter: str, names: list[str]) -> Splice:
    """Return the splice that adds columns after the others, with an empty cell in every row.

    Short rows stay short. Empty cells that a row has beyond its header become the new ones.
    """
    width, more = len(header_cells(pieces[0], delimiter)), len(names)

    def wide(cells: list[str]) -> list[str]:
        if len(cells) < width:
            return cells
        return [*cells, *[""] * (width + more - len(cells))]

    lead, header, end = _header(pieces[0], delimiter)
    habit = habit_of_all(header) or Habit()
    header += [name_written(name, habit) for name in names]
    rows = (_mapped(row, delimiter, wide) for row in pieces[1:-1])
    return Splice(0, pieces, (lead + delimiter.join(header) + end, *rows, pieces[-1]))


def without(pieces: tuple[str, ...], delimiter: str, column: int) -> Splice:
    """Return the splice that takes a column out of the header and of every row that reaches it."""
    lead, header, end = _header(pieces[0], delimiter)
    rows = (_mapped(row, delimiter, lambda cells: _left(cells, column)) for row in pieces[1:-1])
    return Splice(0, pieces, (lead + delimiter.join(_left(header, column)) + end, *rows, pieces[-1]))


def renamed(pieces: tuple[str, ...], delimiter: str, column: int, name: str) -> Splice:
    """Return the splice that writes another name for a column."""
    lead, header, end = _header(pieces[0], delimiter)
    header[column] = name_written(name, Habit(header[column].startswith('"')))
    return Splice(0, pieces[:1], (lead + delimiter.join(header) + end,))


def _left(cells: list[str], column: int) -> list[str]:
    return cells[:column] + cells[column + 1 :]


def _header(head: str, delimiter: str) -> tuple[str, list[str], str]:
    """Return what is before the header, its cells, and what is after it."""
    start, body = skip_blank_lines(head, int(head.startswith("\ufeff"))), body_of(head)
    return head[:start], [*header_cells(head, delimiter)], head[max(start, len(body)) :]


def _mapped(row: str, delimiter: str, change: Callable[[list[str]], list[str]]) -> str:
    body = body_of(row)
    return delimiter.join(change(cells_of(body, delimiter))) + row[len(body) :]
