"""Arguments of public calls: what is of a kind that a call does not take, or that no file can hold, is refused."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, TypeVar, cast

from sampleui.errors import ArgumentError
from sampleui.formats.data import DataPath, Plain, Table, why_unwritable
from sampleui.text.diagnostic import Finding, Severity
from sampleui.text.limits import MAX_ARGUMENT_DEPTH

_SHOWN = 20  # steps of a path that a finding has


class NotPlain(NamedTuple):
    """What no file can hold: its path in the data, and what it is."""

    path: DataPath
    what: str


def plain_part(data: Mapping[str, object]) -> tuple[Table, tuple[NotPlain, ...]]:
    """Return a table as a file could hold it, and what that leaves out; null stands in for a value."""
    unplain: list[NotPlain] = []
    return _table(data, (), unplain, (id(data),)), tuple(unplain)


def not_plain(left_out: NotPlain) -> Finding:
    """Return the finding about what is left out."""
    return Finding("not-plain", Severity.ERROR, f"No file can hold {left_out.what}; it is left out", left_out.path)


def _table(data: Mapping[str, object], path: DataPath, unplain: list[NotPlain], within: tuple[int, ...]) -> Table:
    unplain.extend(
        NotPlain(path, f"a key of type {type(key).__name__}") for key in data if not isinstance(key, str)
    )
    keyed = {key: value for key, value in data.items() if isinstance(key, str)}
    return {key: _plain(value, (*path, key), unplain, within) for key, value in keyed.items()}


def _plain(value: object, path: DataPath, unplain: list[NotPlain], within: tuple[int, ...]) -> Plain:
    if what := _what(value, within):
        unplain.append(NotPlain(path[:_SHOWN], what))
        return None
    within = (*within, id(value))
    if isinstance(value, dict):
        return _table(value, path, unplain, within)
    if isinstance(value, list):
        return [_plain(item, (*path, index), unplain, within) for index, item in enumerate(value)]
    return cast(Plain, value)


def _what(value: object, within: tuple[int, ...]) -> str:
    """Return what a value is that no file can hold, in the tables and lists that it is in; empty for any other."""
    if not isinstance(value, dict | list):
        return why_unwritable(value)
    if id(value) in within:
        return "a value that holds itself"
    return f"what is nested more than {MAX_ARGUMENT_DEPTH} levels deep" if len(within) >= MAX_ARGUMENT_DEPTH else ""


T = TypeVar("T")


def as_path(value: str | Path, name: str) -> Path:
    """Return a path that a caller gives. Raises ArgumentError for anything else."""
    return Path(_of_kind(value, (str, Path), name, "a text or a Path"))


def as_folder(value: str | Path, name: str) -> Path:
    """Return a folder that a caller gives; it need not exist.

    Raises:
        ArgumentError: when it is no path, or none that a system can look for.
    """
    path = as_path(value, name)
    try:
        named = os.fsencode(path)
    except UnicodeEncodeError:
        raise ArgumentError(f"{name} has half of a surrogate pair, which no path can have") from None
    if b"\0" in named:
        raise ArgumentError(f"{name} has a null character, which no path can have")
    return path


def as_text(value: str, name: str) -> str:
    """Return a text that a caller gives. Raises ArgumentError for anything else."""
    return _of_kind(value, (str,), name, "a text")


def as_texts(value: Sequence[str], name: str) -> tuple[str, ...]:
    """Return a list of texts that a caller gives. Raises ArgumentError for anything else."""
    return tuple(
        as_text(text, f"each of {name}") for text in _of_kind(value, (list, tuple), name, "a list of texts")
    )


def as_mapping(value: Mapping[str, T], name: str) -> Mapping[str, T]:
    """Return a mapping that a caller gives. Raises ArgumentError for anything else."""
    return _of_kind(value, (Mapping,), name, "a mapping")


def shown_name(value: object) -> str:
    """Return an unknown name as a message shows it, whatever type it has."""
    return repr(value) if isinstance(value, str) else f"of type {type(value).__name__}"


def _of_kind(value: T, kinds: tuple[type, ...], name: str, wanted: str) -> T:
    if not isinstance(value, kinds):
        raise ArgumentError(f"{name} must be {wanted}, not {type(value).__name__}")
    return value
