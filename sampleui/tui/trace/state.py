"""What is shown of a trace: its rows, the filter over them, and the search in them, without their looks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from sampleui.trace.events import Kind
from sampleui.trace.reading.extract import Trace
from sampleui.trace.timeline import (
    Row,
    filtered,
    matches,
    next_error,
    next_of,
    next_tool_call,
    search_index,
    timeline,
)
from sampleui.values import NamedTuple

UNNAMED = "(unnamed)"


class Filter(NamedTuple):
    """Which rows are shown; None lets all pass."""

    kind: Kind | None = None
    tool: str | None = None
    failed: bool = False

    def __str__(self) -> str:
        """Return the filter in words, empty for none."""
        kind = None if self.kind is None else str(self.kind)
        tool = None if self.tool is None else self.tool or UNNAMED
        return ", ".join(filter(None, (kind, tool, "failed" if self.failed else None)))


class TraceState:
    """A trace as it is looked at. `rows` are those shown, and all places are places in `rows`."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.all = timeline(trace.events)
        self.rows: Sequence[Row] = self.all
        self.filter = Filter()
        self.words = ""
        self.found: tuple[int, ...] = ()
        self._index: tuple[str, ...] | None = None

    def choices(self) -> dict[str, Filter]:
        """Return the filters that may be chosen, by a label with their counts.

        A kind, a tool and a failure are added to what is filtered already; everything resets it.
        """
        present = self.filter
        kinds = Counter(row.event.type for row in self.all)
        tools = Counter(row.tool or "" for row in self.all if row.event.type is Kind.TOOL_CALL)
        failures = sum(row.failed for row in self.all)
        choices = {f"everything ({len(self.all):,})": Filter()}
        if failures:
            choices[f"failed ({failures:,})"] = present._replace(failed=True)
        choices |= {f"kind: {kind} ({kinds[kind]:,})": present._replace(kind=kind) for kind in Kind if kinds[kind]}
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

    def search(self, words: str) -> None:
        """Look for a text in names, inputs, outputs and what was said."""
        self.words = words
        if not words:
            self.found = ()
            return
        if self._index is None:
            self._index = search_index(self.all)
        numbers = {self.all[index].number for index in matches(self._index, words)}
        self.found = tuple(index for index, row in enumerate(self.rows) if row.number in numbers)

    def place(self, number: int) -> int:
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
