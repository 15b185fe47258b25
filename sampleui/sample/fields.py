"""What the fields of a sample may be, and what a new one starts as: from the models of its dialect.

Importing the models costs too much at the start: ask only when a field is added or changed.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import islice
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from sampleui.formats.data import DataPath, Plain, Table, as_list
from sampleui.integrations.index import of_dialect
from sampleui.sample.convert.tabled import new_sample_data
from sampleui.sample.dialects.dialect import Dialect, value_at
from sampleui.sample.dialects.segments import text_segment
from sampleui.sample.kinds import ValueKind, blank, blank_like, kind_of
from sampleui.sample.models.schema import message_schema, sample_schema

_Schema: TypeAlias = dict[str, Any]
_LOOKED_AT = 200

_BESIDE_CONTENT = ("name", "tool_calls", "tool_call_id")
"""What a message may have beside its content, in each dialect that spells messages as OpenAI does."""

_KINDS = {
    "string": ValueKind.TEXT,
    "number": ValueKind.NUMBER,
    "integer": ValueKind.NUMBER,
    "boolean": ValueKind.TRUTH,
    "array": ValueKind.LIST,
    "object": ValueKind.TABLE,
}


@dataclass(frozen=True)
class FieldType:
    """What a value may be.

    Attributes:
        schema: the part of the JSON Schema that says so, its alternatives each for itself.
        root: the schema as a whole, which references lead into.
        help: one line on what the value is for; may be empty.
    """

    schema: tuple[_Schema, ...]
    root: _Schema
    help: str = ""

    @property
    def kinds(self) -> tuple[ValueKind, ...]:
        """The types it may have, the usual one first; none if the model is silent."""
        return tuple(
            dict.fromkeys(_KINDS[schema["type"]] for schema in self.schema if schema.get("type") in _KINDS)
        )

    @property
    def words(self) -> str:
        """The types it may have, for people."""
        kinds = []
        for schema in self.schema:
            if schema.get("type") == "array" and schema.get("items"):
                inner = _shape(schema["items"], self.root)
                kinds.append("messages" if inner.is_message else f"list of {inner.words}")
            elif schema.get("type") in _KINDS:
                kinds.append(str(_KINDS[schema["type"]]))
        return " or ".join(dict.fromkeys(kinds)) or "any type"

    @property
    def is_message(self) -> bool:
        """Whether it is one message of a conversation."""
        return any(
            {"role", "content"} <= schema.get("properties", {}).keys() or schema.get("title") == "Message"
            for schema in self.schema
        )

    @property
    def _spelled_usually(self) -> bool:
        """Whether it is a message with a role and a content, which may have what such messages have."""
        return any({"role", "content"} <= schema.get("properties", {}).keys() for schema in self.schema)

    def step(self, step: str | int) -> FieldType | None:
        """Return what a value inside it may be, None if the model is silent."""
        inner_schemas: list[_Schema] = []
        for schema in self.schema:
            inner = schema.get("items") if isinstance(step, int) else schema.get("properties", {}).get(step)
            if inner is None and isinstance(step, str) and isinstance(schema.get("additionalProperties"), dict):
                inner = schema["additionalProperties"]
            if inner is not None:
                inner_schemas.append(inner)
        if not inner_schemas and step in _BESIDE_CONTENT and self._spelled_usually:
            return _any_message().step(step)
        if not inner_schemas:
            return None
        return FieldType(
            tuple(each for schema in inner_schemas for each in _alternatives(schema, self.root)),
            self.root,
            _help(inner_schemas[0]),
        )

    def fields(self) -> dict[str, FieldType]:
        """Return the keys of a table and what they may be."""
        names = dict.fromkeys(name for schema in self.schema for name in schema.get("properties", {}))
        names |= dict.fromkeys(_BESIDE_CONTENT) if self._spelled_usually else {}
        return {name: shape for name in names if (shape := self.step(name)) is not None}

    def blank(self, kind: ValueKind | None = None) -> Plain:
        """Return what a new value starts as, of the usual type or of one of the others."""
        for schema in self.schema:
            schema_kind = _KINDS.get(schema.get("type", ""))
            if schema_kind is not None and kind in (None, schema_kind):
                return self._blank(schema, schema_kind)
        return blank(kind or ValueKind.TEXT)

    def _blank(self, schema: _Schema, kind: ValueKind) -> Plain:
        if schema.get("examples"):
            example: Plain = copy.deepcopy(schema["examples"][0])
            return example
        if kind is ValueKind.LIST:
            item = _shape(schema.get("items", {}), self.root)
            return [item.blank()] if item.is_message else []
        if kind is ValueKind.TABLE:
            return {
                name: _shape(schema["properties"][name], self.root).blank() for name in schema.get("required", ())
            }
        constant: Plain = schema.get("const", schema.get("enum", [blank(kind)])[0])
        return constant


def sample_shape(dialect: Dialect) -> FieldType:
    """Return what a whole sample of a dialect may be."""
    return _sample_shape(dialect)


def shape_at(dialect: Dialect, path: DataPath) -> FieldType | None:
    """Return what the value at a path of a sample may be, None if the dialect's model is silent."""
    shape: FieldType | None = sample_shape(dialect)
    for before, step in zip((None, *path), path, strict=False):
        shape = shape.step(step) if shape is not None else None
        if shape is None and isinstance(before, int) and step in _BESIDE_CONTENT:  # of a message in any list
            shape = _any_message().step(step)
    return shape


def message_fields() -> dict[str, FieldType]:
    """Return what a message may have beside its role and content, and what that may be."""
    shape = _any_message()
    return {name: field for name in _BESIDE_CONTENT if (field := shape.step(name)) is not None}


def kinds_at(dialect: Dialect, path: DataPath, samples: Iterable[Table]) -> tuple[ValueKind, ...]:
    """Return the types that a new value at a path may have, the likeliest first; all when nothing shows it.

    The dialect's model says it. Where it allows several or says nothing, the type that most of the other samples
    have there is the one.

    Args:
        dialect: the dialect.
        path: where the value is to be; items of lists count as any item.
        samples: the samples of the deck, the first of which are looked at.
    """
    shape = shape_at(dialect, path)
    allowed = shape.kinds if shape else ()
    counts = Counter(kind_of(value) for sample in islice(samples, _LOOKED_AT) for value in _all_at(sample, path))
    usual = [kind for kind, _ in counts.most_common() if not allowed or kind in allowed]
    return tuple(usual[:1]) or allowed


def new_value(dialect: Dialect, path: DataPath, kind: ValueKind) -> Plain:
    """Return what a new value of a type starts as at a path."""
    shape = shape_at(dialect, path)
    return shape.blank(kind) if shape else blank(kind)


def first_item(dialect: Dialect, path: DataPath, samples: Iterable[Table]) -> Plain:
    """Return what the first item of a new list at a path starts as.

    It has the shape that the dialect's model says; where that names no keys, that of the first one which another
    sample has there; else it is a text. Calls are as the dialect's program spells them.
    """
    if path[-1] == dialect.turns.spelling.content:
        return text_segment("", dialect)
    item, looked = (*path, 0), [*islice(samples, _LOOKED_AT)]
    kinds, shape = kinds_at(dialect, item, looked), shape_at(dialect, item)
    initial = shape.blank(kinds[0]) if shape is not None and kinds else None
    if not initial:
        like = (blank_like(value) for sample in looked for value in _all_at(sample, item))
        initial = next(like, "" if initial is None else initial)
    if path[-1] not in dialect.contents.call_keys:
        return initial
    calling: Table = {"role": "assistant", "content": "", "tool_calls": [initial]}
    return as_list(of_dialect(dialect).conversion(dialect).write_message(calling, {})["tool_calls"])[0]


def new_sample(dialect: Dialect) -> Table:
    """Return what a new sample of a dialect starts as: what is required, with one turn to write."""
    if not dialect.modelled:
        return new_sample_data(dialect)
    value = sample_shape(dialect).blank(ValueKind.TABLE)
    assert isinstance(value, dict)
    key = str(dialect.message_paths[0][0])
    return {**value, key: new_value(dialect, (key,), ValueKind.LIST)}


def first_sample(dialect: Dialect) -> Table:
    """Return what the first sample of a new deck starts as: one that its dialect is known by."""
    return {**new_sample(dialect), **dialect.begins}


def _all_at(value: Plain, path: DataPath) -> Iterator[Plain]:
    if not path:
        yield value
    elif isinstance(path[0], int) and isinstance(value, list):
        for item in value:
            yield from _all_at(item, path[1:])
    elif isinstance(value, dict) and path[0] in value:
        yield from _all_at(value[str(path[0])], path[1:])


@cache
def _sample_shape(dialect: Dialect) -> FieldType:
    root = sample_schema(dialect)
    return FieldType((root,), root)


@cache
def _any_message() -> FieldType:
    root = message_schema()
    return FieldType((root,), root)


def _shape(schema: _Schema, root: _Schema) -> FieldType:
    return FieldType(tuple(_alternatives(schema, root)), root, _help(schema))


def _alternatives(schema: _Schema, root: _Schema) -> Iterator[_Schema]:
    """Yield the types that a schema allows, each for itself, without null, which leaving a key out says."""
    if "$ref" in schema:
        yield from _alternatives(root["$defs"][schema["$ref"].rpartition("/")[2]], root)
        return
    inner = schema.get("anyOf") if "type" not in schema else None
    inner = inner or schema.get("oneOf")
    if inner:
        for choice in inner:
            yield from _alternatives(choice, root)
    elif schema.get("type") != "null":
        yield schema


def _help(schema: _Schema) -> str:
    return str(schema.get("description", "")).split("\n")[0]


class Start(NamedTuple):
    """What a table of one kind has.

    Attributes:
        value: its required keys with what they start as, its `type` among them; or one key that is the kind, with a
            table of what is required.
        more: its other keys, or those of that table, with what each starts as.
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
    return of_dialect(dialect).checks().skeletons().get(str(key), {})


def start_of(dialect: Dialect, data: Table, path: DataPath) -> Start | None:
    """Return what the kind of a table has that is an item of such a list, or what its one key leads to.

    An item has its kind as its `type`, or as its one key. None for other tables, and where the kind is not known.
    """
    inside = bool(path) and not isinstance(path[-1], int)
    item_path = path[:-1] if inside else path
    item = value_at(data, item_path)
    if not item_path or not isinstance(item_path[-1], int) or not isinstance(item, dict):
        return None
    starts = starts_at(dialect, item_path[:-1]).values()
    start = next((start for start in starts if _kind_name(start.value) == _kind_name(item)), None)
    if start is None or "type" in start.value:
        return None if inside else start
    inner = start.value.get(str(path[-1]))
    if not inside:
        return start._replace(more={})
    return start._replace(value=inner) if isinstance(inner, dict) else None


def _kind_name(item: Table) -> Plain:
    return item.get("type") if "type" in item or len(item) != 1 else next(iter(item))


def choices_at(dialect: Dialect, data: Table, path: DataPath) -> tuple[str, ...]:
    """Return the texts that a value may be, by the kind of the table it is in; none where it may be any text."""
    start = start_of(dialect, data, path[:-1])
    if path[-3:] == ("function", "parameters", "type"):
        return ("object",)  # what the arguments of a tool are, whatever else its JSON Schema says
    if start is None:
        return ()
    if path[-1] == "type" and "type" in start.value:
        return tuple(starts_at(dialect, path[:-2]))
    return start.choices.get(str(path[-1]), ())
