"""The compact summary of a trace: counts, and its cost if the source gives it."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from sampleui.formats.data import Table
from sampleui.sample.tokens import Tokens, added, tokens_of
from sampleui.trace.events import EventType, TraceEvent, failed, number, snake
from sampleui.trace.nesting import nesting

T = TypeVar("T")

_USAGE, _COST = ("token_usage", "usage"), "cost_usd"
_COUNTED = frozenset({*_USAGE, _COST})
"""Keys of an event that may say what it cost."""


@dataclass(frozen=True, slots=True)
class Summary:
    """What a trace amounts to.

    Attributes:
        event_count: all events.
        tool_names: the tools called, sorted.
        tool_calls_by_name: how often each was called, in the same order.
        unnamed_calls: how many calls do not name their tool.
        error_count: the events of type `error`.
        failed_calls: the tool calls and results that say of themselves that they failed; those of one id are one.
        tokens: tokens of all model calls, None if nobody says.
        cost_usd: US dollars, None if nobody says.
        duration_ms: from the first moment to the last end, or else as reported; None if nobody says.
        reported_ms: how long the run took as reported, where the events were over in another time.
        counted: whether the events could be counted: not where a message or a call could not be read.
    """

    event_count: int = 0
    tool_names: tuple[str, ...] = ()
    tool_calls_by_name: Mapping[str, int] = field(default_factory=dict)
    unnamed_calls: int = 0
    error_count: int = 0
    failed_calls: int = 0
    tokens: Tokens | None = None
    cost_usd: float | None = None
    duration_ms: float | None = None
    reported_ms: float | None = None
    counted: bool = True

    def to_data(self) -> Table:
        """Return the wire form: the four counts if they are known, then what is known of the rest."""
        counts: Table = {
            "event_count": self.event_count,
            "tool_names": list(self.tool_names),
            "tool_calls_by_name": dict(self.tool_calls_by_name),
            "error_count": self.error_count,
        }
        data: Table = {
            **(counts if self.counted else {}),
            "failed_calls": self.failed_calls or None,
            "token_usage": None if self.tokens is None else self.tokens.to_data(),
            "cost_usd": self.cost_usd,
            "duration_ms": self.duration_ms,
            "reported_duration_ms": self.reported_ms,
        }
        return {key: value for key, value in data.items() if value is not None}


def summarize(
    events: Sequence[TraceEvent], fallbacks: Iterable[Table] = (), parents: Sequence[int] | None = None
) -> Summary:
    """Count events. Tokens, cost and duration that no event gives come from the first fallback that has them.

    What an event in which others happened says of tokens or cost is theirs, where they say it too; `parents` tell
    that where they are known already, as `nesting` returns them.
    """
    calls, results, errors = (
        [event for event in events if event.type is kind]
        for kind in (EventType.TOOL_CALL, EventType.TOOL_RESULT, EventType.ERROR)
    )
    names = Counter(sorted(event.name for event in calls if event.name))
    parents = nesting(events).parents if parents is None else parents
    telling = [
        (index, table)
        for index, event in enumerate(events)
        for table in (event.extra, event.metadata)
        if table and not _COUNTED.isdisjoint(table)
    ]
    counts = _own(telling, parents, _tokens_of)
    rest = [snake(table) for table in fallbacks]
    span = span_ms(events)
    duration = _first_known(number(table.get("duration_ms")) for table in rest)
    return Summary(
        event_count=len(events),
        tool_names=tuple(names),
        tool_calls_by_name=dict(names),
        unnamed_calls=len(calls) - names.total(),
        error_count=len(errors),
        failed_calls=_failed_calls(calls, results),
        tokens=added(counts) or next(filter(None, map(_tokens_of, rest)), None),
        cost_usd=_first_known([_sum(_own(telling, parents, _cost_of)), *map(_cost_of, rest)]),
        duration_ms=duration if span is None else span,
        reported_ms=duration if span is not None and duration is not None and abs(duration - span) >= 1 else None,
    )


def reported_summary(data: Table) -> Summary | None:
    """Return the summary that a results file gives in place of a trace, None when it counts nothing."""
    count, calls = number(data.get("event_count")), data.get("tool_calls_by_name")
    if count is None:
        return None
    entries = calls.items() if isinstance(calls, dict) else ()
    counts = {name: int(times) for name, value in entries if (times := number(value)) is not None}
    return Summary(
        event_count=int(count),
        tool_names=tuple(sorted(counts)),
        tool_calls_by_name={name: counts[name] for name in sorted(counts)},
        error_count=int(number(data.get("error_count")) or 0),
        tokens=_tokens_of(data),
        cost_usd=_cost_of(data),
        duration_ms=number(data.get("duration_ms")),
    )


def instant(timestamp: str | None) -> dt.datetime | None:
    """Return the moment of an ISO 8601 timestamp, None when it is not one. A time without a zone counts as UTC."""
    if timestamp is None:
        return None
    try:
        moment = dt.datetime.fromisoformat(timestamp)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=dt.UTC)


def moment_at(seconds: float, precision: str) -> str | None:
    """Return seconds since 1970 as ISO 8601 in UTC, None for what is no moment.

    Args:
        seconds: the seconds.
        precision: to which part of a second it is written, as `datetime.isoformat` calls them.
    """
    try:
        return dt.datetime.fromtimestamp(seconds, dt.UTC).isoformat(timespec=precision)
    except (OverflowError, OSError, ValueError):
        return None


def span_ms(events: Sequence[TraceEvent]) -> float | None:
    """Return the milliseconds from the first moment of a trace to its last end.

    None unless the first and the last of two or more events say when they were: a part is not the whole.
    """
    if len(events) < 2 or instant(events[0].timestamp) is None or instant(events[-1].timestamp) is None:
        return None
    spans = [(moment, event.duration_ms or 0) for event in events if (moment := instant(event.timestamp))]
    start = min(moment for moment, _ in spans)
    return max(milliseconds(start, moment) + duration for moment, duration in spans)


def milliseconds(start: dt.datetime, end: dt.datetime) -> float:
    """Return the milliseconds from one moment to another, negative when the other is earlier."""
    return (end - start) / dt.timedelta(milliseconds=1)


def _own(
    telling: Sequence[tuple[int, Table]], parents: Sequence[int], told_by: Callable[[Table], T | None]
) -> Iterator[T]:
    """Yield what events say in tables of theirs, without what one says of those that happened in it."""
    values = [(index, value) for index, table in telling if (value := told_by(table)) is not None]
    told = {index for index, _ in values}
    around: set[int] = set()  # events in which another says it
    if parents:
        for index in range(len(parents) - 1, -1, -1):  # a parent comes before what is in it
            if index in told or index in around:
                around.add(parents[index])
    return (value for index, value in values if index not in around)


def _failed_calls(calls: Sequence[TraceEvent], results: Sequence[TraceEvent]) -> int:
    called = Counter(event.id for event in calls)
    broken, refused = (Counter(event.id for event in ends if failed(event)) for ends in (calls, results))
    without_id = broken.pop(None, 0) + refused.pop(None, 0)
    # A call may have several results, and an id may be that of several calls.
    return without_id + sum(max(broken[name], min(refused[name], called[name] or 1)) for name in broken | refused)


def _tokens_of(table: Table) -> Tokens | None:
    """Return the tokens that a table gives under `token_usage` or `usage`."""
    for key in _USAGE:  # a loop, because it runs for every event of a trace
        usage = table.get(key)
        if isinstance(usage, dict):
            return tokens_of(usage)
    return None


def _cost_of(table: Table) -> float | None:
    return number(table.get(_COST))


def _sum(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) if known else None


def _first_known(values: Iterable[float | None]) -> float | None:
    return next((value for value in values if value is not None), None)
