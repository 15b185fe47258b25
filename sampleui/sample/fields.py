"""What the fields of a sample may be, and what a new one starts as: from the models of its dialect.

Importing the models costs too much at the start: ask only when a field is added or changed.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import islice
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from sampleui.formats.data import DataPath, Plain, Table, as_list, as_table
from sampleui.integrations.index import of_dialect
from sampleui.sample.convert.tabled import new_sample_data
from sampleui.sample.dialects.dialect import Dialect, value_at
from sampleui.sample.dialects.segments import text_segment
from sampleui.sample.kinds import ValueKind, blank, blank_like, kind_of
from sampleui.sample.models.schema import message_schema, sample_schema
from sampleui.sample.schema_type import SchemaType

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


class FieldType(SchemaType):
    """What a value of a sample may be, by the JSON Schema that is written from its dialect's table of fields."""

    __slots__ = ()

    @property
    def kinds(self) -> tuple[ValueKind, ...]:
        """The types it may have, the usual one first; none if the model is silent."""
        return tuple(
            dict.fromkeys(_KINDS[kind] for shape in self.shapes if (kind := str(shape.get("type"))) in _KINDS)
        )

    @property
    def words(self) -> str:
        """The types it may have, for people."""
        kinds = []
        for shape in self.shapes:
            if shape.get("type") == "array" and shape.get("items"):
                item = self.alone(shape).inside(0)
                kinds.append("messages" if item.is_message else f"list of {item.words}")
            elif (kind := str(shape.get("type"))) in _KINDS:
                kinds.append(str(_KINDS[kind]))
        return " or ".join(dict.fromkeys(kinds)) or "any type"

    @property
    def is_message(self) -> bool:
        """Whether it is one message of a conversation."""
        return self._spelled_usually or any(shape.get("title") == "Message" for shape in self.shapes)

    @property
    def _spelled_usually(self) -> bool:
        """Whether it is a message with a role and a content, which may have what such messages have."""
        return any({"role", "content"} <= as_table(shape.get("properties")).keys() for shape in self.shapes)

    def inside(self, step: str | int) -> FieldType:
        """Return what a value inside it may be; it has no shapes if the model is silent."""
        found = super().inside(step)
        if not found.shapes and step in _BESIDE_CONTENT and self._spelled_usually:
            return _any_message().inside(step)
        return found

    def fields(self) -> dict[str, FieldType]:
        """Return the keys of a table and what they may be."""
        names = dict.fromkeys((*self.known, *(_BESIDE_CONTENT if self._spelled_usually else ())))
        return {name: shape for name in names if (shape := self.inside(name)).shapes}

    def blank(self, kind: ValueKind | None = None) -> Plain:
        """Return what a new value starts as, of the usual type or of one of the others."""
        for shape in self.shapes:
            shape_kind = _KINDS.get(str(shape.get("type")))
            if shape_kind is not None and kind in (None, shape_kind):
                return self.alone(shape)._blank(shape, shape_kind)
        return blank(kind or ValueKind.TEXT)

    def _blank(self, shape: Table, kind: ValueKind) -> Plain:
        if examples := as_list(shape.get("examples")):
            return copy.deepcopy(examples[0])
        if kind is ValueKind.LIST:
            item = self.inside(0)
            return [item.blank()] if item.is_message else []
        if kind is ValueKind.TABLE:
            return {str(name): self.inside(str(name)).blank() for name in as_list(shape.get("required"))}
        return shape.get("const", as_list(shape.get("enum", [blank(kind)]))[0])


@cache
def sample_shape(dialect: Dialect) -> FieldType:
    """Return what a whole sample of a dialect may be."""
    return FieldType.of(sample_schema(dialect))


def shape_at(dialect: Dialect, path: DataPath) -> FieldType | None:
    """Return what the value at a path of a sample may be, None if the dialect's model is silent."""
    shape = sample_shape(dialect)
    for before, step in zip((None, *path), path, strict=False):
        shape = shape.inside(step)
        if not shape.shapes and isinstance(before, int) and step in _BESIDE_CONTENT:  # of a message in any list
            shape = _any_message().inside(step)
    return shape if shape.shapes else None


def message_fields() -> dict[str, FieldType]:
    """Return what a message may have beside its role and content, and what that may be."""
    shape = _any_message()
    return {name: shape.inside(name) for name in _BESIDE_CONTENT}


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


def lacking(dialect: Dialect, sample: Table, others: Iterable[Table]) -> list[str]:
    """Return the keys that a sample is still to have: those that are required, then those that all others have.

    A key that one other sample alone shows is no custom of the deck, unless the dialect is known by it. What names
    a sample or holds its messages has several spellings, and is not told by its key.
    """
    looked = [other for other in islice(others, _LOOKED_AT) if other is not sample]
    keys = dict.fromkeys((*dialect.begins, *looked[0])) if len(looked) > 1 else dialect.begins
    shared = [key for key in keys if looked and all(other.get(key) is not None for other in looked)]
    told = {str(path[0]) for path in (*dialect.id_paths, *dialect.message_paths)}
    required = [key for key, item in dialect.fields.items() if item.required]
    return [key for key in dict.fromkeys((*required, *shared)) if key not in sample and key not in told]


def _all_at(value: Plain, path: DataPath) -> Iterator[Plain]:
    if not path:
        yield value
    elif isinstance(path[0], int) and isinstance(value, list):
        for item in value:
            yield from _all_at(item, path[1:])
    elif isinstance(value, dict) and path[0] in value:
        yield from _all_at(value[str(path[0])], path[1:])


@cache
def _any_message() -> FieldType:
    return FieldType.of(message_schema())


class Start(NamedTuple):
    """What a table of one kind has.

    Attributes:
        value: its required keys with what they start as, its `type` among them; or one key that is the kind, with a
            table of what is required.
        more: its other keys, or those of that table, with what each starts as.
        choices: the texts that a key of it may have, for keys that may not have any other.
        purpose: what it checks, in a few words.
    """

    value: Table
    more: Table
    choices: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    purpose: str = ""


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
