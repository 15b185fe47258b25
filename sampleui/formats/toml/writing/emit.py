"""Values as TOML text, in the layout that they are put into.

New values are built of tomlkit's items (`items`), which are imported with the first edit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sampleui.formats.data import Plain, Table
from sampleui.formats.toml.writing.habits import Layout


def key(name: str) -> str:
    """Return a name as a key, in quotes if it needs them."""
    from sampleui.formats.toml.writing import items

    return items.key(name).as_string()


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
    from sampleui.formats.toml.writing import items

    return items.value(data, layout, name).as_string()


def lines(data: list[Plain], layout: Layout) -> str:
    """Return a list with each item on a line of its own."""
    from sampleui.formats.toml.writing import items

    return items.lines(data, layout).as_string()


def inline(data: Plain, layout: Layout) -> str:
    """Return a value on one line, except for strings of several lines."""
    from sampleui.formats.toml.writing import items

    return items.on_a_line(data, layout).as_string()


def pairs(data: Table, layout: Layout) -> str:
    """Return the pairs of a table, each line ended."""
    from sampleui.formats.toml.writing import items

    return items.pairs(data, layout).as_string()


def candidates(data: Plain, old: str, layout: Layout) -> Iterator[str]:
    """Yield texts for a value that takes the place of another, `old` as written, the most alike first."""
    from sampleui.formats.toml.writing import strings

    if isinstance(data, str):
        yield from strings.rewritten(old, data, layout.newline, layout.habits)
    elif isinstance(data, list) and data and old.startswith("[") and old[1:-1].strip():
        yield lines(data, layout) if "\n" in old else inline(data, layout)
    elif isinstance(data, list | dict):
        yield value(data, layout)
    else:
        yield inline(data, layout)
