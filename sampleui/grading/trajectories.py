"""The tool trajectories of AgentV 4, judged as its `ToolTrajectoryGrader` judges them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from sampleui.formats.data import Plain, Table

PASSES = 0.8
"""The score from which AgentV says that a trajectory passes."""

_MATCHES = ("exact", "superset", "subset", "ignore")


class LeftOutError(Exception):
    """AgentV leaves an assertion out. The message says why."""


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call of a run: its name, its arguments, how long it took; None for what is not there."""

    tool: str
    args: Plain = None
    duration_ms: float | None = None


def trajectory_score(entry: Table, calls: Sequence[Call]) -> float:
    """Return what AgentV scores a trajectory, 0 to 1, before it is negated.

    Raises:
        LeftOutError: when AgentV leaves it out.
    """
    mode, expected = str(entry.get("mode")), entry.get("expected")
    if mode == "any_order":
        return _any_order(entry, calls)
    judge = _JUDGES.get(mode)
    if judge is None:
        raise LeftOutError(f"AgentV has no mode {mode!r}")
    if not isinstance(expected, list):
        raise LeftOutError(f"mode {mode} needs a list of expected calls")
    wanted = [one for one in expected if isinstance(one, dict) and isinstance(one.get("tool"), str)]
    if not wanted:
        return 0.0 if mode == "subset" and calls else 1.0
    found = list(judge(wanted, calls, _match(entry) or "exact"))
    return sum(found) / len(found) if found else 1.0


def _any_order(entry: Table, calls: Sequence[Call]) -> float:
    minimums = entry.get("minimums")
    if not isinstance(minimums, dict):
        raise LeftOutError("mode any_order needs minimums")
    made = Counter(call.tool for call in calls)
    met = [made[tool] >= least for tool, written in minimums.items() if (least := _limit(written)) is not None]
    return sum(met) / len(met) if met else 1.0


def _in_order(wanted: Sequence[Table], calls: Sequence[Call], default: Plain) -> Iterator[bool]:
    at = 0
    for one in wanted:
        place = next((place for place in range(at, len(calls)) if calls[place].tool == one["tool"]), None)
        at = len(calls) if place is None else place + 1
        found = place is not None and _fits(one, calls[place], default)
        yield found
        if found and place is not None:
            yield from _in_time(one, calls[place])


def _exact(wanted: Sequence[Table], calls: Sequence[Call], default: Plain) -> Iterator[bool]:
    for at, one in enumerate(wanted):
        found = at < len(calls) and calls[at].tool == one["tool"] and _fits(one, calls[at], default)
        yield found
        if found:
            yield from _in_time(one, calls[at])


def _superset(wanted: Sequence[Table], calls: Sequence[Call], default: Plain) -> Iterator[bool]:
    left = list(calls)
    for one in wanted:
        found = next((call for call in left if call.tool == one["tool"] and _fits(one, call, default)), None)
        if found is not None:
            left.remove(found)
        yield found is not None


def _subset(wanted: Sequence[Table], calls: Sequence[Call], default: Plain) -> Iterator[bool]:
    for call in calls:
        yield any(call.tool == one["tool"] and _fits(one, call, default) for one in wanted)


_JUDGES: Mapping[str, Callable[[Sequence[Table], Sequence[Call], Plain], Iterator[bool]]] = {
    "in_order": _in_order,
    "exact": _exact,
    "superset": _superset,
    "subset": _subset,
}


def _in_time(one: Table, call: Call) -> Iterator[bool]:
    longest = _limit(one.get("max_duration_ms", one.get("maxDurationMs")))
    if longest is not None and call.duration_ms is not None:
        yield call.duration_ms <= longest


def _fits(one: Table, call: Call, default: Plain) -> bool:
    wanted, mode = one.get("args"), _match(one) or default
    if not isinstance(wanted, dict) or mode == "ignore":
        return True
    if not isinstance(call.args, dict):
        return False
    if isinstance(mode, list):
        pairs = ((_at(wanted, str(path)), _at(call.args, str(path))) for path in mode)
        return all(given is None or _same(given, got) for given, got in pairs)
    if mode == "superset":
        return _holds(call.args, wanted)
    return _holds(wanted, call.args) if mode == "subset" else _same(wanted, call.args)


def _match(entry: Table) -> Plain:
    written = entry.get("args_match", entry.get("argsMatch"))
    if isinstance(written, list):
        return [path for path in written if isinstance(path, str) and path] or None
    return written if written in _MATCHES else None


def _at(value: Plain, path: str) -> Plain:
    for step in path.split("."):
        value = value.get(step) if isinstance(value, dict) else None
    return value


def _holds(more: Table, less: Table) -> bool:
    return all(key in more and _same(value, more[key]) for key, value in less.items())


def _same(one: Plain, other: Plain) -> bool:
    """Tell whether two values are equal as JSON: 1 equals 1.0, true does not equal 1."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and _holds(other, one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    return one == other


def _limit(value: Plain) -> float | None:
    counts = isinstance(value, int | float) and not isinstance(value, bool)
    return value if isinstance(value, int | float) and counts and value >= 0 else None
