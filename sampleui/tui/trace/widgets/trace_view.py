"""The trace view: the timeline of a record and the detail of the event under the cursor."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult
from textual.containers import Container, Vertical

from sampleui.formats.data import Plain
from sampleui.runs.records import Subject
from sampleui.trace.events import Absent
from sampleui.trace.reading.extract import Trace
from sampleui.trace.timeline import Row as Event
from sampleui.tui.captions import caption
from sampleui.tui.screens.paned import Pane
from sampleui.tui.trace.detail import EVENT, GOLDEN, Detail, Look
from sampleui.tui.trace.state import Filter, TraceState
from sampleui.tui.trace.widgets.event_detail import EventDetail
from sampleui.tui.trace.widgets.header import TraceHeader
from sampleui.tui.trace.widgets.timeline import Timeline
from sampleui.tui.widgets.filter_input import FilterInput
from sampleui.tui.widgets.virtual_list import VirtualList

BESIDE = 150
"""Columns from which the detail is beside the timeline and not below it."""


class SearchInput(FilterInput):
    """The field for what to search in a trace."""

    def __init__(self) -> None:
        super().__init__("search in names, inputs, outputs and texts", id="trace-search")


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
        self.subject: Subject | None = None
        self.state = TraceState(Trace())
        self.look = Look()
        self.header = TraceHeader()
        self.search = SearchInput()
        self.timeline = Timeline(id="timeline")
        self.timeline_pane = Vertical(id="timeline-pane")
        self.detail = EventDetail(id="event-detail")
        self._origin = 0
        self._sought = ""

    def compose(self) -> ComposeResult:
        """Yield the header, the timeline and the detail."""
        yield self.header
        with Container(id="trace-panes", classes="pane-row"):
            with self.timeline_pane:
                yield self.search
                yield self.timeline
            yield self.detail

    def show(self, subject: Subject) -> None:
        """Show a record from the beginning."""
        self.subject = subject
        self.state = TraceState(subject.trace)
        self.look = self.look._replace(folded=None, words="", golden=0)
        self._sought = ""
        self.search.shut()
        self.header.show(subject.trace)
        self._show_events(0)

    @property
    def event(self) -> Event | None:
        """The event under the cursor."""
        rows = self.timeline.events
        return rows[self.timeline.cursor] if rows else None

    @property
    def values(self) -> tuple[Plain, ...]:
        """The input and the output of the event under the cursor, those that it has."""
        event = self.event
        held = () if event is None else (event.event.input, event.output)
        return tuple(value for value in held if not isinstance(value, Absent))

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

    def _go(self, place: int | None) -> None:
        if place is None:
            return
        self.timeline.cursor = place
        self.timeline.show_around()
        self.detail.open(EVENT)
        self._show_detail()

    # Narrowing

    def narrow(self, chosen: Filter) -> None:
        """Show other events; the cursor stays on its event or goes to the one after it."""
        event = self.event
        self.state.narrow(chosen)
        self._show_events(self.state.place(event.number) if event else 0)

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
        place = self.state.next_match(origin - 1)
        self._show_events(otherwise if place is None else place)
        if words:
            self.call_after_refresh(self.detail.show_match)

    def open_search(self) -> None:
        """Let a text be typed to search for."""
        self._origin = self.timeline.cursor
        self.search.open()

    def on_filter_input_narrowed(self, message: FilterInput.Narrowed) -> None:
        """Go to the first event from where the search began that holds the text."""
        message.stop()
        if message.words == self.state.words:
            return
        self._search(message.words, self._origin, self._origin)
        if message.words:
            self.detail.open(EVENT)

    def on_filter_input_done(self, message: FilterInput.Done) -> None:
        """Go back to the events; the field stays while something is searched for."""
        message.stop()
        if not self.search.value:
            self.search.shut()
        self.screen.set_focus(self.timeline)

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
        found = [f"{len(state.found):,} found"] * bool(state.words)
        named = [str(state.filter)] * (state.filter != Filter())
        caption(self.timeline_pane, " · ".join([*found, *named, count]))
        self.timeline_pane.set_class(bool(found or named), "-narrowed")

    def _show_detail(self, keep: bool = False) -> None:
        if self.subject is not None:
            self.detail.show(Detail(self.subject, self.event, self.look), keep)
            caption(self.detail, str(self.look.mode))
