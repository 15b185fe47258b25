"""The groups of a run by the values of fields: a table of counts and rates whose cells lead to their records."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar, NamedTuple

from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from sampleui.review.filters import QueueItem
from sampleui.review.record import Outcome
from sampleui.review.reports.figures import Group, Grouping
from sampleui.text.visible import one_line
from sampleui.text.wording import apart
from sampleui.tui.commands import Hint
from sampleui.tui.drawing.rows import Row
from sampleui.tui.screens.overlay import Overlay
from sampleui.tui.widgets.virtual_list import VirtualList

Members = Mapping[tuple[str | None, ...], Sequence[int]]
"""The records of each group by index."""

_NONE = "(none)"
_MOST_NAMES = 60
_LEAST_NAMES = 12
"""Cells that the names of the groups have together."""


class Column(NamedTuple):
    """A column of counts: what it is called, its count of a group, and which records it counts."""

    name: str
    count: Callable[[Group], int]
    holds: Callable[[QueueItem], bool]


COLUMNS = (
    Column("records", lambda group: group.counts.records, lambda _: True),
    Column("passed", lambda group: group.counts.passed, lambda item: item.outcome is Outcome.PASSED),
    Column("failed", lambda group: group.counts.failed, lambda item: item.failed),
    Column("errors", lambda group: group.counts.errors, lambda item: item.entry.error is not None),
    Column("ungraded", lambda group: group.counts.ungraded, lambda item: item.outcome is Outcome.UNGRADED),
)


class GroupCell(NamedTuple):
    """A cell of the table: a group and which of its records are meant."""

    group: Group
    column: Column

    @property
    def name(self) -> str:
        """What its records are called where they alone are shown."""
        values = " × ".join(_text(value) for value in self.group.values)
        return values if self.column is COLUMNS[0] else f"{values} · {self.column.name}"


def columns_of(groups: Sequence[Group]) -> tuple[Column, ...]:
    """Return the columns in which a group has anything; the first three always."""
    return (*COLUMNS[:3], *(column for column in COLUMNS[3:] if any(map(column.count, groups))))


def rate_words(group: Group) -> str:
    """Return the rate at which the samples of a group pass, and whether it has few of them.

    Its interval is left out where that is known to be too short, or of no width.
    """
    rate = group.pass_rate
    if rate.value is None:
        return "–"
    told = rate.interval is not None and not rate.very_few and rate.interval[0] < rate.interval[1]
    interval = f" [{rate.interval[0]:.2f}, {rate.interval[1]:.2f}]" if told and rate.interval else ""
    return f"{rate.value:.2f}{interval}" + (f"  few: {rate.n}" if group.small else "")


class GroupTable(VirtualList):
    """A row for each group; one of its counts has the cursor too."""

    scope: ClassVar[str] = "groups"

    def __init__(self, groups: Sequence[Group]) -> None:
        super().__init__()
        self.groups = groups
        self.columns = columns_of(groups)
        self.column = 0
        self._widths = [
            max(len(column.name), *(len(f"{column.count(group):,}") for group in groups)) + 2
            for column in self.columns
        ]
        self._rates = max((len(rate_words(group)) for group in groups), default=0)

    def count(self) -> int:
        """Return the number of groups."""
        return len(self.groups)

    def turn_column(self, by: int) -> None:
        """Go to another count."""
        self.column = (self.column + by) % len(self.columns)
        self.reload()

    def head(self, width: int) -> str:
        """Return the line above the rows."""
        counts = "".join(f"{column.name:>{wide}}" for column, wide in zip(self.columns, self._widths, strict=True))
        return f" {'':<{self._names(width)}}{counts}" + ("   pass rate" if self._has_rate(width) else "")

    def row(self, index: int, width: int) -> Row:
        """Return a group: its values, its counts, and the rate if there is room for it."""
        group, room = self.groups[index], self._names(width)
        names = apart((_name(item) for item in self.groups), room)
        name = names[_name(group)]
        cells: list[tuple[str, str]] = [("text", name + " " * (room - cell_len(name)))]
        for column_index, (column, wide) in enumerate(zip(self.columns, self._widths, strict=True)):
            number = column.count(group)
            here = index == self.cursor and column_index == self.column
            text = f"[{number:,}]" if here else f"{number:,} "
            style = "text" if number else "faint"
            cells.append(("accent-bold" if here else style, f"{text:>{wide + 1 if column_index == 0 else wide}}"))
        if self._has_rate(width):
            cells.append(("muted" if group.small else "text", f"  {rate_words(group)}"))
        return tuple(cells)

    def _names(self, width: int) -> int:
        longest = max(max((cell_len(_name(group)) for group in self.groups), default=0), _LEAST_NAMES)
        return max(min(longest, _MOST_NAMES, width - sum(self._widths) - 2), _LEAST_NAMES)

    def _has_rate(self, width: int) -> bool:
        return self._names(width) + sum(self._widths) + self._rates + 4 <= width


class GroupsBox(Overlay[GroupCell]):
    """A run by groups. Answers with the cell whose records are to be shown."""

    DEFAULT_CSS = """
    GroupsBox > .box {
        width: 110; max-width: 100%; height: auto; max-height: 94%; padding: 0 1; background: $surface;
        border: round $accent; border-title-color: $accent; border-subtitle-color: $text-muted;
    }
    GroupsBox GroupTable { height: auto; max-height: 30; }
    GroupsBox Static { color: $text-muted; }
    """
    hints: ClassVar[Sequence[Hint]] = (
        Hint("enter", "Show its records"),
        Hint("l", "Next count"),
        Hint("h", "Count before"),
        Hint("escape", "Close"),
    )

    def __init__(self, grouping: Grouping) -> None:
        super().__init__()
        self._grouping = grouping
        self._table = GroupTable(grouping.groups)
        self._head = Static()

    def compose(self) -> ComposeResult:
        """Yield the table below its heads."""
        with Vertical(classes="box") as frame:
            frame.border_title = Content(f"By {one_line(' × '.join(self._grouping.fields), 80)}")
            frame.border_subtitle = Content("pass rates are over samples, with 95% intervals")
            yield self._head
            yield self._table
        yield self.footer

    def on_mount(self) -> None:
        """Show the groups."""
        self._table.focus()

    def on_resize(self) -> None:
        """Show the heads above their columns."""
        self._table.styles.height = len(self._grouping.groups)
        self.call_after_refresh(self._show_head)

    def _show_head(self) -> None:
        self._head.update(Content(self._table.head(self._table.scrollable_content_region.width - 1)))

    def take_key(self, event: events.Key) -> bool:
        """Move, or answer with the cell under the cursor."""
        table = self._table
        moves = {"j": 1, "down": 1, "k": -1, "up": -1}
        if event.key in moves:
            table.step(moves[event.key])
        elif event.key in ("l", "right", "tab", "h", "left", "shift+tab"):
            table.turn_column(1 if event.key in ("l", "right", "tab") else -1)
        elif event.key in ("pagedown", "pageup"):
            table.page(1 if event.key == "pagedown" else -1)
        elif event.key in ("home", "end", "G"):
            table.jump(last=event.key != "home")
        elif event.key == "enter":
            self.dismiss(GroupCell(table.groups[table.cursor], table.columns[table.column]))
        elif event.key in ("escape", "q"):
            self.dismiss(None)
        else:
            return False
        return True

    def on_virtual_list_chosen(self) -> None:
        """Answer with the row that was clicked."""
        self.dismiss(GroupCell(self._table.groups[self._table.cursor], self._table.columns[self._table.column]))


def _text(value: str | None) -> str:
    return _NONE if value is None else one_line(value, 80)


def _name(group: Group) -> str:
    return " × ".join(map(_text, group.values))
