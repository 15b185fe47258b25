"""The words by which the tables of dialects say the types of their fields, and tests of values by these alone.

Of a dialect with shapes of its own, a value that a word here lets pass is right at first sight, so that the models,
which are slow to import, are not asked (`rules/models.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple, TypeAlias, TypeGuard

from sampleui.formats.data import DataPath, Plain, Table, is_number
from sampleui.sample.dialects.dialect import Dialect
from sampleui.sample.dialects.field import Field

ValueTest: TypeAlias = Callable[[Plain], bool]


class _Type(NamedTuple):
    """What a word lets pass, and what it is called in a finding."""

    test: ValueTest
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


TYPES: Mapping[str, _Type] = {
    "text": _Type(lambda value: isinstance(value, str), "a string"),
    "number": _Type(is_number, "a number"),
    "truth": _Type(lambda value: isinstance(value, bool), "true or false"),
    "table": _Type(lambda value: isinstance(value, dict), "a table"),
    "texts": _Type(_list_of(str), "a list of strings"),
    "tables": _Type(_list_of(dict), "a list of tables"),
    "messages": _Type(_list_of(dict), "a list of messages"),
    "filled": _Type(lambda value: isinstance(value, str) and value != "", "a string that is not empty"),
    "name": _Type(lambda value: isinstance(value, str) and value.strip() != "", "a string that is not blank"),
    "turns": _Type(are_turns, "a list of messages"),
    "list": _Type(lambda value: isinstance(value, list), "a list"),
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


def purpose_of(dialect: Dialect, key: str) -> str:
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
