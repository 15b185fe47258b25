"""Templates: what a sample says, filled with its `vars`, and the messages of its file before it.

`{{ name }}` and `{{ name.key }}` are filled in; no other template syntax is.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from sampleui.formats.data import DataPath, Plain, Table
from sampleui.prompt.attachments import Attachment
from sampleui.prompt.parts import Placed, placed_messages, question, turn
from sampleui.sample.dialects.dialect import Dialect
from sampleui.sample.message import FileSegment, Message, Segment, TextSegment
from sampleui.sample.model import Sample
from sampleui.sample.parse import dialect_of, json_text, value_at
from sampleui.text.diagnostic import Finding
from sampleui.text.limits import MAX_FILLED

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
    """Return a text with its variables filled in, and the tags that stay because they have no value.

    Args:
        text: the template.
        variables: the values by name.
        flatten: what stands for a list of messages inside a text.
    """
    left: list[str] = []
    size = 0

    def value(tag: re.Match[str]) -> str:
        nonlocal size
        path = variable(tag[0])
        filled = None if path is None or not _has(variables, path) else _shown(value_at(variables, path), flatten)
        size += len(filled or "")
        if filled is None or size > MAX_FILLED:
            left.append(tag[0])
            return tag[0]
        return filled

    return (_TAG.sub(value, text) if "{" in text else text), tuple(left)


def fill_message(message: Message, variables: Table, flatten: Flatten) -> tuple[Message, tuple[str, ...]]:
    """Return a message with the variables in its texts and file names filled in, and the tags that stay."""
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


VARS: DataPath = ("vars",)


class Templated(NamedTuple):
    """The messages of a sample with its variables filled in, what could not be, and the name of the prompt.

    Attributes:
        exact: whether messages without a text are sent too.
    """

    messages: tuple[Placed, ...]
    findings: tuple[Finding, ...] = ()
    label: str = ""
    exact: bool = False


def uses_prompts(sample: Sample) -> bool:
    """Tell whether a sample's messages come from the prompts beside it: its own are in `vars` or nowhere."""
    if "prompts" not in dialect_of(sample).context_messages or not sample.context.get("prompts"):
        return False
    return sample.messages_path[:1] == VARS or value_at(sample.data, sample.messages_path) is None


def templated(sample: Sample) -> Templated:
    """Return a sample's own messages with its variables filled in; none where prompts ask it.

    What names no variable is the author's text and is not reported. The messages of a file-wide `input` come first,
    unless the sample opts out with `execution.skip_defaults`.
    """
    if not dialect_of(sample).context_messages:
        return Templated(placed_messages(sample))
    variables = variables_over(default_test(sample), sample)
    sample_messages = () if uses_prompts(sample) else _filled(placed_messages(sample), sample, variables)
    return Templated((*shared_messages(sample, variables), *sample_messages))


def shared_messages(sample: Sample, variables: Table) -> tuple[Placed, ...]:
    """Return the messages of a file-wide `input` with variables filled in; none if the sample opts out."""
    suite = shared_sample(sample)
    messages = tuple(item._replace(node=()) for item in placed_messages(suite)) if suite else ()
    return _filled(messages, sample, variables)


def _filled(messages: tuple[Placed, ...], sample: Sample, variables: Table) -> tuple[Placed, ...]:
    if not variables:
        return messages
    flattened = _flattening(dialect_of(sample))
    return tuple(
        message._replace(message=fill_message(message.message, variables, flattened)[0]) for message in messages
    )


def _flattening(dialect: Dialect) -> Flatten:
    """Return what makes messages inside a longer text their question. Files are named there and not embedded."""

    def flattened(messages: list[Plain]) -> str:
        holder = Sample("", 0, {"messages": messages}, dialect.name, ("messages",), Path(), kind=dialect)
        read = [
            turn(item, lambda written: Attachment(written, text="", guideline=True))
            for item in placed_messages(holder)
        ]
        return question(read, read)

    return flattened


def default_test(sample: Sample) -> Plain:
    """Return what a file says for all its tests: a table, or the name of the file that has it."""
    return sample.context.get("default_test", sample.context.get("defaultTest"))


def variables_over(shared: Plain, sample: Sample) -> Table:
    """Return the variables of a test over those that hold for all tests."""
    tables = (shared.get("vars") if isinstance(shared, dict) else None, sample.data.get("vars"))
    return {name: value for table in tables if isinstance(table, dict) for name, value in table.items()}


def shared_sample(sample: Sample) -> Sample | None:
    """Return a file-wide `input` as a sample of its messages, None if there is none or the sample opts out."""
    execution = sample.data.get("execution")
    value = sample.context.get("input") if dialect_of(sample).context_messages else None
    if value is None or (isinstance(execution, dict) and execution.get("skip_defaults") is True):
        return None
    return dataclasses.replace(sample, data={"input": value}, messages_path=("input",))
