"""Trajectory checks: did a run call the tools it was expected to call, by the specification's rules.

The modes: `any_order` asks for minimum counts, `in_order` for a sequence with gaps allowed, `exact`
for that sequence and nothing else. Runs of a program that has rules of its own are judged by those.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from fnmatch import fnmatchcase
from itertools import zip_longest
from typing import NamedTuple

from sampleui.formats.data import Plain
from sampleui.trace.checks.arguments import differences, holds, same_value
from sampleui.trace.checks.found import Found, TrajectoryResult
from sampleui.trace.events import ABSENT, Maybe, TraceEvent
from sampleui.trace.timeline import Row, calls_of


class Mode(StrEnum):
    """How the calls of a run are held against those expected."""

    ANY_ORDER = "any_order"
    IN_ORDER = "in_order"
    EXACT = "exact"


class ToolCount(NamedTuple):
    """How often a tool must be called at least. The tool may be a pattern with `*`."""

    tool: str
    least: int = 1


class ExpectedCall(NamedTuple):
    """A call that must be made. The tool may be a pattern with `*`.

    Attributes:
        input: arguments that the call must hold (or equal, where `exactly`); `ABSENT` accepts any.
        output: what the result must hold; `ABSENT` accepts any.
        exactly: whether no further arguments are allowed.
        max_duration_ms: the longest it may take; a call of unknown duration passes.
    """

    tool: str
    input: Maybe = ABSENT
    output: Maybe = ABSENT
    exactly: bool = False
    max_duration_ms: float | None = None


class TrajectoryCheck(NamedTuple):
    """One check of a sample. `problem` says why it cannot be run: it then fails with a score of 0.

    Attributes:
        negated: whether it holds where its calls were not made.
    """

    name: str
    mode: Mode
    counts: tuple[ToolCount, ...] = ()
    expected: tuple[ExpectedCall, ...] = ()
    problem: str | None = None
    negated: bool = False


def run_check(check: TrajectoryCheck, events: Sequence[TraceEvent]) -> TrajectoryResult:
    """Hold a check against the tool calls of a trace. The score is hits / checks; what asks nothing passes."""
    if check.problem is not None:
        return TrajectoryResult(check.name, check.mode, 0.0, False, misses=(check.problem,))
    outcomes = _RUNS[check.mode](check, calls_of(events))
    return TrajectoryResult.of(check.name, check.mode, outcomes, negated=check.negated)


def _any_order(check: TrajectoryCheck, calls: Sequence[Row]) -> Iterator[Found]:
    for count in check.counts:
        count_made = sum(_named(call, count.tool) for call in calls)
        yield Found(count_made >= count.least, f"{count.tool}: {_times(count_made)}, at least {count.least} wanted")


def _in_order(check: TrajectoryCheck, calls: Sequence[Row]) -> Iterator[Found]:
    # A call that is not found leaves the place in the trace as it was, so that it does not hide those after it.
    start = 0
    for expected in check.expected:
        position = next(
            (index for index in range(start, len(calls)) if not _objection(calls[index], expected)), None
        )
        if position is not None:
            yield Found(True, f"{expected.tool}: found as call {position + 1}")
            start = position + 1
        else:
            yield Found(False, _why_not_found(expected, calls, start))


def _exact(check: TrajectoryCheck, calls: Sequence[Row]) -> Iterator[Found]:
    for place, (expected, call) in enumerate(zip_longest(check.expected, calls), 1):
        if expected is None:
            yield Found(False, f"call {place} is {_name(call)}, none expected")
        elif call is None:
            yield Found(False, f"call {place} is missing, {expected.tool} expected")
        else:
            objection = _objection(call, expected)
            yield Found(
                not objection, f"call {place}: {objection}" if objection else f"call {place} is {expected.tool}"
            )


_RUNS: Mapping[Mode, Callable[[TrajectoryCheck, Sequence[Row]], Iterator[Found]]] = {
    Mode.ANY_ORDER: _any_order,
    Mode.IN_ORDER: _in_order,
    Mode.EXACT: _exact,
}


def _why_not_found(expected: ExpectedCall, calls: Sequence[Row], start: int) -> str:
    later = [call for call in calls[start:] if _named(call, expected.tool)]
    if later:
        return _objection(later[0], expected)
    if any(_named(call, expected.tool) for call in calls[:start]):
        return f"{expected.tool}: called only before call {start}, out of order"
    return f"{expected.tool}: not called"


def _objection(call: Row, expected: ExpectedCall) -> str:
    """Return why a call is not the one expected, empty when it is."""
    if not _named(call, expected.tool):
        return f"{_name(call)} called, {expected.tool} expected"
    if expected.input is not ABSENT and not _fits(call.event.input, expected.input, expected.exactly):
        return f"{expected.tool}: {_differs(call.event.input, expected.input, expected.exactly)}"
    if expected.output is not ABSENT and not _fits(call.output, expected.output, False):
        return f"{expected.tool}: in its output, {_differs(call.output, expected.output, False)}"
    longest, took = expected.max_duration_ms, call.duration_ms
    if longest is not None and took is not None and took > longest:
        return f"{expected.tool}: took {took:g} ms, at most {longest:g} allowed"
    return ""


def _fits(actual: Maybe, expected: Plain, exactly: bool) -> bool:
    return same_value(actual, expected) if exactly else holds(actual, expected)


def _differs(actual: Maybe, expected: Plain, exactly: bool) -> str:
    found_differences = list(differences(actual, expected))
    told = (
        found_differences
        if exactly
        else [difference for difference in found_differences if difference.expected is not ABSENT]
    )
    return "; ".join(map(str, told[:3])) + (f"; {len(told) - 3} more" if len(told) > 3 else "")


def _named(call: Row, tool: str) -> bool:
    name = call.event.name
    if name is None:
        return False
    return name == tool or fnmatchcase(name, tool)


def _name(call: Row) -> str:
    return call.event.name or "a call without a name"


def _times(count: int) -> str:
    return {0: "not called", 1: "called once", 2: "called twice"}.get(count, f"called {count} times")
