"""Variables in a text: `{{ name }}` and `{{ name.key }}` are filled in; no other template syntax is."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable

from sampleui.formats.data import DataPath, Plain, Table
from sampleui.sample.message import FileSegment, Message, Segment, TextSegment
from sampleui.sample.parse import json_text, value_at

# Each alternative stops at its own kind of mark, so that hostile text is scanned in one pass.
_TAG = re.compile(r"\{\{[^{}]{0,300}\}\}|\{%[^%]{0,300}%\}|\{#[^#]{0,300}#\}")
_VARIABLE = re.compile(r"\{\{-?\s*([A-Za-z_]\w*(?:\.\w+)*)\s*-?\}\}")

Flatten = Callable[[list[Plain]], str]


def variable(tag: str) -> DataPath | None:
    """Return the variable that a text consists of, None when it is anything else."""
    match = _VARIABLE.fullmatch(tag.strip())
    return tuple(match[1].split(".")) if match else None


def is_conversation(value: Plain) -> bool:
    """Tell whether a value is a list of messages."""
    return (
        isinstance(value, list) and bool(value) and all(isinstance(item, dict) and "role" in item for item in value)
    )


def fill(text: str, variables: Table, flatten: Flatten) -> tuple[str, tuple[str, ...]]:
    """Return a text with its variables filled in, and the tags left as written for want of a value.

    Args:
        text: the template.
        variables: the values by name.
        flatten: what stands for a list of messages inside a text.
    """
    left: list[str] = []

    def value(tag: re.Match[str]) -> str:
        path = variable(tag[0])
        if path is None or not _has(variables, path):
            left.append(tag[0])
            return tag[0]
        return _shown(value_at(variables, path), flatten)

    return (_TAG.sub(value, text) if "{" in text else text), tuple(left)


def fill_message(message: Message, variables: Table, flatten: Flatten) -> tuple[Message, tuple[str, ...]]:
    """Return a message with the variables of its texts and file names filled in, and the tags left as written."""
    parts: list[Segment] = []
    left: list[str] = []
    for part in message.segments:
        if isinstance(part, TextSegment):
            text, missed = fill(part.text, variables, flatten)
            part = TextSegment(text)
            left += missed
        elif isinstance(part, FileSegment):
            path, missed = fill(part.path, variables, flatten)
            part = FileSegment(path)
            left += missed
        parts.append(part)
    return dataclasses.replace(message, segments=tuple(parts)), tuple(left)


def _has(variables: Plain, path: DataPath) -> bool:
    holder = value_at(variables, path[:-1])
    return isinstance(holder, dict) and path[-1] in holder


def _shown(value: Plain, flatten: Flatten) -> str:
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, list) and is_conversation(value):
        return flatten(value)
    return json_text(value)
