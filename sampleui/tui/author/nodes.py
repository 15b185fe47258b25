"""Where the edits of a value go: the list that takes a new item, the item that moves, what a new one starts as."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from string import ascii_lowercase

from sampleui.errors import EditRefusedError, PathError
from sampleui.formats.data import DataPath, Plain, Table, as_list, shown
from sampleui.formats.operations import Operation, Set
from sampleui.sample.dialects.dialect import Spelling
from sampleui.sample.kinds import blank_like
from sampleui.sample.model import Sample
from sampleui.sample.parse import value_at
from sampleui.sample.tool_calls import kept_together, tools_of, unanswered
from sampleui.sample.value_names import placing
from sampleui.tui.drawing.items import ARGUMENT, Item, ItemPart, is_conversation

_MAX_DIGITS = 9
LIKELY_NEXT = {"user": "assistant", "assistant": "user", "tool": "assistant", "function_call": "tool"}
"""The role that a turn most likely has below one of another."""


def place_for_new(data: Table, messages: DataPath, item: Item | None, *, below: bool) -> DataPath:
    """Return where a new item goes: into the list under the cursor, or beside the item of the list around it.

    Calls and their results stay together: it goes above the call, or below the last result.

    Args:
        data: the sample's data.
        messages: where the conversation is; what is in no list adds to its end.
        item: what the cursor is on.
        below: whether it goes below the cursor, else above.
    """
    path = item.path if item else ()
    present = value_at(data, path) if path else None
    if item is not None and item.turn is None and isinstance(present, list):
        return (*path, len(present) if below else 0)
    if around := item_around(path):
        *inside, index = around
        listed = as_list(value_at(data, tuple(inside)))
        unit = next(unit for unit in kept_together(listed) if index in unit)
        return (*inside, unit.stop if below else unit.start)
    turns = value_at(data, messages)
    count = len(turns) if isinstance(turns, list) else 0
    return (*messages, count if below or item is not None else 0)


def item_around(path: DataPath) -> DataPath:
    """Return the innermost list item that a path leads to or through; empty if there is none."""
    while path and not isinstance(path[-1], int):
        path = path[:-1]
    return path


def set_or_place(data: Table, path: DataPath, value: Plain) -> Operation:
    """Return the operation that sets a value, with the tables on the way to it if they are missing."""
    try:
        return placing(data, path, value)
    except PathError:
        return Set(path, value)


def place_in_list(path: DataPath) -> tuple[DataPath, int]:
    """Return the list that a path leads into, and the index of the item there."""
    *around, index = path
    assert isinstance(index, int)
    return tuple(around), index


def next_to(path: DataPath) -> DataPath:
    """Return the place after that of a list item."""
    around, index = place_in_list(path)
    return (*around, index + 1)


def waits(node: DataPath, unfinished: DataPath) -> bool:
    """Tell whether a finding about a node is held back, because the value or its message is still being written."""
    return bool(unfinished) and node in (unfinished, unfinished[:-1])


def left_by(items: tuple[Item, ...], index: int) -> DataPath:
    """Return where the cursor goes when an item is deleted: to what takes its place, else to the one before it."""
    path = items[index].path
    neighbours = [
        item.path for item in items[index + 1 :] if item.path[: len(path)] != path and item.path[:-1] == path[:-1]
    ]
    if neighbours:
        return path if isinstance(path[-1], int) else neighbours[0]
    before = [item.path for item in items[:index] if item.path and item.path[:-1] == path[:-1]]
    return before[-1] if before else path[:-1]


def part_node(item: Item, part: ItemPart | None) -> DataPath:
    """Return the path of the segment, tool call or key that a part of a turn is; empty if it is the text."""
    if part is None or not part.path or item.turn is None:
        return ()
    if part.tag == ARGUMENT:
        return call_around(item, part)
    if part.key:
        return part.path
    deep = len(item.path) + 2
    is_segment = part.path[len(item.path) : deep - 1] == ("content",) and len(part.path) >= deep
    return part.path[:deep] if is_segment else ()


def call_around(item: Item, part: ItemPart) -> DataPath:
    """Return the path of the tool call that a part of a turn is in."""
    return part.path[: len(item.path) + 2]


def tools_known(sample: Sample) -> dict[str, Table]:
    """Return the tools that a sample has, itself or beside it, by their names."""
    return {**tools_of(sample.context), **tools_of(sample.data)}


def is_there(data: Table, path: DataPath, spelling: Spelling) -> bool:
    """Tell whether the new turn for a place is there already, and empty."""
    turns, index = as_list(value_at(data, path[:-1])), path[-1]
    if not isinstance(index, int) or not 0 < index < len(turns) or not isinstance(turns[index], dict):
        return False
    return turns[index] == like_neighbour(turns, index, spelling)


def like_neighbour(items: list[Plain], index: int, spelling: Spelling) -> Plain:
    """Return a new item of the shape of the one beside its place; a turn as its dialect spells it.

    Raises:
        LookupError: if there is none.
    """
    near = items[max(index - 1, 0)]
    if all(isinstance(item, dict) and spelling.role in item for item in items) or is_conversation(items):
        last = spelling.read(near) if isinstance(near, dict) and index else {}
        first = spelling.read(near) if isinstance(near, dict) else {}
        above = "system" if first.get("role") == "user" else "user"
        own = str(near.get(spelling.role)) if isinstance(near, dict) else ""
        role = LIKELY_NEXT.get(own, LIKELY_NEXT.get(str(last.get("role")), "user")) if index else above
        new: Table = {"role": role, "content": content_like(items)}
        if calls := unanswered(items, index):
            new = {"role": "tool", "tool_call_id": calls[0].id, "content": ""}
        return new if is_conversation(items) else spelling.written(new)
    return _named_next(near, blank_like(near))


def _named_next(near: Plain, new: Plain) -> Plain:
    """Return a new item with the id that follows its neighbour's: the next letter, or the next number."""
    name = near.get("id") if isinstance(near, dict) else None
    if not isinstance(new, dict) or not isinstance(name, str) or not name.isascii():
        return new
    if len(name) == 1 and name.lower() in ascii_lowercase[:-1]:
        return {**new, "id": chr(ord(name) + 1)}
    return {**new, "id": str(int(name) + 1)} if name.isdigit() and len(name) < _MAX_DIGITS else new


def content_like(turns: Iterable[Plain]) -> Plain:
    """Return what the content of a new turn starts as: a segment of text if most of the turns are just that."""
    contents = [turn.get("content") for turn in turns if isinstance(turn, dict)]
    segments = [
        content for content in contents if isinstance(content, list) and [*map(_is_text, content)] == [True]
    ]
    texts = [content for content in contents if isinstance(content, str)]
    return blank_like(segments[-1]) if len(segments) > len(texts) else ""


def _is_text(segment: Plain) -> bool:
    return isinstance(segment, dict) and segment.get("type") == "text"


def first_text(value: Plain, path: DataPath) -> DataPath:
    """Return the path of what is to be written first in a new value: its first empty text, else its first value."""
    blanks = _blank_texts(value, path)
    return next(blanks, None) or _first(value, path)


def _blank_texts(value: Plain, path: DataPath) -> Iterator[DataPath]:
    if value in ("", [""]):  # texts of a list are written a line each
        yield path
        return
    for step, child in _inner(value):
        yield from _blank_texts(child, (*path, step))


def _first(value: Plain, path: DataPath) -> DataPath:
    inner = sorted(_inner(value), key=lambda pair: pair[0] != "content")
    return _first(inner[0][1], (*path, inner[0][0])) if inner else path


def _inner(value: Plain) -> list[tuple[str | int, Plain]]:
    """Return what is in a new value that its author is to write: its role and its kind are chosen."""
    if isinstance(value, dict):
        return [(step, child) for step, child in value.items() if step not in ("role", "type")]
    return [*enumerate(value)] if isinstance(value, list) else []


def renamed(path: DataPath) -> str:
    """Return the key that ends a path.

    Raises:
        EditRefusedError: when it ends in an item of a list, which has no name.
    """
    if not path or not isinstance(path[-1], str):
        what = shown(path) if path else "this"
        raise EditRefusedError(f"{what} is an item of a list and has no name; fields have")
    return path[-1]
