"""Data of any size in one short line, and how large it is."""

from __future__ import annotations

import json
from collections.abc import Iterator

from sampleui.formats.data import Plain
from sampleui.sample.media import medium_of
from sampleui.text.visible import one_line
from sampleui.trace.events import ABSENT, Maybe


def preview(value: Maybe, limit: int = 200) -> str:
    """Return the start of a value on one line of at most `limit` characters, safe to show.

    A text is shown as it is, a table as its `key: value` pairs, the outermost braces left out. The work is bounded
    by the limit and not by the value, so that a list of megabytes can be drawn at once.
    """
    if value is ABSENT:
        return ""
    if isinstance(value, str):
        return one_line(value, limit)
    parts: list[str] = []
    length = 0
    pieces = _pairs(value, limit) if isinstance(value, dict) else _pieces(value, limit)
    for piece in pieces:
        parts.append(piece)
        length += len(piece)
        if length > limit:
            parts.append("…")
            break
    return one_line("".join(parts), limit)


def full_text(value: Maybe) -> str:
    """Return a value in full: a text as it is, anything else as JSON indented by two."""
    if value is ABSENT:
        return ""
    return value if isinstance(value, str) else to_json(value, indent=2)


_compact = json.JSONEncoder(ensure_ascii=False, default=str).encode
"""Encodes without a new encoder for each value: a search asks for those of 100,000 events."""


def to_json(value: Plain, indent: int | None = None, sort_keys: bool = False) -> str:
    """Return a value as JSON, dates as text. A note stands for what is nested too deeply for Python."""
    try:
        if indent is None and not sort_keys:
            return _compact(value)
        return json.dumps(value, ensure_ascii=False, indent=indent, sort_keys=sort_keys, default=str)
    except RecursionError:
        return '"(nested too deeply to be shown)"'


def size_of(value: Maybe) -> int | None:
    """Return how many characters a value has, as text or as compact JSON; None if there is none."""
    if value is ABSENT:
        return None
    return len(value) if isinstance(value, str) else len(to_json(value))


def shown_size(size: int | None) -> str:
    """Return a size in characters as people read it: `812`, `4.2k`, `5.0M`; a dash for none."""
    if size is None:
        return "-"
    if size < 1000:
        return str(size)
    return f"{size / 1000:.1f}k" if size < 999_950 else f"{size / 1_000_000:.1f}M"


def _pieces(value: Plain, limit: int) -> Iterator[str]:
    if isinstance(value, dict) and (medium := medium_of(value)) is not None:
        yield medium.label
    elif isinstance(value, dict):
        yield "{"
        yield from _pairs(value, limit)
        yield "}"
    elif isinstance(value, list):
        yield "["
        for index, item in enumerate(value):
            yield ", " if index else ""
            yield from _pieces(item, limit)
        yield "]"
    elif isinstance(value, str):
        yield json.dumps(value[:limit], ensure_ascii=False)  # with its quotes longer than the line
    else:
        yield json.dumps(value, default=str)


def _pairs(table: dict[str, Plain], limit: int) -> Iterator[str]:
    for index, (key, value) in enumerate(table.items()):
        yield f"{', ' if index else ''}{key[:limit]}: "
        yield from _pieces(value, limit)
