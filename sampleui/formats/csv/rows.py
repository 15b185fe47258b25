"""Tables as samples: one per row, with the names of the columns as its keys."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import ClassVar, Self

from sampleui.errors import EditRefusedError, FormatError, PathError
from sampleui.formats.csv.cells import USUAL, Kinds, fitted, json_fault, value_of
from sampleui.formats.csv.table import (
    body_of,
    cells_of,
    closed,
    delimiter_of,
    offset_of,
    rows_of,
    skip_blank_lines,
    text_of,
    whole_rows,
)
from sampleui.formats.data import DataPath, Table, shown
from sampleui.formats.json.chunks import doubled_message
from sampleui.formats.json.spans import Member, doubled_keys, error_at, skip_blank, structure, walk
from sampleui.formats.slots import Slotted
from sampleui.text.diagnostic import Finding, Severity
from sampleui.text.position import Position, Span, position_at

MAX_COLUMNS = 10_000


@dataclass(frozen=True, repr=False)
class CsvRows(Slotted):
    """A table whose first row names the columns.

    A chunk is a row with its line end and the blank lines after it. The head holds a BOM and the header; the tail
    is empty. A row with more cells than the header, or with text after a closing quote, is a sample that cannot be
    read.

    Attributes:
        delimiter: what divides cells.
        kinds: in which columns cells may be something else than texts.
    """

    format: ClassVar[str] = "csv"

    delimiter: str = ","
    kinds: Kinds = USUAL

    @classmethod
    def parse(cls, text: str) -> Self:
        """Split a text into rows. Raises FormatError for a quote without end, and where no delimiter is certain."""
        if (nul := text.find("\0")) >= 0:
            raise error_at(text, nul, "a table cannot hold the character NUL")
        start = skip_blank_lines(text, int(text.startswith("\ufeff")))
        delimiter = cls._delimiter(text, start)
        rows = rows_of(text, start, delimiter)
        document = cls((text[:start] + "".join(rows[:1]), *rows[1:], ""), delimiter)
        document._check_header(start)
        return document

    @classmethod
    def begun(cls, text: str) -> Self:
        """Read the rows that are whole in the beginning of a file's text. Raises FormatError as `parse` does."""
        start = skip_blank_lines(text, int(text.startswith("\ufeff")))
        return cls.parse(text[: whole_rows(text, start, cls._delimiter(text, start))])

    def again(self, text: str) -> Self:
        """Read another text as this one was read."""
        return replace(self.parse(text), kinds=self.kinds)

    def with_kinds(self, structured: frozenset[str], numbers: frozenset[str]) -> Self:
        """Return the table with further columns in which cells may be JSON, or numbers."""
        return replace(self, kinds=Kinds(self.kinds.structured | structured, self.kinds.numbers | numbers))

    @classmethod
    def _delimiter(cls, text: str, start: int) -> str:
        return delimiter_of(text, start)

    # The header

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns; none in a file without a header."""
        return _names(self.pieces[0], self.delimiter)

    def _check_header(self, start: int) -> None:
        header = self.pieces[0]
        cells = header_cells(header, self.delimiter)
        if len(cells) > MAX_COLUMNS:
            raise error_at(header, start, f"more than {MAX_COLUMNS:,} columns")
        for at, cell in enumerate(cells):
            if cell.startswith('"') and not closed(cell):
                place = start + offset_of([*cells], at)
                raise error_at(header, place, "there is something behind the closing quote of this name")

    def notes(self) -> tuple[tuple[Finding, Position], ...]:
        """Return `duplicate-key` for each name that several columns have."""
        names, cells = self.columns, [*header_cells(self.pieces[0], self.delimiter)]
        start = len(body_of(self.pieces[0])) - len(self.delimiter.join(cells))
        return tuple(
            (
                Finding("duplicate-key", Severity.ERROR, doubled_message((name,)), (name,)),
                position_at(self.pieces[0], start + offset_of(cells, at)),
            )
            for at, name in enumerate(names)
            if name in names[:at]
        )

    def _column(self, name: str | int) -> int:
        found = [at for at, one in enumerate(self.columns) if one == name]
        if len(found) > 1:
            raise EditRefusedError(f"the key {name} is given more than once")
        return found[0]

    # Reading

    def read(self, index: int) -> Table:
        """Return a row as a table: a key for each cell that is not empty."""
        return _read(self.chunk(index), self.delimiter, self.columns, self.kinds)

    def span(self, index: int, path: DataPath) -> Span:
        """Return where a cell, or the value at a path in its JSON, is in the row."""
        body = body_of(self.chunk(index))
        if not path:
            return Span(0, len(body))
        if len(path) > 1:
            return self._inner(index, path, self._member(index, path).span)
        at, cells = self._held(index, path)
        start = offset_of(cells, at)
        return Span(start, start + len(cells[at]))

    def source_span(self, index: int) -> Span:
        """Return where a row is, without its line end."""
        return self.span(index, ())

    def _text_alone(self, index: int) -> str:
        return repr(self.filled(index))

    def key_span(self, index: int, path: DataPath) -> Span:
        """Return where the key that ends a path is in a cell's JSON; for a column, which has none, its cell."""
        if len(path) < 2:
            return self.span(index, path)
        return self._inner(index, path, self._member(index, path).key_span)

    def _held(self, index: int, path: DataPath) -> tuple[int, list[str]]:
        """Return the column of a cell that is not empty, and the cells of its row."""
        cells = self._cells(index)
        found = [at for at, name in enumerate(self.columns[: len(cells)]) if name == path[0] and cells[at]]
        if not found:
            raise PathError(f"there is no {shown(path[:1])}")
        return found[-1], cells

    def _member(self, index: int, path: DataPath) -> Member:
        at, cells = self._held(index, path)
        text = text_of(cells[at])
        if self.columns[at] not in self.kinds.structured or structure(text) is None:
            raise PathError(f"there is no {shown(path)}")
        return [member for _, member in walk(text, skip_blank(text, 0), path[1:])][-1]

    def _inner(self, index: int, path: DataPath, span: Span) -> Span:
        """Return a span of what a cell says as one of its row, in which quotes may be doubled."""
        at, cells = self._held(index, path)
        start, text = offset_of(cells, at), text_of(cells[at])
        if not cells[at].startswith('"'):
            return Span(start + span.start, start + span.end)
        first, last = (start + 1 + end + text.count('"', 0, end) for end in (span.start, span.end))
        return Span(first, last)

    def _cells(self, index: int) -> list[str]:
        return cells_of(body_of(self.chunk(index)), self.delimiter)

    def filled(self, index: int) -> dict[str | None, Sequence[str]]:
        """Return the cells of a row that are not empty, as they are written; those beyond the header under None."""
        cells, names = self._cells(index), self.columns
        held: dict[str | None, Sequence[str]] = {
            name: cell for name, cell in zip(names, cells, strict=False) if cell
        }
        beyond = cells[len(names) :]
        return {**held, None: beyond} if any(beyond) else held

    def fitting(self, data: Table) -> tuple[Table, tuple[str, ...]]:
        """Return a sample whose values the cells of their columns can hold, and what is lost."""
        data, dates = super().fitting(data)
        found = {key: fitted(key, value, self.kinds) for key, value in data.items()}
        row: Table = {key: value for key, (value, _) in found.items() if value is not None}
        return row, (*dates, *(f"{shown((key,))}: {lost}" for key, (_, lost) in found.items() if lost))

    def findings(self, index: int) -> tuple[Finding, ...]:
        """Return what a row says that its value does not: cells it lacks, invalid JSON, keys given again."""
        try:
            self.read(index)
        except FormatError as error:
            return (Finding("parse-error", Severity.ERROR, error.message),)
        return tuple(self._found(self._cells(index)))

    def _found(self, cells: list[str]) -> Iterator[Finding]:
        if len(cells) < len(self.columns):
            said = f"the row has {len(cells):,} of {len(self.columns):,} cells"
            yield Finding("row-short", Severity.WARNING, said)
        for name, cell in zip(self.columns, cells, strict=False):
            if fault := json_fault(name, cell, self.kinds):
                yield Finding(
                    "cell-json", Severity.WARNING, f"{name} begins as JSON and is read as text: {fault}", (name,)
                )
            text = text_of(cell)
            if name in self.kinds.structured and structure(text) is not None:
                for path, _ in doubled_keys(text, skip_blank(text, 0)):
                    yield Finding("duplicate-key", Severity.ERROR, doubled_message(path), (name, *path))


@lru_cache(maxsize=16)
def header_cells(head: str, delimiter: str) -> tuple[str, ...]:
    """Return the names of the columns as they are written; none if there is no header."""
    body = body_of(head)[skip_blank_lines(head, int(head.startswith("\ufeff"))) :]
    return tuple(cells_of(body, delimiter)) if body else ()


@lru_cache(maxsize=16)
def _names(head: str, delimiter: str) -> tuple[str, ...]:
    return tuple(map(text_of, header_cells(head, delimiter)))


@lru_cache(maxsize=32)
def _read(chunk: str, delimiter: str, names: tuple[str, ...], kinds: Kinds) -> Table:
    """Return a row as a table, shared by all who ask for it while they look at one sample."""
    body = body_of(chunk)
    if not body:
        raise FormatError("an empty line is no row", line=1, column=1)
    cells = cells_of(body, delimiter)
    if len(cells) > len(names) and any(cells[len(names) :]):
        said = f"the row has {len(cells):,} cells and the header {len(names):,}"
        raise error_at(chunk, offset_of(cells, len(names)), said)
    row: Table = {}
    for at, (name, cell) in enumerate(zip(names, cells, strict=False)):
        if cell.startswith('"') and not closed(cell):
            place = offset_of(cells, at) + cell.rfind('"') + 1
            raise error_at(chunk, place, "there is something behind the closing quote")
        if cell:
            row[name] = value_of(name, cell, kinds)
    return row
