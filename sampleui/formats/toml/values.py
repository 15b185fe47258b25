"""Where the parts of a written value are: scalars, arrays and inline tables, and the layout of their items."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import NamedTuple

from sampleui.formats.toml import scan

_SPACE = re.compile(r"(?:[ \t\r\n]++|#[^\n]*)*+")
_SCALAR = re.compile(rf"{scan.STRING}|\d{{4}}-\d\d-\d\d[Tt ]\d\d[^\s,\]}}#]*|[^\s,\]}}#]+")
_KEY = re.compile(scan.KEY)
_EQUALS = re.compile(r"[ \t]*=[ \t]*")
_TRAIL = re.compile(r"[ \t]*#[^\r\n]*")


class ValueForm(Enum):
    """How a value is written."""

    SCALAR = auto()
    ARRAY = auto()
    INLINE = auto()
    DOTTED = auto()
    """A table inside an inline table that dotted keys imply. It has no text of its own."""


class Key(NamedTuple):
    """One part of a key: its name, and where it is."""

    name: str
    start: int
    end: int


class Slot(NamedTuple):
    """One place in an array or an inline table.

    The item is `text[lead:end]` with the comments directly above it, and `text[after:stop]`, a comment after it.
    What is left, from `gap` to `lead` and the comma, belongs to the place and stays when items move.

    Attributes:
        gap: where the item before it, or the bracket, ends.
        lead: where the item starts, the comments directly above it included.
        start: where its value or its key starts.
        end: where its value ends, or a comment between it and its comma.
        comma: where its comma is; None for a last item without one.
        stop: where the comment after it on its last line ends, or its comma.
    """

    gap: int
    lead: int
    start: int
    end: int
    comma: int | None
    stop: int

    @property
    def after(self) -> int:
        """Where the comment after the item starts, the blanks before it included."""
        return self.end if self.comma is None else self.comma + 1


@dataclass(slots=True, eq=False)
class Node:
    """A written value.

    Attributes:
        shape: how it is written.
        start: where it starts.
        end: where it ends.
        key: the key that it is the value of, in an inline table.
        items: the values of an array.
        entries: the values of an inline table.
        slots: the layout of an array or inline table; of a dotted key it is that of the inline table around it.
        slot: the index of its own slot in the array or inline table that it is in.
    """

    shape: ValueForm
    start: int
    end: int
    key: Key | None = None
    items: list[Node] = field(default_factory=list)
    entries: dict[str, Node] = field(default_factory=dict)
    slots: list[Slot] = field(default_factory=list)
    slot: int = 0


def value_at(text: str, pos: int) -> Node:
    """Return the value that starts at a place of a valid TOML text."""
    opening = text[pos]
    if opening not in "[{":
        return Node(ValueForm.SCALAR, pos, _end(_SCALAR, text, pos))
    node = Node(ValueForm.ARRAY if opening == "[" else ValueForm.INLINE, pos, pos)
    gap = pos + 1
    while True:
        start = _end(_SPACE, text, gap)
        if text[start] in "]}":
            node.end = start + 1
            return node
        value = _item(text, start, node) if opening == "[" else _entry(text, start, node)
        slot = _slot(text, gap, start, value.end)
        value.slot = len(node.slots)
        node.slots.append(slot)
        gap = slot.stop


def keys_at(text: str, pos: int) -> tuple[tuple[Key, ...], int]:
    """Return the parts of the key that starts at a place, and where it ends."""
    end = _end(_KEY, text, pos)
    parts = scan.PARTS.finditer(text, pos, end)
    return tuple(Key(scan.name(part.group()), part.start(), part.end()) for part in parts), end


def _item(text: str, start: int, array: Node) -> Node:
    value = value_at(text, start)
    array.items.append(value)
    return value


def _entry(text: str, start: int, table: Node) -> Node:
    keys, end = keys_at(text, start)
    value = value_at(text, _end(_EQUALS, text, end))
    entries = table.entries
    for key in keys[:-1]:
        inner = entries.setdefault(key.name, Node(ValueForm.DOTTED, key.start, value.end, key, slots=table.slots))
        inner.end = value.end
        entries = inner.entries
    value.key = keys[-1]
    entries[keys[-1].name] = value
    return value


def _slot(text: str, gap: int, start: int, end: int) -> Slot:
    following = _end(_SPACE, text, end)
    comma = following if text[following] == "," else None
    if comma is not None and "#" in text[end:comma]:
        end = comma
    trail = _TRAIL.match(text, end if comma is None else comma + 1)
    stop = trail.end() if trail else (end if comma is None else comma + 1)
    return Slot(gap, _lead(text, gap, start), start, end, comma, stop)


def _lead(text: str, gap: int, start: int) -> int:
    """Return where the comments start that are on lines of their own directly above an item."""
    lines = text[gap:start].split("\n")
    lead = at = start - len(lines[-1])
    for line in reversed(lines[1:-1]):
        if not line.lstrip(" \t").startswith("#"):
            break
        at -= len(line) + 1
        lead = at + len(line) - len(line.lstrip(" \t"))
    return lead if lead != start - len(lines[-1]) else start


def _end(pattern: re.Pattern[str], text: str, pos: int) -> int:
    match = pattern.match(text, pos)
    return match.end() if match else pos
