"""CSV and TSV decks: one sample per row, with the names of the columns as its keys."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from typing import ClassVar, NamedTuple, Self

from sampleui.errors import EditRefusedError, FormatError, PathError
from sampleui.formats import slots
from sampleui.formats.csv_cells import (
    LINE_ENDS,
    USUAL,
    Habit,
    Kinds,
    body_of,
    cell_text,
    cells_of,
    closed,
    delimiter_of,
    fitted,
    habit_of,
    habit_of_all,
    header_cells,
    json_fault,
    name_written,
    offset_of,
    offsets_of,
    quoted_where_needed,
    rows_of,
    skip_blank_lines,
    text_of,
    value_of,
    whole_rows,
)
from sampleui.formats.data import MESSAGE_KEYS, DataPath, Plain, Table, shown
from sampleui.formats.document import Document, Splice
from sampleui.formats.json.chunks import doubled_message
from sampleui.formats.json.spans import Member, doubled_keys, skip_blank, structure, walk
from sampleui.formats.json.writing import Style, delete_member, insert_item, move_item, rename_member, set_value
from sampleui.formats.operations import Delete, Operation, Rename, Set, applied, deed_of, written
from sampleui.formats.slots import SampleSlot
from sampleui.text.diagnostic import Finding, Severity
from sampleui.text.limits import MAX_COLUMNS
from sampleui.text.position import Position, Span, TextEdit, error_at, position_at

_LOOKED_AT = 60
_KEPT = frozenset({*MESSAGE_KEYS, "input", "question"})  # without these the file might no longer be a deck


@dataclass(frozen=True, repr=False)
class CsvDocument(Document):
    """A table whose first row names the columns.

    A chunk is a row with its line end and the blank lines after it. The head holds a BOM and the header; the tail
    is empty. A row with more cells than the header, or with text after a closing quote, is a sample that cannot be
    read.

    Attributes:
        delimiter: what divides cells.
        kinds: in which columns cells may be something else than texts.
        trimmed: whether blanks around the name of a column are no part of it.
    """

    format: ClassVar[str] = "csv"

    delimiter: str = ","
    kinds: Kinds = USUAL
    trimmed: bool = False

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
        return replace(self.parse(text), kinds=self.kinds, trimmed=self.trimmed)

    def with_kinds(self, structured: frozenset[str], numbers: frozenset[str]) -> Self:
        """Return the table with further columns in which cells may be JSON, or numbers."""
        return replace(self, kinds=Kinds(self.kinds.structured | structured, self.kinds.numbers | numbers))

    def with_trimmed_names(self) -> Self:
        """Return the table with the names of its columns without blanks around them."""
        return replace(self, trimmed=True)

    @classmethod
    def _delimiter(cls, text: str, start: int) -> str:
        return delimiter_of(text, start)

    # The header

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns; none in a file without a header."""
        return self._header.names

    @property
    def _header(self) -> _Header:
        return _header_of(self.pieces[0], self.delimiter, self.trimmed)

    def _check_header(self, start: int) -> None:
        header = self.pieces[0]
        cells = header_cells(header, self.delimiter)
        if len(cells) > MAX_COLUMNS:
            raise error_at(header, start, f"more than {MAX_COLUMNS:,} columns")
        for number, cell in enumerate(cells):
            if cell.startswith('"') and not closed(cell):
                offset = start + offset_of([*cells], number)
                raise error_at(header, offset, "there is something after the closing quote of this name")

    def notes(self) -> tuple[tuple[Finding, Position], ...]:
        """Return a `duplicate-key` finding for each name that several columns have."""
        cells = header_cells(self.pieces[0], self.delimiter)
        start = len(body_of(self.pieces[0])) - len(self.delimiter.join(cells))
        return tuple(
            (
                Finding("duplicate-key", Severity.ERROR, doubled_message((name,)), (name,)),
                position_at(self.pieces[0], start + offset),
            )
            for number, (name, offset) in enumerate(zip(self.columns, offsets_of(cells), strict=True))
            if self._header.numbers[name][0] < number
        )

    def _column(self, name: str | int) -> int:
        columns = self._header.numbers[str(name)]
        if len(columns) > 1:
            raise EditRefusedError(f"the key {name} is given more than once")
        return columns[0]

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
        column, cells = self._column_of(index, path)
        start = offset_of(cells, column)
        return Span(start, start + len(cells[column]))

    def source_span(self, index: int) -> Span:
        """Return where a row is, without its line end."""
        return self.span(index, ())

    def own_text(self, index: int) -> str:
        """Return the cells of a row: rows that quote the same cells otherwise are the same sample."""
        return repr(self.filled(index))

    def key_span(self, index: int, path: DataPath) -> Span:
        """Return where the key that ends a path is in a cell's JSON; for a column, which has none, its cell."""
        if len(path) < 2:
            return self.span(index, path)
        return self._inner(index, path, self._member(index, path).key_span)

    def _column_of(self, index: int, path: DataPath) -> tuple[int, list[str]]:
        """Return the column of a cell that is not empty, and the cells of its row."""
        cells = self._cells(index)
        columns = [
            number for number, name in enumerate(self.columns[: len(cells)]) if name == path[0] and cells[number]
        ]
        if not columns:
            raise PathError(f"there is no {shown(path[:1])}")
        return columns[-1], cells

    def _member(self, index: int, path: DataPath) -> Member:
        column, cells = self._column_of(index, path)
        text = text_of(cells[column])
        if self.columns[column] not in self.kinds.structured or structure(text) is None:
            raise PathError(f"there is no {shown(path)}")
        return [member for _, member in walk(text, skip_blank(text, 0), path[1:])][-1]

    def _inner(self, index: int, path: DataPath, span: Span) -> Span:
        """Return a span of what a cell says as one of its row, in which quotes may be doubled."""
        column, cells = self._column_of(index, path)
        start, text = offset_of(cells, column), text_of(cells[column])
        if not cells[column].startswith('"'):
            return Span(start + span.start, start + span.end)
        first, last = (start + 1 + end + text.count('"', 0, end) for end in (span.start, span.end))
        return Span(first, last)

    def _cells(self, index: int) -> list[str]:
        return cells_of(body_of(self.chunk(index)), self.delimiter)

    def filled(self, index: int) -> dict[str | None, Sequence[str]]:
        """Return the cells of a row that are not empty, as they are written; those beyond the header under None."""
        cells, names = self._cells(index), self.columns
        cells_by_name: dict[str | None, Sequence[str]] = {
            name: cell for name, cell in zip(names, cells, strict=False) if cell
        }
        beyond = cells[len(names) :]
        return {**cells_by_name, None: beyond} if any(beyond) else cells_by_name

    def fitting(self, data: Table) -> tuple[Table, tuple[str, ...]]:
        """Return a sample whose values the cells of their columns can hold, and what is lost."""
        data, dates = super().fitting(data)
        fitting = {key: fitted(key, value, self.kinds) for key, value in data.items()}
        row: Table = {key: value for key, (value, _) in fitting.items() if value is not None}
        return row, (*dates, *(f"{shown((key,))}: {lost}" for key, (_, lost) in fitting.items() if lost))

    def findings(self, index: int) -> tuple[Finding, ...]:
        """Return what a row says that its value does not: cells it lacks, invalid JSON, keys given again."""
        try:
            self.read(index)
        except FormatError as error:
            return (Finding("parse-error", Severity.ERROR, error.message),)
        return tuple(self._row_findings(self._cells(index)))

    def _row_findings(self, cells: list[str]) -> Iterator[Finding]:
        if len(cells) < len(self.columns):
            message = f"the row has {len(cells):,} of {len(self.columns):,} cells"
            yield Finding("row-short", Severity.WARNING, message)
        for name, cell in zip(self.columns, cells, strict=False):
            if fault := json_fault(name, cell, self.kinds):
                yield Finding(
                    "cell-json", Severity.WARNING, f"{name} begins as JSON and is read as text: {fault}", (name,)
                )
            text = text_of(cell)
            if name in self.kinds.structured and structure(text) is not None:
                for path, _ in doubled_keys(text, skip_blank(text, 0)):
                    yield Finding("duplicate-key", Severity.ERROR, doubled_message(path), (name, *path))

    # Edits of one cell

    def _set(self, index: int, path: DataPath, value: Plain) -> Iterator[TextEdit]:
        if len(path) > 1:
            among = partial(self._place_of, index, path)
            yield self._inside(
                index, path, lambda text, start, style: set_value(text, start, path[1:], value, style, among=among)
            )
            return
        column, cells = self._column(path[0]), self._cells(index)
        old = cells[column] if column < len(cells) else ""
        yield self._with_cell(index, column, self._cell(column, value, old))

    def _insert(self, index: int, path: DataPath, value: Plain) -> Iterator[TextEdit]:
        yield self._inside(index, path, lambda text, start, style: insert_item(text, start, path[1:], value, style))

    def _delete(self, index: int, path: DataPath) -> Iterator[TextEdit]:
        if len(path) == 1:
            yield self._with_cell(index, self._column(path[0]), "")
            return
        yield self._inside(index, path, lambda text, start, _: delete_member(text, start, path[1:]))

    def _move(self, index: int, path: DataPath, to: int) -> Iterator[TextEdit]:
        yield self._inside(index, path, lambda text, start, _: move_item(text, start, path[1:], to))

    def _rename(self, index: int, path: DataPath, name: str) -> Iterator[TextEdit]:
        yield self._inside(
            index, path, lambda text, start, style: rename_member(text, start, path[1:], name, style)
        )

    def _inside(self, index: int, path: DataPath, make: Callable[[str, int, Style], TextEdit]) -> TextEdit:
        """Return the edit of a row for one of the JSON in a cell, of which the rest stays as it is."""
        column = self._column(path[0])
        cell = self._cells(index)[column]
        text, habit = text_of(cell), habit_of(cell, Habit())
        edit = make(text, skip_blank(text, 0), habit.style)
        return self._with_cell(index, column, quoted_where_needed(edit.apply(text), self.delimiter, habit))

    def _with_cell(self, index: int, column: int, cell: str) -> TextEdit:
        body = body_of(self.chunk(index))
        cells = with_cell(self._cells(index), column, cell)
        return TextEdit(0, len(body), row_text(cells, self.delimiter, len(self.columns)))

    def _cell(self, column: int, value: Plain, old: str) -> str:
        """Return a value as a cell, written as the cell it replaces is, or else as its column."""
        habit = habit_of(
            old, self._column_habits[column] if not old else Habit(style=self._column_habits[column].style)
        )
        text = cell_text(self.columns[column], value, text_of(old), habit, self.kinds)
        return quoted_where_needed(text, self.delimiter, habit)

    @cached_property
    def _column_habits(self) -> tuple[Habit, ...]:
        """How the cells of each column are written; as those of all if no row that is looked at has one."""
        return _habits_of(self.pieces[0], tuple(self.chunk(index) for index in self._surveyed), self.delimiter)

    # Edits that change the columns: they are edits of every row, and every row is proved

    def edit(self, index: int, operation: Operation) -> Splice:
        """Return the splice that makes an operation; of some, it is one of all rows. Raises as others do.

        A key that is no column yet becomes the last one. Where a value that is deleted is the only one of a column,
        that goes. A key is renamed by its column if no other row has a value in it; else the value goes to
        another column.
        """
        match operation:
            case Set(()):
                raise EditRefusedError("a row is set by its cells, one at a time")
            case Set((key,), value) if key not in self.columns:
                texts = self._widened(index, str(key), value)
            case Delete((key,)) if key not in _KEPT and self._is_only_filled(index, key):
                texts = iter((without(self.pieces, self.delimiter, self._column(key)),))
            case Rename((key,), name) if name == key and applied(operation, self._to_edit(index)):
                return Splice(self.piece_of(index), (), ())
            case Rename((key,), name):
                texts = self._renamed(index, key, name)
            case _:
                return super().edit(index, operation)
        self._refuse_unwritable(written(operation))
        wanted = applied(operation, self._to_edit(index))
        try:
            return self._proved_table(texts, index, wanted, deed_of(operation))
        except EditRefusedError:
            if isinstance(operation, Delete):
                return super().edit(index, operation)
            raise

    def insert_sample(self, index: int, data: Table) -> Splice:
        """Insert a row before an index. Keys that are no columns yet become the last. Raises as `edit` does."""
        if data.keys() <= {*self.columns} or not len(self):
            return super().insert_sample(index, data)
        self._refuse_unwritable(data)
        wide = self._with_columns([key for key in data if key not in self.columns])
        if fault := self._changed(wide, -1):
            raise EditRefusedError(f"cannot insert the sample: {fault}")
        inner = Document.insert_sample(wide, index, data)
        splice = Splice(0, self.pieces, wide._after(inner).pieces)
        if fault := self._fault(splice, ((index, data),), len(self) + 1):
            raise EditRefusedError(f"cannot insert the sample: {fault}")
        return splice

    def _proved_table(self, splices: Iterator[Splice], index: int, wanted: Plain, deed: str) -> Splice:
        """Return the first splice after which one row reads as wanted and all others have the cells they had."""
        plainest = ""
        for splice in splices:
            fault = self._fault(splice, ((index, wanted),), len(self)) or self._changed(self._after(splice), index)
            if not fault:
                return splice
            plainest = plainest or fault
        raise EditRefusedError(f"cannot {deed}: {plainest}")

    def _changed(self, after: Self, index: int) -> str:
        """Return the message about a header that some read as none, or another row whose cells would change."""
        if after.columns == ("",):
            return "a header of one empty name is an empty line to some readers"
        others = (number for number in range(len(self)) if number != index)
        changed = next((other for other in others if self.filled(other) != after.filled(other)), None)
        if changed is None:
            emptied = next((row for row in range(len(self)) if not body_of(after.chunk(row))), None)
            return "" if emptied is None else f"sample {emptied + 1:,} would be an empty line, which is no row"
        beyond = None in self.filled(changed)
        return f"sample {changed + 1:,} {'has cells beyond the header' if beyond else 'would change'}"

    def _with_columns(self, names: list[str]) -> Self:
        return self._after(widened(self.pieces, self.delimiter, names))

    def _widened(self, index: int, name: str, value: Plain) -> Iterator[Splice]:
        wide = self._with_columns([name])
        row = next(wide._set(index, (name,), value)).apply(wide.chunk(index))
        yield self._with_row(wide, index, row)

    def _renamed(self, index: int, old: str | int, name: str) -> Iterator[Splice]:
        column, cells = self._column(old), self._cells(index)
        if name not in self.columns and self._is_only_filled(index, old):
            yield renamed(self.pieces, self.delimiter, column, name)
        wide = self if name in self.columns else self._with_columns([name])
        value = self.read(index)[str(old)]
        cells = with_cell(cells, wide._column(name), wide._cell(wide._column(name), value, ""))
        row, before = row_text(with_cell(cells, column, ""), self.delimiter, len(wide.columns)), wide.chunk(index)
        yield self._with_row(wide, index, row + before[len(body_of(before)) :])

    def _with_row(self, wide: Self, index: int, row: str) -> Splice:
        """Return the splice that makes this table another one, with one row of that replaced."""
        piece = wide.piece_of(index)
        return Splice(0, self.pieces, (*wide.pieces[:piece], row, *wide.pieces[piece + 1 :]))

    def _is_only_filled(self, index: int, name: str | int) -> bool:
        """Tell whether a row is the only one with a value in a column, and no row has cells beyond the header."""
        columns = self.columns
        if columns.count(str(name)) != 1:
            return False
        filled = (self.filled(number) for number in range(len(self)) if number != index)
        return not any(name in cells or None in cells for cells in filled)

    def _fits(self, splice: Splice, after: Self) -> bool:
        """Tell whether the file, read again, would be divided as it is now."""
        start = skip_blank_lines(after.pieces[0], int(after.pieces[0].startswith("\ufeff")))
        beginning = "".join(after.pieces[:_LOOKED_AT])
        return self._delimiter(beginning, start) == self.delimiter

    # Edits of the rows

    def _slot(self, piece: int) -> SampleSlot:
        chunk = self.pieces[piece]
        body = body_of(chunk)
        return SampleSlot("", body, chunk[len(body) :])

    @property
    def line_end(self) -> str:
        """What ends the rows: that of the first one."""
        head = self.pieces[0]
        end = head[len(body_of(head)) :]
        return next((item for item in ("\r\n", "\n", "\r") if end.startswith(item)), "\n")

    def _body(self, index: int, data: Table) -> str:
        table = self if self.columns else self._with_columns([*data])
        cells = [""] * len(table.columns)
        for key, value in data.items():
            column = table._column(key)
            cells[column] = table._cell(column, value, "")
        return row_text(cells, self.delimiter, len(cells))

    def _insert_sample(self, index: int, data: Table) -> Iterator[Splice]:
        count = len(self)
        if count:
            new = SampleSlot("", self._body(index, data), self.line_end)
            piece = self.piece_of(min(index, count - 1))
            yield slots.inserted(self.pieces, self._slot, piece, new, first=index == 0, last=index == count)
            return
        wide = self._with_columns([key for key in data if key not in self.columns])
        row, header = wide._body(0, data), body_of(wide.pieces[0])
        header_end = wide.pieces[0][len(header) :]
        # A file that ends without a line end goes on to do so.
        row_end = "" if self.columns and not header_end else wide.line_end
        yield Splice(0, self.pieces, (f"{header}{header_end or wide.line_end}", row + row_end, ""))

    def _delete_sample(self, index: int) -> Iterator[Splice]:
        if len(self) > 1:
            yield slots.deleted(self.pieces, self._slot, self.piece_of(index))
            return
        head, row = self.pieces[:2]
        yield Splice(0, self.pieces[:2], (head if row.endswith(tuple(LINE_ENDS)) else body_of(head),))

    def _move_sample(self, index: int, to: int) -> Iterator[Splice]:
        pieces = range(self.piece_of(min(index, to)), self.piece_of(max(index, to)) + 1)
        yield slots.moved_slot(self.pieces, self._slot, pieces, back=to < index)


class _Header(NamedTuple):
    """The names of the columns, and by name which columns have it."""

    names: tuple[str, ...]
    numbers: Mapping[str, list[int]]


@lru_cache(maxsize=16)
def _header_of(head: str, delimiter: str, trimmed: bool) -> _Header:
    names = tuple(map(text_of, header_cells(head, delimiter)))
    names = tuple(map(str.strip, names)) if trimmed else names
    numbers: dict[str, list[int]] = {}
    for number, name in enumerate(names):
        numbers.setdefault(name, []).append(number)
    return _Header(names, numbers)


@lru_cache(maxsize=32)
def _read(chunk: str, delimiter: str, names: tuple[str, ...], kinds: Kinds) -> Table:
    """Return a row as a table, shared by all who ask for it while they look at one sample."""
    body = body_of(chunk)
    if not body:
        raise FormatError("an empty line is not a row", line=1, column=1)
    cells = cells_of(body, delimiter)
    if len(cells) > len(names) and any(cells[len(names) :]):
        message = f"the row has {len(cells):,} cells and the header {len(names):,}"
        raise error_at(chunk, offset_of(cells, len(names)), message)
    row: Table = {}
    for number, (name, cell) in enumerate(zip(names, cells, strict=False)):
        if cell.startswith('"') and not closed(cell):
            offset = offset_of(cells, number) + cell.rfind('"') + 1
            raise error_at(chunk, offset, "there is something after the closing quote")
        if cell:
            row[name] = value_of(name, cell, kinds)
    return row


@lru_cache(maxsize=4)
def _habits_of(head: str, rows: tuple[str, ...], delimiter: str) -> tuple[Habit, ...]:
    """Return how the cells of each column are written. Rows that are put in one after the other show the same."""
    some = [cells_of(body_of(row), delimiter) for row in rows]
    header = [*header_cells(head, delimiter)]
    usual = habit_of_all([*header, *(cell for cells in some for cell in cells)]) or Habit()
    by_column = ([cells[index] for cells in some if index < len(cells)] for index in range(len(header)))
    return tuple(habit_of_all(cells) or usual for cells in by_column)


@dataclass(frozen=True, repr=False)
class TsvDocument(CsvDocument):
    """A table whose cells are divided by tabs, as its name says."""

    format: ClassVar[str] = "tsv"

    delimiter: str = "\t"

    @classmethod
    def _delimiter(cls, text: str, start: int) -> str:
        return "\t"


def row_text(cells: list[str], delimiter: str, width: int) -> str:
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
    header = [*header_cells(pieces[0], delimiter)]
    width, habit = len(header), habit_of_all(header) or Habit()

    def wide(cells: list[str]) -> list[str]:
        more = width + len(names) - len(cells) if len(cells) >= width else 0
        return [*cells, *[""] * more]

    return _with_columns(pieces, delimiter, [*header, *(name_written(name, habit) for name in names)], wide)


def without(pieces: tuple[str, ...], delimiter: str, column: int) -> Splice:
    """Return the splice that takes a column out of the header and of every row that reaches it."""

    def narrow(cells: list[str]) -> list[str]:
        return cells[:column] + cells[column + 1 :]

    return _with_columns(pieces, delimiter, narrow([*header_cells(pieces[0], delimiter)]), narrow)


def renamed(pieces: tuple[str, ...], delimiter: str, column: int, name: str) -> Splice:
    """Return the splice that writes another name for a column."""
    header = [*header_cells(pieces[0], delimiter)]
    header[column] = name_written(name, Habit(header[column].startswith('"')))
    return _with_columns(pieces, delimiter, header)


def _with_columns(
    pieces: tuple[str, ...],
    delimiter: str,
    header: list[str],
    change: Callable[[list[str]], list[str]] | None = None,
) -> Splice:
    """Return the splice that gives a table another header, and its rows the cells that a change makes of theirs."""
    head = pieces[0]
    start, end = skip_blank_lines(head, int(head.startswith("\ufeff"))), len(body_of(head))
    new = head[:start] + delimiter.join(header) + head[max(start, end) :]
    if change is None:
        return Splice(0, (head,), (new,))
    bodies = ((body_of(row), row) for row in pieces[1:-1])
    rows = (delimiter.join(change(cells_of(body, delimiter))) + row[len(body) :] for body, row in bodies)
    return Splice(0, pieces, (new, *rows, pieces[-1]))
