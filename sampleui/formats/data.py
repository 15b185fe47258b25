"""Plain data as decks hold it, and pure edits of it.

These are the values that an edit of the text must read back as; they never touch text themselves.
"""

from __future__ import annotations

import datetime as dt
import json
import math
import re
from collections.abc import Callable, Iterator
from typing import TypeAlias, TypeGuard

from sampleui.errors import EditRefusedError, PathError
from sampleui.text.limits import MAX_WRITTEN_BITS, MAX_WRITTEN_DEPTH

Scalar: TypeAlias = str | int | float | bool | dt.datetime | dt.date | dt.time | None
Plain: TypeAlias = "Scalar | list[Plain] | dict[str, Plain]"
Table: TypeAlias = dict[str, Plain]
DataPath: TypeAlias = tuple[str | int, ...]

CONTAINERS = ("samples", "evalcases", "tests", "cases", "evals")
"""The keys that samples are looked for under, in every format."""

MESSAGE_KEYS = ("messages", "input_messages")
"""The keys of which one makes the table of a file a sample, where it has a list."""

_SCALARS = (str, int, float, bool, dt.datetime, dt.date, dt.time, type(None))
_PATH_SIGNS = frozenset('.[]"')
_YEARS = (946_684_800, 4_102_444_800)
"""The years 2000 to 2100 in seconds since 1970: what is outside is no time."""

_UNITS = (1, 1_000, 1_000_000, 1_000_000_000)
"""How many of a unit of time are a second."""

_EPOCH = re.compile(r"[0-9]{9,19}(?:\.[0-9]{1,9})?", re.ASCII)
_SURROGATE = re.compile("[\ud800-\udfff]")


def is_sample(root: Table) -> bool:
    """Tell whether the table at the root of a file is a sample: it has a list of messages."""
    return any(isinstance(root.get(key), list) for key in MESSAGE_KEYS)


END = -(1 << 40)
"""The index in a path, written `[+]`, that stands for the place behind the last item of a list."""


def shown(path: DataPath) -> str:
    """Return a path as people write it: `messages[1].content`."""
    parts = [
        ("[+]" if step == END else f"[{step}]") if isinstance(step, int) else f".{_key(step)}" for step in path
    ]
    return "".join(parts).removeprefix(".") or "the sample"


def _key(name: str) -> str:
    """Return a key as a path shows it: in quotes where it could be taken for several keys."""
    return name if name and not _PATH_SIGNS.intersection(name) else json.dumps(name, ensure_ascii=False)


def lookup(data: Plain, path: DataPath) -> Plain:
    """Return the value at a path.

    Raises:
        PathError: when the path does not exist.
    """
    for depth, step in enumerate(path):
        if isinstance(data, dict) and isinstance(step, str) and step in data:
            data = data[step]
        elif isinstance(data, list) and isinstance(step, int) and 0 <= step < len(data):
            data = data[step]
        else:
            raise PathError(f"there is no {shown(path[: depth + 1])}")
    return data


def with_set(data: Plain, path: DataPath, value: Plain) -> Plain:
    """Return the data with the value at a path replaced. A missing last key of a table is added at its end."""

    def change(parent: Plain, last: str | int) -> Plain:
        if isinstance(parent, dict) and isinstance(last, str):
            return {**parent, last: value}
        items, index = _item(parent, last, path)
        return [*items[:index], value, *items[index + 1 :]]

    return _rebuilt(data, path, change) if path else value


def with_insert(data: Plain, path: DataPath, value: Plain) -> Plain:
    """Return the data with an item put into a list before the index that ends the path."""

    def change(parent: Plain, last: str | int) -> Plain:
        if not (isinstance(parent, list) and isinstance(last, int) and 0 <= last <= len(parent)):
            raise PathError(f"nothing can be inserted at {shown(path)}")
        return [*parent[:last], value, *parent[last:]]

    return _rebuilt(data, path, change)


def with_delete(data: Plain, path: DataPath) -> Plain:
    """Return the data without the key or item at a path."""

    def change(parent: Plain, last: str | int) -> Plain:
        if isinstance(parent, dict) and last in parent:
            return {key: item for key, item in parent.items() if key != last}
        items, index = _item(parent, last, path)
        return items[:index] + items[index + 1 :]

    return _rebuilt(data, path, change)


def with_rename(data: Plain, path: DataPath, name: str) -> Plain:
    """Return the data with the key that ends a path called something else, at its place among the others."""

    def change(parent: Plain, last: str | int) -> Plain:
        if not (isinstance(parent, dict) and last in parent):
            raise PathError(f"there is no key {shown(path)}")
        if name in parent and name != last:
            raise EditRefusedError(f"{shown((*path[:-1], name))} is there already")
        return renamed_key(parent, str(last), name)

    return _rebuilt(data, path, change)


def renamed_key(data: Table, key: str, name: str) -> Table:
    """Return a table with a key, if it has it, called something else, at its place among the others."""
    return {name if other == key else other: value for other, value in data.items()}


def with_move(data: Plain, path: DataPath, to: int) -> Plain:
    """Return the data with the list item at a path taken out and put back so that its index is `to`."""
    item = lookup(data, path)
    return with_insert(with_delete(data, path), (*path[:-1], to), item)


def without_value_at(data: Table, path: DataPath) -> Table:
    """Return a table without the value at a path of keys, and without the tables that it leaves empty."""
    key = str(path[0])
    if key not in data:
        return data
    inner = data[key]
    if len(path) > 1:
        left = without_value_at(inner, path[1:]) if isinstance(inner, dict) else inner
        if left:
            return {**data, key: left}
    return {other: value for other, value in data.items() if other != key}


def same(value: Plain, other: Plain) -> bool:
    """Tell whether two values are the same with the same types: 1, 1.0 and true differ, NaN equals NaN."""
    if isinstance(value, str) and isinstance(other, str):
        return value == other
    if type(value) is not type(other):
        return False
    if isinstance(value, dict) and isinstance(other, dict):
        return value.keys() == other.keys() and all(same(value, other[key]) for key, value in value.items())
    if isinstance(value, list) and isinstance(other, list):
        return len(value) == len(other) and all(map(same, value, other))
    if isinstance(value, float) and isinstance(other, float):
        return value == other or (math.isnan(value) and math.isnan(other))
    return value == other


def copied(data: Plain) -> Plain:
    """Return the value with tables and lists of its own."""
    if isinstance(data, dict):
        return {key: copied(value) for key, value in data.items()}
    return [copied(value) for value in data] if isinstance(data, list) else data


def deeper(data: Plain, levels: int) -> bool:
    """Tell whether tables and lists are nested more than so many levels deep."""
    level: list[list[Plain] | dict[str, Plain]] = [data] if isinstance(data, list | dict) else []
    for _ in range(levels):
        level = [
            value
            for holder in level
            for value in (holder.values() if isinstance(holder, dict) else holder)
            if isinstance(value, (list, dict))
        ]
        if not level:
            return False
    return bool(level)


def refuse_unplain(value: Plain) -> None:
    """Check what a caller wants written: Plain values, so typed or not, and not nested without end.

    Raises:
        EditRefusedError: when a deck cannot hold it, saying why.
    """
    level: list[Plain] = [value]
    for _ in range(MAX_WRITTEN_DEPTH):
        inner: list[Plain] = []
        for item in level:
            if isinstance(item, dict):
                if not all(isinstance(key, str) for key in item):
                    raise EditRefusedError("the keys of a table must be texts")
                inner.extend(item.values())
            elif isinstance(item, list):
                inner.extend(item)
            elif what := why_unwritable(item):
                raise EditRefusedError(f"a deck cannot hold {what}")
        # What is in several places, or in itself, is read once.
        level = [*{id(item): item for item in inner}.values()]
        if not level:
            return
    raise EditRefusedError(f"the value is nested more than {MAX_WRITTEN_DEPTH} levels deep")


def why_unwritable(value: object) -> str:
    """Return what a value is, neither a table nor a list, that no file can hold; empty for one that can be held."""
    if not isinstance(value, _SCALARS):
        return f"a value of type {type(value).__name__}"
    too_long = isinstance(value, int) and value.bit_length() > MAX_WRITTEN_BITS
    return "a number with too many digits to be written" if too_long else ""


def refuse_surrogates(value: Plain) -> None:
    """Check that the texts of a value can be written as UTF-8.

    Raises:
        EditRefusedError: when one holds half of a surrogate pair.
    """
    for text in _texts(value):
        if not text.isascii() and (match := _SURROGATE.search(text)):
            code = f"U+{ord(match[0]):04X}"
            raise EditRefusedError(f"half of a surrogate pair, {code}, cannot be written as UTF-8")


def _texts(value: Plain) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for item in value:
            yield from _texts(item)
        if isinstance(value, dict):
            yield from (text for item in value.values() for text in _texts(item))


def _item(parent: Plain, last: str | int, path: DataPath) -> tuple[list[Plain], int]:
    if isinstance(parent, list) and isinstance(last, int) and 0 <= last < len(parent):
        return parent, last
    raise PathError(f"there is no {shown(path)}")


def _rebuilt(data: Plain, path: DataPath, change: Callable[[Plain, str | int], Plain]) -> Plain:
    if not path:
        raise PathError("the path is empty")
    if len(path) == 1:
        return change(data, path[0])
    step, child = path[0], _rebuilt(lookup(data, path[:1]), path[1:], change)
    if isinstance(data, dict):
        return {key: child if key == step else item for key, item in data.items()}
    assert isinstance(data, list)
    return [child if index == step else item for index, item in enumerate(data)]


def json_or_text(text: str) -> Plain:
    """Return what a text says as JSON, or the text if it says nothing."""
    try:
        value: Plain = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return value


def typed_json(text: str) -> Plain:
    """Return what a JSON text says that someone types.

    Raises:
        ValueError: when it is no JSON.
        PathError: when a table in it has a key twice: only the last one would stay.
    """
    value: Plain = json.loads(text, object_pairs_hook=_without_repeats)
    return value


def _without_repeats(pairs: list[tuple[str, Plain]]) -> Table:
    table = dict(pairs)
    if len(table) < len(pairs):
        names = [name for name, _ in pairs]
        raise PathError(f"{next(name for name in table if names.count(name) > 1)} is there twice")
    return table


def as_table(value: Plain) -> Table:
    """Return a value that is a table, an empty table for any other."""
    return value if isinstance(value, dict) else {}


def as_list(value: Plain) -> list[Plain]:
    """Return a value that is a list, an empty list for any other."""
    return value if isinstance(value, list) else []


def tables_in(value: Plain) -> list[Table]:
    """Return the items of a list that are tables, none of any other value."""
    return [item for item in as_list(value) if isinstance(item, dict)]


def items_of(value: Plain) -> list[Plain]:
    """Return the items of a list, or the values of a table; of any other value nothing."""
    if isinstance(value, dict):
        return [*value.values()]
    return value if isinstance(value, list) else []


def is_tables(data: Plain) -> bool:
    """Tell whether a value is a list of tables, of one at least."""
    return isinstance(data, list) and bool(data) and all(isinstance(item, dict) for item in data)


def leaves(value: Plain, path: DataPath = ()) -> Iterator[tuple[DataPath, Plain]]:
    """Yield what is in a value, however deep, and is neither a table nor a list, with its path."""
    if isinstance(value, dict | list):
        for step, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(item, (*path, step))
    else:
        yield path, value


def without_null_contents(value: Plain) -> Plain:
    """Return a value without `content: null` of turns that call: OpenAI's way to write that they say nothing.

    It is the same object where no turn has that, and where it is nested too deeply to be written at all.
    """
    return value if deeper(value, MAX_WRITTEN_DEPTH) else _without_null_contents(value)


def _without_null_contents(value: Plain) -> Plain:
    if isinstance(value, list):
        items = [_without_null_contents(item) for item in value]
        return items if any(new is not old for new, old in zip(items, value, strict=True)) else value
    if not isinstance(value, dict):
        return value
    says_nothing = bool(value.get("tool_calls")) and "content" in value and value["content"] is None
    table = {
        key: _without_null_contents(item) for key, item in value.items() if not (says_nothing and key == "content")
    }
    return table if says_nothing or any(table[key] is not item for key, item in value.items()) else value


def is_number(value: object) -> TypeGuard[int | float]:
    """Tell whether a value is a number; true and false are none, though Python counts with them."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def time_of(value: Plain) -> dt.datetime | None:
    """Return the time, in UTC, that a number or a text of digits may stand for, as tables of text have them.

    None for what is none of the years 2000 to 2100, in any of the units. Whether it is meant as one is told by its
    name, or by the values beside it.
    """
    if isinstance(value, str):
        value = float(value) if _EPOCH.fullmatch(value) else None
    low, high = _YEARS
    if not is_number(value) or not low <= value < high * max(_UNITS):  # an integer may be too large for a float
        return None
    seconds = next((value / unit for unit in _UNITS if low <= value / unit < high), None)
    return None if seconds is None else dt.datetime.fromtimestamp(seconds, dt.UTC)


def texts_in(value: Plain) -> Iterator[str]:
    """Yield the texts in a value, however deep."""
    return (item for _, item in leaves(value) if isinstance(item, str))
