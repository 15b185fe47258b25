"""The fields by which records are grouped, clustered and drawn, and their values as texts."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence

from sampleui.formats.data import DataPath, Plain, Table
from sampleui.review.record import Entry
from sampleui.sample.parse import value_at
from sampleui.sample.value_names import path_of

MAX_WHOLE = 1 << 53
"""Below it a float that is a whole number is exactly this one."""

_OF_ENTRIES: Mapping[str, Callable[[Entry], Sequence[str | None]]] = {
    "target": lambda entry: (entry.target,),
    "tag": lambda entry: entry.tags,
    "suite": lambda entry: (entry.suite,),
    "deck": lambda entry: (entry.source,),
}
"""Fields of records whose spelling differs from tool to tool."""


def paths_of(names: Iterable[str]) -> dict[str, DataPath | None]:
    """Return where each field is looked for; None for one that records have whatever their tool calls it.

    Raises:
        PathError: a name cannot be the name of a field.
    """
    return {name: None if name in _OF_ENTRIES else path_of(name) for name in names}


def field_values(
    paths: Mapping[str, DataPath | None], entry: Entry, tables: Callable[[], Sequence[Table]]
) -> dict[str, tuple[str, ...]]:
    """Return the values of fields as texts: several of a list, none of what a record does not have.

    Args:
        paths: the fields, as `paths_of` returns them.
        entry: the record.
        tables: returns the values of its sample and those of the record, the first that has a field counts; asked
            where the record alone does not say it.
    """
    is_told = all(path is None and (name != "tag" or entry.tags) for name, path in paths.items())
    found = () if is_told else tables()
    return {name: _values(name, entry, found, path) for name, path in paths.items()}


def _values(name: str, entry: Entry, found: Sequence[Table], path: DataPath | None) -> tuple[str, ...]:
    if path is None:
        of_entry = tuple(value for value in _OF_ENTRIES[name](entry) if value)
        return of_entry or next((texts for table in found if (texts := sample_values(name, table))), ())
    for table in found:
        if texts := texts_of(value_at(table, path)):
            return texts
    return ()


def sample_values(name: str, sample: Table) -> tuple[str, ...]:
    """Return the values of a field in a sample, whose tags may stand in its metadata; none of what runs add."""
    if name in ("target", "suite", "deck"):
        return ()
    paths = (("tags",), ("tag",), ("metadata", "tags")) if name == "tag" else (path_of(name),)
    return next((texts for path in paths if (texts := texts_of(value_at(sample, path)))), ())


def texts_of(value: Plain) -> tuple[str, ...]:
    """Return a value as texts to group by, each of a list; a number is the same however it is spelled: 1.0 is 1."""
    if value is None:
        return ()
    if isinstance(value, str):
        return (value,)
    if isinstance(value, float) and value.is_integer() and abs(value) < MAX_WHOLE:
        return (str(int(value)),)
    if isinstance(value, list):
        return tuple(dict.fromkeys(text for item in value for text in texts_of(item)))
    return (json.dumps(value, ensure_ascii=False, sort_keys=True, default=str),)
