"""promptfoo's assertions of type `trajectory:…`, judged as promptfoo 0.123.1 does (its `assertions/trajectory.ts`).

promptfoo looks at the spans of a trace. What is looked at here are the tool calls that a record keeps; what depends
on anything else is left open.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from itertools import zip_longest

from sampleui.formats.data import Plain, Table
from sampleui.integrations.integration import Trajectories
from sampleui.integrations.javascript import trim
from sampleui.text.confined import SCHEME
from sampleui.trace.argument_comparison import equal_in_json
from sampleui.trace.events import ABSENT, Maybe, number
from sampleui.trace.preview import preview
from sampleui.trace.timeline import TimelineRow
from sampleui.trace.trajectory_checks import Found, TrajectoryResult, kind_of, times_called

PREFIX = "trajectory:"
"""How the types of these assertions begin."""

_SHELLS = frozenset({"exec_command", "local_shell", "shell"})
_TEMPLATE = re.compile(r"\{[{%#]")


class _UnknownAssertionError(Exception):
    """What an assertion asks is not known here. The message says why."""


class _RefusedError(Exception):
    """promptfoo refuses an assertion. The message says why."""


def judged(entry: Table, calls: Sequence[TimelineRow], _ran: bool = False) -> TrajectoryResult | None:
    """Return what promptfoo says of an assertion; None where it is none of these, or asks a model.

    Args:
        entry: the assertion as the test gives it.
        calls: the tool calls of the run, in order.
    """
    kind = kind_of(entry)
    plain = kind.removeprefix("not-")
    judge = _JUDGES.get(plain)
    if judge is None:
        return None
    name = next(
        (own_name for key in ("name", "metric") if isinstance(own_name := entry.get(key), str) and own_name), kind
    )
    negated = (entry.get("negate") is True) != (plain != kind)
    mode = plain.removeprefix(PREFIX)
    value = entry.get("value")
    try:
        if _TEMPLATE.search(json.dumps(value)):
            raise _UnknownAssertionError("its value is a template")
        if isinstance(value, str) and value.startswith((SCHEME, "package:")):
            raise _UnknownAssertionError("its value is another file")
        outcomes = [*judge(value, [call for call in calls if _is_tool(call)], negated)]
    except _UnknownAssertionError as error:
        return TrajectoryResult.left_out(name, mode, str(error))
    except _RefusedError as error:
        return TrajectoryResult(name, mode, 0.0, False, misses=(str(error),))
    several = mode == "tool-used" and isinstance(value, str | list)
    return TrajectoryResult.of(name, mode, outcomes, negated=negated and not several, whole=True)


def _used(value: Plain, calls: Sequence[TimelineRow], negated: bool) -> Iterator[Found]:
    """Yield what is found of a tool, of each of a list of tools, or of how often one is called."""
    tools = [value] if isinstance(value, str) else value
    if isinstance(tools, list) and tools and all(isinstance(tool, str) for tool in tools):
        for tool in map(str, tools):
            count = len([call for call in calls if _named(call, tool)])
            wanted = "none" if negated else "at least 1"
            yield Found(bool(count) != negated, f"{tool}: {times_called(count)}, {wanted} wanted")
        return
    if not isinstance(value, dict):
        raise _RefusedError("the value must name a tool")
    yield _counted(value, calls, 1)


def _counted(value: Table, calls: Sequence[TimelineRow], usual: float | None) -> Found:
    tool = _tool(value)
    least, most = number(value.get("min")), number(value.get("max"))
    least = usual if least is None else least
    count = len([call for call in calls if _matches(call, value, tool)])
    limits = [f"{word} {limit:g}" for word, limit in (("at least", least), ("at most", most)) if limit is not None]
    hit = (least is None or count >= least) and (most is None or count <= most)
    return Found(hit, f"{tool}: {times_called(count)}, {' and '.join(limits)} wanted")


def _steps(value: Plain, calls: Sequence[TimelineRow], _: bool) -> Iterator[Found]:
    """Yield what is found of a number of steps, of which the calls of tools alone are known."""
    if not isinstance(value, dict) or (number(value.get("min")), number(value.get("max"))) == (None, None):
        raise _RefusedError("the value must have a min or a max")
    if value.get("type") not in ("tool", ["tool"]):
        raise _UnknownAssertionError("it counts more than calls of tools")
    named = value if value.get("pattern") or value.get("name") else {**value, "name": "*"}
    yield _counted(named, calls, None)


def _sequence(value: Plain, calls: Sequence[TimelineRow], _: bool) -> Iterator[Found]:
    """Yield what is found of a sequence of tools, by their names alone."""
    table: Table = value if isinstance(value, dict) else {"steps": value}
    steps = table.get("steps") or []
    if not isinstance(steps, list) or not steps:
        raise _RefusedError("the value must list the steps")
    wanted = [(step, _tool(step)) for step in steps]
    if table.get("mode") != "exact":
        yield from _one_after_another(wanted, calls)
        return
    for call_number, (item, call) in enumerate(zip_longest(wanted, calls), 1):
        called = "missing" if call is None else call.event.name
        asked = "none" if item is None else item[1]
        hit = item is not None and call is not None and _matches(call, *item)
        yield Found(
            hit, f"call {call_number} is {called}" if hit else f"call {call_number} is {called}, {asked} expected"
        )


def _one_after_another(wanted: Sequence[tuple[Plain, str]], calls: Sequence[TimelineRow]) -> Iterator[Found]:
    """Yield a finding a step; one that is not found hides all after it."""
    start = 0
    for step, tool in wanted:
        index = next((index for index in range(start, len(calls)) if _matches(calls[index], step, tool)), None)
        message = "not called in order" if index is None else f"found as call {index + 1}"
        yield Found(index is not None, f"{tool}: {message}")
        start = len(calls) if index is None else index + 1


def _arguments(value: Plain, calls: Sequence[TimelineRow], _: bool) -> Iterator[Found]:
    """Yield whether a tool was called with arguments: those of one call, without what is ignored and usual."""
    if not isinstance(value, dict):
        raise _RefusedError("the value must name a tool and its args")
    tool, mode = _tool(value), value.get("mode", "partial")
    if not {"args", "arguments"} & value.keys():
        raise _RefusedError("the value must name a tool and its args")
    if mode not in ("partial", "exact"):
        raise _RefusedError(f"mode {mode!r} is neither partial nor exact")
    ignored, usual = _ignored(value), value.get("defaults", {})
    if not isinstance(usual, dict):
        raise _RefusedError("defaults must be a table")
    wanted = _without(value["args"] if "args" in value else value["arguments"], ignored, {})
    arguments = [_arguments_of(call) for call in calls if _matches(call, value, tool)]
    known = [_without(item, ignored, usual) for item in arguments if item is not ABSENT]
    hit = any(equal_in_json(item, wanted) if mode == "exact" else _holds(item, wanted) for item in known)
    asked, found = preview(wanted, 60), ", ".join(preview(item, 60) for item in known[:3])
    message = f"called with {found}" if known else times_called(len(arguments))
    yield Found(hit, f"{tool}: called with {asked}" if hit else f"{tool}: {message}, {asked} expected")


def _ignored(value: Table) -> list[str]:
    ignored = value.get("ignore", [])
    names = ignored if isinstance(ignored, list) else [ignored]
    if not all(isinstance(name, str) and trim(name) for name in names):
        raise _RefusedError("ignore must name arguments")
    return [str(name) for name in names]


def _without(value: Maybe, ignored: Sequence[str], usual: Table) -> Maybe:
    """Return arguments without those that are ignored, and those that have their usual value."""
    if not isinstance(value, dict):
        return value
    compared = {key: item for key, item in value.items() if not any(_is_ignored(key, name) for name in ignored)}
    return {key: item for key, item in compared.items() if key not in usual or not equal_in_json(item, usual[key])}


def _is_ignored(key: str, name: str) -> bool:
    return key == name or (("*" in name or "?" in name) and _like(key, name))


def _holds(actual: Maybe, expected: Maybe) -> bool:
    """Tell whether a value holds an expected one: tables may have more keys, lists must be as long."""
    if isinstance(expected, list):
        alike = isinstance(actual, list) and len(actual) == len(expected)
        return alike and isinstance(actual, list) and all(map(_holds, actual, expected))
    if isinstance(expected, dict):
        return isinstance(actual, dict) and all(
            key in actual and _holds(actual[key], value) for key, value in expected.items()
        )
    return equal_in_json(actual, expected)


def _arguments_of(call: TimelineRow) -> Maybe:
    """Return the arguments of a call; of a text its JSON."""
    arguments = call.event.input
    if arguments is None or not isinstance(arguments, str):
        return ABSENT if arguments is None else arguments
    try:
        return json.loads(trim(arguments)) if trim(arguments) else ABSENT
    except (ValueError, RecursionError):
        return trim(arguments)


def _is_tool(call: TimelineRow) -> bool:
    """Tell whether a call is one of a tool to promptfoo: what runs a command in a shell is a command."""
    name, arguments = call.event.name, _arguments_of(call)
    if name is None or trim(name).lower() not in _SHELLS or not isinstance(arguments, dict):
        return name is not None
    command = next((arguments[key] for key in ("cmd", "command", "commands") if key in arguments), None)
    if isinstance(command, list):
        return not any(trim(str(part)) for part in command)
    return not (isinstance(command, str) and trim(command))


def _tool(step: Plain) -> str:
    named = [step.get("pattern"), step.get("name")] if isinstance(step, dict) else [step]
    tool = next((item for item in named if isinstance(item, str) and item), None)
    if tool is None:
        raise _RefusedError("a tool must have a name or a pattern")
    return tool


def _matches(call: TimelineRow, step: Plain, tool: str) -> bool:
    kinds = step.get("type") if isinstance(step, dict) else None
    return (not kinds or "tool" in (kinds if isinstance(kinds, list) else [kinds])) and _named(call, tool)


def _named(call: TimelineRow, tool: str) -> bool:
    return not tool or _like(trim(call.event.name or ""), tool)


def _like(text: str, pattern: str) -> bool:
    """Tell whether a text is like a pattern with `*` and `?`, whatever their case."""
    return fnmatchcase(text.lower(), pattern.lower().replace("[", "[[]"))


_JUDGES: Mapping[str, Callable[[Plain, Sequence[TimelineRow], bool], Iterator[Found]]] = {
    f"{PREFIX}tool-used": _used,
    f"{PREFIX}tool-sequence": _sequence,
    f"{PREFIX}tool-args-match": _arguments,
    f"{PREFIX}step-count": _steps,
}


TRAJECTORIES = Trajectories(check=judged)
