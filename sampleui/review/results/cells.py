"""The rows of a CSV or TSV file as results: cells as what they say, where their column may hold more than text."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from sampleui.errors import FormatError, ResultsError
from sampleui.formats.data import Plain, Table
from sampleui.formats.json.spans import structure
from sampleui.formats.registry import BY_NAME, BY_SUFFIX, parse_begun
from sampleui.review.results.adapters import is_tabled
from sampleui.review.results.adapters.dialect import ResultDialect
from sampleui.review.results.guessing import TEXTS
from sampleui.review.results.sources import Malformed, Row, Whole, canonical, digest_of, whole_text
from sampleui.sample.dialects.guessedtables import called

_NUMBER = re.compile(r"-?(?:[0-9]{1,18}(?:\.[0-9]{0,18})?|\.[0-9]{1,18})(?:[eE][+-]?[0-9]{1,2})?")
HEAD = 1 << 16
"""Bytes from which on the beginning of a file is enough to tell what is in it."""

_LOOKED_AT = 50
_TRUTHS = {"true": True, "false": False}


def read_cells(path: Path, own: Sequence[ResultDialect] = ()) -> Whole:
    """Read the rows of a table.

    A cell is a number, true or false, or a JSON list or table if it looks like one, but in columns of ids, prompts
    and answers, by their names or by a dialect of the user's: there `1e3` is what was answered.

    Args:
        path: the file.
        own: dialects of the user's.

    Raises:
        ResultsError: when it is no table, with line and column.
    """
    text = whole_text(path)
    try:
        document = BY_SUFFIX.get(path.suffix.lower(), BY_NAME["csv"]).parse(text)
        texts = {*_texts_of(document.columns or (), own)}
        empty: Table = dict.fromkeys(document.columns or ())
        if not is_tabled(empty):
            empty = {}  # else a row without a cell is still told by the columns that it shares
        rows: list[Row | Malformed] = []
        for index in range(len(document)):
            line = document.position(index).line
            try:
                data: Table = {key: _value_of(key, cell, texts) for key, cell in document.read(index).items()}
            except FormatError as error:
                rows.append(Malformed(line, error.column or 1, error.message, index + 1))
                continue
            rows.append(Row(index, line, digest_of(canonical(data)), {**empty, **data}, index + 1))
    except FormatError as error:
        raise ResultsError(error.message, path, error.line, error.column) from error
    return Whole(rows)


class Head(NamedTuple):
    """The columns of a table, and its first rows; a row has no keys for its empty cells."""

    columns: tuple[str, ...]
    rows: list[Table]


def first_cells(path: Path, head: bytes, own: Sequence[ResultDialect] = ()) -> Head:
    """Return the first rows of a table as `read_cells` reads them, those left out that cannot be read.

    Args:
        path: the table.
        head: its first bytes, all of them or `HEAD`; if no row is whole in them, the file is read.
        own: dialects of the user's.

    Raises:
        ResultsError: when it is no table, with line and column.
    """
    try:
        begun = parse_begun(head.decode("utf-8", "ignore"), path) if len(head) >= HEAD else ()
        document = begun or BY_SUFFIX[path.suffix.lower()].parse(whole_text(path))
    except FormatError as error:
        raise ResultsError(error.message, path, error.line, error.column) from error
    texts = {*_texts_of(document.columns or (), own)}
    rows: list[Table] = []
    for index in range(min(len(document), _LOOKED_AT)):
        with contextlib.suppress(FormatError):
            rows.append({key: _value_of(key, cell, texts) for key, cell in document.read(index).items()})
    return Head(document.columns or (), rows)


def _texts_of(columns: Sequence[str], own: Iterable[ResultDialect]) -> Iterator[str]:
    yield from called(columns, TEXTS.split())
    for dialect in own:
        for path in (*dialect.ids, *dialect.actual, *dialect.expected, *dialect.prompts, *dialect.reasons):
            if len(path) == 1:
                yield str(path[0])


def _value_of(key: str, cell: Plain, texts: set[str]) -> Plain:
    if not isinstance(cell, str) or key in texts:
        return cell
    if _NUMBER.fullmatch(cell):
        return float(cell) if not cell.lstrip("-").isdigit() else int(cell)
    if cell.lower() in _TRUTHS:
        return _TRUTHS[cell.lower()]
    parsed = structure(cell)
    return cell if parsed is None else parsed
