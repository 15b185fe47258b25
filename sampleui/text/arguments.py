"""Arguments of public calls: what is of a kind that a call does not take is refused in words."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from sampleui.errors import ArgumentError

T = TypeVar("T")


def as_path(value: str | Path, name: str) -> Path:
    """Return a path that a caller gives. Raises ArgumentError for what is none."""
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
    """Return a text that a caller gives. Raises ArgumentError for what is none."""
    return _of_kind(value, (str,), name, "a text")


def as_texts(value: Sequence[str], name: str) -> tuple[str, ...]:
    """Return a list of texts that a caller gives. Raises ArgumentError for what is none."""
    return tuple(
        as_text(text, f"each of {name}") for text in _of_kind(value, (list, tuple), name, "a list of texts")
    )


def as_mapping(value: Mapping[str, T], name: str) -> Mapping[str, T]:
    """Return a mapping that a caller gives. Raises ArgumentError for what is none."""
    return _of_kind(value, (Mapping,), name, "a mapping")


def named(value: object) -> str:
    """Return a name that is not known as a message shows it, whatever it is."""
    return repr(value) if isinstance(value, str) else f"of type {type(value).__name__}"


def _of_kind(value: T, kinds: tuple[type, ...], name: str, wanted: str) -> T:
    if not isinstance(value, kinds):
        raise ArgumentError(f"{name} must be {wanted}, not {type(value).__name__}")
    return value
