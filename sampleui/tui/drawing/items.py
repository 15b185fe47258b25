"""What the conversation pane shows of a sample: its turns, then its other fields, each with the parts to edit.

Fields are a tree: a table or a list has a line of its own, which opens and folds what is inside it.
"""

from __future__ import annotations

import contextlib
import datetime as dt
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import NamedTuple

from sampleui.formats.data import DataPath, Plain, Table, shown, typed_json, with_set
from sampleui.formats.operations import applied
from sampleui.formats.timestamps import moment_of, read_typed
from sampleui.sample.dialects.dialect import USUAL, Spelling
from sampleui.sample.kinds import ValueKind, kind_of
from sampleui.sample.message import MEDIA_TYPES, size_within
from sampleui.sample.model import Sample
from sampleui.sample.parse import dialect_of, earlier_read, json_text, spoken, value_at
from sampleui.sample.tool_calls import arguments_in, calls_in, with_argument
from sampleui.text.limits import MAX_SHOWN_DEPTH, MAX_UNFOLDED_ITEMS, MAX_UNFOLDED_VALUE
from sampleui.tui.commands import key_named

CALL, OPEN_CALL, ARGUMENT = "call", "open call", "argument"
"""The tags of parts that are a tool call, one that is unfolded, and one of the arguments below it."""

NO_FOLDS: Mapping[DataPath, bool] = {}
NO_NAMES: Mapping[str, str] = {}


class ItemPartKind(StrEnum):
    """How a part is shown and edited."""

    TEXT = "text"
    FILE = "file"
    MEDIA = "media"
    JSON = "json"
    LINES = "lines"
    """A list of texts without line breaks, each edited as a line."""


_MARK = "\N{NULL}here"
_NOT_IN_NAMES = {True: {*"\"'{}[]"}, False: {*"{}"}}
_ARGUMENTS = "properties"
_ARGUMENT_TYPES = ("string", "number", "integer", "boolean", "array", "object")


_WANTED = {
    ValueKind.NUMBER: "a number, such as 0.5,",
    ValueKind.TRUTH: "true or false",
    ValueKind.NOTHING: "null, or any JSON,",
    ValueKind.TIME: "a date or time, such as 2026-05-01,",
}


class NotYetError(ValueError):
    """What was typed is not of the type of the value."""


class ItemPart(NamedTuple):
    """One value that can be edited. `path` leads to it in the sample's data; empty if the file lacks it.

    `tag` says what kind of segment it is; `key` is the key of the message that it is under, if not its content.
    Each tool call is a part of its own, and each of its arguments if the call is unfolded: `key` is its name then,
    `address.city` for one in a table.
    Of arguments that are written as JSON text `text_around` is that text, and `inside` leads to the value in it.
    """

    kind: ItemPartKind
    path: DataPath
    value: Plain
    tag: str = ""
    key: str = ""
    inside: DataPath = ()
    text_around: str = ""

    @property
    def full_path(self) -> DataPath:
        """Where it is, with the path inside a JSON text."""
        return (*self.path, *self.inside)

    @property
    def text(self) -> str:
        """The value as it is edited: texts as they are, a list of them a line each, a date as in TOML, or JSON."""
        if self.kind is ItemPartKind.LINES and isinstance(self.value, list):
            return "\n".join(map(str, self.value))
        if isinstance(self.value, dt.date | dt.time):
            return self.value.isoformat()
        is_text = isinstance(self.value, str) and self.kind is not ItemPartKind.JSON
        return self.value if is_text and isinstance(self.value, str) else json_text(self.value)

    def span(self, path: DataPath) -> tuple[int, int]:
        """Return where in its text the value at a path is, a text inside its quotes; all for the whole."""
        inner = path[len(self.path) :]
        if not inner:
            return 0, len(self.text)
        marked, mark = json_text(with_set(self.value, inner, _MARK)), json_text(_MARK)
        start = marked.index(mark)
        end = len(self.text) - (len(marked) - start - len(mark))
        quoted = isinstance(value_at(self.value, inner), str)
        return start + quoted, end - quoted

    def parsed(self, text: str, *, has_dates: bool = False) -> Plain:
        """Return the value that an edited text stands for.

        Args:
            text: the text.
            has_dates: whether what stands without quotes in the lines of a table may be a date.

        Raises:
            NotYetError: when a number, a truth or a date is edited and the text is neither that nor JSON.
            ValueError: when a list or a table is edited and the text is neither JSON nor a line for each key.
            PathError: when a key is there twice.
        """
        return self.whole(self._parsed(text, has_dates))

    def whole(self, value: Plain) -> Plain:
        """Return what is at the path where this value is another: of one inside a JSON text, that text."""
        return with_argument(self.text_around, self.inside, value) if self.text_around else value

    def _parsed(self, text: str, has_dates: bool) -> Plain:
        if self.kind is ItemPartKind.LINES:
            return _lines(text)
        if self.kind is not ItemPartKind.JSON:
            return text
        wanted = _WANTED.get(kind_of(self.value), "")
        if kind_of(self.value) is ValueKind.TIME and (moment := moment_of(text)) is not None:
            return moment
        try:
            value = typed_json(text)
        except (ValueError, RecursionError) as error:
            if wanted:
                raise NotYetError(
                    f"{wanted} is expected here; {key_named('field.type', 't')} gives the value another type"
                ) from None
            if isinstance(error, RecursionError):
                raise ValueError("nested too deeply") from None
            if isinstance(self.value, dict):
                return _table(text, error, self.full_path[-1:] == (_ARGUMENTS,), has_dates and not self.text_around)
            raise
        return value


class Item(NamedTuple):
    """A turn or a field.

    Attributes:
        label: the role of a turn, the name of a field.
        path: where it is; empty if the file lacks it.
        parts: what can be edited of it. A table or a list can as a whole, as JSON.
        turn: the turn's place in its list of messages, None for a field.
        note: who speaks, in a turn.
        depth: how many tables and lists are around a field, or a turn in a field; 0 for the conversation itself.
        folded: whether what is inside it is hidden; None if there is nothing inside.
        heading: what a line above it says, where something begins with it.
        line: what a folded table of a list is in its own words; empty for any other.
    """

    label: str
    path: DataPath
    parts: tuple[ItemPart, ...]
    turn: int | None = None
    note: str = ""
    depth: int = 0
    folded: bool | None = None
    heading: str = ""
    line: str = ""

    @property
    def name(self) -> str:
        """What it is called beside the items around it."""
        return self.label if self.depth < 2 or self.turn is not None else shown(self.path[-1:])

    @property
    def in_fields(self) -> bool:
        """Whether it is a field, or is in one."""
        return self.turn is None or self.depth > 0


def items_of(sample: Sample, folds: Mapping[DataPath, bool] = NO_FOLDS) -> tuple[Item, ...]:
    """Return the items of a sample in the order they are shown.

    Args:
        sample: the sample.
        folds: by path, which fields the author has folded or opened; of the others the large ones are folded.
    """
    turns = _turns(sample, folds) if sample.index >= 0 else ()
    return (*turns, *_fields(sample, folds))


def find(items: tuple[Item, ...], path: DataPath) -> tuple[int, int]:
    """Return the item and the part that a path leads to or through; the first of each if none is nearer."""
    best, indexes = -1, (0, 0)
    for index, item in enumerate(items):
        common = _common(item.path, path)
        if common == len(item.path) and common > best:
            parts = [_common(part.full_path, path) for part in item.parts]
            best, indexes = common, (index, parts.index(max(parts)) if parts else 0)
    return indexes


def values_in(items: tuple[Item, ...]) -> list[tuple[int, int]]:
    """Return the items and parts that are edited one after another: all but tables and lists that are open."""
    return [
        (index, part)
        for index, item in enumerate(items)
        if item.folded is not False
        for part in range(len(item.parts))
        if item.parts[part].path and item.parts[part].tag != OPEN_CALL
    ]


def _common(path: DataPath, other: DataPath) -> int:
    count = 0
    while count < min(len(path), len(other)) and path[count] == other[count]:
        count += 1
    return count


def _turns(sample: Sample, folds: Mapping[DataPath, bool]) -> Iterator[Item]:
    spelling, turns = dialect_of(sample).turns.spelling, spoken(sample)
    messages = value_at(sample.data, sample.messages_path)
    if not turns and isinstance(messages, str):
        yield Item("user", sample.messages_path, (ItemPart(ItemPartKind.TEXT, sample.messages_path, messages),), 0)
    called = {call.id: call.name for item in turns for call in calls_in(item.message) if call.id}
    for index, item in enumerate(turns):
        if item.texts:
            texts = ((path, value_at(sample.data, path)) for path in item.texts)
            parts = tuple(ItemPart(_kind(text), path, text) for path, text in texts)
            role = item.message["role"] if isinstance(item.message, dict) else ""
            yield Item(str(role), item.path, parts, index)
        else:
            yield _turn(item.message, item.path, index, folds, spelling=spelling, called=called)


def _kind(value: Plain) -> ItemPartKind:
    return ItemPartKind.TEXT if isinstance(value, str) else ItemPartKind.JSON


def _turn(
    message: Plain,
    path: DataPath,
    index: int,
    folds: Mapping[DataPath, bool],
    *,
    depth: int = 0,
    spelling: Spelling = USUAL,
    called: Mapping[str, str] = NO_NAMES,
) -> Item:
    if not isinstance(message, dict):
        return Item("not a message", path, (ItemPart(ItemPartKind.JSON, path, message),), index, depth=depth)
    role = message.get("role")
    label = role if isinstance(role, str) and role else "no role"
    name = message.get("name") or message.get("tool_call_id")
    if isinstance(name, str) and name in called:
        name = f"{called[name]} · {name}"
    parts = [*_content(message.get("content"), (*path, spelling.content) if path else ())]
    if message.get("tool_calls") not in (None, []):
        parts = [part for part in parts if part.value not in (None, "")]
    silent = {"role", "content"}
    if message.get("tool_calls") is None:
        silent.add("tool_calls")
    for key, value in message.items():
        if key == "tool_calls" and isinstance(value, list) and value:
            for call_index, call in enumerate(value):
                parts += _call(call, (*path, key, call_index) if path else (), folds)
        elif key not in silent:
            tag = CALL if key == "tool_calls" else ""
            parts.append(ItemPart(_kind(value), (*path, key) if path else (), value, tag, key))
    return Item(label, path, tuple(parts), index, name if isinstance(name, str) else "", depth)


def _call(call: Plain, path: DataPath, folds: Mapping[DataPath, bool]) -> Iterator[ItemPart]:
    """Yield a call, and if the author has unfolded it its arguments, those in tables and in lists of tables too."""
    arguments = arguments_in(call) if path and folds.get(path) is False else None
    yield ItemPart(ItemPartKind.JSON, path, call, CALL if arguments is None else OPEN_CALL, "tool_calls")
    if arguments is None:
        return
    from sampleui.sample.argument_types import argument_values  # no call starts unfolded

    arguments_path = (*path, *arguments.path)
    for inside, value in argument_values(arguments.table):
        kind = ItemPartKind.LINES if is_lines(value) else _kind(value)
        name = shown(inside) if inside else "arguments"
        if arguments.text:
            yield ItemPart(kind, arguments_path, value, ARGUMENT, name, inside, arguments.text)
        else:
            yield ItemPart(kind, (*arguments_path, *inside), value, ARGUMENT, name)


def _content(content: Plain, path: DataPath) -> Iterator[ItemPart]:
    if isinstance(content, list) and content:
        for index, segment in enumerate(content):
            yield _segment(segment, (*path, index) if path else ())
    elif content is None or isinstance(content, str):
        yield ItemPart(ItemPartKind.TEXT, path, content or "")
    else:
        yield ItemPart(ItemPartKind.JSON, path, content)


def _segment(segment: Plain, path: DataPath) -> ItemPart:
    if isinstance(segment, dict):
        kind = segment.get("type")
        key = "text" if kind == "text" and "text" in segment and "value" not in segment else "value"
        value = segment.get(key)
        if kind in ("text", "file") and isinstance(value, str):
            shape = ItemPartKind.TEXT if kind == "text" else ItemPartKind.FILE
            return ItemPart(shape, (*path, key) if path else (), value, str(kind))
        if kind in MEDIA_TYPES and isinstance(kind, str):
            content = segment.get(kind)
            url, deeper = (content.get("url"), (kind, "url")) if isinstance(content, dict) else (content, (kind,))
            if isinstance(url, str):
                return ItemPart(
                    ItemPartKind.MEDIA, (*path, *deeper) if path else (), url, kind.removesuffix("_url")
                )
    return ItemPart(ItemPartKind.JSON, path, segment, "segment")


def _fields(sample: Sample, folds: Mapping[DataPath, bool]) -> Iterator[Item]:
    spoken_turns = spoken(sample) if sample.index >= 0 else []
    shown_as_turns = bool(spoken_turns) or isinstance(value_at(sample.data, sample.messages_path), str | list)
    shown_paths = [sample.messages_path] if shown_as_turns else []
    earlier = earlier_read(spoken_turns, dialect_of(sample))
    turns = frozenset({*shown_paths, *earlier, *(path for item in spoken_turns for path in item.texts)})
    label = sample.data.get("label")
    right = frozenset([label] if isinstance(label, str) else [])
    for key, value in sample.data.items():
        yield from _field((key,), value, turns, folds, right)


def _field(
    path: DataPath,
    value: Plain,
    turns: frozenset[DataPath],
    folds: Mapping[DataPath, bool],
    right: frozenset[str],
) -> Iterator[Item]:
    if path in turns:
        return
    depth = len(path) - 1
    if isinstance(value, str):
        folded = folds.get(path, True) if len(value) > MAX_UNFOLDED_VALUE else None
        yield Item(shown(path), path, (ItemPart(ItemPartKind.TEXT, path, value),), depth=depth, folded=folded)
        return
    whole = (ItemPart(ItemPartKind.LINES if is_lines(value) else ItemPartKind.JSON, path, value),)
    if not isinstance(value, dict | list) or not value:
        yield Item(shown(path), path, whole, depth=depth)
        return
    if len(value) == 1 and any(
        turn[:-1] == path for turn in turns if len(turn) > 1
    ):  # `vars` with nothing but the conversation
        return
    line = _line(path, value, right) if isinstance(value, dict) and isinstance(path[-1], int) else ""
    folded = folds.get(path, bool(line) or _starts_folded(value, len(path)))
    yield Item(shown(path), path, whole, depth=depth, folded=folded, line=line if folded else "")
    if folded:
        return
    if isinstance(value, list) and is_conversation(value):
        yield from (
            _turn(message, (*path, index), index, folds, depth=depth + 1) for index, message in enumerate(value)
        )
        return
    steps = value.items() if isinstance(value, dict) else enumerate(value)
    for step, child in steps:
        yield from _field((*path, step), child, turns, folds, right)


def _line(path: DataPath, table: Table, right: frozenset[str]) -> str:
    # few samples have tables in lists; the others start without it
    from sampleui.sample.value_lines import STATEMENTS, line_of, statement_of

    is_stated = path[-2:-1] and path[-2] in STATEMENTS
    return (statement_of(table) if is_stated else "") or line_of(table, right)


def _lines(text: str) -> Plain:
    """Return the texts that stand a line each; or what the text says if it is a list, `["a", "b"]` or `[a, b]`."""
    if isinstance(value := read_typed(text, has_dates=False), list):
        return value
    return [line for line in text.split("\n") if line.strip()]


def _table(text: str, error: Exception, arguments: bool, has_dates: bool) -> Plain:
    """Return the table that a text which is no JSON says: pairs without braces, or a line for each key.

    A line is `source: web`, inside braces or not, and a key may lead into tables and lists, `where.city`. Of
    `arguments`, those that a JSON Schema gives a tool, the names are enough, also beside each other, and what
    follows one is its type: `city, days: integer`.

    Raises:
        NotYetError: when it says none, or one without a value; with the line if there are several.
        PathError: when a key cannot be read, or is there twice.
        ValueError: `error`, the one of the JSON, where the text begins as JSON does.
    """
    from sampleui.sample.value_names import path_of, placing  # not before a table is typed

    inner = text.strip().removeprefix("{").removesuffix("}").strip()
    if inner.startswith(('"', "[")):
        if text.lstrip().startswith('"'):
            with contextlib.suppress(ValueError, RecursionError):
                return typed_json(f"{{{text}}}")
        raise error
    lines = (inner.replace(",", "\n") if arguments else inner).splitlines()
    table: Table = {}
    for number, line in enumerate(lines, 1):
        name, colon, rest = (part.strip() for part in line.partition(":"))
        if not name and not colon:
            continue
        if not name or set(name) & _NOT_IN_NAMES[arguments] or not (rest or arguments):
            position = f"line {number}: " if len(lines) > 1 else ""
            raise NotYetError(f"{position}write a line for each key, such as source: web, or a table in JSON")
        if arguments and name in table:
            raise NotYetError(f"{name} is there already")
        if arguments:
            if rest and rest not in _ARGUMENT_TYPES:
                raise NotYetError(f"{name} can be of the type {', '.join(_ARGUMENT_TYPES)}")
            table[name] = {"type": rest or _ARGUMENT_TYPES[0]}
            continue
        changed = applied(placing(table, path_of(name), read_typed(rest, has_dates=has_dates)), table)
        assert isinstance(changed, dict)
        table = changed
    return table


def is_lines(value: Plain) -> bool:
    """Tell whether a value is a list of texts that can each stand on a line."""
    if not isinstance(value, list) or not value:
        return False
    texts = [item for item in value if isinstance(item, str) and item.strip() and len(item.splitlines()) == 1]
    return value == [""] or (len(texts) == len(value) and not any(text.lstrip()[0] == "[" for text in texts))


def is_conversation(value: list[Plain]) -> bool:
    """Tell whether a list is one of messages: tables all of them, with roles."""
    return bool(value) and all(isinstance(item, dict) and "role" in item for item in value)


def _starts_folded(value: list[Plain] | Table, depth: int) -> bool:
    """Tell whether a value is folded unasked: a list that one line can show, and what is large or deep."""
    if isinstance(value, list) and not any(isinstance(item, dict | list) for item in value):
        return True
    return (
        depth >= MAX_SHOWN_DEPTH
        or len(value) > MAX_UNFOLDED_ITEMS
        or size_within(value, MAX_UNFOLDED_VALUE) is None
    )
