"""The list of the records of a results file."""

from __future__ import annotations

from typing import ClassVar

from rich.cells import cell_len
from textual import events
from textual.timer import Timer

from sampleui.runs.records import Run
from sampleui.text.visible import one_line
from sampleui.trace.summary import Summary
from sampleui.tui.drawing.rows import Row, fitted
from sampleui.tui.widgets.virtual_list import VirtualList


class TraceRecords(VirtualList):
    """Records by id, with how many events each has and whether anything failed, which is counted between frames."""

    scope: ClassVar[str] = "records"

    def __init__(self, run: Run, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._run = run
        self._counted: dict[int, Summary] = {}
        self._timer: Timer | None = None

    def on_mount(self) -> None:
        """Begin to count."""
        self._timer = self.set_interval(1 / 30, self._count_next)

    def count(self) -> int:
        """Return the number of records."""
        return len(self._run.records)

    def row(self, index: int, width: int) -> Row:
        """Return a record: whether anything in it failed, its id, and how many events it has."""
        counted = self._counted.get(index)
        told = "…" if counted is None else f"{counted.event_count:,}" if counted.event_count else "-"
        failures = counted.error_count + counted.failed_calls if counted else 0
        mark = ("error-bold", "✖ ") if failures else ("text", "  ")
        right = [("error-bold", f" ✖{failures:,}" if failures else ""), ("muted", f" {told:>3}")]
        room = width - 2 - sum(cell_len(text) for _, text in right)
        name = fitted(one_line(self._run.records[index].id, 80), room)
        return (mark, ("text", name + " " * (room - cell_len(name))), *right)

    def know(self, index: int, summary: Summary) -> None:
        """Take the counts of a record that was read anyway."""
        self._counted[index] = summary
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
        at = next((index for index in shown if index not in self._counted), None)
        if at is not None:
            self.know(at, self._run.trace(at).summary)
        elif self._timer is not None:
            self._timer.pause()

    def on_unmount(self, _event: events.Unmount) -> None:
        """Stop counting."""
        if self._timer is not None:
            self._timer.stop()
