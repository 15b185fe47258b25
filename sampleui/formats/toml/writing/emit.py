"""Values as TOML text, in the layout that they are put into: built of tomlkit's items, spaced as the deck is.

Few decks are spaced the way tomlkit spaces, so each item is given its trivia; strings come from `strings`.
Containers are marked as parsed: tomlkit puts line feeds into others, and takes quadratic time to do so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import tomlkit
from tomlkit.container import Container
from tomlkit.items import Array, InlineTable, Item, SingleKey, Trivia, Whitespace

from sampleui.errors import EditRefusedError
from sampleui.formats.data import Plain, Table, is_tables
from sampleui.formats.toml.writing import strings
from sampleui.formats.toml.writing.habits import Layout


def key(name: str) -> str:
    """Return a name as a key, in quotes if it needs them."""
    return _key(name).as_string()


def pair(name: str, written: str, layout: Layout) -> str:
    """Return a key and a written value."""
    return f"{key(name)}{layout.habits.equals[0]}{written}"


def rows(written: Sequence[tuple[str, str]], layout: Layout) -> list[str]:
    """Return lines of written keys and values, the equals signs in one column if most are."""
    width = max((len(name) for name, _ in written), default=0) if layout.habits.columns else 0
    return [f"{layout.indent}{name.ljust(width)}{layout.habits.equals[0]}{value}" for name, value in written]


def value(data: Plain, layout: Layout, name: str = "") -> str:
    """Return a value of a key on one line, but for strings of several lines, and lists that are usually on several.

    Raises:
        EditRefusedError: for null and what else TOML cannot say.
    """
    return _value(data, layout, name).as_string()


def lines(data: list[Plain], layout: Layout) -> str:
    """Return a list with each item on a line of its own."""
    return _lines(data, layout).as_string()


def inline(data: Plain, layout: Layout) -> str:
    """Return a value on one line, except for strings of several lines."""
    return _on_a_line(data, layout).as_string()


def pairs(data: Table, layout: Layout) -> str:
    """Return the pairs of a table, each line ended."""
    return _pairs(data, layout).as_string()


def candidates(data: Plain, old: str, layout: Layout) -> Iterator[str]:
    """Yield texts for a value that takes the place of another, `old` as written, the most alike first."""
    if isinstance(data, str):
        yield from strings.replacements(old, data, layout.newline, layout.habits)
    elif isinstance(data, list) and data and old.startswith("[") and old[1:-1].strip():
        yield lines(data, layout) if "\n" in old else inline(data, layout)
    elif isinstance(data, list | dict):
        yield value(data, layout)
    else:
        yield inline(data, layout)


def _key(name: str, equals: str = "") -> SingleKey:
    """Return a name as a key, in quotes if it needs them, with what divides it from its value."""
    written = strings.basic(name)
    return SingleKey(name, sep=equals, original=None if written == f'"{name}"' else written)


def _value(data: Plain, layout: Layout, name: str = "") -> Item:
    """Return the value of a key: a list on several lines where such lists are, all else on one."""
    if isinstance(data, list) and data and layout.habits.is_spread(name, tables=is_tables(data)):
        return _lines(data, layout)
    return _on_a_line(data, layout)


def _lines(data: list[Plain], layout: Layout) -> Array:
    """Return a list with each item on a line of its own."""
    step = f"{layout.newline}{layout.indent}{layout.habits.step}"
    parts: list[Item] = []
    for item in data:
        parts += Whitespace(step), _on_a_line(item, layout), Whitespace(",")
    if data:
        parts[-1:] = [Whitespace(",")] if layout.habits.closed else []
        parts.append(Whitespace(layout.newline + layout.indent))
    return Array(parts, Trivia())


def _on_a_line(data: Plain, layout: Layout) -> Item:
    """Return a value on one line, except for strings of several lines."""
    if isinstance(data, dict):
        return _inline_table(data, layout)
    if isinstance(data, list):
        return Array([*_between((_on_a_line(item, layout) for item in data), layout.habits.comma)], Trivia())
    if isinstance(data, str):
        return strings.string_item(strings.new_string(data, layout.newline, layout.habits), data)
    if data is None:
        raise EditRefusedError("TOML has no null: leave the key out instead")
    if isinstance(data, int) and not -(1 << 63) <= data < 1 << 63:
        raise EditRefusedError("an integer of TOML has 64 bits, and this one needs more: write it as text")
    return tomlkit.item(data)


def _pairs(data: Table, layout: Layout) -> Container:
    """Return the pairs of a table, each on a line of its own that is ended."""
    body = Container(parsed=True)
    widths = {name: len(_key(name).as_string()) for name in data}
    width = max(widths.values(), default=0) if layout.habits.columns else 0
    for name, item in data.items():
        written = _value(item, layout, name)
        written.trivia.indent, written.trivia.trail = layout.indent, layout.newline
        equals = " " * (width - widths[name]) + layout.habits.equals[0]
        body.append(_key(name, equals), written, validate=False)
    return body


def _inline_table(data: Table, layout: Layout) -> InlineTable:
    habits, body = layout.habits, Container(parsed=True)
    for number, (name, value) in enumerate(data.items()):
        written = _on_a_line(value, layout)
        written.trivia.indent = habits.comma[1:] if number else habits.pad
        written.trivia.trail = "" if number < len(data) - 1 else habits.pad
        body.append(_key(name, habits.equals[1]), written, validate=False)
    return InlineTable(body, Trivia())


def _between(items: Iterable[Item], comma: str) -> Iterator[Item]:
    for number, item in enumerate(items):
        if number:
            yield Whitespace(comma)
        yield item
