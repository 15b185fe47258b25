"""What the conversation pane shows of a sample: its turns, then its other fields, each with the parts to edit."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from sampleui.formats.data import DataPath, Plain, shown
from sampleui.sample.model import Sample
from sampleui.sample.parse import MEDIA_TYPES, conversation, json_text, value_at

_MOST_FIELDS = 40
_DEEPEST = 3


class PartKind(StrEnum):
    """How a part is shown and edited."""

    TEXT = "text"
    FILE = "file"
    MEDIA = "media"
    JSON = "json"


@dataclass(frozen=True, slots=True)
class Part:
    """One value that can be edited. `path` leads to it in the sample's data; empty where the file lacks it."""

    kind: PartKind
    path: DataPath
    value: Plain
    tag: str = ""

    @property
    def text(self) -> str:
        """The value as it is edited: a text as it is, anything else as JSON."""
        return (
            self.value if isinstance(self.value, str) and self.kind is not PartKind.JSON else json_text(self.value)
        )

    def parsed(self, text: str) -> Plain:
        """Return the value that an edited text stands for.

        Raises:
            ValueError: when the value is not a text and the edited text is not JSON.
        """
        if self.kind is not PartKind.JSON:
            return text
        try:
            value: Plain = json.loads(text)
        except RecursionError:
            raise ValueError("nested too deeply") from None
        return value


@dataclass(frozen=True, slots=True)
class Item:
    """A turn or a field. `turn` is the turn's place in the list of messages, None for a field."""

    label: str
    path: DataPath
    parts: tuple[Part, ...]
    turn: int | None = None
    note: str = ""


def items_of(sample: Sample) -> tuple[Item, ...]:
    """Return the items of a sample in the order they are shown."""
    return (*_turns(sample), *_fields(sample))


def find(items: tuple[Item, ...], path: DataPath) -> tuple[int, int]:
    """Return the item and the part that a path leads to or through; the first of each where none is nearer."""
    best, place = -1, (0, 0)
    for at, item in enumerate(items):
        common = _common(item.path, path)
        if common == len(item.path) and common > best:
            parts = [_common(part.path, path) for part in item.parts]
            best, place = common, (at, parts.index(max(parts)) if parts else 0)
    return place


def _common(one: DataPath, other: DataPath) -> int:
    count = 0
    while count < min(len(one), len(other)) and one[count] == other[count]:
        count += 1
    return count


def _turns(sample: Sample) -> Iterator[Item]:
    held = value_at(sample.data, sample.messages_path)
    if isinstance(held, str):
        yield Item("user", sample.messages_path, (Part(PartKind.TEXT, sample.messages_path, held),), 0)
        return
    in_file = isinstance(held, list)
    for index, message in enumerate(conversation(sample)):
        path: DataPath = (*sample.messages_path, index) if in_file else ()
        yield _turn(message, path, index)


def _turn(message: Plain, path: DataPath, index: int) -> Item:
    if not isinstance(message, dict):
        return Item("not a message", path, (Part(PartKind.JSON, path, message),), index)
    role = message.get("role")
    label = role if isinstance(role, str) and role else "no role"
    name = message.get("name") or message.get("tool_call_id")
    parts = [*_content(message.get("content"), (*path, "content") if path else ())]
    if message.get("tool_calls") not in (None, []):
        calls = Part(PartKind.JSON, (*path, "tool_calls") if path else (), message["tool_calls"], "tool_calls")
        parts = [part for part in parts if part.value not in (None, "")] + [calls]
    return Item(label, path, tuple(parts), index, name if isinstance(name, str) else "")


def _content(content: Plain, path: DataPath) -> Iterator[Part]:
    if isinstance(content, list):
        for index, segment in enumerate(content):
            yield _segment(segment, (*path, index) if path else ())
    elif content is None or isinstance(content, str):
        yield Part(PartKind.TEXT, path, content or "")
    else:
        yield Part(PartKind.JSON, path, content)


def _segment(segment: Plain, path: DataPath) -> Part:
    if isinstance(segment, dict):
        kind = segment.get("type")
        key = "text" if kind == "text" and "text" in segment and "value" not in segment else "value"
        value = segment.get(key)
        if kind in ("text", "file") and isinstance(value, str):
            shape = PartKind.TEXT if kind == "text" else PartKind.FILE
            return Part(shape, (*path, key) if path else (), value, str(kind))
        if kind in MEDIA_TYPES and isinstance(kind, str):
            held = segment.get(kind)
            url, deeper = (held.get("url"), (kind, "url")) if isinstance(held, dict) else (held, (kind,))
            if isinstance(url, str):
                return Part(PartKind.MEDIA, (*path, *deeper) if path else (), url, kind.removesuffix("_url"))
    return Part(PartKind.JSON, path, segment, "segment")


def _fields(sample: Sample) -> Iterator[Item]:
    leaves = [*_leaves((), sample.data, sample.messages_path)] if sample.data else []
    if len(leaves) > _MOST_FIELDS:
        shut = ((key,) for key in sample.data if (key,) != sample.messages_path)
        leaves = [(path, value_at(sample.data, path)) for path in shut]
    for path, value in leaves:
        kind = PartKind.TEXT if isinstance(value, str) else PartKind.JSON
        yield Item(shown(path), path, (Part(kind, path, value),))


def _leaves(path: DataPath, value: Plain, skip: DataPath) -> Iterator[tuple[DataPath, Plain]]:
    if path == skip and path:
        return
    if isinstance(value, dict) and value and len(path) < _DEEPEST:
        for key, child in value.items():
            yield from _leaves((*path, key), child, skip)
    elif isinstance(value, list) and 0 < len(value) <= 8 and all(isinstance(one, dict) for one in value):
        for index, child in enumerate(value):
            yield from _leaves((*path, index), child, skip)
    else:
        yield path, value
