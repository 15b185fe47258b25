"""Tests of values that need no model; a value of a dialect with models that fails one may be right all the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias, TypeGuard

from sampleui.formats.data import Plain, Table

ValueTest: TypeAlias = Callable[[Plain], bool]


def is_text(value: Plain) -> bool:
    """Tell whether a value is a text."""
    return isinstance(value, str)


def is_filled(value: Plain) -> bool:
    """Tell whether a value is a text that is not empty."""
    return isinstance(value, str) and value != ""


def is_name(value: Plain) -> bool:
    """Tell whether a value is a text that is not blank."""
    return isinstance(value, str) and bool(value.strip())


def is_texts(value: Plain) -> bool:
    """Tell whether a value is a list of texts."""
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def is_table(value: Plain) -> bool:
    """Tell whether a value is a table."""
    return isinstance(value, dict)


def are_turns(value: Plain) -> TypeGuard[list[Table]]:
    """Tell whether a value is a list of plain messages; empty texts are for the rules."""
    return isinstance(value, list) and all(map(_turn, value))


def _turn(item: Plain) -> bool:
    """Tell whether an item is a message of a role and a text or plain segments; empty texts are for the rules."""
    if not isinstance(item, dict) or not is_name(item.get("role")):
        return False
    if item.keys() & {"tool_calls", "tool_call_id", "name"}:
        return False
    content = item.get("content")
    return isinstance(content, str) or (isinstance(content, list) and all(map(_segment, content)))


def _segment(item: Plain) -> bool:
    return isinstance(item, dict) and (
        (item.get("type") == "text" and "text" not in item and is_text(item.get("value")))
        or (item.get("type") == "file" and is_name(item.get("value")))
    )


def are_whole_turns(value: Plain) -> bool:
    """Tell whether a value is a list of plain messages with contents."""
    return isinstance(value, list) and all(
        _turn(item) and isinstance(item, dict) and item["content"] for item in value
    )


def are_variables(value: Plain) -> bool:
    """Tell whether a value is values for prompts, with a plain conversation among them, if any."""
    value_input = value.get("input", "x") if isinstance(value, dict) else None
    return is_name(value_input) or (are_whole_turns(value_input) and value_input != [])


def is_input(value: Plain) -> bool:
    """Tell whether a value is a text, or a list of plain messages."""
    return is_name(value) or are_turns(value)
