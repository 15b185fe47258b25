"""The trace view: the events of a record, filtered and searched, the lines above them, and the detail of one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.strip import Strip

from sampleui.formats.data import Plain
from sampleui.garbage import collector_off
from sampleui.runs.records import TracedRecord
from sampleui.text.visible import one_line
from sampleui.trace.events import THOUGHT, Absent, EventType
from sampleui.trace.reading.extract import RecordTrace
from sampleui.trace.report import summary_lines
from sampleui.trace.timeline import (
    TimelineRow,
    filtered,
    matches,
    next_error,
    next_of,
    next_tool_call,
    role_of,
    search_index,
    timeline,
)
from sampleui.tui.drawing.cards import severity_mark
from sampleui.tui.drawing.rows import Row, fitted, text_rows
from sampleui.tui.screens.panes import Pane
from sampleui.tui.trace.detail import EVENT, GOLDEN, Detail, Look, tab_rows, tabs_of
from sampleui.tui.trace.rows import TraceColumns, event_row
from sampleui.tui.trace.values import StackedRows, marked, pattern
from sampleui.tui.widgets.bars import Painted, caption
from sampleui.tui.widgets.text_view import TabbedText
from sampleui.tui.widgets.virtual_list import VirtualList

if TYPE_CHECKING:
    from sampleui.tui.widgets.filter_input import FilterInput

UNNAMED = "(unnamed)"


class Filter(NamedTuple):
    """Which rows are shown; None lets all pass."""

    kind: EventType | None = None
    tool: str | None = None
    failed: bool = False

    def __str__(self) -> str:
        """Return the filter in words, empty for none."""
        kind = None if self.kind is None else str(self.kind)
        tool = None if self.tool is None else self.tool or UNNAMED
        return ", ".join(filter(None, (kind, tool, "failed" if self.failed else None)))


class TraceState:
    """A trace as it is looked at. `rows` are those shown, and all places are places in `rows`."""

    @collector_off()
    def __init__(self, trace: RecordTrace) -> None:
        self.trace = trace
        self.all = timeline(trace.events)
        self.rows: Sequence[TimelineRow] = self.all
        self.filter = Filter()
        self.words = ""
        self.found: tuple[int, ...] = ()

    def choices(self) -> dict[str, Filter]:
        """Return the filters that may be chosen, by a label with their counts.

        A kind, a tool and a failure are added to what is filtered already; everything resets it.
        """
        present = self.filter
        kinds = Counter(row.event.type for row in self.all)
        tools = Counter(row.tool or "" for row in self.all if row.event.type is EventType.TOOL_CALL)
        failures = sum(row.failed for row in self.all)
        choices = {f"everything ({len(self.all):,})": Filter()}
        if failures:
            choices[f"failed ({failures:,})"] = present._replace(failed=True)
        choices |= {
            f"kind: {kind} ({kinds[kind]:,})": present._replace(kind=kind) for kind in EventType if kinds[kind]
        }
        return choices | {
            f"tool: {tool or UNNAMED} ({count:,})": present._replace(tool=tool)
            for tool, count in tools.most_common()
        }

    def narrow(self, chosen: Filter) -> None:
        """Show other rows."""
        self.filter = chosen
        kinds = None if chosen.kind is None else {chosen.kind}
        tools = None if chosen.tool is None else {chosen.tool}
        rows = self.all if kinds is None and tools is None else filtered(self.all, kinds, tools)
        self.rows = tuple(row for row in rows if row.failed) if chosen.failed else rows
        self.search(self.words)

    @cached_property
    def index(self) -> tuple[str, ...]:
        """The texts that a search looks through, which take a tenth of a second for 100,000 events."""
        with collector_off():
            return search_index(self.all)

    def search(self, words: str) -> None:
        """Look for a text in names, inputs, outputs and what was said."""
        self.words = words
        if not words:
            self.found = ()
            return
        numbers = {self.all[index].number for index in matches(self.index, words)}
        self.found = tuple(index for index, row in enumerate(self.rows) if row.number in numbers)

    def row_of(self, number: int) -> int:
        """Return where the event with a number is shown, or the one that follows it."""
        return next((index for index, row in enumerate(self.rows) if row.number >= number), 0)

    def next_match(self, after: int, step: int = 1) -> int | None:
        """Return the next row that the search found, around the end."""
        return next_of(self.found, after, step)

    def next_error(self, after: int, step: int = 1) -> int | None:
        """Return the next failure, around the end."""
        return next_error(self.rows, after, step)

    def next_tool_call(self, after: int, step: int = 1) -> int | None:
        """Return the next tool call, around the end."""
        return next_tool_call(self.rows, after, step)


class Timeline(VirtualList):
    """Events, calls with their results below them. Only those in view are read."""

    scope: ClassVar[str] = "timeline"

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.events: Sequence[TimelineRow] = ()
        self._words = pattern("")
        self._columns: tuple[int, TraceColumns] | None = None

    def show(self, events: Sequence[TimelineRow], words: str, cursor: int) -> None:
        """Show events, a text that is searched for marked in them."""
        self.events = events
        self._words = pattern(words)
        self._columns = None
        self.reload(cursor)

    def count(self) -> int:
        """Return the number of events shown."""
        return len(self.events)

    def row(self, index: int, width: int) -> Row:
        """Return an event."""
        if self._columns is None or self._columns[0] != width:
            self._columns = width, TraceColumns.of(self.events, width)
        row = event_row(self.events[index], self._columns[1], width)
        return marked(row, self._words) if self._words else row

    def show_around(self) -> None:
        """Scroll so that rows around the cursor are in view, above all those before it."""
        height = self.scrollable_content_region.height
        top = round(self.scroll_y)
        if not top + 1 < self.cursor < top + height - 3:
            self.scroll_to(y=self.cursor - height * 2 // 3, animate=False, immediate=True)


_DOT = " · "
_FACTS = re.compile(r", (?!\S+ out\b)")
"""Where facts end: tokens read and written are one."""


class TraceHeader(Painted):
    """Counts, tokens, cost and duration, the calls by tool, and that there are notes."""

    DEFAULT_CSS = """
    TraceHeader { height: 2; width: 1fr; }
    """

    _trace: RecordTrace = RecordTrace()

    def show(self, trace: RecordTrace) -> None:
        """Show another trace."""
        self._trace = trace
        self._fit(self.size.width or self.app.size.width * 3 // 4)  # about what a list beside it leaves
        self.refresh()

    def on_resize(self) -> None:
        """Take as many lines as the new width needs."""
        self._fit(self.size.width)

    def _fit(self, width: int) -> None:
        self.styles.height = len([*header_rows(self._trace, width - 2)])

    def render_line(self, y: int) -> Strip:
        """Draw a line."""
        rows = [*header_rows(self._trace, self.size.width - 2)]
        return self.painted((("text", " "), *rows[y]) if y < len(rows) else (), self.size.width)


def header_rows(trace: RecordTrace, width: int) -> Iterator[Row]:
    """Yield the header as rows: the summary with what went wrong marked, the tools, the first note."""
    first, *rest = summary_lines(trace)
    yield from _flowed((_fact(part) for part in _FACTS.split(first.removeprefix("from "))), width)
    yield from ((("muted", fitted(line, width)),) for line in rest)
    if trace.diagnostics:
        note = trace.diagnostics[0]
        others = len(trace.diagnostics) - 1
        more = f" (+{others} more)" if others else ""
        words = f"{severity_mark(note.severity)} {one_line(note.message, 300)}{more}"
        yield from text_rows(words, f"{note.severity}-bold", width)


def _fact(words: str) -> tuple[str, str]:
    wrong = not words.startswith("0 ") and ("error" in words or "failed" in words)
    return ("error-bold", f"✖ {words}") if wrong else ("text", words)


def _flowed(facts: Iterable[tuple[str, str]], width: int) -> Iterator[Row]:
    """Yield facts beside each other, on as many lines as they take."""
    row: list[tuple[str, str]] = []
    room = width
    for style, words in facts:
        size = cell_len(words)
        if row and size + len(_DOT) > room:
            yield tuple(row)
            row, room = [], width
        if row:
            row.append(("faint", _DOT))
            room -= len(_DOT)
        row.append((style, fitted(words, width)))
        room -= size
    yield tuple(row)


class EventDetail(TabbedText):
    """What is to be seen of an event. Values become rows when they are shown, large ones line by line as drawn."""

    scope: ClassVar[str] = "detail"
    _detail: Detail | None = None

    def show(self, detail: Detail, keep: bool = False) -> None:
        """Show another event, or the same one in another way, which keeps the place."""
        if self._detail is not None and self._detail.same(detail):
            return
        self._detail = detail
        self.tabs = tabs_of(detail.subject)
        self._update(keep)

    def open(self, tab: str) -> None:
        """Go to a tab by its name; the one that is shown stays where it is."""
        if tab != self.tab:
            super().open(tab)

    def show_match(self) -> None:
        """Scroll to the first line that holds what is searched for; if the pane is away, when it is shown."""
        self._update(keep=True, goal=self._match)

    def _match(self) -> tuple[int, int] | None:
        rows, detail = self.view.rows, self._detail
        wanted = pattern(detail.look.words) if detail else None
        line = rows.find(wanted) if wanted and isinstance(rows, StackedRows) else None
        return None if line is None else (line, line)

    def _update(self, keep: bool, goal: Callable[[], tuple[int, int] | None] | None = None) -> None:
        detail = self._detail
        if detail is None:
            return
        self.show_tabs()
        self.view.show(partial(tab_rows, self.tab, detail), keep, goal)


BESIDE = 150
"""Columns from which the detail is beside the timeline and not below it."""


class TraceView(Container):
    """One record. A screen that holds it has its `panes` among its own, and runs the commands of `EVENTS` on it."""

    DEFAULT_CSS = """
    TraceView { layout: vertical; height: 1fr; width: 1fr; }
    TraceView > #trace-panes { layout: vertical; height: 1fr; width: 1fr; }
    TraceView.-beside > #trace-panes { layout: horizontal; }
    TraceView #timeline-pane, TraceView #event-detail { height: 1fr; width: 1fr; }
    TraceView Timeline { height: 1fr; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.subject: TracedRecord | None = None
        self.state = TraceState(RecordTrace())
        self.look = Look()
        self.header = TraceHeader()
        self.timeline = Timeline(id="timeline")
        self.timeline_pane = Vertical(id="timeline-pane")
        self.detail = EventDetail(id="event-detail")
        self._origin = 0
        self._sought = ""

    @cached_property
    def search(self) -> FilterInput:
        """The field for what to search in the trace; mounted after the first frame."""
        from sampleui.tui.widgets.filter_input import FilterInput

        return FilterInput("search in names, inputs, outputs and texts", id="trace-search")

    @property
    def tells_more(self) -> bool:
        """Whether it has more than what was said, which a conversation shows as well."""
        events = (row.event for row in self.state.all)
        return any(event.type is not EventType.MESSAGE or role_of(event) == THOUGHT for event in events)

    def compose(self) -> ComposeResult:
        """Yield the header, the timeline and the detail."""
        yield self.header
        with Container(id="trace-panes", classes="pane-row"):
            with self.timeline_pane:
                yield self.timeline
            yield self.detail

    def on_mount(self) -> None:
        """Make room for the field once all else is drawn."""
        self.call_after_refresh(lambda: self.timeline_pane.mount(self.search, before=self.timeline))

    def show(self, subject: TracedRecord) -> None:
        """Show a record from the beginning."""
        self.subject = subject
        self.state = TraceState(subject.trace)
        self.look = self.look._replace(folded=None, words="", golden=0)
        self._sought = ""
        if self.timeline.siblings:
            self.search.shut()
        self.header.show(subject.trace)
        self._show_events(0)

    @property
    def event(self) -> TimelineRow | None:
        """The event under the cursor."""
        rows = self.timeline.events
        return rows[self.timeline.cursor] if rows else None

    @property
    def values(self) -> tuple[Plain, ...]:
        """The input and the output of the event under the cursor, those that it has."""
        event = self.event
        values = () if event is None else (event.event.input, event.output)
        return tuple(value for value in values if not isinstance(value, Absent))

    def panes(self) -> list[Pane]:
        """Return the timeline and the detail as panes of a screen."""
        return [
            Pane("timeline", "Timeline", self.timeline_pane, self.timeline),
            Pane("detail", "Detail", self.detail, self.detail.view),
        ]

    # Moving

    def go_error(self) -> None:
        """Go to the next failure."""
        self._go(self.state.next_error(self.timeline.cursor))

    def go_tool_call(self) -> None:
        """Go to the next tool call."""
        self._go(self.state.next_tool_call(self.timeline.cursor))

    def go_match(self, step: int = 1) -> None:
        """Go to the next event that the search found."""
        self._go(self.state.next_match(self.timeline.cursor, step))
        self.detail.show_match()

    def _go(self, index: int | None) -> None:
        if index is None:
            return
        self.timeline.cursor = index
        self.timeline.show_around()
        self.detail.open(EVENT)
        self._show_detail()

    # Narrowing

    def narrow(self, chosen: Filter) -> None:
        """Show other events; the cursor stays on its event or goes to the one after it."""
        event = self.event
        self.state.narrow(chosen)
        self._show_events(self.state.row_of(event.number) if event else 0)

    def clear(self) -> None:
        """End the search and the filter."""
        self.search.shut()
        self.look = self.look._replace(words="")
        self.state.search("")
        self.narrow(Filter())

    def seek(self, words: str) -> None:
        """Mark a text that is searched for elsewhere, and go to the first event that holds it; empty for none."""
        if words != self._sought:
            self._sought = words
            self._search(words, 0, self.timeline.cursor)

    def _search(self, words: str, origin: int, otherwise: int) -> None:
        """Search, and go to the first event from a place on that holds the words, or else to another place."""
        self.state.search(words)
        self.look = self.look._replace(words=words)
        index = self.state.next_match(origin - 1)
        self._show_events(otherwise if index is None else index)
        if words:
            self.call_after_refresh(self.detail.show_match)

    def open_search(self) -> None:
        """Open the field for a text to search for."""
        self._origin = self.timeline.cursor
        self.search.open()
        self.call_after_refresh(lambda: self.state.index)  # so that the first key need not wait for it

    def on_filter_input_narrowed(self, message: FilterInput.Narrowed) -> None:
        """Go to the first event from where the search began that holds the text."""
        message.stop()
        if message.words == self.state.words:
            return
        self._search(message.words, self._origin, self._origin)
        if message.words:
            self.detail.open(EVENT)

    def on_filter_input_done(self, message: FilterInput.Done) -> None:
        """Go to the events, or back to where the search was opened; the field stays while it has words."""
        message.stop()
        self.screen.set_focus(self.search.next_focus(self.timeline))
        if not self.search.value:
            self.search.shut()

    # Looking

    def turn_mode(self) -> None:
        """Show values in another way."""
        self._restyle(self.look._replace(mode=self.look.mode.next()))

    def fold(self) -> None:
        """Fold the large values of the event, or show all of them."""
        folded = any(self.look.folds(value) for value in self.values)
        self._restyle(self.look._replace(folded=not folded))

    def turn_golden(self) -> None:
        """Show the golden trajectories, or the next of them."""
        if self.detail.tab != GOLDEN:
            self.detail.open(GOLDEN)
        else:
            self._restyle(self.look._replace(golden=self.look.golden + 1))

    def on_virtual_list_moved(self, message: VirtualList.Moved) -> None:
        """Show the event that the cursor went to."""
        message.stop()
        self.look = self.look._replace(folded=None)
        self._show_detail()

    def on_virtual_list_chosen(self, message: VirtualList.Chosen) -> None:
        """Go to the detail of the event that was clicked."""
        message.stop()
        self.detail.view.focus()

    def on_resize(self, event: events.Resize) -> None:
        """Use a wide terminal's room beside the timeline."""
        self.set_class(event.size.width >= BESIDE, "-beside")

    def _restyle(self, look: Look) -> None:
        self.look = look
        self._show_detail(keep=True)

    def _show_events(self, cursor: int) -> None:
        state = self.state
        self.timeline.show(state.rows, state.words, cursor)
        self._show_detail()
        count = f"{len(state.rows):,} of {len(state.all):,}" if state.filter != Filter() else f"{len(state.all):,}"
        matches = f"{len(state.found):,} found" if state.words else ""
        caption(self.timeline_pane, " · ".join(filter(None, (matches, str(state.filter), count))))
        self.timeline_pane.set_class(bool(matches) or state.filter != Filter(), "-narrowed")

    def _show_detail(self, keep: bool = False) -> None:
        if self.subject is not None:
            self.detail.show(Detail(self.subject, self.event, self.look), keep)
            caption(self.detail, str(self.look.mode))
