"""What a new table of a list starts as, for lists whose items are of several kinds: assertions, evaluators."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from sampleui.formats.data import DataPath, Table
from sampleui.integrations.index import of_dialect
from sampleui.sample.dialects.dialect import Dialect, value_at


class Start(NamedTuple):
    """What a table of one kind has.

    Attributes:
        value: its required keys with what they start as, its kind among them.
        more: its other keys, with what each starts as.
        choices: the texts that a key of it may have, for keys that may not have any other.
    """

    value: Table
    more: Table
    choices: Mapping[str, tuple[str, ...]] = MappingProxyType({})


Starts: TypeAlias = Mapping[str, Mapping[str, Start]]
"""By the key of a list, what its items may start as, by the names of their kinds; the usual kind first."""


def starts_at(dialect: Dialect, path: DataPath) -> Mapping[str, Start]:
    """Return what a new item of a list may start as, by the names of the kinds; none if there are no kinds."""
    key = path[-1] if path else ""
    return of_dialect(dialect).checks().starts().get(str(key), {})


def start_of(dialect: Dialect, data: Table, path: DataPath) -> Start | None:
    """Return what the kind of a table in such a list has; None if it is in none, or its kind is not known."""
    table = value_at(data, path)
    if not path or not isinstance(path[-1], int) or not isinstance(table, dict):
        return None
    kinds = starts_at(dialect, path[:-1])
    return next((kind for kind in kinds.values() if kind.value.get("type") == table.get("type")), None)


def choices_at(dialect: Dialect, data: Table, path: DataPath) -> tuple[str, ...]:
    """Return the texts that a value may be, by the kind of the table it is in; none where it may be any text."""
    start = start_of(dialect, data, path[:-1])
    if path[-3:] == ("function", "parameters", "type"):
        return ("object",)  # what the arguments of a tool are, whatever else its JSON Schema says
    if start is None:
        return ()
    if path[-1] == "type":
        return tuple(starts_at(dialect, path[:-2]))
    return start.choices.get(str(path[-1]), ())
