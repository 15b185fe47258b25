"""The names of values as people type them: `expected.score`, `options[2].content`, `metadata."a.b"`."""

from __future__ import annotations

import json
import re

from sampleui.errors import PathError
from sampleui.formats.data import END, DataPath, Plain, Table, shown
from sampleui.formats.operations import Insert, Set
from sampleui.sample.kinds import kind_of
from sampleui.text.wording import counted

_STEP = re.compile(
    r"""
    (?P<index> \[ \s* (?P<number> \d{1,9} | \+ ) \s* \] )
  | (?P<quoted> "(?:[^"\\]|\\.)*" | '[^']*' )
  | (?P<bare> [^.\[\]"']+ )
    """,
    re.VERBOSE,
)


def path_of(name: str) -> DataPath:
    """Return the path that a name stands for.

    Keys are parted by dots, items of lists are counted from 0 in brackets, `[+]` is the place behind the last one,
    a key with such signs in it is quoted.

    Raises:
        PathError: when the name cannot be read, with the column where it stops making sense.
    """
    path: list[str | int] = []
    position = 0
    while position < len(name):
        dot = name.startswith(".", position)
        if bool(path) != dot and not (path and name.startswith("[", position)):
            raise _unreadable(name, position, "keys are separated by dots" if path else "it begins with a dot")
        match = _STEP.match(name, position + dot)
        if match is None or (dot and match["index"]) or (not path and match["index"]):
            raise _unreadable(name, position + dot, "a key is missing")
        path.append(_step(match))
        position = match.end()
    if not path:
        raise _unreadable(name, 0, "it is empty")
    return tuple(path)


def placing(data: Table, path: DataPath, value: Plain) -> Set | Insert:
    """Return the operation that puts a new value at a path that may be missing in more than its last step.

    It puts the tables and lists on the way there as well: as a new key, or as a new item of a list that is there.

    Raises:
        PathError: when there is such a value already, a list has a gap before it, or what is on the way is neither
            a table nor a list.
    """
    holder: Plain = data
    for depth, step in enumerate(path):
        if isinstance(holder, dict) and isinstance(step, str):
            if step not in holder:
                return Set(path[: depth + 1], _built(path[: depth + 1], path[depth + 1 :], value))
            holder = holder[step]
        elif isinstance(holder, list) and isinstance(step, int):
            if step in (END, len(holder)):
                return Insert((*path[:depth], len(holder)), _built(path[: depth + 1], path[depth + 1 :], value))
            if step > len(holder):
                raise _gap(path[:depth], len(holder))
            holder = holder[step]
        else:
            what = "key" if isinstance(step, str) else "item"
            raise PathError(f"{shown(path[:depth])} is a {kind_of(holder)}; it has no {what} {step}")
    raise PathError(f"{shown(path)} is there already")


def _built(done: DataPath, rest: DataPath, value: Plain) -> Plain:
    if not rest:
        return value
    inner = _built((*done, rest[0]), rest[1:], value)
    if isinstance(rest[0], str):
        return {rest[0]: inner}
    if rest[0] not in (0, END):
        raise _gap(done, 0)
    return [inner]


def _gap(path: DataPath, count: int) -> PathError:
    return PathError(f"{shown(path)} has {counted(count, 'item')}; the next one is {shown((*path, count))}")


def _step(match: re.Match[str]) -> str | int:
    if match["number"]:
        return END if match["number"] == "+" else int(match["number"])
    quoted = match["quoted"]
    if quoted is None:
        return match["bare"].strip()
    if quoted.startswith("'"):
        return quoted[1:-1]
    try:
        return str(json.loads(quoted, strict=False))
    except ValueError:
        raise _unreadable(match.string, match.start(), "the quoted key has an unknown escape") from None


def _unreadable(name: str, position: int, why: str) -> PathError:
    return PathError(f"column {position + 1} of the name {name}: {why}")
