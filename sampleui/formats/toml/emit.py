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

_BARE = re.compile(r"[A-Za-z0-9_-]+")


@dataclass(frozen=True, slots=True)
class Layout:
    """What is written into: the ends of lines, the indentation of pairs, and that of their header."""

    newline: str = "\n"
    indent: str = ""
    outer: str = ""


def key(name: str) -> str:
    """Return a name as a key, in quotes where it needs them."""
    return name if _BARE.fullmatch(name) else strings.basic(name)


def pair(name: str, written: str) -> str:
    """Return a key and a written value."""
    return f"{key(name)} = {written}"


def value(data: Plain, layout: Layout) -> str:
    """Return a value on one line, but for strings of several lines and lists of tables: those take a line an item.

    Raises:
        EditRefusedError: for null and what else TOML cannot say.
    """
    if is_tables(data):
        return lines(data, layout)
    return _inline(data, layout.newline)


def lines(data: Plain, layout: Layout) -> str:
    """Return a list with each item on a line of its own."""
    assert isinstance(data, list)
    inner = layout.indent + "  "
    items = "".join(f"{inner}{_inline(item, layout.newline)},{layout.newline}" for item in data)
    return f"[{layout.newline}{items}{layout.indent}]" if data else "[]"


def candidates(data: Plain, old: str, layout: Layout) -> Iterator[str]:
    """Yield texts for a value that takes the place of another, `old` as written, the most alike first."""
    if isinstance(data, str):
        yield from strings.rewritten(old, data, layout.newline)
    elif isinstance(data, list) and data and old.startswith("[") and old[1:-1].strip():
        yield lines(data, layout) if "\n" in old else _inline(data, layout.newline)
    elif isinstance(data, list | dict):
        yield value(data, layout)
    else:
        yield _inline(data, layout.newline)


def is_tables(data: Plain) -> bool:
    """Tell whether a value is a list of tables, of one at least."""
    return isinstance(data, list) and bool(data) and all(isinstance(item, dict) for item in data)


def pairs(data: Table, layout: Layout) -> str:
    """Return the pairs of a table, each line ended."""
    return "".join(
        f"{layout.indent}{pair(name, value(item, layout))}{layout.newline}" for name, item in data.items()
    )


def inline(data: Plain, layout: Layout) -> str:
    """Return a value on one line, but for strings of several lines."""
    return _inline(data, layout.newline)


def _inline(data: Plain, newline: str) -> str:
    if isinstance(data, dict):
        inside = ", ".join(pair(name, _inline(item, newline)) for name, item in data.items())
        return f"{{ {inside} }}" if data else "{}"
    if isinstance(data, list):
        return f"[{', '.join(_inline(item, newline) for item in data)}]"
    if isinstance(data, str):
        return strings.fresh(data, newline)
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
