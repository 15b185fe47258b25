"""CSV and TSV decks: edits of cells, of columns and of rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from typing import ClassVar, Self

from sampleui.errors import EditRefusedError
from sampleui.formats.bare import MESSAGE_KEYS
from sampleui.formats.csv import columns
from sampleui.formats.csv.cells import Habit, cell_text, habit_of, habit_of_all, written
from sampleui.formats.csv.rows import CsvRows, header_cells
from sampleui.formats.csv.table import LINE_ENDS, body_of, cells_of, skip_blank_lines, text_of
from sampleui.formats.data import DataPath, Plain, Table, shown, with_delete, with_rename, with_set
from sampleui.formats.document import Splice
from sampleui.formats.json.edits import delete_member, insert_item, move_item, rename_member, set_value
from sampleui.formats.json.spans import skip_blank
from sampleui.formats.json.spelling import Style
from sampleui.formats.slots import Slot, Slotted
from sampleui.text.edit import TextEdit

_LOOKED_AT = 60
_KEPT = frozenset({*MESSAGE_KEYS, "input", "question"})  # without these the file might no longer be a deck


@dataclass(frozen=True, repr=False)
class CsvDocument(CsvRows):
    """A table of samples that can be edited; what divides its cells is found in the text."""

    # Edits of one cell

    def _set(self, index: int, path: DataPath, value: Plain) -> Iterator[TextEdit]:
        if len(path) > 1:
            among = partial(self._place_of, index, path)
            yield self._inside(
                index, path, lambda text, at, style: set_value(text, at, path[1:], value, style, among=among)
            )
            return
        column, cells = self._column(path[0]), self._cells(index)
        old = cells[column] if column < len(cells) else ""
        yield self._with_cell(index, column, self._cell(column, value, old))

    def _insert(self, index: int, path: DataPath, value: Plain) -> Iterator[TextEdit]:
        yield self._inside(index, path, lambda text, at, style: insert_item(text, at, path[1:], value, style))

    def _delete(self, index: int, path: DataPath) -> Iterator[TextEdit]:
        if len(path) == 1:
            yield self._with_cell(index, self._column(path[0]), "")
            return
        yield self._inside(index, path, lambda text, at, _: delete_member(text, at, path[1:]))

    def _move(self, index: int, path: DataPath, to: int) -> Iterator[TextEdit]:
        yield self._inside(index, path, lambda text, at, _: move_item(text, at, path[1:], to))

    def _rename(self, index: int, path: DataPath, name: str) -> Iterator[TextEdit]:
        yield self._inside(index, path, lambda text, at, style: rename_member(text, at, path[1:], name, style))

    def _inside(self, index: int, path: DataPath, make: Callable[[str, int, Style], TextEdit]) -> TextEdit:
        """Return the edit of a row for one of the JSON in a cell, of which the rest stays as it is."""
        column = self._column(path[0])
        cell = self._cells(index)[column]
        text, habit = text_of(cell), habit_of(cell, Habit())
        edit = make(text, skip_blank(text, 0), habit.style)
        return self._with_cell(index, column, written(edit.apply(text), self.delimiter, habit))

    def _with_cell(self, index: int, column: int, cell: str) -> TextEdit:
        body = body_of(self.chunk(index))
        cells = columns.with_cell(self._cells(index), column, cell)
        return TextEdit(0, len(body), columns.joined(cells, self.delimiter, len(self.columns)))

    def _cell(self, column: int, value: Plain, old: str) -> str:
        """Return a value as a cell, written as the cell it replaces is, or else as its column."""
        habit = habit_of(old, self._habits[column] if not old else Habit(style=self._habits[column].style))
        text = cell_text(self.columns[column], value, text_of(old), habit, self.kinds)
        return written(text, self.delimiter, habit)

    @cached_property
    def _habits(self) -> tuple[Habit, ...]:
        """How the cells of each column are written; as those of all if no row that is looked at has one."""
        return _habits_of(self.pieces[0], tuple(self.chunk(index) for index in self._some), self.delimiter)

    # Edits that change the columns: they are edits of every row, and every row is proved

    def set(self, index: int, path: DataPath, value: Plain) -> Splice:
        """Set the value at a path. A key that is no column yet becomes the last one. Raises as the others' does."""
        if not path:
            raise EditRefusedError("a row is set by its cells, one at a time")
        if len(path) != 1 or path[0] in self.columns:
            return super().set(index, path, value)
        self._refuse_unwritable({str(path[0]): value})
        wanted = with_set(self._to_edit(index), path, value)
        return self._proved_table(self._widened(index, str(path[0]), value), index, wanted, f"set {shown(path)}")

    def delete(self, index: int, path: DataPath) -> Splice:
        """Delete a value: its cell becomes empty or, if no other row has one, its column goes."""
        if len(path) != 1 or path[0] in _KEPT or not self._alone(index, path[0]):
            return super().delete(index, path)
        wanted = with_delete(self._to_edit(index), path)
        narrowed = columns.without(self, self._column(path[0]))
        try:
            return self._proved_table(iter((narrowed,)), index, wanted, f"delete {shown(path)}")
        except EditRefusedError:
            return super().delete(index, path)

    def rename(self, index: int, path: DataPath, name: str) -> Splice:
        """Rename a key: its column if no other row has a value in it, else the value goes to another column."""
        if len(path) != 1:
            return super().rename(index, path, name)
        self._refuse_unwritable(name)
        value = self._to_edit(index)
        wanted = with_rename(value, path, name)
        if name == path[0]:
            return Splice(self.piece_of(index), (), ())
        return self._proved_table(self._renamed(index, path[0], name), index, wanted, f"rename {shown(path)}")

    def insert_sample(self, index: int, data: Table) -> Splice:
        """Insert a row before an index. Keys that are no columns yet become the last ones. Raises as `set` does."""
        if data.keys() <= {*self.columns} or not len(self):
            return super().insert_sample(index, data)
        self._refuse_unwritable(data)
        wide = self._with_columns([key for key in data if key not in self.columns])
        if fault := self._changed(wide, -1):
            raise EditRefusedError(f"cannot insert the sample: {fault}")
        inner = Slotted.insert_sample(wide, index, data)
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
        others = (at for at in range(len(self)) if at != index)
        changed = next((at for at in others if self.filled(at) != after.filled(at)), None)
        if changed is None:
            emptied = next((at for at in range(len(self)) if not body_of(after.chunk(at))), None)
            return "" if emptied is None else f"sample {emptied + 1:,} would be an empty line, which is no row"
        beyond = None in self.filled(changed)
        return f"sample {changed + 1:,} {'has cells beyond the header' if beyond else 'would change'}"

    def _with_columns(self, names: list[str]) -> Self:
        return self._after(columns.widened(self, names))

    def _widened(self, index: int, name: str, value: Plain) -> Iterator[Splice]:
        wide = self._with_columns([name])
        edit = next(wide._set(index, (name,), value))
        at = wide.piece_of(index)
        row = edit.apply(wide.pieces[at])
        yield Splice(0, self.pieces, (*wide.pieces[:at], row, *wide.pieces[at + 1 :]))

    def _renamed(self, index: int, old: str | int, name: str) -> Iterator[Splice]:
        column, cells = self._column(old), self._cells(index)
        if name not in self.columns and self._alone(index, old):
            yield columns.renamed(self, column, name)
        wide = self if name in self.columns else self._with_columns([name])
        value = self.read(index)[str(old)]
        edit = wide._with_cell(index, wide._column(name), wide._cell(wide._column(name), value, ""))
        at = wide.piece_of(index)
        row = edit.apply(wide.pieces[at])
        body = body_of(row)
        cells = columns.with_cell(cells_of(body, self.delimiter), column, "")
        row = columns.joined(cells, self.delimiter, len(wide.columns)) + row[len(body) :]
        yield Splice(0, self.pieces, (*wide.pieces[:at], row, *wide.pieces[at + 1 :]))

    def _alone(self, index: int, name: str | int) -> bool:
        """Tell whether a row is the only one with a value in a column, and no row has cells beyond the header."""
        columns = self.columns
        if columns.count(str(name)) != 1:
            return False
        filled = (self.filled(at) for at in range(len(self)) if at != index)
        return not any(name in cells or None in cells for cells in filled)

    def _fits(self, splice: Splice, after: Self) -> bool:
        """Tell whether the file, read again, would be divided as it is now."""
        start = skip_blank_lines(after.pieces[0], int(after.pieces[0].startswith("\ufeff")))
        beginning = "".join(after.pieces[:_LOOKED_AT])
        return self._delimiter(beginning, start) == self.delimiter

    # Edits of the rows

    def _slot(self, piece: int) -> Slot:
        chunk = self.pieces[piece]
        body = body_of(chunk)
        return Slot("", body, chunk[len(body) :])

    def _new_slot(self, near: int) -> Slot:
        return Slot("", "", self._line_end)

    @property
    def _line_end(self) -> str:
        head = self.pieces[0]
        end = head[len(body_of(head)) :]
        return next((one for one in ("\r\n", "\n", "\r") if end.startswith(one)), "\n")

    def _body(self, index: int, data: Table) -> str:
        table = self if self.columns else self._with_columns([*data])
        cells = [""] * len(table.columns)
        for key, value in data.items():
            column = table._column(key)
            cells[column] = table._cell(column, value, "")
        return columns.joined(cells, self.delimiter, len(cells))

    def _insert_sample(self, index: int, data: Table) -> Iterator[Splice]:
        if len(self):
            yield from super()._insert_sample(index, data)
            return
        wide = self._with_columns([key for key in data if key not in self.columns])
        head, body, end = wide.pieces[0], wide._body(0, data), wide._line_end
        if self.columns and head == body_of(head):  # the file ends without a line end, and goes on to
            yield Splice(0, self.pieces, (head + end, body, ""))
        else:
            yield Splice(0, self.pieces, (body_of(head) + (head[len(body_of(head)) :] or end), body + end, ""))

    def _first(self, body: str) -> Splice:
        raise NotImplementedError  # the header may change with the first row: see `_insert_sample`

    def _none_left(self) -> Splice:
        head, row = self.pieces[:2]
        return Splice(0, self.pieces[:2], (head if row.endswith(tuple(LINE_ENDS)) else body_of(head),))


@lru_cache(maxsize=4)
def _habits_of(head: str, rows: tuple[str, ...], delimiter: str) -> tuple[Habit, ...]:
    """Return how the cells of each column are written. Rows that are put in one after the other show the same."""
    some = [cells_of(body_of(row), delimiter) for row in rows]
    header = [*header_cells(head, delimiter)]
    usual = habit_of_all([*header, *(cell for cells in some for cell in cells)]) or Habit()
    by_column = ([cells[at] for cells in some if at < len(cells)] for at in range(len(header)))
    return tuple(habit_of_all(cells) or usual for cells in by_column)


@dataclass(frozen=True, repr=False)
class TsvDocument(CsvDocument):
    """A table whose cells are divided by tabs, as its name says."""

    format: ClassVar[str] = "tsv"

    delimiter: str = "\t"

    @classmethod
    def _delimiter(cls, text: str, start: int) -> str:
        return "\t"
