"""What a sample expects, in each of the ways to say so, read into one neutral case and written from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sampleui.formats.data import DataPath, Plain, Table
from sampleui.sample.dialects.dialect import Dialect
from sampleui.sample.parse import as_messages, json_text, messages_path, value_at


@dataclass(frozen=True, slots=True)
class Case:
    """A sample without a dialect.

    Attributes:
        messages: its messages as authored, None if it has none.
        answer: the reference answer, one of: a text, any other value, a list of texts (several answers), a list of
            messages, or references as they are. None if there is none.
        criteria: what makes an answer good, in words; None if nothing says it.
        rest: every other field.
        notes: report lines of the reading.
        spelled: what the sample calls its `id`, `expected` and `criteria`, where that is another name.
        renamed: the same for other fields, by the keys they have in `rest`.
    """

    messages: list[Plain] | None
    answer: Plain
    criteria: str | None
    rest: Table
    notes: tuple[str, ...] = ()
    spelled: Mapping[str, str] = field(default_factory=dict)
    renamed: Mapping[str, str] = field(default_factory=dict)


def without(data: Table, path: DataPath) -> Table:
    """Return a table without the value at a path, and without the tables that it leaves empty."""
    key = str(path[0])
    if key not in data:
        return data
    inner_value = data[key]
    if len(path) > 1:
        inner = without(inner_value, path[1:]) if isinstance(inner_value, dict) else inner_value
        if inner:
            return {**data, key: inner}
    return {other: value for other, value in data.items() if other != key}


def placed(data: Table, path: DataPath, value: Plain) -> Table:
    """Return a table with a value at a path of keys."""
    key = str(path[0])
    if len(path) == 1:
        return {**data, key: value}
    before = data.get(key)
    return {**data, key: placed(before if isinstance(before, dict) else {}, path[1:], value)}


@dataclass(frozen=True, slots=True)
class Written:
    """A sample up to what is expected, in a dialect: its fields, what is left for `metadata`, and report lines."""

    data: Table
    left: Table = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def taken_messages(rest: Table, dialect: Dialect) -> list[Plain] | None:
    """Take the messages out of a sample's fields, and with them whatever else spelled them."""
    path = messages_path(rest, dialect)
    messages = as_messages(value_at(rest, path), rest, dialect)
    if messages is None:
        return None
    files = rest.get("input_files")
    if isinstance(value_at(rest, path), str) and isinstance(files, list) and all(isinstance(f, str) for f in files):
        del rest["input_files"]
    taken = rest.pop(str(path[0]))
    if len(path) > 1 and isinstance(taken, dict) and len(taken) > 1:
        rest[str(path[0])] = {key: value for key, value in taken.items() if key != path[1]}
    return messages


def single_answer(answer: Plain) -> Plain:
    """Return the content of a single assistant message that has nothing else, any other answer as it is."""
    if isinstance(answer, list) and len(answer) == 1 and isinstance(answer[0], dict):
        message = answer[0]
        if message.keys() == {"role", "content"} and message["role"] == "assistant":
            content = message["content"]
            return content if isinstance(content, str | dict) else answer
    return answer


def as_text(value: Plain, notes: list[str]) -> str:
    """Return what is expected as a text, and put a line where that is its JSON."""
    if isinstance(value, str):
        return value
    notes.append("expected: written as JSON text")
    return json_text(value)
