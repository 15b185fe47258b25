"""Figures as tables in a box: a cell has the cursor too, and leads to the records that it counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, NamedTuple

from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from sampleui.text.visible import one_line
from sampleui.text.wording import apart
from sampleui.tui.commands import Hint
from sampleui.tui.drawing.rows import Row, text_rows
from sampleui.tui.review.rows.figures import FigureCell, FigureSection, Goal, Line
from sampleui.tui.screens.dialogs import Overlay
from sampleui.tui.widgets.bars import caption
from sampleui.tui.widgets.text_view import move_by_key
from sampleui.tui.widgets.virtual_list import CURSOR_MARK, VirtualList

_MAX_NAMES = 60
_MIN_NAMES = 12
"""Cells that the names of the lines have together."""

_GAP = 2

COLUMN_KEYS = {"l": 1, "right": 1, "tab": 1, "h": -1, "left": -1, "shift+tab": -1}
"""The keys that go to another cell of a row."""


class _TableRow(NamedTuple):
    """A row of the list: a line of a section, or else a text above or between them."""

    section: FigureSection
    line: Line | None
    text: Row = ()
    is_head: bool = False


class FigureTable(VirtualList):
    """Sections of lines; one cell of a line has the cursor. Columns that there is no room for scroll."""

    scope: ClassVar[str] = "figures"

    def __init__(self, sections: Sequence[FigureSection]) -> None:
        super().__init__()
        self._sections = sections
        self._rows_laid_out: list[_TableRow] = []
        self._made_for = 0
        self._first: dict[str, int] = {}
        self.column = 0

    def make(self, width: int) -> None:
        """Lay the sections out in a width."""
        self._made_for, self._rows_laid_out = width, [*self._laid_out(width)]
        first = next((index for index, row in enumerate(self._rows_laid_out) if row.line is not None), 0)
        self.reload(self.cursor if self._is_line(self.cursor) else first)

    def _laid_out(self, width: int) -> Iterator[_TableRow]:
        for index, section in enumerate(self._sections):
            if index:
                yield _TableRow(section, None)
            if section.title:
                yield from (_TableRow(section, None, row) for row in text_rows(section.title, "accent-bold", width))
            yield from (_TableRow(section, None, row) for row in section.above(width))
            if not section.lines:
                yield from (_TableRow(section, None, row) for row in text_rows(section.empty, "muted", width))
                continue
            yield _TableRow(section, None, is_head=True)
            yield from (_TableRow(section, line) for line in section.lines)

    def count(self) -> int:
        """Return the number of rows."""
        return len(self._rows_laid_out)

    @property
    def lines(self) -> Iterator[Line]:
        """All lines."""
        return (line for section in self._sections for line in section.lines)

    def _is_line(self, index: int) -> bool:
        return 0 <= index < len(self._rows_laid_out) and self._rows_laid_out[index].line is not None

    @property
    def line(self) -> Line | None:
        """The line that has the cursor; None where there is none."""
        return self._rows_laid_out[self.cursor].line if self._is_line(self.cursor) else None

    @property
    def hides_notes(self) -> bool:
        """Whether the notes of some table have no room beside its cells."""
        return any(section.note and not self._has_notes(section, self._made_for) for section in self._sections)

    @property
    def hidden_note(self) -> str:
        """The note of the line that has the cursor, with its head, where it has no room; else empty."""
        section, line = self._rows_laid_out[self.cursor][:2] if self._rows_laid_out else (None, None)
        if section is None or line is None or not line.note or self._has_notes(section, self._made_for):
            return ""
        return f"{section.note}: {line.note}"

    @property
    def cell(self) -> FigureCell | None:
        """The cell that has the cursor; None where there is none."""
        line = self.line
        return None if line is None or not line.cells else line.cells[min(self.column, len(line.cells) - 1)]

    def turn_column(self, by: int) -> None:
        """Go to another cell of the line."""
        if (line := self.line) is not None and line.cells:
            self.column = (min(self.column, len(line.cells) - 1) + by) % len(line.cells)
            self.refresh()

    def _go(self, row: int) -> bool:
        """Go to a row, or to the nearest line beyond it, or else before it."""
        by = 1 if row >= self.cursor else -1
        row = max(0, min(row, len(self._rows_laid_out) - 1))
        beyond = (*range(row, len(self._rows_laid_out) if by > 0 else -1, by), *range(row, self.cursor, -by))
        before = self.cursor
        self.cursor = next((index for index in beyond if self._is_line(index)), self.cursor)
        if not any(self._is_line(index) for index in range(self.cursor)):
            self.scroll_to(y=0, animate=False, immediate=True)  # what stands above the first line
        return self.cursor != before

    def on_resize(self) -> None:
        """Lay out again."""
        self.make(max(self.scrollable_content_region.width - len(CURSOR_MARK), 1))

    def on_click(self, event: events.Click) -> None:
        """Move the cursor to the line clicked; a click on the cursor chooses."""
        if self._is_line(event.y + round(self.scroll_y)):
            super().on_click(event)
        event.prevent_default()

    def columns(self, section: FigureSection, width: int) -> range:
        """Return the columns in view, that of the cursor among them."""
        widths = self._widths(section)
        here = min(self.column, len(widths) - 1) if section.lines and self._here(section) else 0
        room = width - self._names(section, width)
        start = min(self._first.get(section.title, 0), here)
        while start < here and sum(widths[start : here + 1]) > room:
            start += 1
        while start and sum(widths[start - 1 :]) <= room:
            start -= 1
        end = start + 1
        while end < len(widths) and sum(widths[start : end + 1]) <= room:
            end += 1
        self._first[section.title] = start
        return range(start, min(end, len(widths)))

    def _here(self, section: FigureSection) -> bool:
        return self._is_line(self.cursor) and self._rows_laid_out[self.cursor].section is section

    def _widths(self, section: FigureSection) -> list[int]:
        count = max((len(line.cells) for line in section.lines), default=0)
        heads = [*section.heads, *[""] * count][:count]
        return [
            max(
                cell_len(head),
                *(cell_len(line.cells[column].text) for line in section.lines if column < len(line.cells)),
            )
            + _GAP
            for column, head in enumerate(heads)
        ]

    def _names(self, section: FigureSection, width: int) -> int:
        longest = max((cell_len(one_line(line.name, 200)) for line in section.lines), default=0)
        room = width - sum(self._widths(section)) - 1
        return max(min(longest, _MAX_NAMES, max(room, width // 4)), _MIN_NAMES)

    def _has_notes(self, section: FigureSection, width: int) -> bool:
        notes = max((cell_len(line.note) for line in section.lines), default=0)
        used = self._names(section, width) + sum(self._widths(section)) + _GAP + 1
        return notes > 0 and used + notes <= width

    def row(self, index: int, width: int) -> Row:
        """Return a line: its name, its cells in view, and its note if there is room for it."""
        section, line, text, is_head = self._rows_laid_out[index]
        if line is None and not is_head:
            return text
        names, widths = self._names(section, width), self._widths(section)
        view = self.columns(section, width)
        if line is None:
            heads = "".join(f"{section.heads[column]:>{widths[column]}}" for column in view if section.heads)
            note = f"{'':{_GAP}} {section.note}" if self._has_notes(section, width) else ""
            hidden = len(widths) - len(view)
            more = f"  {hidden} more: l, h" if hidden and names + cell_len(heads) + 14 <= width else ""
            return (("muted", f"{'':<{names}}{heads}{note}{more}"),)
        name = apart((one_line(item.name, 200) for item in section.lines), names)[one_line(line.name, 200)]
        cells: list[tuple[str, str]] = [("text", name + " " * (names - cell_len(name)))]
        here = index == self.cursor
        current = min(self.column, len(line.cells) - 1)
        for column in view:
            if column >= len(line.cells):
                break
            cell, wide = line.cells[column], widths[column]
            marked = here and column == current
            shown = f"[{cell.text}]" if marked else f"{cell.text} "
            style = "accent-bold" if marked else cell.style
            room = wide + 1 if column == view.start else wide
            cells.append((style, " " * (room - cell_len(shown)) + shown))
        if self._has_notes(section, width):
            cells.append(("muted" if line.muted else "text", f"{'':{_GAP}}{line.note}"))
        return tuple(cells)


class FiguresBox(Overlay[Goal]):
    """Tables of figures. Answers with where the cell that was chosen leads to, or a key with what it leads to."""

    DEFAULT_CSS = """
    FiguresBox > .box { width: 120; max-width: 100%; max-height: 94%; padding: 0 1; }
    FiguresBox FigureTable { height: auto; }
    FiguresBox Static { color: $text-muted; height: auto; }
    """
    hints: ClassVar[Sequence[Hint]] = (
        Hint("enter", "Show its records"),
        Hint("l", "Next cell"),
        Hint("h", "Cell before"),
        Hint("escape", "Close"),
    )

    def __init__(
        self,
        title: str,
        about: str,
        sections: Sequence[FigureSection],
        keys: Mapping[Hint, Goal] = {},
    ) -> None:
        goals = {hint.key: goal for hint, goal in keys.items()}
        super().__init__(one_line(title, 100), [*keys, *self.hints], {"escape": None, "q": None, **goals})
        caption(self.frame, about)
        self._table = FigureTable(sections)
        self._told = Static()

    def body(self) -> ComposeResult:
        """Yield the tables, and below them what is to be said of the line with the cursor."""
        yield self._table
        yield self._told

    def on_mount(self) -> None:
        """Show the figures."""
        self._table.focus()
        self.call_after_refresh(self._fit)

    def on_resize(self) -> None:
        """Give the tables what the words below leave."""
        self.call_after_refresh(self._fit)

    def _fit(self) -> None:
        room = self.app.size.height
        most = room * 94 // 100 - 2 - self.footer.size.height
        width = self._table.scrollable_content_region.width or min(room, 116)
        height = max((len(self._rows(line.told, width)) for line in self._table.lines), default=0)
        height += 1 if self._table.hides_notes else 0
        height = min(height, most // 2)
        self._told.styles.height = height
        self._table.styles.height = max(min(self._table.count(), most - height), 3)
        self._tell()

    @staticmethod
    def _rows(lines: Sequence[str], width: int) -> list[Row]:
        return [row for words in lines for row in text_rows(words, "muted", max(width, 1))]

    def _tell(self) -> None:
        line = self._table.line
        note = self._table.hidden_note
        lines = () if line is None else (note, *line.told) if note else line.told
        rows = self._rows(lines, self._told.size.width or 80)
        self._told.update(Content("\n".join("".join(text for _, text in row) for row in rows)))

    def on_virtual_list_moved(self) -> None:
        """Say what there is to say of the line under the cursor."""
        self._tell()

    def take_key(self, event: events.Key) -> bool:
        """Move, or answer with where the cell under the cursor leads."""
        if event.key in COLUMN_KEYS:
            self._table.turn_column(COLUMN_KEYS[event.key])
        elif event.key == "enter":
            self._choose()
        else:
            return move_by_key(self._table, event.key)
        return True

    def _choose(self) -> None:
        cell = self._table.cell
        if cell is None or cell.goal is None:
            self.footer.message_line.say("– no record is counted here", "muted")
            return
        self.dismiss(cell.goal)

    def on_virtual_list_chosen(self) -> None:
        """Answer with the line that was clicked."""
        self._choose()
