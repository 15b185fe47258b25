"""Trajectory checks: which ones a sample declares, and whether a run called the tools that they expect."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from fnmatch import fnmatchcase
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

from sampleui.formats.data import Plain, Table, as_list, as_table
from sampleui.integrations import index
from sampleui.trace.argument_comparison import differences, equal_in_json, holds
from sampleui.trace.events import ABSENT, Maybe, TraceEvent, number
from sampleui.trace.reading.extract import RecordTrace, untold
from sampleui.trace.timeline import TimelineRow, calls_of

if TYPE_CHECKING:
    from sampleui.integrations.integration import Trajectories


class Found(NamedTuple):
    """One thing that a check looked for, in words. If it does not count, it is shown but changes no score."""

    hit: bool
    words: str
    counts: bool = True


class TrajectoryResult(NamedTuple):
    """What a check found, in words.

    Attributes:
        name: the name that the sample gives the check, or else its type.
        mode: how it compares, as the sample says.
        score: from 0 to 1.
        passed: whether it holds; None if its runner leaves it out or it could not be made, so that it says nothing.
        hits: what was found.
        misses: what was not, or why nothing was looked for.
        negated: whether it holds where its trajectory does not. Score, hits and misses are so already.
    """

    name: str
    mode: str
    score: float
    passed: bool | None
    hits: tuple[str, ...] = ()
    misses: tuple[str, ...] = ()
    negated: bool = False

    @classmethod
    def of(
        cls,
        name: str,
        mode: str,
        outcomes: Iterable[Found],
        *,
        passes: float = 1.0,
        negated: bool = False,
        whole: bool = False,
    ) -> TrajectoryResult:
        """Return the result of a check: its score is hits / all that counts, and what asks nothing has 1.

        Args:
            name: the name of the check.
            mode: how it compares.
            outcomes: what was found of each part of the check.
            passes: the score from which it holds.
            negated: whether it holds below that score alone.
            whole: whether all must be found, and a part counts for nothing.
        """
        everything = list(outcomes)
        counted = [outcome.hit for outcome in everything if outcome.counts]
        score = sum(counted) / len(counted) if counted else 1.0
        score = float(score >= 1.0) if whole else score
        return cls(
            name,
            mode,
            1.0 - score if negated else score,
            (score >= passes) != negated,
            tuple(outcome.words for outcome in everything if outcome.hit != negated),
            tuple(outcome.words for outcome in everything if outcome.hit == negated),
            negated,
        )

    @classmethod
    def left_out(cls, name: str, mode: str, why: str) -> TrajectoryResult:
        """Return the result of a check that its runner leaves out, or that could not be made."""
        return cls(name, mode, 0.0, None, misses=(why,))


class MatchMode(StrEnum):
    """How the calls of a run are held against those expected."""

    ANY_ORDER = "any_order"
    IN_ORDER = "in_order"
    EXACT = "exact"


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


def _any_order(minimums: Mapping[str, int], calls: Sequence[TimelineRow]) -> Iterator[Found]:
    for tool, least in minimums.items():
        count_made = sum(_named(call, tool) for call in calls)
        yield Found(count_made >= least, f"{tool}: {times_called(count_made)}, at least {least} wanted")


def _in_order(wanted: Sequence[ExpectedCall], calls: Sequence[TimelineRow]) -> Iterator[Found]:
    # A call that is not found leaves the place in the trace as it was, so that it does not hide those after it.
    start = 0
    for expected in wanted:
        position = next(
            (index for index in range(start, len(calls)) if not _objection(calls[index], expected)), None
        )
        if position is not None:
            yield Found(True, f"{expected.tool}: found as call {position + 1}")
            start = position + 1
        else:
            yield Found(False, _why_not_found(expected, calls, start))


def _exact(wanted: Sequence[ExpectedCall], calls: Sequence[TimelineRow]) -> Iterator[Found]:
    for call_number, (expected, call) in enumerate(zip_longest(wanted, calls), 1):
        if expected is None:
            yield Found(False, f"call {call_number} is {_name(call)}, none expected")
        elif call is None:
            yield Found(False, f"call {call_number} is missing, {expected.tool} expected")
        else:
            objection = _objection(call, expected)
            yield Found(
                not objection,
                f"call {call_number}: {objection}" if objection else f"call {call_number} is {expected.tool}",
            )


def _why_not_found(expected: ExpectedCall, calls: Sequence[TimelineRow], start: int) -> str:
    later = [call for call in calls[start:] if _named(call, expected.tool)]
    if later:
        return _objection(later[0], expected)
    if any(_named(call, expected.tool) for call in calls[:start]):
        return f"{expected.tool}: called only before call {start}, out of order"
    return f"{expected.tool}: not called"


def _objection(call: TimelineRow, expected: ExpectedCall) -> str:
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
    return equal_in_json(actual, expected) if exactly else holds(actual, expected)


def _differs(actual: Maybe, expected: Plain, exactly: bool) -> str:
    found_differences = list(differences(actual, expected))
    words = (
        found_differences
        if exactly
        else [difference for difference in found_differences if difference.expected is not ABSENT]
    )
    return "; ".join(map(str, words[:3])) + (f"; {len(words) - 3} more" if len(words) > 3 else "")


def _named(call: TimelineRow, tool: str) -> bool:
    name = call.event.name
    if name is None:
        return False
    return name == tool or fnmatchcase(name, tool)


def _name(call: TimelineRow) -> str:
    return call.event.name or "a call without a name"


def times_called(count: int) -> str:
    """Return in words how often something was called."""
    return {0: "not called", 1: "called once", 2: "called twice"}.get(count, f"called {count} times")


TRAJECTORY = "tool-trajectory"
NESTED = ("evaluators", "assertions", "assert")
_DEFAULTS = ("default_test", "defaultTest")
_MODES = ", ".join(MatchMode)


def declared(data: Table, context: Table) -> Iterator[Plain]:
    """Yield the evaluators and assertions of a sample, wherever they stand.

    Those of the file come after its own, and those of a `defaultTest` before.
    """
    execution = as_table(data.get("execution"))
    opts_out = bool(data.get("skip_defaults") or execution.get("skip_defaults"))
    if not opts_out and as_table(data.get("options")).get("disableDefaultAsserts") is not True:
        for key in _DEFAULTS:
            yield from _asserted(as_table(context.get(key)))
    evaluators = as_list(execution.get("evaluators")) or as_list(data.get("evaluators"))
    shared = as_list(as_table(context.get("execution")).get("evaluators")) or as_list(context.get("evaluators"))
    yield from [*(evaluators or shared), *_asserted(data), *_asserted(execution)]
    if not opts_out:
        yield from _asserted(context)


def with_nested(entries: Iterable[Plain]) -> Iterator[Table]:
    """Yield assertions, each followed by those that it is made of."""
    for entry in entries:
        if isinstance(entry, dict):
            yield entry
            for key in NESTED:
                yield from with_nested(as_list(entry.get(key)))


def kind_of(entry: Table) -> str:
    """Return the type of an assertion, with hyphens."""
    return str(entry.get("type")).lower().replace("_", "-")


def result_of(entry: Table, events: Sequence[TraceEvent]) -> TrajectoryResult | None:
    """Return what an assertion of the specification says of a trace, None when it is of another type.

    It is `{mode, minimums}` or `{mode, expected: [{tool, args|input, output, max_duration_ms}]}`. The score is
    hits / checks; what asks nothing passes. One that cannot be understood fails: left out, it would pass unseen.
    """
    kind = kind_of(entry)
    plain = kind.removeprefix("not-")
    if plain != TRAJECTORY:
        return None
    name = next((name for key in ("name", "metric") if isinstance(name := entry.get(key), str) and name), kind)
    written = entry.get("mode", MatchMode.ANY_ORDER if "minimums" in entry else MatchMode.IN_ORDER)
    mode = next((mode for mode in MatchMode if mode == str(written).replace("-", "_")), None)
    outcomes = f"mode {written!r} is none of {_MODES}" if mode is None else _outcomes(entry, mode, calls_of(events))
    mode = mode or MatchMode.IN_ORDER
    if isinstance(outcomes, str):
        return TrajectoryResult(name, mode, 0.0, False, misses=(outcomes,))
    negated = (entry.get("negate") is True) != (plain != kind)
    return TrajectoryResult.of(name, mode, outcomes, negated=negated)


def _outcomes(entry: Table, mode: MatchMode, calls: Sequence[TimelineRow]) -> Iterator[Found] | str:
    """Return what is found of an assertion, or why it cannot be understood."""
    expected = as_list(entry.get("expected"))
    wanted = [call for item in expected if (call := _expected(item, entry)) is not None]
    if len(wanted) < len(expected):
        return "every expected call must name its tool"
    if mode is not MatchMode.ANY_ORDER:
        return (_in_order if mode is MatchMode.IN_ORDER else _exact)(wanted, calls)
    minimums = entry.get("minimums", dict(Counter(call.tool for call in wanted)))
    counts = {tool: number(least) for tool, least in minimums.items()} if isinstance(minimums, dict) else {"": None}
    least = {tool: math.ceil(count) for tool, count in counts.items() if count is not None}
    return _any_order(least, calls) if len(least) == len(counts) else "minimums must give a number for each tool"


def _expected(item: Plain, entry: Table) -> ExpectedCall | None:
    tool = _tool(item)
    if tool is None:
        return None
    if not isinstance(item, dict):
        return ExpectedCall(tool)
    wanted = next((item[key] for key in ("args", "input", "arguments") if key in item), ABSENT)
    match = next((item[key] for key in ("args_match", "argsMatch") if key in item), entry.get("args_match"))
    return ExpectedCall(
        tool,
        input=ABSENT if wanted == "any" or match == "ignore" else wanted,
        output=item.get("output", ABSENT),
        exactly=match == "exact",
        max_duration_ms=number(item.get("max_duration_ms", item.get("maxDurationMs"))),
    )


def _tool(item: Plain) -> str | None:
    if isinstance(item, str):
        return item or None
    named = (item.get(key) for key in ("tool", "name", "pattern")) if isinstance(item, dict) else ()
    return next((name for name in named if isinstance(name, str) and name), None)


def _asserted(data: Table) -> list[Plain]:
    return [*as_list(data.get("assert")), *as_list(data.get("assertions"))]


def check_record(record: Table, trace: RecordTrace, data: Table, context: Table) -> tuple[TrajectoryResult, ...]:
    """Return what the trajectory checks of a sample say of a record; where `unchecked` says why, they say nothing.

    Args:
        record: the row as the results file gives it.
        trace: what the record did.
        data: the sample as the deck gives it.
        context: the values of the deck beside its samples.
    """
    runner = _runner(record, trace)
    declared_checks = None if runner is None else runner.declared_checks
    entries = [*with_nested((declared_checks or declared)(data, context))]
    if not entries:
        return ()
    why = unchecked(record, trace)
    calls = calls_of(trace.events) if runner is None else runner.calls(trace)
    checked = (_checked(entry, calls, record, trace) for entry in entries)
    results = (result for result in checked if result is not None)
    return tuple(TrajectoryResult.left_out(result.name, result.mode, why) if why else result for result in results)


def unchecked(record: Table, trace: RecordTrace) -> str:
    """Return why there is no telling what a record called; empty if there is.

    That is a trace that is not there, or of which the record keeps the answer alone, and a run that its program did
    not grade.
    """
    runner = _runner(record, trace)
    return untold(trace) or ("" if runner is None else runner.why_ungraded(record))


def _runner(record: Table, trace: RecordTrace) -> Trajectories | None:
    """Return how the program judges trajectories that ran a record; None if that is unknown or judges none."""
    judges = (judge.trajectories() for judge in index.judges_of_runs())
    return next((judge for judge in judges if judge.judged_run(record, trace)), None)


def _checked(
    entry: Table, calls: Sequence[TimelineRow], record: Table, trace: RecordTrace
) -> TrajectoryResult | None:
    checker = index.checker(kind_of(entry)).trajectories()
    result = checker.check(entry, calls, checker.judged_run(record, trace))
    return result_of(entry, trace.events) if result is None else result
