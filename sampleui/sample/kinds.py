"""The types that a value may have, in words, and what is left of a value that is given another type."""

from __future__ import annotations

from enum import StrEnum

from sampleui.errors import EditRefusedError
from sampleui.formats.data import Plain, json_or_text
from sampleui.sample.parse import json_text


class ValueKind(StrEnum):
    """The type of a value, as people call it."""

    TEXT = "text"
    NUMBER = "number"
    TRUTH = "true/false"
    NOTHING = "nothing"
    LIST = "list"
    TABLE = "table"
    TIME = "date or time"


CHOICES = (ValueKind.TEXT, ValueKind.NUMBER, ValueKind.TRUTH, ValueKind.NOTHING, ValueKind.LIST, ValueKind.TABLE)
"""The types an author may choose; dates and times are TOML's own and are typed as they are."""

SIGNS = {
    ValueKind.TEXT: "“",
    ValueKind.NUMBER: "#",
    ValueKind.TRUTH: "?",
    ValueKind.NOTHING: "∅",
    ValueKind.LIST: "[]",
    ValueKind.TABLE: "{}",
    ValueKind.TIME: "@",
}
"""A sign for each type, so that types are told apart without colour."""


def kind_of(value: Plain) -> ValueKind:
    """Return the type of a value."""
    match value:
        case None:
            return ValueKind.NOTHING
        case bool():
            return ValueKind.TRUTH
        case int() | float():
            return ValueKind.NUMBER
        case str():
            return ValueKind.TEXT
        case list():
            return ValueKind.LIST
        case dict():
            return ValueKind.TABLE
        case _:
            return ValueKind.TIME


def blank(kind: ValueKind) -> Plain:
    """Return the value that a new one of a type starts as."""
    empty: dict[ValueKind, Plain] = {
        ValueKind.NUMBER: 0,
        ValueKind.TRUTH: False,
        ValueKind.NOTHING: None,
        ValueKind.LIST: [],
        ValueKind.TABLE: {},
    }
    return empty.get(kind, "")


def blank_like(value: Plain) -> Plain:
    """Return a new value of the shape of another: its keys with blank values, its roles and types kept.

    The properties of a JSON Schema are names that its author chose: a new one has none.
    """
    if isinstance(value, dict):
        blanks = {key: child if key in ("role", "type") else blank_like(child) for key, child in value.items()}
        return {**blanks, "properties": {}} if isinstance(value.get("properties"), dict) else blanks
    if isinstance(value, list):
        return [blank_like(value[0])] if value and isinstance(value[0], dict) else []
    return blank(kind_of(value))


def as_kind(value: Plain, kind: ValueKind) -> Plain:
    """Return a value as another type, with what can be kept of it.

    A text that is written like a number, a truth, a list or a table becomes what it says; a list of one item and
    that item stand for each other; anything may become the text that says it, and what is empty anything.

    Raises:
        EditRefusedError: when a number or a truth is wanted and the value says none: it would be lost.
    """
    if kind_of(value) is kind:
        return value
    parsed = _parsed(value)
    if kind_of(parsed) is kind:
        return parsed
    match kind:
        case ValueKind.TEXT:
            return _text(value)
        case ValueKind.NUMBER:
            return int(parsed) if isinstance(parsed, bool) else _nought(value, kind)
        case ValueKind.TRUTH:
            return (
                truth if (truth := _TRUTHS.get(str(parsed).strip().lower())) is not None else _nought(value, kind)
            )
        case ValueKind.LIST:
            return [] if value in (None, "", {}) else [value]
        case ValueKind.TABLE:
            return {} if value in (None, "", []) else {"value": value}
        case _:
            return None


def named_value(line: str) -> tuple[str, str] | None:
    """Return the name and the text of a line `name: text` or `name = text`; None if it is no such line."""
    ends = [offset for sign in (": ", "=") if (offset := line.find(sign)) > 0]
    if not ends and line.endswith(":"):
        ends = [len(line) - 1]
    name = line[: min(ends, default=0)].strip()
    if not name or any(sign in name for sign in "{}\",' \t"):
        return None
    return name, line[min(ends) + 1 :].strip()


_TRUTHS = {
    **dict.fromkeys(("true", "yes", "on", "y", "1", "1.0"), True),
    **dict.fromkeys(("false", "no", "off", "n", "0", "0.0"), False),
}


def _nought(value: Plain, kind: ValueKind) -> Plain:
    """Return what an empty value becomes; refuse to drop any other value."""
    if value in (None, "", [], {}) or (isinstance(value, str) and not value.strip()):
        return blank(kind)
    text = " ".join(_text(value).split())
    shortened = text if len(text) <= 40 else f"{text[:39]}…"
    raise EditRefusedError(f'"{shortened}" says no {kind}, and would be lost; enter edits it')


def _parsed(value: Plain) -> Plain:
    """Return what a text says as JSON, and the only item of a list; anything else as it is."""
    if isinstance(value, list) and len(value) == 1:
        return value[0]
    return json_or_text(value) if isinstance(value, str) else value


def _text(value: Plain) -> str:
    if value is None:
        return ""
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], str):
        return value[0]
    return json_text(value) if isinstance(value, list | dict | bool | int | float) else str(value)
