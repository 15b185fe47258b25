"""The list of the records of a results file."""

from __future__ import annotations

from typing import ClassVar

from rich.cells import cell_len
from textual import events
from textual.timer import Timer

from sampleui.review.record import Entry, outcome_of
from sampleui.runs.records import Run, is_no_result
from sampleui.text.visible import one_line
from sampleui.text.wording import apart
from sampleui.trace.reading.extract import Trace
from sampleui.trace.summary import Summary
from sampleui.tui.drawing.outcomes import MARKS
from sampleui.tui.drawing.rows import Row, fitted
from sampleui.tui.widgets.virtual_list import VirtualList

_LEAST = 6
"""Cells below which a target says nothing."""


class TraceRecords(VirtualList):
    """Records by outcome, id and target, with how many events each has and how many of them failed.

    The events are counted between frames.
    """

    scope: ClassVar[str] = "records"

    def __init__(self, run: Run, *, id: str | None = None) -> None:
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
        """Begin to count."""
        self._timer = self.set_interval(1 / 30, self._count_next)

    def count(self) -> int:
        """Return the number of records."""
        return len(self._run.records)

    def row(self, index: int, width: int) -> Row:
        """Return a record: how it came out, its id and target, what in it failed, and how many events it has."""
        counted = self._counted.get(index)
        entry = self._run.entry(index)
        events, failures = "…", 0
        if counted is not None:
            events = f"{counted.event_count:,}" if counted.event_count else "-"
            failures = counted.error_count + counted.failed_calls
        style, glyph = MARKS[outcome_of(entry)]
        right = [("error-bold", f" ✖{failures:,}" if failures else ""), ("muted", f" {events:>3}")]
        room = width - 2 - sum(cell_len(text) for _, text in right)
        name = one_line(self._run.records[index].id, 80)
        empty = index in self._no_results
        shown = "not a result" if empty else self.target_words(entry, max(width // 3, _LEAST))
        kept = room - cell_len(shown) - 1 if self.several_targets or cell_len(name + shown) < room else room
        name = fitted(name, kept)
        beside = fitted(f" {shown}", room - cell_len(name)) if kept < room else ""
        gap = " " * (room - cell_len(name) - cell_len(beside))
        return ((style, f"{glyph} "), ("text", name), ("faint", beside + gap), *right)

    @property
    def several_targets(self) -> bool:
        """Whether there is more than one target."""
        return len(self._names) > 1

    def target_words(self, entry: Entry | None, width: int) -> str:
        """Return how the target of a record is shown in a width, so that no two look alike; empty for none."""
        return "" if entry is None else self._targets(width).get(one_line(entry.target or ""), "")

    def _targets(self, width: int) -> dict[str, str]:
        """Return how each target is shown in a width."""
        if width not in self._shortened:
            self._shortened[width] = apart(self._names, width)
        return self._shortened[width]

    def know(self, index: int, trace: Trace) -> None:
        """Take the counts of a record that was read anyway, and whether it is a result at all."""
        self._counted[index] = trace.summary
        if is_no_result(self._run.entry(index), trace):
            self._no_results.add(index)
        self.refresh_line(index)

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Count those that come into view."""
        super().watch_scroll_y(old_value, new_value)
        self._resume()

    def on_resize(self) -> None:
        """Count those that a larger view shows."""
        super().on_resize()
        self._resume()

    def _resume(self) -> None:
        if self._timer is not None:
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
