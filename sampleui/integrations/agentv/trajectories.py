"""The tool trajectories of AgentV 4 and 5, judged as their `ToolTrajectoryGrader` judges them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice

from sampleui.formats.data import Plain, Table, is_number, tables_in
from sampleui.integrations.agentv.grading import PASSES, asserted, ran
from sampleui.integrations.integration import Trajectories
from sampleui.trace.argument_comparison import equal_in_json
from sampleui.trace.events import ABSENT, EventType, Maybe
from sampleui.trace.reading.extract import RecordTrace, TraceSource
from sampleui.trace.timeline import TimelineRow, calls_of
from sampleui.trace.trajectory_checks import NESTED, TRAJECTORY, Found, TrajectoryResult, kind_of

_OF_TODAY = ("superset", "subset")
"""Modes, and ways to match arguments, that the specification does not know."""

_MATCHES = ("exact", "superset", "subset", "ignore")


class _LeftOutError(Exception):
    """AgentV leaves an assertion out. The message says why."""


def judged(entry: Table, calls: Sequence[TimelineRow]) -> TrajectoryResult:
    """Return what AgentV says of a `tool-trajectory` assertion.

    Args:
        entry: the assertion as the sample gives it.
        calls: the tool calls of the run, in order.
    """
    name, mode = entry.get("name"), str(entry.get("mode"))
    called = name if isinstance(name, str) and name else TRAJECTORY
    try:
        outcomes = list(_outcomes(entry, calls))
    except _LeftOutError as error:
        return TrajectoryResult.left_out(called, mode, f"{error}, and AgentV leaves it out")
    return TrajectoryResult.of(called, mode, outcomes, passes=PASSES, negated=entry.get("negate") is True)


def ungraded(record: Table) -> str:
    """Return why AgentV did not grade a record; empty if it did."""
    failed = record.get("execution_status") == "execution_error" and not record.get("scores")
    return "the run failed before it was graded" if failed else ""


def declared(data: Table, context: Table) -> Iterator[Table]:
    """Yield the assertions of a test and its suite, with those of their members that AgentV takes."""
    return _as_taken(asserted(data, context))


def checked(entry: Table, calls: Sequence[TimelineRow], ran: bool) -> TrajectoryResult | None:
    """Return what AgentV says of a check, if it ran the record or alone knows the words of the check; else None."""
    return judged(entry, calls) if kind_of(entry) == TRAJECTORY and (ran or _is_newer(entry)) else None


def _is_newer(entry: Table) -> bool:
    """Tell whether a check is in words that the specification does not know and AgentV 4 does."""
    matches = [call.get("args_match", call.get("argsMatch")) for call in (entry, *tables_in(entry.get("expected")))]
    return entry.get("mode") in _OF_TODAY or any(isinstance(match, list) or match in _OF_TODAY for match in matches)


def timed(trace: RecordTrace) -> tuple[TimelineRow, ...]:
    """Return the calls of a trace without times that are not theirs.

    A call of unknown duration has in AgentV's transcripts that of its message, or else that of the whole run.
    """
    wholes = {event.duration_ms for event in trace.events if event.type is EventType.MESSAGE}
    if trace.source is TraceSource.TRANSCRIPT:
        wholes.add(trace.summary.duration_ms)
    calls = calls_of(trace.events)
    return tuple(call._replace(duration_ms=None) if call.duration_ms in wholes else call for call in calls)


def _as_taken(entries: Iterable[Table]) -> Iterator[Table]:
    """Yield assertions with the members that AgentV takes: named, of types with hyphens, and never negated."""
    for entry in entries:
        yield {key: _members(value) if key in NESTED else value for key, value in entry.items()}


def _members(listed: Plain) -> Plain:
    tables = tables_in(listed)
    named_tables = (table for table in tables if table.get("name") and "_" not in str(table.get("type")))
    return [*_as_taken({key: value for key, value in item.items() if key != "negate"} for item in named_tables)]


def _outcomes(entry: Table, calls: Sequence[TimelineRow]) -> Iterator[Found]:
    mode, expected, minimums = str(entry.get("mode")), entry.get("expected"), entry.get("minimums")
    if mode != "any_order" and mode not in _JUDGES:
        raise _LeftOutError(f"AgentV has no mode {mode!r}")
    if minimums is not None and not isinstance(minimums, dict):
        raise _LeftOutError("its minimums are not a table")
    if "expected" in entry and not isinstance(expected, list):
        raise _LeftOutError("what it expects is not a list")
    if mode == "any_order":
        if minimums is None:
            raise _LeftOutError("mode any_order needs minimums")
        return _any_order(minimums, calls)
    if not isinstance(expected, list):
        raise _LeftOutError(f"mode {mode} needs a list of expected calls")
    wanted = [table for table in expected if isinstance(table, dict) and isinstance(table.get("tool"), str)]
    if not wanted:
        return _nothing(calls) if mode == "subset" else iter(())
    return _JUDGES[mode](wanted, calls, _match(entry) or "exact")


def _nothing(calls: Sequence[TimelineRow]) -> Iterator[Found]:
    if calls:
        yield Found(False, f"{len(calls)} calls, and none is allowed")


def _any_order(minimums: Table, calls: Sequence[TimelineRow]) -> Iterator[Found]:
    count = Counter(_name(call) for call in calls)
    for tool, written in minimums.items():
        if (least := _limit(written)) is not None:
            yield Found(count[tool] >= least, f"{tool}: called {count[tool]} times, at least {least:g} wanted")


def _in_order(wanted: Sequence[Table], calls: Sequence[TimelineRow], default: Plain) -> Iterator[Found]:
    """Yield an outcome for each wanted call, in order.

    A call with other arguments is passed over. After one that was not made, all others count as not found.
    """
    position = 0
    for item in wanted:
        index = next((index for index in range(position, len(calls)) if _name(calls[index]) == item["tool"]), None)
        position = len(calls) if index is None else index + 1
        if index is None:
            yield from _missed(item, f"{item['tool']}: not called after what was found")
        elif not _fits(item, calls[index], default):
            yield from _missed(item, f"{item['tool']}: call {index + 1} has other arguments")
        else:
            yield Found(True, f"{item['tool']}: found as call {index + 1}")
            yield from _in_time(item, calls[index])


def _exact(wanted: Sequence[Table], calls: Sequence[TimelineRow], default: Plain) -> Iterator[Found]:
    for index, item in enumerate(wanted):
        call = calls[index] if index < len(calls) else None
        if call is None:
            yield from _missed(item, f"call {index + 1} is missing, {item['tool']} expected")
        elif _name(call) != item["tool"]:
            yield from _missed(item, f"call {index + 1}: {_name(call)} called, {item['tool']} expected")
        elif not _fits(item, call, default):
            yield from _missed(item, f"call {index + 1}: {item['tool']} has other arguments")
        else:
            yield Found(True, f"call {index + 1} is {item['tool']}")
            yield from _in_time(item, call)
    for index, call in enumerate(islice(calls, len(wanted), None), len(wanted) + 1):
        yield Found(False, f"call {index} is {_name(call)}, none expected (AgentV does not count it)", counts=False)


def _superset(wanted: Sequence[Table], calls: Sequence[TimelineRow], default: Plain) -> Iterator[Found]:
    left = dict(enumerate(calls, 1))
    for item in wanted:
        matching = (
            position
            for position, call in left.items()
            if _name(call) == item["tool"] and _fits(item, call, default)
        )
        position = next(matching, None)
        if position is None:
            yield Found(False, f"{item['tool']}: not found")
        else:
            del left[position]
            yield Found(True, f"{item['tool']}: found as call {position}")


def _subset(wanted: Sequence[Table], calls: Sequence[TimelineRow], default: Plain) -> Iterator[Found]:
    for index, call in enumerate(calls, 1):
        allowed = any(_name(call) == item["tool"] and _fits(item, call, default) for item in wanted)
        yield Found(allowed, f"call {index} is {_name(call)}, {'allowed' if allowed else 'not allowed'}")


_JUDGES: Mapping[str, Callable[[Sequence[Table], Sequence[TimelineRow], Plain], Iterator[Found]]] = {
    "in_order": _in_order,
    "exact": _exact,
    "superset": _superset,
    "subset": _subset,
}


def _name(call: TimelineRow) -> str:
    return call.event.name or ""


def _missed(expected: Table, words: str) -> Iterator[Found]:
    """Yield that a call was not made, and that it was not made in its time."""
    yield Found(False, words)
    if (longest := _limit(expected.get("max_duration_ms", expected.get("maxDurationMs")))) is not None:
        yield Found(False, f"{expected['tool']}: not called, in at most {longest:g} ms wanted")


def _in_time(expected: Table, call: TimelineRow) -> Iterator[Found]:
    longest, took = _limit(expected.get("max_duration_ms", expected.get("maxDurationMs"))), call.duration_ms
    if longest is not None and took is not None:
        yield Found(took <= longest, f"{expected['tool']}: took {took:g} ms, at most {longest:g} allowed")


def _fits(expected: Table, call: TimelineRow, default: Plain) -> bool:
    wanted, mode, arguments = expected.get("args"), _match(expected) or default, call.event.input
    if not isinstance(wanted, dict) or mode == "ignore":
        return True
    if not isinstance(arguments, dict):
        return False
    if isinstance(mode, list):
        pairs = ((_value_at(wanted, str(path)), _value_at(arguments, str(path))) for path in mode)
        return all(asked is ABSENT or equal_in_json(asked, actual) for asked, actual in pairs)
    if mode == "superset":
        return _holds(arguments, wanted)
    return _holds(wanted, arguments) if mode == "subset" else equal_in_json(wanted, arguments)


def _match(entry: Table) -> Plain:
    written = entry.get("args_match", entry.get("argsMatch"))
    if isinstance(written, list):
        return [path for path in written if isinstance(path, str) and path] or None
    return written if written in _MATCHES else None


def _value_at(value: Maybe, path: str) -> Maybe:
    for step in path.split("."):
        value = value.get(step, ABSENT) if isinstance(value, dict) else ABSENT
    return value


def _holds(more: Table, less: Table) -> bool:
    return all(key in more and equal_in_json(value, more[key]) for key, value in less.items())


def _limit(value: Plain) -> float | None:
    counts = is_number(value)
    return value if isinstance(value, int | float) and counts and value >= 0 else None


TRAJECTORIES = Trajectories(ran, ungraded, declared, timed, checked)
