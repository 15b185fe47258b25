"""A trace as rows: calls with their results, offsets and durations; what a search looks through."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from sampleui.formats.data import Table
from sampleui.sample.media import label_of, medium_of
from sampleui.text.visible import one_line
from sampleui.trace.events import ABSENT, EventType, Maybe, TraceEvent, failed, failure, to_data
from sampleui.trace.nesting import NESTING, nesting
from sampleui.trace.preview import preview, size_of, to_json
from sampleui.trace.summary import instant, milliseconds

_OF_TOOLS = (EventType.TOOL_CALL, EventType.TOOL_RESULT)


class TimelineRow(NamedTuple):
    """One event in its place in the timeline.

    Attributes:
        number: the event's place in the trace, from 1.
        event: the event.
        depth: how many calls and spans it happened in; a result is below its call, and so one deeper.
        result: the result (or the error) that answers this call.
        tool: the tool that the event is about: its own name, or that of the call it answers.
        start: the first moment of the trace, None without timestamps.
        duration_ms: how long it took: as given, else the result's, else from call to result by their timestamps.
        agent: who did it, empty for the agent that the run is about.
        answers: whether it is a result below the call it answers.
    """

    number: int
    event: TraceEvent
    depth: int
    result: TraceEvent | None = None
    tool: str | None = None
    start: dt.datetime | None = None
    duration_ms: float | None = None
    agent: str = ""
    answers: bool = False

    @property
    def offset_ms(self) -> float | None:
        """Milliseconds after the first timestamp of the trace, None without timestamps."""
        return _offset(self.start, self.event)

    @property
    def failed(self) -> bool:
        """Whether the event, or the result that answers it, is a failure."""
        return failed(self.event) or (self.result is not None and failed(self.result))

    @property
    def output(self) -> Maybe:
        """What came back: the event's own output, or else that of its result."""
        if self.event.output is not ABSENT or self.result is None:
            return self.event.output
        if self.result.output is ABSENT and self.result.text is not None:
            return self.result.text
        return self.result.output

    @property
    def size(self) -> int | None:
        """How many characters came back, or were said; None for neither. Computed when asked: it may be large."""
        return size_of(self.event.text if self.output is ABSENT and self.event.text is not None else self.output)

    def line(self, limit: int = 200) -> str:
        """Return what matters of the event on one line: what was asked, said, came back, or else is known of it."""
        event = self.event
        shown = next(
            (part for part in (event.input, event.text, event.output) if part not in (ABSENT, None)), ABSENT
        )
        if shown is event.text and isinstance(event.output, list):
            shown = " ".join(
                [event.text, *(label_of(part) for part in event.output if medium_of(part) is not None)]
            )
        rest: Table = {key: value for key, value in event.extra.items() if key not in NESTING}
        parts = (event.extra.get("error", ABSENT), event.metadata or ABSENT, rest or ABSENT)
        return preview(shown, limit) or next(filter(None, (preview(part, limit) for part in parts)), "")


def timeline(events: Sequence[TraceEvent]) -> tuple[TimelineRow, ...]:
    """Return one row for each event: in array order, but what happened in a call or a span is below it.

    A result is below the call it answers, after all that happened in that call.
    """
    answers = pairs(events)
    nest = nesting(events)
    start = next((moment for event in events if (moment := instant(event.timestamp)) is not None), None)
    rows: list[TimelineRow] = []
    for index in _in_order(len(events), nest.parents, answers):
        call = index if index >= 0 else ~index
        event = events[call]
        depth, agent = (nest.depths[call], nest.agents[call]) if nest.parents else (0, "")
        answer = answers.get(call)
        result = None if answer is None else events[answer]
        if result is None or answer is None:
            tool = event.name if event.type in _OF_TOOLS else None
            took = event.duration_ms
        elif index >= 0:
            tool, took = event.name, _took(event, result)
        else:
            index, tool, took = answer, event.name, result.duration_ms
            rows.append(TimelineRow(index + 1, result, depth + 1, None, tool, start, took, agent, True))
            continue
        rows.append(TimelineRow(index + 1, event, depth, result, tool, start, took, agent))
    return tuple(rows)


def _in_order(count: int, parents: Sequence[int], answers: Mapping[int, int]) -> Iterator[int]:
    """Yield which events are shown one after another; `~index` for what answers a call, after what is in it."""
    answering = frozenset(answers.values())
    if not parents:
        for index in range(count):
            if index not in answering:
                yield index
                if index in answers:
                    yield ~index
        return
    inside: dict[int, list[int]] = defaultdict(list)
    for index in range(count - 1, -1, -1):
        if index not in answering:
            inside[parents[index]].append(index)
    stack = inside[-1]
    while stack:
        index = stack.pop()
        yield index
        if index >= 0:
            if index in answers:
                stack.append(~index)
            stack += inside.get(index, ())


def events_data(events: Sequence[TraceEvent]) -> list[Table]:
    """Return events in their wire form, in which each call and each result that failed has `error`, a text.

    The text is what the call, or else its result, says of the failure, however its source spells that: a message, a
    table with one, what came back, or at least a status.
    """
    answers = pairs(events)
    data = [to_data(event) for event in events]
    for index, event in enumerate(events):
        result = events[answers[index]] if index in answers else None
        if event.type in _OF_TOOLS and (failed(event) or (result is not None and failed(result))):
            failures = (failure(end) for end in (event, result) if end is not None)
            data[index]["error"] = next(filter(None, failures), "failed")
    return data


def pairs(events: Sequence[TraceEvent]) -> dict[int, int]:
    """Return which event answers which call, by their indexes.

    A result answers the earliest open call before it: with its id, else with its name, else any. One with an id
    that no call has may still answer a call that has none. An error answers a call by its id; one without an id
    answers the call right before it, if nothing else does.
    """
    calls = _OpenCalls()
    answers: dict[int, int] = {}
    for index, event in enumerate(events):
        if event.type is EventType.TOOL_CALL:
            calls.add(index, event)
        elif event.type is EventType.TOOL_RESULT or (event.type is EventType.ERROR and event.id is not None):
            call = calls.answered_by(event)
            if call is not None:
                answers[call] = index
    for index, (before, event) in enumerate(pairwise(events)):
        if event.type is EventType.ERROR and event.id is None and _may_fail(before, event) and index not in answers:
            answers[index] = index + 1
    return answers


def speaker(row: TimelineRow, limit: int = 40) -> str:
    """Return who an event is about: its tool, or of a message who speaks."""
    event = row.event
    if event.type is EventType.MESSAGE:
        return one_line(event.name or role_of(event), limit)
    return one_line(event.name or row.tool or "", limit)


def role_of(event: TraceEvent) -> str:
    """Return the role of a message, empty for none."""
    role = (event.metadata or {}).get("role")
    return role if isinstance(role, str) else ""


def calls_of(events: Sequence[TraceEvent]) -> tuple[TimelineRow, ...]:
    """Return the tool calls of a trace in order, each with its result."""
    calls = (row for row in timeline(events) if row.event.type is EventType.TOOL_CALL)
    return tuple(sorted(calls, key=lambda row: row.number))


def search_index(rows: Sequence[TimelineRow]) -> tuple[str, ...]:
    """Return what a search looks through, one folded text per row: name, input, output and text, data as JSON."""
    return tuple(_searchable(row.event) for row in rows)


def matches(index: Sequence[str], needle: str) -> tuple[int, ...]:
    """Return which rows of a search index contain a text, whatever its case; none for an empty text."""
    wanted = needle.casefold()
    return tuple(number for number, text in enumerate(index) if wanted in text) if wanted else ()


def next_of(indexes: Sequence[int], after: int, step: int = 1) -> int | None:
    """Return the next of some row indexes in ascending order, around the end: how a search steps."""
    if not indexes:
        return None
    if step > 0:
        return next((index for index in indexes if index > after), indexes[0])
    return next((index for index in reversed(indexes) if index < after), indexes[-1])


def _searchable(event: TraceEvent) -> str:
    parts: tuple[Maybe, ...] = (event.name, event.input, event.output, event.text, event.extra.get("error"))
    known = [value for value in parts if value is not None and value is not ABSENT]
    return "\n".join([value if isinstance(value, str) else to_json(value) for value in known]).casefold()


def _may_fail(call: TraceEvent, error: TraceEvent) -> bool:
    return call.type is EventType.TOOL_CALL and call.output is ABSENT and error.name in (None, call.name)


def _offset(start: dt.datetime | None, event: TraceEvent) -> float | None:
    moment = None if start is None else instant(event.timestamp)
    return None if start is None or moment is None else milliseconds(start, moment)


def _took(call: TraceEvent, result: TraceEvent) -> float | None:
    duration = result.duration_ms if call.duration_ms is None else call.duration_ms
    if duration is not None:
        return duration
    took = _offset(instant(call.timestamp), result)
    return took if took is not None and took >= 0 else None


@dataclass(slots=True)
class _OpenCalls:
    """The calls that still wait for a result, the earliest first, each found in constant time."""

    by_id: dict[str | int, deque[int]] = field(default_factory=lambda: defaultdict(deque))
    by_name: dict[str | None, deque[int]] = field(default_factory=lambda: defaultdict(deque))
    without_id: dict[str | None, deque[int]] = field(default_factory=lambda: defaultdict(deque))
    waiting: deque[int] = field(default_factory=deque)
    taken: set[int] = field(default_factory=set)

    def add(self, index: int, call: TraceEvent) -> None:
        if call.id is not None:
            self.by_id[call.id].append(index)
        if call.output is ABSENT:
            self.by_name[call.name].append(index)
            self.waiting.append(index)
            if call.id is None:
                self.without_id[call.name].append(index)

    def answered_by(self, event: TraceEvent) -> int | None:
        if event.id is not None:
            result = self._take(self.by_id.get(event.id))
            if result is not None or event.type is EventType.ERROR:
                return result
            return self._take(self.without_id.get(event.name))
        return self._take(self.waiting if event.name is None else self.by_name.get(event.name))

    def _take(self, queue: deque[int] | None) -> int | None:
        while queue:
            index = queue.popleft()
            if index not in self.taken:
                self.taken.add(index)
                return index
        return None
