"""The trace screen: the list of the records of a results file, and the trace of one of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.timer import Timer

from sampleui.review.record import SIGNS, Entry, outcome_of
from sampleui.review.results.run_paths import base_of
from sampleui.runs.records import RunRecords, TracedRecord, is_no_result
from sampleui.settings.options import Settings
from sampleui.text.confined import packaged_text
from sampleui.text.visible import one_line
from sampleui.text.wording import apart
from sampleui.trace.reading.extract import RecordTrace
from sampleui.trace.summary import Summary
from sampleui.tui.commands import Command, ScreenKind
from sampleui.tui.drawing.rows import OUTCOME_STYLES, Row, fitted
from sampleui.tui.screens.base import CommandScreen
from sampleui.tui.screens.panes import Pane, PaneColumn, put_away
from sampleui.tui.trace.rows import outcome_words
from sampleui.tui.trace.trace_view import TraceView
from sampleui.tui.widgets.bars import Title
from sampleui.tui.widgets.virtual_list import VirtualList

_MIN_TITLE = 6
"""Cells below which a target says nothing."""


class TraceRecords(VirtualList):
    """Records by outcome, id and target, with how many events each has and how many of them failed.

    The events are counted between frames, once the first record is shown: its events need not be read twice.
    """

    scope: ClassVar[str] = "records"

    def __init__(self, run: RunRecords, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._run = run
        self._counted: dict[int, Summary] = {}
        self._no_results: set[int] = set()
        entries = (run.entry(index) for index in range(len(run.records)))
        targets = (one_line(entry.target) for entry in entries if entry is not None and entry.target)
        self._names = tuple(dict.fromkeys(targets))
        self._shortened: dict[int, dict[str, str]] = {}
        self._timer: Timer | None = None

    def on_mount(self) -> None:
        """Prepare to count."""
        self._timer = self.set_interval(1 / 30, self._count_next, pause=True)

    def count(self) -> int:
        """Return the number of records."""
        return len(self._run.records)

    def row(self, index: int, width: int) -> Row:
        """Return a record: how it came out, its id and target, what in it failed, and how many events it has."""
        counted = self._counted.get(index)
        entry = self._run.entry(index)
        events, failures = "…", 0
        if counted is not None:
            events = f"{counted.event_count:,}" if counted.event_count else "-" if counted.counted else "?"
            failures = counted.error_count + counted.failed_calls
        outcome = outcome_of(entry)
        right = [("error-bold", f" ✖{failures:,}" if failures else ""), ("muted", f" {events:>3}")]
        room = width - 2 - sum(cell_len(text) for _, text in right)
        name = one_line(self._run.id(index), 80)
        empty = index in self._no_results
        shown = "not a result" if empty else self.target_words(entry, max(width // 3, _MIN_TITLE))
        kept = room - cell_len(shown) - 1 if self.several_targets or cell_len(name + shown) < room else room
        name = fitted(name, kept)
        remark = fitted(f" {shown}", room - cell_len(name)) if kept < room else ""
        gap = " " * (room - cell_len(name) - cell_len(remark))
        sign = (OUTCOME_STYLES[outcome], SIGNS[outcome])  # alone, so that it is read as an outcome
        return (sign, ("text", f" {name}"), ("faint", remark + gap), *right)

    @property
    def several_targets(self) -> bool:
        """Whether there is more than one target."""
        return len(self._names) > 1

    def target_words(self, entry: Entry | None, width: int) -> str:
        """Return how the target of a record is shown in a width, so that no two look alike; empty for none."""
        if width not in self._shortened:
            self._shortened[width] = apart(self._names, width)
        return "" if entry is None else self._shortened[width].get(one_line(entry.target or ""), "")

    def know(self, index: int, trace: RecordTrace) -> None:
        """Take the counts of a record that was read anyway, and whether it is a result at all."""
        self._counted[index] = trace.summary
        if is_no_result(self._run.entry(index), trace):
            self._no_results.add(index)
        self.refresh_line(index)
        self._resume()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Count those that come into view."""
        super().watch_scroll_y(old_value, new_value)
        self._resume()

    def on_resize(self) -> None:
        """Count those that a larger view shows."""
        super().on_resize()
        self._resume()

    def _resume(self) -> None:
        if self._timer is not None and self._counted:
            self._timer.resume()

    def _count_next(self) -> None:
        """Count one of the records in view, or else rest until others are."""
        first = round(self.scroll_y)
        shown = range(first, min(first + max(self.size.height, 1), self.count()))
        following = next((index for index in shown if index not in self._counted), None)
        if following is not None:
            self.know(following, self._run.trace(following))
        elif self._timer is not None:
            self._timer.pause()

    def on_unmount(self, _event: events.Unmount) -> None:
        """Stop counting."""
        if self._timer is not None:
            self._timer.stop()


_OF_DETAIL = frozenset(
    f"trace.{name}" for name in ("mode", "fold", "tab", "tab-before", "golden", "scroll-down", "scroll-up")
)
"""Commands whose effect is to be seen in the detail alone."""

_TARGET = 20
"""Cells that a target has in the title."""


class TraceScreen(CommandScreen):
    """Shows what the runs of one results file did."""

    kind = ScreenKind.TRACE
    kept_as = "trace"
    home = "timeline"
    # Not CSS_PATH, which Textual reads for screens that are pushed and not for the first one.
    DEFAULT_CSS = packaged_text(Path(__file__).with_suffix(".tcss"))
    AUTO_FOCUS: ClassVar[str | None] = "#timeline"

    def __init__(self, run: RunRecords, settings: Settings, index: int = 0) -> None:
        super().__init__(settings)
        self.run = run
        self.index = index
        self.records = TraceRecords(run, id="records")
        self.trace_view = TraceView(id="trace")

    def body(self) -> ComposeResult:
        """Yield the panes."""
        yield self.tabs
        with Horizontal(id="panes"):
            yield self.records
            yield self.trace_view

    def on_mount(self) -> None:
        """Name the panes and show the first record."""
        self.name_panes()
        self.records.reload(self.index)
        self.show_record(self.index)
        if self.run.broken:
            self.complain(self.run.broken[0])

    @property
    def subject(self) -> TracedRecord:
        """The record shown."""
        assert self.trace_view.subject is not None
        return self.trace_view.subject

    def show_record(self, index: int) -> None:
        """Show another record."""
        self.index = index
        subject = self.run.subject(index)
        self.trace_view.show(subject, base_of(self.run.path))
        self.records.know(index, subject.trace)
        self.title_bar.show(self._title(subject))
        self.show_keys()

    def _title(self, subject: TracedRecord) -> Title:
        target = self.records.target_words(subject.entry, _TARGET) if self.records.several_targets else ""
        facts = f" · {target}" if target else ""
        decks = self.run.decks
        more = f" and {len(decks) - 1} more" if len(decks) > 1 else ""
        deck = f"trace · {decks[0].path.name}{more}" if decks else "trace"
        return Title(
            self.run.path.name,
            deck,
            f"{self.index + 1}/{len(self.run.records)}",
            problems=outcome_words(subject),
            subject=one_line(subject.record.id, 80),
            facts=facts,
        )

    def run_command(self, command: Command[Any]) -> None:
        """Run a command; where one pane has the whole screen, go to the one that shows what it does."""
        if self.has_class("narrow") and command.id.startswith("trace.") and not command.needs(self):
            if command.id in _OF_DETAIL:
                self.go_to_pane("detail")
            elif self.scope == "records":
                self.go_to_pane("timeline")
        super().run_command(command)

    # Panes

    def panes(self) -> list[Pane]:
        """Return the records, the timeline and the detail."""
        return [Pane("records", "Records", self.records, self.records), *self.trace_view.panes()]

    def columns(self) -> list[PaneColumn]:
        """Return the records; the trace takes what is left."""
        return [PaneColumn("records", self.records, 24)]

    def shown_panes(self) -> list[Pane]:
        """Return the panes, without the records if there is only one."""
        return self.panes() if len(self.run.records) > 1 else self.panes()[1:]

    def fit(self) -> None:
        """Fit the panes; the trace goes with its panes."""
        super().fit()
        put_away(self.trace_view, self.has_class("narrow") and self.scope == "records")

    def on_virtual_list_moved(self, message: VirtualList.Moved) -> None:
        """Show the record that the cursor went to."""
        if message.control is self.records and self.records.cursor != self.index:
            self.show_record(self.records.cursor)

    def on_virtual_list_chosen(self, message: VirtualList.Chosen) -> None:
        """Go to the timeline of a record."""
        if message.control is self.records:
            self.trace_view.timeline.focus()
