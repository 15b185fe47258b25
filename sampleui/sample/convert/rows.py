"""Samples as rows of a table, for programs that read some cells in a way of their own."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from sampleui.formats.data import Plain, Table
from sampleui.integrations.index import of_dialect
from sampleui.sample.dialects.dialect import Cells, Dialect
from sampleui.sample.dialects.field import keys
from sampleui.sample.parse import is_row

_BLANK_WORDS = keys(
    """
    #N/A #NA -1.#IND -1.#QNAN -NaN -nan 1.#IND 1.#QNAN <NA> N/A NA NULL NaN None n/a nan null
    """
)
"""What pandas takes for an empty cell (`read_csv`, 3.1, `na_values`)."""


def as_row(data: Table, dialect: Dialect, columns: Collection[str]) -> tuple[Table, list[str]]:
    """Return a sample as the program of its dialect reads a row, and a line for each cell that says less to it.

    Args:
        data: the sample.
        dialect: its dialect.
        columns: the keys that the samples of its table have.
    """
    cells, notes = dialect.conversion.cells, list[str]()
    if (rows := of_dialect(dialect).dialects().rows) is not None:
        return rows.to_row(data, columns, notes), notes
    if cells is None:
        return data, notes
    row = {key: _cell(key, value, cells, dialect.title, notes) for key, value in data.items()}
    for key, value in cells.filled.items():
        if key not in columns or row.get(key) is not None:
            continue
        if value is None:
            notes.append(f"{key}: {dialect.title} does not take an empty cell for none")
        else:
            row[key] = value
    return row, notes


def from_row(data: Table, dialect: Dialect, columns: Sequence[str] = ()) -> Table:
    """Return a row as its dialect has it outside of tables: lists that are one text in a cell as lists.

    Args:
        data: the sample.
        dialect: its dialect.
        columns: those of its table, none for a sample that is not a row.
    """
    cells = dialect.conversion.cells
    if (rows := of_dialect(dialect).dialects().rows) is not None:
        return rows.from_row(data, frozenset() if is_row(data, dialect, columns) else dialect.known)
    if cells is None:
        return data
    return {key: _items(value, cells.lists.get(key)) for key, value in data.items()}


def by_columns(report: Iterable[str], row: Table, data: Table, dialect: Dialect) -> tuple[str, ...]:
    """Return the lines about a sample that was a row, with the columns that its parts come from.

    Args:
        report: the lines, each of which begins with the path of what it is about.
        row: the row.
        data: what `from_row` makes of it.
        dialect: its dialect.
    """
    rows = of_dialect(dialect).dialects().rows
    named = rows.columns(row, data) if rows is not None else {}
    lines = [line.partition(": ") for line in report]
    alone = {path for path, _, _ in lines}
    return tuple(f"{_column(path, named, alone)}{colon}{rest}" for path, colon, rest in lines)


def _column(path: str, named: Mapping[str, str], alone: Collection[str]) -> str:
    """Return a path by columns: the one it leads to or into, or all of a part that have no line of their own."""
    around = max(
        (name for name in named if path == name or path.startswith((f"{name}.", f"{name}["))), key=len, default=""
    )
    inside = [
        column for name, column in named.items() if name.startswith((f"{path}.", f"{path}[")) and name not in alone
    ]
    return named[around] + path[len(around) :] if around else ", ".join(inside) or path


def misread(rows: Sequence[Table], dialect: Dialect) -> Iterator[str]:
    """Yield a line for each column of texts that a program takes for numbers, which it then refuses."""
    if dialect.conversion.cells is None or not dialect.conversion.cells.guessed:
        return
    for key in (key for key, item in dialect.fields.items() if item.type == "text"):
        texts = [text for row in rows if isinstance(text := row.get(key), str) and text not in _BLANK_WORDS]
        if texts and (all(map(_is_number, texts)) or {text.lower() for text in texts} <= {"true", "false"}):
            yield f"{key}: {dialect.title} takes a column of nothing but numbers for numbers, and refuses them"


def _cell(key: str, value: Plain, cells: Cells, title: str, notes: list[str]) -> Plain:
    divider = cells.lists.get(key)
    if isinstance(value, list) and divider is not None:
        texts = [
            item for item in value if isinstance(item, str) and item.strip() == item != "" and divider not in item
        ]
        if len(texts) == len(value) and (len(texts) > 1 or not any(text.split()[1:] for text in texts)):
            return divider.join(texts)
        notes.append(f"{key}: {title} divides a cell at each {divider} and reads other items")
    elif isinstance(value, list | dict) and key not in cells.structured:
        notes.append(f"{key}: {title} reads a cell as one text, with the list or table in it")
    elif cells.guessed and isinstance(value, str) and value in _BLANK_WORDS:
        notes.append(f"{key}: {title} takes the cell {value} for an empty one")
    return value


def _items(value: Plain, divider: str | None) -> Plain:
    """Return the items of a cell that is a list; one between commas that has none may be divided at blanks."""
    if divider is None or not isinstance(value, str) or (divider == "," and divider not in value):
        return value
    return [*map(str.strip, value.split(divider))]


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return "_" not in text
