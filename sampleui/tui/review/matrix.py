"""The matrix of a run, samples by targets, as a box over the review: its cells lead to their records."""

from __future__ import annotations

import gc
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple

from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.content import Content

from sampleui.errors import ResultsError
from sampleui.review.filters import Filters, passing
from sampleui.review.record import CaseKey, Outcome
from sampleui.review.reports.matrix import LEGEND, NOT_RUN, Cell, Matrix, MatrixOrder, MatrixRow, matrix_of_results
from sampleui.review.reports.series import timed_runs
from sampleui.review.results.file import Results
from sampleui.review.results.run_paths import runs_around
from sampleui.text.visible import one_line
from sampleui.text.wording import apart, counted
from sampleui.tui.commands import Hint
from sampleui.tui.drawing.rows import OUTCOME_STYLES, Row, filled, fitted, row_text
from sampleui.tui.review.figure_tables import COLUMN_KEYS
from sampleui.tui.review.filters import filter_choices
from sampleui.tui.review.rows.queue import filter_words
from sampleui.tui.review.session import ReviewSession
from sampleui.tui.screens.base import in_background
from sampleui.tui.screens.dialogs import Overlay, Pick
from sampleui.tui.textual_internals import COMMANDS
from sampleui.tui.widgets.bars import LineBar, caption
from sampleui.tui.widgets.filter_input import FilterInput
from sampleui.tui.widgets.text_view import move_by_key
from sampleui.tui.widgets.virtual_list import CURSOR_MARK, VirtualList
from sampleui.workspace.record_search import filters_of

MAX_RUNS = 20
"""The newest runs that stand beside each other."""

_MIN_SAMPLE = 12
_MIN_NAME, _MAX_NAME = 7, 26
"""Cells that the name of a column has where there is little room, and at the most."""

_MIN_COLUMN = 7
"""Cells of a column that fit what is in it, with the gap after it."""

_MIN_WORDS = 10
"""The same of a column with words."""

_BETWEEN = " · "
"""Between the parts of a column's name: run, model, prompt."""

_MAX_HEADS = 3
"""Lines that the names of columns have."""

_MANY_CELLS = 50_000
"""Cells from which on a look of the garbage collector at them is felt."""

_EMPTY = Cell()


class MatrixPlace(NamedTuple):
    """What was last shown of a matrix, to come back to.

    Attributes:
        order: how samples are sorted.
        case: the sample that has the cursor; None for the first.
        column: the column that has it, by its number.
        with_siblings: whether the other runs of the folder are shown too.
        filters: which samples were shown.
        left_for: the records of the queue that the cell led to: while these are shown, all else is as it was.
    """

    order: MatrixOrder = MatrixOrder.DISAGREEMENT
    case: CaseKey | None = None
    column: int = 0
    with_siblings: bool = False
    filters: Filters = Filters()
    left_for: Filters | None = None


class MatrixCell(NamedTuple):
    """The cell that was chosen: of which results, and its records.

    Attributes:
        shown: its records and those of its sample in the other columns of these results.
        place: where it is, to come back to.
    """

    results: Results
    records: tuple[int, ...]
    shown: Filters
    place: MatrixPlace


def cell_words(cell: Cell) -> str:
    """Return in words how the attempts of a cell came out."""
    if not cell.attempts:
        return "not run"
    counts = zip(Outcome, (cell.passed, cell.failed, cell.errors, cell.ungraded), strict=True)
    if cell.attempts == 1 and cell.outcome is not None:
        return str(cell.outcome)
    counts_words = ", ".join(f"{times:,} {outcome}" for outcome, times in counts if times)
    return f"{counted(cell.attempts, 'attempt')}: {counts_words}"


def _style(cell: Cell) -> str:
    """Return the style of a cell: that of its outcome, or of what differs."""
    if not cell.attempts:
        return "faint"
    return "warning-bold" if cell.outcome is None else OUTCOME_STYLES[cell.outcome]


class MatrixTable(VirtualList):
    """A row for each sample; one of its cells has the cursor too. Columns scroll, and the samples stay."""

    scope: ClassVar[str] = "matrix"
    DEFAULT_CSS = "MatrixTable { height: 1fr; }"
    empty_hint = "no sample in the filter; f shows others"

    def __init__(self) -> None:
        super().__init__()
        self.matrix = Matrix((), ())
        self.names: tuple[str, ...] = ()
        self.column = 0
        self._first = 0
        self._samples = _MIN_SAMPLE
        self._named: tuple[int, dict[str, str], int] = (0, {}, _MIN_SAMPLE)

    def count(self) -> int:
        """Return the number of samples."""
        return len(self.matrix.rows)

    def show(self, matrix: Matrix, cursor: int, column: int) -> None:
        """Show a matrix, the cursor on a cell of it."""
        names, before = tuple(one_line(name, 200) for name in matrix.names), self.names
        self.matrix, self.names = matrix, names
        if {*names} != {*before}:  # else they are the same in another order
            self._samples = max(map(cell_len, names), default=0)
            self._named = (0, {}, _MIN_SAMPLE)
        self.column = max(min(column, len(matrix.columns) - 1), 0)
        self.reload(cursor)

    def turn_column(self, by: int) -> bool:
        """Go to another column; tell whether there is one."""
        before = self.column
        self.column = max(0, min(before + by, len(self.matrix.targets) - 1))
        self.refresh()
        return self.column != before

    @property
    def chosen(self) -> tuple[MatrixRow, Cell] | None:
        """The row and the cell under the cursor; None in an empty matrix."""
        if not self.matrix.rows:
            return None
        row = self.matrix.rows[self.cursor]
        return row, row.cells[self.column] if row.cells else _EMPTY

    def columns(self, width: int) -> range:
        """Return the columns in view, that of the cursor among them."""
        count = len(self.matrix.targets)
        fitting = max(min((width - self._room(width)) // self._wide(width), count), 1)
        self._first = max(min(self._first, self.column, count - fitting), self.column - fitting + 1, 0)
        return range(self._first, min(self._first + fitting, count))

    def heads(self, width: int) -> Sequence[tuple[str, ...]]:
        """Return the lines above the rows, each with what it calls the columns."""
        return _heads(self.matrix.targets, self._share(width))

    def head(self, width: int, line: int) -> Row:
        """Return a line above the rows: what the columns in view are called."""
        wide, called = self._wide(width), self.heads(width)[line]
        names = _apart(called, wide - 2)
        cells = [("muted", " " * self._room(width))]
        for index in self.columns(width):
            name = names[called[index]]
            cells.append(("accent-bold" if index == self.column else "muted", f" {filled(name, wide - 1)}"))
        return tuple(cells)

    def row(self, index: int, width: int) -> Row:
        """Return a sample and its cells in view."""
        row, wide, room = self.matrix.rows[index], self._wide(width), self._room(width)
        cells: list[tuple[str, str]] = [("text", filled(self._told_apart(width)[0][self.names[index]], room))]
        for column in self.columns(width):
            cell = row.cells[column]
            text = self._text(cell)
            here = index == self.cursor and column == self.column and not self.is_plain
            style = "accent-bold" if here else _style(cell)
            cells.append((style, filled(f"[{text}]" if here else f" {text}", wide)))
        return tuple(cells)

    def _text(self, cell: Cell) -> str:
        """Return what a cell shows: the sign of its outcome, or the word where that is read aloud."""
        if self.is_plain and cell.attempts < 2:
            return cell_words(cell)
        return str(cell) or NOT_RUN

    def _told_apart(self, width: int) -> tuple[dict[str, str], int]:
        """Return each name as a table of a width shows it, and the cells they take with the gap after them."""
        if self._named[0] != width:
            most = max(min(self._samples + 1, width // 3), _MIN_SAMPLE)
            shown = apart(self.names, most - 1)
            room = max(map(cell_len, shown.values()), default=0) + 1
            self._named = width, shown, max(room, _MIN_SAMPLE)
        return self._named[1:]

    def _room(self, width: int) -> int:
        """Return how many cells samples have, with the gap after them."""
        return self._told_apart(width)[1]

    def _wide(self, width: int) -> int:
        """Return how many cells a column has: what is there for each, or else the least that tells names apart."""
        least = _MIN_WORDS if self.is_plain else _MIN_COLUMN
        return max(_wide(self.matrix.targets, self._share(width)), least)

    def _share(self, width: int) -> int:
        """Return how many cells there are for each column."""
        return (width - self._room(width)) // max(len(self.matrix.targets), 1)

    def on_click(self, event: events.Click) -> None:
        """Move the cursor to the cell clicked; a click on the cursor chooses."""
        width = self.scrollable_content_region.width - len(CURSOR_MARK)
        shown_column = (event.x - len(CURSOR_MARK) - self._room(width)) // self._wide(width)
        columns = self.columns(width)
        column = columns[shown_column] if 0 <= shown_column < len(columns) else self.column
        if column != self.column:
            self.column = column
            self.cursor = event.y + round(self.scroll_y)
            self.refresh()
            self.post_message(self.Moved(self))
            event.prevent_default()


class _Head(LineBar):
    """A line above the rows, which stays."""

    def __init__(self, table: MatrixTable, line: int) -> None:
        super().__init__()
        self._table, self._line = table, line

    def row(self, width: int) -> Row:
        """Return what the columns in view are called."""
        width = self._table.scrollable_content_region.width or width
        inside = max(width - len(CURSOR_MARK), 1)
        shown = self._table.head(inside, self._line) if self._line < len(self._table.heads(inside)) else ()
        return (("text", " " * len(CURSOR_MARK)), *shown)


class _Told(LineBar):
    """What the cell under the cursor says, in words."""

    def __init__(self, table: MatrixTable) -> None:
        super().__init__()
        self._table = table

    def row(self, width: int) -> Row:
        """Return the sample, the target, and how its attempts came out."""
        chosen = self._table.chosen
        if chosen is None:
            return ()
        _, cell = chosen
        target = self._table.matrix.targets[self._table.column] if self._table.matrix.targets else ""
        words = f"  {cell_words(cell)}"
        names = _within(self._table.names[self._table.cursor], _target(target), width - cell_len(words) - 4)
        return (("text-bold", f" {names[0]}"), ("muted", f" · {names[1]}"), (_style(cell), words))


def _within(first: str, second: str, width: int) -> tuple[str, str]:
    """Return two texts within a width: the second gives way to half of it, and then the first."""
    second = fitted(second, max(width - cell_len(first), width // 2, 1))
    return fitted(first, max(width - cell_len(second), 1)), second


class _Legend(LineBar):
    """What the signs mean; what there is no room for is left out as a whole."""

    def row(self, width: int) -> Row:
        """Return each sign with its word."""
        parts: list[tuple[str, str]] = [("text", " ")]
        styles = (*(OUTCOME_STYLES[outcome] for outcome in Outcome), "faint", "warning-bold")
        for style, (sign, word) in zip(styles, LEGEND, strict=True):
            more = [(style, sign), ("muted", f" {word}   ")]
            if cell_len(row_text((*parts, *more))) <= width + 3:
                parts += more
        return tuple(parts)


class MatrixBox(Overlay[MatrixCell]):
    """Samples by targets, or by runs. Answers with the cell whose records are to be shown."""

    DEFAULT_CSS = """
    MatrixBox > .box { width: 100%; max-width: 100%; height: 100%; padding: 0 1; }
    """
    hints: ClassVar[Sequence[Hint]] = (
        Hint("enter", "Open"),
        Hint("l", "Next column"),
        Hint("o", "Order"),
        Hint("f", "Filter"),
        Hint("/", "Search"),
        Hint("O", "Other runs"),
        Hint("escape", "Close"),
    )
    answers: ClassVar[Mapping[str, Any]] = {}  # escape may end a search
    _searching: ClassVar[Sequence[Hint]] = (Hint("enter", "Search"), Hint("escape", "Show all"))

    def __init__(self, review: ReviewSession, place: MatrixPlace) -> None:
        super().__init__()
        self._review = review
        # whether something failed is what the cells say, and whether it is decided is of no sample
        self._filters = review.queue.filters._replace(failed=False, unreviewed=False)
        if place.left_for == review.queue.filters:
            self._filters = place.filters
        self._place = place
        self._runs: tuple[Results, ...] = ()
        self._around = runs_around(review.results.path)
        self._all = Matrix((), ())
        self._table = MatrixTable()
        self._heads = [_Head(self._table, line) for line in range(_MAX_HEADS)]
        self._told = _Told(self._table)
        self._input = FilterInput("text, or tag:math, score<0.5, outcome:failed, target:…")

    def body(self) -> ComposeResult:
        """Yield the table below its head, and what its cells mean."""
        yield self._input
        yield from self._heads
        yield self._table
        yield self._told
        yield _Legend()

    def on_mount(self) -> None:
        """Show the samples."""
        self._table.focus()
        self.footer.show(self._hints)
        self.run_worker(self._build(self._place.with_siblings), group=COMMANDS)

    @property
    def _hints(self) -> Sequence[Hint]:
        return [hint for hint in self.hints if len(self._around) > 1 or hint.key != "O"]

    async def _build(self, siblings: bool) -> None:
        """Compute the matrix, of the runs of the folder too where they are asked for."""
        self.frame.border_title = Content("Matrix · reading…")
        try:
            self._runs, self._all = await in_background(self._computed, siblings)
            if len(self._all.rows) * len(self._all.columns) > _MANY_CELLS:
                gc.freeze()  # else a key may wait for the collector to look at each of them
            self._place = self._place._replace(with_siblings=siblings)
        except ResultsError as error:
            self.footer.message_line.say(f"✖ {one_line(str(error))}", "warning-bold")
        self._show()

    def _computed(self, siblings: bool) -> tuple[tuple[Results, ...], Matrix]:
        review = self._review
        runs = [review.results]
        if review.baseline is not None:
            runs.append(review.baseline)
        if siblings:
            open_paths = {run.path.absolute() for run in runs}
            others = [run.results for run in timed_runs(review.results) if run.path not in open_paths]
            runs += others[::-1][: MAX_RUNS - len(runs)]
        return tuple(runs), matrix_of_results(runs, review.options.fail_under)

    def _show(self) -> None:
        """Show the samples in the filter, in their order, the cursor on the sample that it was on."""
        review, filters = self._review, self._filters
        matrix = self._all
        if filters != Filters():
            matrix = matrix.narrowed(frozenset(passing(review.queue.items, filters)), filters)
        matrix = matrix.ordered(self._place.order)
        cursor = next((index for index, row in enumerate(matrix.rows) if row.case == self._place.case), 0)
        self._table.show(matrix, cursor, self._place.column)
        self._title()

    def _title(self) -> None:
        """Write what is shown on the box."""
        table, matrix = self._table, self._table.matrix
        runs = {column.run for column in matrix.columns}
        targets = {column.target for column in matrix.columns}
        kind = "column" if len(runs) > 1 and len(targets) > 1 else "run" if len(self._runs) > 1 else "target"
        shown, among = len(matrix.rows), len(self._all.rows)
        samples = counted(shown, "sample") if shown == among else f"{shown:,} of {counted(among, 'sample')}"
        self.frame.border_title = Content(f"Matrix · {samples} × {counted(len(matrix.targets), kind)}")
        words = filter_words(replace(self._review.queue, filters=self._filters)).rpartition(" · ")[0]
        width = max(table.scrollable_content_region.width - len(CURSOR_MARK), 1)
        columns, lines = table.columns(width), len(table.heads(width))
        count = len(matrix.targets)
        part = f"columns {columns.start + 1} to {columns.stop} of {count} · " if len(columns) < count else ""
        caption(self.frame, f"{part}{words} · by {self._place.order}")
        for line, head in enumerate(self._heads):
            head.display = line < lines
            head.refresh()
        self._told.refresh()

    def on_unmount(self) -> None:
        """Let go of the cells, which the collector would not."""
        self._all = self._table.matrix = Matrix((), ())

    def on_resize(self) -> None:
        """Say which columns fit."""
        self.call_after_refresh(self._title)

    def on_virtual_list_moved(self) -> None:
        """Say what the cell under the cursor is."""
        self._keep()
        self._title()

    def _keep(self) -> None:
        chosen = self._table.chosen
        if chosen is not None:
            self._place = self._place._replace(case=chosen[0].case, column=self._table.column)

    def take_key(self, event: events.Key) -> bool:
        """Move, narrow, sort, or answer with the cell under the cursor."""
        if self._input.has_focus:
            return self._take_typed(event)
        if event.key in COLUMN_KEYS:
            self._table.turn_column(COLUMN_KEYS[event.key])
            self._keep()
            self._title()
        elif event.key == "o":
            orders = list(MatrixOrder)
            following = orders[(orders.index(self._place.order) + 1) % len(orders)]
            self._place = self._place._replace(order=following, case=None)
            self._show()
        elif event.key == "f":
            self.run_worker(self._choose_filter(), group=COMMANDS)
        elif event.key == "slash":
            self._input.value = self._filters.text
            self._input.open()
            self.footer.show(self._searching)
        elif event.key == "O" and len(self._around) > 1:
            self.run_worker(self._build(not self._place.with_siblings), group=COMMANDS)
        elif event.key == "enter":
            self._choose()
        elif event.key in ("escape", "q", "M"):
            self.dismiss(None)
        else:
            return move_by_key(self._table, event.key)
        return True

    def _take_typed(self, event: events.Key) -> bool:
        if event.key not in ("enter", "down", "escape"):
            return False
        if event.key == "escape":
            self._input.shut()
        words = self._input.words
        self._input.display = bool(words)
        self._table.focus()
        self.footer.show(self._hints)
        self.run_worker(self._search(words), group=COMMANDS)
        return True

    def on_input_submitted(self) -> None:
        """Search for what was typed."""
        self._take_typed(events.Key("enter", None))

    async def _search(self, words: str) -> None:
        """Show the samples with a record that holds what was typed."""
        review = self._review
        try:
            found = await in_background(filters_of, words, review.results, review.decks)
        except ResultsError as error:
            self.footer.message_line.say(f"✖ {one_line(str(error))}", "warning-bold")
            return
        self._filters = self._filters._replace(text=found.text, found=found.found, terms=found.terms)
        self._show()

    async def _choose_filter(self) -> None:
        choices = filter_choices(self._review, self._filters)
        picked = await self.app.push_screen_wait(Pick("Show samples with records that are", list(choices)))
        if picked:
            self._filters = choices[picked]
            self._show()

    def _choose(self) -> None:
        chosen = self._table.chosen
        if chosen is None or not chosen[1].records:
            self.footer.message_line.say("– there is no record here: it was not run", "muted")
            return
        row, cell = chosen
        matrix = self._table.matrix
        run = matrix.columns[self._table.column].run
        sibling_runs = tuple(
            index
            for column, other in zip(matrix.columns, row.cells, strict=True)
            if column.run == run
            for index in other.records
        )
        self._keep()
        only = Filters(only=frozenset(sibling_runs), named=row.sample)
        chosen_place = self._place._replace(filters=self._filters, left_for=only)
        self.dismiss(MatrixCell(self._runs[run], cell.records, only, chosen_place))

    def on_virtual_list_chosen(self) -> None:
        """Answer with the cell that was clicked."""
        self._choose()


def _target(target: str) -> str:
    return one_line(target, 200) or "-"


@lru_cache(maxsize=4)
def _heads(targets: tuple[str, ...], share: int) -> Sequence[tuple[str, ...]]:
    """Return what columns are called that have a share of the width each.

    That is one line of names if they fit, and else one for each part of them in which they differ.
    """
    names = tuple(map(_target, targets))
    parts = [name.split(_BETWEEN, _MAX_HEADS - 1) for name in names]
    if max(map(cell_len, names), default=0) + 2 <= share or len({*map(len, parts)}) != 1:
        return (names,)
    return [line for line in zip(*parts, strict=True) if len({*line}) > 1] or (names,)


@lru_cache(maxsize=4)
def _wide(targets: tuple[str, ...], share: int) -> int:
    """Return how many cells a column has for its names, but for what is in it."""
    heads = _heads(targets, share)
    longest = max((cell_len(name) for names in heads for name in names), default=0)
    shortened = (name for names in heads for name in _apart(names, _MIN_NAME).values())
    least = max(map(cell_len, shortened), default=0)
    return max(min(share, longest + 2, _MAX_NAME + 2), least + 2)


@lru_cache(maxsize=4)
def _apart(names: tuple[str, ...], width: int) -> dict[str, str]:
    return apart(names, width)
