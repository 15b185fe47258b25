"""Values as TOML text.

Own code and not tomlkit's: a value is written into a layout that is already there, with the file's line ends, in
the style of the value it replaces; tomlkit writes LF, flattens long strings, and costs the first edit its import.
"""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

from sampleui.errors import EditRefusedError
from sampleui.formats.data import Plain, Table
from sampleui.formats.toml import strings
from sampleui.formats.toml.habits import NO_HABITS, Habits

_BARE = re.compile(r"[A-Za-z0-9_-]+")


@dataclass(frozen=True, slots=True)
class Layout:
    """What is written into: ends of lines, the indentation of pairs, that of their header, habits around."""

    newline: str = "\n"
    indent: str = ""
    outer: str = ""
    habits: Habits = NO_HABITS


def key(name: str) -> str:
    """Return a name as a key, in quotes where it needs them."""
    return name if _BARE.fullmatch(name) else strings.basic(name)


def pair(name: str, written: str, layout: Layout) -> str:
    """Return a key and a written value."""
    return f"{key(name)}{layout.habits.equals[0]}{written}"


def value(data: Plain, layout: Layout, name: str = "") -> str:
    """Return a value of a key on one line, but for strings of several lines, and lists that are usually on several.

    Raises:
        EditRefusedError: for null and what else TOML cannot say.
    """
    if isinstance(data, list) and data and layout.habits.is_spread(name, tables=is_tables(data)):
        return lines(data, layout)
    return inline(data, layout)


def lines(data: Plain, layout: Layout) -> str:
    """Return a list with each item on a line of its own."""
    assert isinstance(data, list)
    step, comma = layout.indent + layout.habits.step, "," if layout.habits.closed else ""
    items = f",{layout.newline}".join(f"{step}{inline(item, layout)}" for item in data)
    return f"[{layout.newline}{items}{comma}{layout.newline}{layout.indent}]" if data else "[]"


def candidates(data: Plain, old: str, layout: Layout) -> Iterator[str]:
    """Yield texts for a value that takes the place of another, `old` as written, the most alike first."""
    if isinstance(data, str):
        yield from strings.rewritten(old, data, layout.newline, layout.habits)
    elif isinstance(data, list) and data and old.startswith("[") and old[1:-1].strip():
        yield lines(data, layout) if "\n" in old else inline(data, layout)
    elif isinstance(data, list | dict):
        yield value(data, layout)
    else:
        yield inline(data, layout)


def is_tables(data: Plain) -> bool:
    """Tell whether a value is a list of tables, of one at least."""
    return isinstance(data, list) and bool(data) and all(isinstance(item, dict) for item in data)


def pairs(data: Table, layout: Layout) -> str:
    """Return the pairs of a table, each line ended."""
    return "".join(
        f"{layout.indent}{pair(name, value(item, layout, name), layout)}{layout.newline}"
        for name, item in data.items()
    )


def inline(data: Plain, layout: Layout) -> str:
    """Return a value on one line, but for strings of several lines."""
    habits = layout.habits
    if isinstance(data, dict):
        inside = (f"{key(name)}{habits.equals[1]}{inline(item, layout)}" for name, item in data.items())
        return f"{{{habits.pad}{habits.comma.join(inside)}{habits.pad}}}" if data else "{}"
    if isinstance(data, list):
        return f"[{habits.comma.join(inline(item, layout) for item in data)}]"
    if isinstance(data, str):
        return strings.fresh(data, layout.newline, habits)
    return _scalar(data)


def _scalar(data: Plain) -> str:
    if data is None:
        raise EditRefusedError("TOML has no null: leave the key out instead")
    if isinstance(data, bool):
        return "true" if data else "false"
    if isinstance(data, float):
        return (
            str(data) if math.isfinite(data) else ("nan" if math.isnan(data) else ("inf" if data > 0 else "-inf"))
        )
    if isinstance(data, dt.date | dt.time):
        return data.isoformat()
    if isinstance(data, int) and not -(1 << 63) <= data < 1 << 63:
        raise EditRefusedError("TOML has integers of 64 bits, and this one needs more: write it as a text")
    return str(data)
