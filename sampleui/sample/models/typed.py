"""The words by which the tables of dialects say the types of their fields, and what follows from these alone.

Of a dialect with shapes of its own, a value that a word here lets pass is right at first sight, so that the models,
which are slow to import, are not asked (`rules/models.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias, TypeGuard

from sampleui.formats.data import DataPath, Plain, Table, as_table, is_number
from sampleui.sample.dialects.dialect import Dialect
from sampleui.sample.dialects.field import Field

_Schema: TypeAlias = dict[str, Any]
ValueTest: TypeAlias = Callable[[Plain], bool]


class _Type(NamedTuple):
    """What a word lets pass, the JSON Schema for it, and what it is called in a finding."""

    test: ValueTest
    schema: _Schema
    words: str


def _list_of(kind: type) -> ValueTest:
    return lambda value: isinstance(value, list) and all(isinstance(item, kind) for item in value)


def are_turns(value: Plain) -> TypeGuard[list[Table]]:
    """Tell whether a value is a list of messages of a role and a text or plain segments.

    Empty texts are for the rules. Of a dialect with models a value that is none of these may be right all the same.
    """
    return isinstance(value, list) and all(map(_is_turn, value))


def _is_turn(item: Plain) -> bool:
    if not isinstance(item, dict) or not TYPES["name"].test(item.get("role")):
        return False
    if item.keys() & {"tool_calls", "tool_call_id", "name"}:
        return False
    content = item.get("content")
    return isinstance(content, str) or (isinstance(content, list) and all(map(_is_plain_segment, content)))


def _is_plain_segment(item: Plain) -> bool:
    if not isinstance(item, dict):
        return False
    value = item.get("value")
    if item.get("type") == "file":
        return TYPES["name"].test(value)
    return item.get("type") == "text" and "text" not in item and isinstance(value, str)


_STRING: _Schema = {"type": "string"}
_OBJECT: _Schema = {"type": "object"}
TYPES: Mapping[str, _Type] = {
    "text": _Type(lambda value: isinstance(value, str), _STRING, "a string"),
    "number": _Type(is_number, {"type": "number"}, "a number"),
    "truth": _Type(lambda value: isinstance(value, bool), {"type": "boolean"}, "true or false"),
    "table": _Type(lambda value: isinstance(value, dict), _OBJECT, "a table"),
    "texts": _Type(_list_of(str), {"type": "array", "items": _STRING}, "a list of strings"),
    "tables": _Type(_list_of(dict), {"type": "array", "items": _OBJECT}, "a list of tables"),
    "messages": _Type(
        _list_of(dict), {"type": "array", "items": {"$ref": "#/$defs/Message"}}, "a list of messages"
    ),
    "filled": _Type(
        lambda value: isinstance(value, str) and value != "",
        {**_STRING, "minLength": 1},
        "a string that is not empty",
    ),
    "name": _Type(
        lambda value: isinstance(value, str) and value.strip() != "",
        {**_STRING, "pattern": r"\S"},
        "a string that is not blank",
    ),
    "turns": _Type(are_turns, {"type": "array"}, "a list of messages"),
    "list": _Type(lambda value: isinstance(value, list), {"type": "array"}, "a list"),
}
ANY = "any"
"""The word for a value of any type."""


def type_errors(fields: Mapping[str, Field], data: Table) -> Iterator[tuple[DataPath, str, str]]:
    """Yield the path of each value of a wrong type and of each that is missing, the rule, and what must be."""
    required = {key for key, item in fields.items() if item.required}
    for key in sorted(required - data.keys()):
        yield (key,), "field-missing", "is required"
    for key, value in data.items():
        is_left = key not in fields or (value is None and key not in required)
        if not is_left and not is_of_type(fields[key].type, value):
            words = fields[key].type.split("|")
            yield (key,), "field-type", f"must be {' or '.join(TYPES[word].words for word in words)}"


def fits(dialect: Dialect, key: str, value: Plain) -> bool:
    """Tell whether a key may hold a value."""
    return key not in dialect.fields or is_of_type(dialect.fields[key].type, value)


def is_of_type(words: str, value: Plain) -> bool:
    """Tell whether a value is of a type given in words; without a word, only null is."""
    each = words.split("|") if words else []
    return ANY in each or (any(TYPES[word].test(value) for word in each) if each else value is None)


def sample_schema(dialect: Dialect) -> Table:
    """Return the JSON Schema of one sample."""
    return {
        "title": "Sample",
        "type": "object",
        "properties": _properties(dialect, dialect.fields),
        "required": [*sorted(dialect.required)],
        "$defs": {"Message": _message(dialect)},
    }


def _properties(dialect: Dialect, fields: Mapping[str, Field]) -> Table:
    return {
        key: {**_schema(item.type, item.required), "description": item.purpose or _purpose(dialect, key)}
        for key, item in fields.items()
        if item.offered
    }


def schema(dialect: Dialect, draft: str) -> Table:
    """Return the JSON Schema of a deck: a table with samples under a key, a list of them, or a single one."""
    sample = sample_schema(dialect)
    definitions = sample.pop("$defs")
    listed: Table = {"type": "array", "items": {"$ref": "#/$defs/Sample"}}
    keyed: Table = {"type": "object", "additionalProperties": {"$ref": "#/$defs/Sample"}}
    beside = _properties(dialect, dialect.beside)
    decks: list[Plain] = [
        _nested(container, {"anyOf": [listed, keyed]}, beside) for container in dialect.containers if container
    ]
    alone: list[Plain] = [listed, {"$ref": "#/$defs/Sample"}] if () in dialect.containers else []
    assert isinstance(definitions, dict)
    return {
        "$schema": draft,
        "title": f"{dialect.title} samples",
        "anyOf": [*decks, *alone],
        "$defs": {**definitions, "Sample": sample},
    }


def _nested(keys: tuple[str, ...], inner: Table, beside: Table) -> Table:
    """Return the shape of a table that has something under keys, one in the other, and what is beside the first."""
    for key in reversed(keys):
        inner = {"type": "object", "required": [key], "properties": {key: inner}}
    return {**inner, "properties": {**beside, **as_table(inner["properties"])}}


def _schema(words: str, required: bool) -> _Schema:
    schemas = [TYPES[word].schema for word in words.split("|") if word != ANY]
    if ANY in words.split("|"):
        return {}
    every = schemas if required else [*schemas, {"type": "null"}]
    return every[0] if len(every) == 1 else {"anyOf": every}


def _purpose(dialect: Dialect, key: str) -> str:
    """Return a line on what a key is for, by the place that the table gives it."""
    uses = (
        (dialect.message_paths, "What is asked"),
        (dialect.expected.paths, "What is expected"),
        (dialect.id_paths, "The name of the sample"),
        (dialect.turns.system, "The system message"),
        (dialect.turns.earlier, "Earlier turns, as pairs of a question and an answer"),
        (dialect.turns.added, "What follows the question"),
        (dialect.tag_paths, "Labels"),
    )
    described = next((words for paths, words in uses if any(path[:1] == (key,) for path in paths)), "")
    return described or f"A field of {dialect.title}'s"


def _message(dialect: Dialect) -> _Schema:
    spelling = dialect.turns.spelling
    return {
        "title": "Message",
        "type": "object",
        "properties": {spelling.role: {"type": "string", "minLength": 1}, spelling.content: {}},
        "required": [spelling.role],
        "examples": [spelling.written({"role": "user", "content": ""})],
    }
