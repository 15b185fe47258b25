"""Data that a caller gives, as a file could hold it: what no file can hold is told and not read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, cast

from sampleui.formats.data import DataPath, Plain, Table, unheld
from sampleui.text.diagnostic import Finding, Severity

_DEEPEST = 200  # levels, as deep as any format is read
_SHOWN = 20  # steps of a path that a finding has


class NotPlain(NamedTuple):
    """What no file can hold: its path in the data, and what it is."""

    path: DataPath
    what: str


def plain_part(data: Mapping[str, object]) -> tuple[Table, tuple[NotPlain, ...]]:
    """Return a table as a file could hold it, and what that leaves out; null stands in for a value."""
    found: list[NotPlain] = []
    return _table(data, (), found, (id(data),)), tuple(found)


def not_plain(left_out: NotPlain) -> Finding:
    """Return the finding about what is left out."""
    return Finding("not-plain", Severity.ERROR, f"No file can hold {left_out.what}; it is left out", left_out.path)


def _table(data: Mapping[str, object], path: DataPath, found: list[NotPlain], within: tuple[int, ...]) -> Table:
    found.extend(NotPlain(path, f"a key of type {type(key).__name__}") for key in data if not isinstance(key, str))
    held = {key: value for key, value in data.items() if isinstance(key, str)}
    return {key: _plain(value, (*path, key), found, within) for key, value in held.items()}


def _plain(value: object, path: DataPath, found: list[NotPlain], within: tuple[int, ...]) -> Plain:
    if what := _what(value, within):
        found.append(NotPlain(path[:_SHOWN], what))
        return None
    within = (*within, id(value))
    if isinstance(value, dict):
        return _table(value, path, found, within)
    if isinstance(value, list):
        return [_plain(item, (*path, index), found, within) for index, item in enumerate(value)]
    return cast(Plain, value)


def _what(value: object, within: tuple[int, ...]) -> str:
    """Return what a value is that no file can hold, in the tables and lists that it is in; empty for any other."""
    if not isinstance(value, dict | list):
        return unheld(value)
    if id(value) in within:
        return "a value that holds itself"
    return f"what is nested more than {_DEEPEST} levels deep" if len(within) >= _DEEPEST else ""
