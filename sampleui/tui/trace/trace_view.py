"""The trace view: the events of a record, filtered and searched, the lines above them, and the detail of one."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from textual import events
from textual.app import ComposeResult
from textual.containers import Container, Vertical

from sampleui.formats.data import Plain
from sampleui.garbage import collector_off
from sampleui.runs.records import TracedRecord
from sampleui.sample.media import Places
from sampleui.text.terms import Term
from sampleui.text.visible import one_line
from sampleui.trace.call_search import MARKED, calls_with
from sampleui.trace.events import THOUGHT, EventType
from sampleui.trace.reading.extract import RecordTrace
from sampleui.trace.report import summary_facts, summary_lines
from sampleui.trace.timeline import TimelineRow, matches, next_of, role_of, search_index, timeline
from sampleui.trace.tree import Outline, PartKey, PartKind, PartSummary, part_summary
from sampleui.tui.drawing.cards import severity_mark
from sampleui.tui.drawing.rows import Row, fitted, flowed, indented, text_rows
from sampleui.tui.screens.panes import Pane
from sampleui.tui.textual_internals import is_there
from sampleui.tui.trace.detail import EVENT, GOLDEN, Detail, Look, is_said, tab_rows, tabs_of, values_of
from sampleui.tui.trace.rows import ShownPart, TraceColumns, line_row
from sampleui.tui.trace.values import StackedRows, marked, pattern
from sampleui.tui.widgets.bars import FittedLines, caption
from sampleui.tui.widgets.text_view import TabbedText
from sampleui.tui.widgets.virtual_list import VirtualList

if TYPE_CHECKING:
    from sampleui.tui.widgets.filter_input import FilterInput

UNNAMED, OWN = "(unnamed)", "(the run's own)"


class Filter(NamedTuple):
    """Which rows are shown; None lets all pass."""

    kind: EventType | None = None
    tool: str | None = None
    failed: bool = False
    agent: str | None = None

    def __str__(self) -> str:
        """Return the filter in words, empty for none."""
        kind = None if self.kind is None else str(self.kind)
        tool = None if self.tool is None else self.tool or UNNAMED
        agent = None if self.agent is None else self.agent or OWN
        return ", ".join(filter(None, (kind, tool, agent, "failed" if self.failed else None)))

    def passes(self, row: TimelineRow) -> bool:
        """Tell whether a row is shown."""
        return (
            (self.kind is None or row.event.type is self.kind)
            and (self.tool is None or (row.tool or "") == self.tool)
            and (self.agent is None or row.agent == self.agent)
            and (not self.failed or row.failed)
        )


class TraceState:
    """A trace as it is looked at.

    Places are indexes of `lines`, which are rows of `all` or stand for several, as in an outline. Where a filter
    narrows them, each line is a row.
    """

    @collector_off()
    def __init__(self, trace: RecordTrace, folds: dict[PartKey, bool] | None = None) -> None:
        self.trace = trace
        self.all = timeline(trace.events)
        self.outline = Outline(self.all, folds)
        self.filter = Filter()
        self.lines: Sequence[int] = self.outline.lines
        self.words = ""
        self.found: Sequence[int] = ()
        self._hits: Sequence[int] = ()
        self._summaries: dict[int, PartSummary] = {}

    def row(self, place: int) -> TimelineRow:
        """Return the row that a line shows, of several the first."""
        return self.all[self.outline.row_of(self.lines[place])]

    def numbers(self, place: int) -> Iterator[int]:
        """Yield the numbers of the events that a line shows or, while it is folded, stands for."""
        shown, row = self.part(place), self.row(place)
        if shown is None or shown.part.is_headed or shown.is_open:
            yield from (row.number,) if self.lines[place] >= 0 else ()
        if shown is not None and not shown.is_open:
            yield from (row.number for row in self.all[shown.part.start : shown.part.end])

    def part(self, place: int) -> ShownPart | None:
        """Return what a line stands for beside its own row, None for nothing."""
        line = self.lines[place] if place < len(self.lines) else 0
        index = self.outline.part_of(line) if self.lines and self.filter == Filter() else None
        if index is None:
            return None
        return ShownPart(index, self.outline.parts[index], self.summary(index), self.outline.is_open(index))

    def summary(self, part: int) -> PartSummary:
        """Return what a part amounts to."""
        if part not in self._summaries:
            self._summaries[part] = part_summary(self.all, self.outline.parts[part])
        return self._summaries[part]

    @cached_property
    def agents(self) -> Counter[str]:
        """The agents, each with how many rows are its own; none where the run's own does everything."""
        agents = Counter(row.agent for row in self.all)
        return agents if agents.keys() - {""} else Counter()

    @property
    def scope(self) -> range:
        """The rows of the part that is shown alone, or all."""
        root = self.outline.root
        return range(len(self.all)) if root is None else range(*self.outline.parts[root][:2])

    @property
    def base(self) -> int:
        """How deep the outermost of these rows are."""
        return 0 if self.outline.root is None else self.outline.parts[self.outline.root].depth

    def shown_depth(self) -> tuple[frozenset[str], int]:
        """Return who does what is shown, and how deep that is."""
        rows = [self.all[line] for line in self.lines if line >= 0]
        depths = [self.outline.parts[~line].depth for line in self.lines if line < 0]
        depths += (row.depth - row.answers for row in rows)
        return frozenset(row.agent for row in rows) - {self.zoomed}, max(depths, default=0) - self.base

    @property
    def zoomed(self) -> str:
        """The agent whose part is shown alone, whose name its rows need not bear; empty for none."""
        root = self.outline.root
        return "" if root is None else self.all[self.outline.parts[root].start].agent

    def choices(self) -> dict[str, Filter]:
        """Return the filters that may be chosen, by a label with their counts.

        A kind, a tool, an agent and a failure are added to what is filtered already; everything resets it.
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
        choices |= {
            f"agent: {agent or OWN} ({count:,})": present._replace(agent=agent)
            for agent, count in self.agents.most_common()
        }
        return choices | {
            f"tool: {tool or UNNAMED} ({count:,})": present._replace(tool=tool)
            for tool, count in tools.most_common()
        }

    def narrow(self, chosen: Filter) -> None:
        """Show other rows."""
        self.filter = chosen
        self.refold()

    def refold(self) -> None:
        """Take the lines as they are folded now, or those of the filter."""
        if self.filter == Filter():
            self.lines = self.outline.lines
        else:
            self.lines = [row for row in self.scope if self.filter.passes(self.all[row])]
        self._find()

    @cached_property
    def index(self) -> tuple[str, ...]:
        """The texts that a search looks through, which take a tenth of a second for 100,000 events."""
        with collector_off():
            return search_index(self.all)

    def search(self, words: str) -> None:
        """Look for a text in names, inputs, outputs and what was said."""
        self.words = words
        self.seek(matches(self.index, words) if words else ())

    def seek(self, hits: Sequence[int]) -> None:
        """Take rows for what was found."""
        self._hits = hits
        self._find()

    def _find(self) -> None:
        self.found = self._in_scope(self._hits)

    def place(self, row: int) -> int:
        """Return where a row is shown, opening what it is in; where a filter hides it, the one before it."""
        if self.filter != Filter():
            return max(bisect_right(self.lines, row) - 1, 0)
        self.outline.reveal(row)
        self.refold()
        return self.outline.place(row)

    def next_in(self, rows: Sequence[int], after: int, step: int = 1) -> int | None:
        """Return the next of some rows of `all`, around the end, from a place on; None where none is shown."""
        return next_of(self._in_scope(rows), self._position(after, step), step)

    @property
    def fails(self) -> bool:
        """Whether anything among what is shown is a failure."""
        narrowed = self.filter != Filter() or self.outline.root is not None
        return bool(self._in_scope(self.failures)) if narrowed else self._fails

    @cached_property
    def _fails(self) -> bool:
        return any(row.failed for row in self.all)  # up to the first one: a trace has many

    @cached_property
    def failures(self) -> list[int]:
        """The rows that are a failure."""
        # Of a failed call and its failed result only the call counts, because its input is what people look for.
        return [index for index, row in enumerate(self.all) if row.failed and not row.answers]

    @cached_property
    def calls(self) -> list[int]:
        """The rows that are a tool call."""
        return [index for index, row in enumerate(self.all) if row.event.type is EventType.TOOL_CALL]

    def _in_scope(self, rows: Sequence[int]) -> Sequence[int]:
        if self.filter != Filter():
            shown = frozenset(self.lines)
            return [row for row in rows if row in shown]
        scope = self.scope
        return rows[bisect_left(rows, scope.start) : bisect_left(rows, scope.stop)]

    def _position(self, place: int, step: int = 1) -> int:
        if not 0 <= place < len(self.lines):
            return -1 if place < 0 else len(self.all)
        line = self.lines[place]
        return line if line >= 0 else self.outline.row_of(line) - (step > 0)


class Timeline(VirtualList):
    """Events, calls with what happened in them and their results below them. Only those in view are read."""

    scope: ClassVar[str] = "timeline"

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._state = TraceState(RecordTrace())
        self.noted: frozenset[int] = frozenset()
        self._words = pattern("")
        self._columns: tuple[int, TraceColumns] | None = None

    def show(self, state: TraceState, cursor: int) -> None:
        """Show a trace, a text that is searched for marked in it."""
        self._state = state
        self._words = pattern(state.words)
        self._columns = None
        self.reload(cursor)

    def count(self) -> int:
        """Return the number of lines."""
        return len(self._state.lines)

    def row(self, index: int, width: int) -> Row:
        """Return a line."""
        state = self._state
        if self._columns is None or self._columns[0] != width:
            self._columns = width, TraceColumns.of(state.all, width, *state.shown_depth())
        event = state.row(index)
        agent = "" if event.agent == state.zoomed else event.agent
        event = event._replace(depth=event.depth - state.base, agent=agent)
        row = line_row(event, state.part(index), self._columns[1], width)
        if self.noted and not self.noted.isdisjoint(state.numbers(index)):
            sign, *rest = row
            row = ((sign[0], sign[1][:1]), ("accent", "✎"), *rest)
        return marked(row, self._words) if self._words else row

    def show_around(self) -> None:
        """Scroll so that rows around the cursor are in view, above all those before it."""
        height = self.scrollable_content_region.height
        top = round(self.scroll_y)
        if not top + 1 < self.cursor < top + height - 3:
            self.scroll_to(y=self.cursor - height * 2 // 3, animate=False, immediate=True, force=True)


class TraceHeader(FittedLines):
    """Counts, tokens, cost and duration, the calls by tool, and that there are notes."""

    DEFAULT_CSS = """
    TraceHeader { height: 2; }
    """

    _trace: RecordTrace = RecordTrace()

    def show(self, trace: RecordTrace) -> None:
        """Show another trace."""
        self._trace = trace
        self.fit(self.size.width or self.app.size.width * 3 // 4)  # about what a list beside it leaves
        self.refresh()

    def rows(self, width: int) -> list[Row]:
        """Return the header."""
        return indented(header_rows(self._trace, width - 2), " ")


def header_rows(trace: RecordTrace, width: int) -> Iterator[Row]:
    """Yield the header as rows: the summary with what went wrong marked, the tools, the first note."""
    first, *facts = summary_facts(trace)
    _, *rest = summary_lines(trace)
    yield from flowed((_fact(fitted(fact, width)) for fact in (first.removeprefix("from "), *facts)), width)
    yield from ((("muted", fitted(line, width)),) for line in rest)
    if trace.diagnostics:
        note = trace.diagnostics[0]
        others = len(trace.diagnostics) - 1
        more = f" (+{others} more)" if others else ""
        words = f"{severity_mark(note.severity)} {one_line(note.message, 300)}{more}"
        yield from text_rows(words, f"{note.severity}-bold", width)


def _fact(words: str) -> Row:
    wrong = not words.startswith("0 ") and ("error" in words or "failed" in words)
    return (("error-bold", f"✖ {words}") if wrong else ("text", words),)


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
        self.whole: TracedRecord | None = None
        self.state = TraceState(RecordTrace())
        self.places: Places = ()
        self._folds: dict[tuple[int, str], dict[PartKey, bool]] = {}
        self._roots: list[int] = []
        self._notes: Mapping[int, Sequence[str]] = {}
        self.look = Look()
        self.header = TraceHeader()
        self.timeline = Timeline(id="timeline")
        self.timeline_pane = Vertical(id="timeline-pane")
        self.detail = EventDetail(id="event-detail")
        self._origin = 0
        self._sought: tuple[str, list[int]] = "", []

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
        self.call_after_refresh(self._make_room)

    def _make_room(self) -> None:
        if is_there(self):
            self.timeline_pane.mount(self.search, before=self.timeline)

    def show(self, subject: TracedRecord, folder: Path) -> None:
        """Show a record from the beginning, folded as it was when it was left; one that has grown where it was.

        Args:
            subject: the record.
            folder: the folder of its run, in which the files of its pictures must lie.
        """
        before, event, seen = self.whole, self.event, self.state.outline
        self.subject = self.whole = subject
        self.places = ((folder, folder),)
        self._notes, self.timeline.noted = {}, frozenset()
        record = subject.record.line, subject.record.id
        self.state = TraceState(subject.trace, self._folds.setdefault(record, {}))
        self.look = self.look._replace(folded=None, words="", golden=0)
        self._sought = "", []
        if self.timeline.siblings:
            self.search.shut()
        keys = [seen.keys[root] for root in self._roots]
        self._roots = []
        if before is None or (before.record.line, before.record.id) != record or event is None:
            self.header.show(subject.trace)
            self._show_events(0)
            return
        places = {key: place for place, key in enumerate(self.state.outline.keys)}
        self._roots = [places[key] for key in keys if key in places]
        self._take_root()
        row = next((index for index, row in enumerate(self.state.all) if row.number == event.number), 0)
        self._show_events(self.state.outline.place(row))

    @property
    def event(self) -> TimelineRow | None:
        """The event under the cursor; the first of those that stand as one."""
        return self.state.row(self.timeline.cursor) if self.state.lines else None

    @property
    def part(self) -> ShownPart | None:
        """What the line under the cursor stands for beside its own event, None for nothing."""
        return self.state.part(self.timeline.cursor)

    @property
    def place_in_subject(self) -> int | None:
        """Which event of the trace that is shown the cursor is on, from 0."""
        if self.event is None:
            return None
        numbers = (self.state.all[row].number for row in self.state.scope)
        return sum(number < self.event.number for number in numbers)

    @property
    def values(self) -> tuple[Plain, ...]:
        """The values of the event under the cursor that can be folded."""
        event = self.event
        if event is None or self._stands_alone:
            return ()
        return tuple(value for title, value in values_of(event) if not is_said(event, title))

    def annotate(self, notes: Mapping[int, Sequence[str]]) -> None:
        """Show notes on events, by the index of each in the trace; those that are folded show at what is folded."""
        self._notes = notes
        self.timeline.noted = frozenset(index + 1 for index in notes)
        self.timeline.refresh()
        self._show_detail(keep=True)

    def panes(self) -> list[Pane]:
        """Return the timeline and the detail as panes of a screen."""
        return [
            Pane("timeline", "Timeline", self.timeline_pane, self.timeline),
            Pane("detail", "Detail", self.detail, self.detail.view),
        ]

    # Moving

    def go_next(self, rows: Sequence[int], step: int = 1) -> None:
        """Go to the next event that is among some rows of the trace."""
        self._go(self.state.next_in(rows, self.timeline.cursor, step))

    def go_match(self, step: int = 1) -> None:
        """Go to the next event that the search found."""
        self.go_next(self.state.found, step)
        self.detail.show_match()

    def go_event(self, index: int) -> bool:
        """Go to an event of the record by its index, whatever hides it; tell whether there is one."""
        row = next((at for at, row in enumerate(self.state.all) if row.number == index + 1), None)
        if row is None:
            return False
        if self.state.filter != Filter() or row not in self.state.scope:
            self._roots = []
            self.state.outline.zoom(None)
            self.state.narrow(Filter())
            self._take_root()
        self._go(row)
        return True

    def _go(self, row: int | None) -> None:
        """Go to a row, which is shown if it was folded."""
        if row is None:
            return
        lines = len(self.state.lines)
        place = self.state.place(row)
        if len(self.state.lines) != lines:
            self._show_events(place)
        self.timeline.cursor = place
        self.timeline.show_around()
        self.detail.open(EVENT)
        self._show_detail()

    # Folding

    def unfold(self) -> str:
        """Show what the line under the cursor stands for, or go into it; return why not, empty if it did."""
        part = self.part
        if part is None:
            return "nothing is folded here"
        if part.is_open:
            self.timeline.step(1)
        else:
            self._turn(part.place)
        return ""

    def fold_up(self) -> str:
        """Fold what is shown below the line under the cursor, or else go to what it stands below."""
        part, outline = self.part, self.state.outline
        if part is not None and part.is_open:
            self._turn(part.place)
            return ""
        lines = self.state.lines
        parent = outline.parent(lines[self.timeline.cursor]) if lines and self.state.filter == Filter() else None
        if parent is None:
            return "this is the outermost level"
        self.timeline.cursor = outline.place(parent)
        return ""

    def fold_level(self) -> str:
        """Fold the innermost level that is shown; return why not, empty if it did."""
        line = self.state.lines[self.timeline.cursor] if self.state.lines else 0
        if self.state.filter != Filter() or not self.state.outline.fold_level():
            return "every level is folded"
        self.state.refold()
        self._show_events(self.state.outline.place(line))
        return ""

    def _turn(self, part: int) -> None:
        self.state.outline.turn(part)
        self.state.refold()
        self._show_events(self.timeline.cursor)

    def zoom_in(self) -> bool:
        """Show what is folded in an agent, a call or a span as a trace of its own; tell whether it did."""
        part = self.part
        if part is None or part.part.kind is PartKind.CALLS or part.is_open:
            return False
        self._roots.append(part.place)
        self._take_root()
        self._show_events(0)
        return True

    def zoom_out(self) -> bool:
        """Show what is around; tell whether anything is."""
        if not self._roots:
            return False
        line = self.state.outline.line_of(self._roots.pop())
        self._take_root()
        self._show_events(self.state.outline.place(line))
        return True

    def _take_root(self) -> None:
        """Show the part alone that was zoomed into, as a record of its own, or the whole record."""
        assert self.whole is not None
        self.state.outline.zoom(self._roots[-1] if self._roots else None)
        self.state.refold()
        numbers = sorted(self.state.all[row].number for row in self.state.scope)
        root = self.state.outline.root
        took = None if root is None else self.state.summary(root).took_ms
        self.subject = self.whole if root is None else self.whole.part(numbers, took)
        self.header.show(self.subject.trace)

    @property
    def _stands_alone(self) -> bool:
        """Whether the line under the cursor is that of no event."""
        return bool(self.state.lines) and self.state.lines[self.timeline.cursor] < 0

    # Narrowing

    def narrow(self, chosen: Filter) -> None:
        """Show other events; the cursor stays on its event or goes to the one before it."""
        row = self.state.outline.row_of(self.state.lines[self.timeline.cursor]) if self.state.lines else 0
        self.state.narrow(chosen)
        self._show_events(self.state.place(row))

    def clear(self) -> None:
        """End the search and the filter."""
        self.search.shut()
        self.look = self.look._replace(words="")
        self.state.search("")
        self.narrow(Filter())

    def seek(self, words: str, terms: Sequence[Term] = ()) -> None:
        """Mark a text that is searched for elsewhere, and go to the first event that holds it; empty for none.

        Where terms ask for calls, these are what is found, and what they are to have returned is marked.
        """
        calls = calls_with(self.state.all, terms)
        if (words, calls) != self._sought:
            self._sought = words, calls
            texts = (term.value for term in terms if term.key in MARKED and not term.negated)
            self._search(words or next(texts, "") if calls else words, 0, self.timeline.cursor, calls)

    def _search(self, words: str, origin: int, otherwise: int, found: Sequence[int] = ()) -> None:
        """Search, and go to the first event from a place on that holds the words, or else to another place."""
        self.state.search(words)
        if found:
            self.state.seek(found)
        self.look = self.look._replace(words=words)
        row = self.state.next_in(self.state.found, origin - 1)
        self._show_events(otherwise if row is None else self.state.place(row))
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
        self.timeline.show(state, cursor)
        self._show_detail()
        whole = f"{len(state.all):,}"
        shown = len(state.scope if state.filter == Filter() else state.lines)
        count = whole if shown == len(state.all) and state.filter == Filter() else f"{shown:,} of {whole}"
        matches = f"{len(state.found):,} found" if state.words or state.found else ""
        names = " › ".join(one_line(state.summary(root).name or "?", 30) for root in self._roots)
        caption(self.timeline_pane, " · ".join(filter(None, (names, matches, str(state.filter), count))))
        self.timeline_pane.set_class(bool(matches) or state.filter != Filter(), "-narrowed")

    def _show_detail(self, keep: bool = False) -> None:
        if self.subject is not None:
            part = self.part
            shown = part if part is not None and (self._stands_alone or not part.is_open) else None
            notes = () if self.event is None else tuple(self._notes.get(self.event.number - 1, ()))
            count, alone = len(self.state.all), self._stands_alone
            detail = Detail(self.subject, self.event, self.look, count, shown, alone, notes, self.places)
            self.detail.show(detail, keep)
            caption(self.detail, str(self.look.mode))
