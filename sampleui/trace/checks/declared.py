"""The trajectory checks that a sample declares, and what they find in a record.

Evaluators of type `tool_trajectory` are in `execution.evaluators` of the sample, or else of the file. Newer
assertions of type `tool-trajectory`, with the same keys, are in `assert` or `assertions` of both. Runs of a program
that judges trajectories itself are judged by its rules, so that checks and scores agree; others by the
specification's. Types of assertions that only one program has are judged by its rules in any case.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from sampleui.formats.data import Plain, Table
from sampleui.integrations import index
from sampleui.trace.checks.compare import ExpectedCall, Mode, ToolCount, TrajectoryCheck, run_check
from sampleui.trace.checks.found import TrajectoryResult
from sampleui.trace.events import ABSENT, number
from sampleui.trace.reading.extract import Trace, untold
from sampleui.trace.timeline import Row, calls_of

if TYPE_CHECKING:
    from sampleui.integrations.integration import Trajectories

TRAJECTORY = "tool-trajectory"
NESTED = ("evaluators", "assertions", "assert")
_DEFAULTS = ("default_test", "defaultTest")
_MODES = ", ".join(Mode)


def checks_of(data: Table, context: Table) -> tuple[TrajectoryCheck, ...]:
    """Return the trajectory checks of a sample, in the order in which they are declared.

    A check that cannot be understood is returned with its `problem`; if it were left out, it would pass unseen.

    Args:
        data: the sample as the file gives it.
        context: the values of the file beside its samples.
    """
    read = map(check_of, with_nested(declared(data, context)))
    return tuple(check for check in read if check is not None)


def declared(data: Table, context: Table) -> Iterator[Plain]:
    """Yield the evaluators and assertions of a sample, wherever they stand.

    Those of the file come after its own, and those of a `defaultTest` before.
    """
    execution = _table(data, "execution")
    opts_out = bool(data.get("skip_defaults") or execution.get("skip_defaults"))
    if not opts_out and _table(data, "options").get("disableDefaultAsserts") is not True:
        for key in _DEFAULTS:
            yield from _asserted(_table(context, key))
    own = _items(execution, "evaluators") or _items(data, "evaluators")
    shared = _items(_table(context, "execution"), "evaluators") or _items(context, "evaluators")
    yield from [*(own or shared), *_asserted(data), *_asserted(execution)]
    if not opts_out:
        yield from _asserted(context)


def with_nested(entries: Iterable[Plain]) -> Iterator[Table]:
    """Yield assertions, each followed by those that it is made of."""
    for entry in entries:
        if isinstance(entry, dict):
            yield entry
            for key in NESTED:
                yield from with_nested(_items(entry, key))


def kind_of(entry: Table) -> str:
    """Return the type of an assertion, with hyphens."""
    return str(entry.get("type")).lower().replace("_", "-")


def check_of(entry: Table) -> TrajectoryCheck | None:
    """Return an assertion as a trajectory check, None when it is of another type."""
    kind = kind_of(entry)
    plain = kind.removeprefix("not-")
    if plain != TRAJECTORY:
        return None
    negated = (entry.get("negate") is True) != (plain != kind)
    return _trajectory(_label(entry, kind), entry)._replace(negated=negated)


def _trajectory(name: str, entry: Table) -> TrajectoryCheck:
    """Read `{mode, minimums}` or `{mode, expected: [{tool, args|input, output, max_duration_ms}]}`."""
    written = entry.get("mode", Mode.ANY_ORDER if "minimums" in entry else Mode.IN_ORDER)
    mode = next((mode for mode in Mode if mode == str(written).replace("-", "_")), None)
    if mode is None:
        return _problem(name, f"mode {written!r} is none of {_MODES}")
    expected = _items(entry, "expected")
    calls = [_expected(item, entry) for item in expected]
    if any(call is None for call in calls):
        return _problem(name, "every expected call must name its tool", mode)
    known = tuple(call for call in calls if call is not None)
    if mode is not Mode.ANY_ORDER:
        return TrajectoryCheck(name, mode, expected=known)
    minimums = entry.get("minimums", dict(Counter(call.tool for call in known)))
    counts = _minimums(minimums)
    if counts is None:
        return _problem(name, "minimums must give a number for each tool", mode)
    return TrajectoryCheck(name, mode, counts)


def _minimums(minimums: Plain) -> tuple[ToolCount, ...] | None:
    if not isinstance(minimums, dict):
        return None
    counts = {tool: number(least) for tool, least in minimums.items()}
    if any(least is None for least in counts.values()):
        return None
    return tuple(ToolCount(tool, math.ceil(least)) for tool, least in counts.items() if least is not None)


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


def _problem(name: str, problem: str, mode: Mode = Mode.IN_ORDER) -> TrajectoryCheck:
    return TrajectoryCheck(name, mode, problem=problem)


def _label(entry: Table, kind: str) -> str:
    return next((name for key in ("name", "metric") if isinstance(name := entry.get(key), str) and name), kind)


def _asserted(data: Table) -> list[Plain]:
    return [*_items(data, "assert"), *_items(data, "assertions")]


def _table(data: Table, key: str) -> Table:
    value = data.get(key)
    return value if isinstance(value, dict) else {}


def _items(data: Table, key: str) -> list[Plain]:
    value = data.get(key)
    return value if isinstance(value, list) else []


def check_record(record: Table, trace: Trace, data: Table, context: Table) -> tuple[TrajectoryResult, ...]:
    """Return what the trajectory checks of a sample say of a record; where `unchecked` says why, they say nothing.

    Args:
        record: the row as the results file gives it.
        trace: what the record did.
        data: the sample as the deck gives it.
        context: the values of the deck beside its samples.
    """
    why = unchecked(record, trace)
    runner = _runner(record, trace)
    taken = None if runner is None else runner.declared
    entries = with_nested((taken or declared)(data, context))
    calls = calls_of(trace.events) if runner is None else runner.calls(trace)
    checked = (_checked(entry, calls, record, trace) for entry in entries)
    results = (result for result in checked if result is not None)
    return tuple(TrajectoryResult.left_out(result.name, result.mode, why) if why else result for result in results)


def unchecked(record: Table, trace: Trace) -> str:
    """Return why there is no telling what a record called; empty if there is.

    That is a trace that is not there, or of which the record keeps the answer alone, and a run that its program did
    not grade.
    """
    runner = _runner(record, trace)
    return untold(trace) or ("" if runner is None else runner.ungraded(record))


def _runner(record: Table, trace: Trace) -> Trajectories | None:
    """Return the integration that judges trajectories and ran a record."""
    judges = (judge.trajectories() for judge in index.checkers())
    return next((judge for judge in judges if judge.ran(record, trace)), None)


def _checked(entry: Table, calls: Sequence[Row], record: Table, trace: Trace) -> TrajectoryResult | None:
    checker = index.checker(kind_of(entry)).trajectories()
    result = checker.checked(entry, calls, checker.ran(record, trace))
    check = check_of(entry) if result is None else None
    return result if check is None else run_check(check, trace.events)
