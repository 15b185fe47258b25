"""From a sample's data to what it means: id, turns, what is expected, tags, a title.

This runs for every sample of a list and at every key typed, so it reads plain data and imports no models.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from sampleui.formats.data import DataPath, Plain, Table, leaves, shown
from sampleui.sample.conversation import (
    as_messages,
    dialect_of,
    integration_of,
    is_as_authored,
    read,
    skips_defaults,
    spoken,
)
from sampleui.sample.dialects.dialect import ALL, Dialect, value_at
from sampleui.sample.message import Message, Segment, TextSegment, json_text, segments, with_files
from sampleui.text.confined import SCHEME, real_path

if TYPE_CHECKING:
    from pathlib import Path

    from sampleui.sample.model import Sample

__all__ = [
    "as_messages",
    "dialect_of",
    "integration_of",
    "json_text",
    "read",
    "skips_defaults",
    "spoken",
    "value_at",
]

EXTRA_KEYS = ("name", "tool_calls", "tool_call_id")
_TITLE_LENGTH = 200


def messages_path(data: Table, dialect: Dialect) -> DataPath:
    """Return the path of a sample's messages as the file spells it; the usual one if there are none."""
    paths = dialect.message_paths
    lists = (path for path in paths if isinstance(value_at(data, path), list))
    present = (path for path in paths if value_at(data, path) is not None)
    return next(lists, None) or next(present, paths[0])


def own_id(data: Table, dialect: Dialect, name: str | None = None) -> str | None:
    """Return the id a sample was given: the name of a keyed sample, or else its `id`. None if it has neither."""
    values = [name] if name is not None else [value_at(data, path) for path in dialect.id_paths]
    for value in values:
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        if isinstance(value, str) and value.strip():
            return value
    return None


def sample_id(data: Table, dialect: Dialect, name: str | None, index: int) -> str:
    """Return what a sample is called: its own id, or `#N` (1-based) if it has none."""
    return own_id(data, dialect, name) or f"#{index + 1}"


def conversation(sample: Sample) -> list[Plain]:
    """Return a sample's messages in OpenAI's form, those that are not tables as they are authored."""
    messages = value_at(sample.data, sample.messages_path)
    if isinstance(messages, list) and is_as_authored(dialect_of(sample)):
        return [*messages]  # by far the most common way, and asked for many times
    return [turn.message for turn in spoken(sample)]


def place_of(sample: Sample, index: int, *rest: str | int) -> DataPath:
    """Return where a value of a message is, or would be; it need not be there."""
    dialect = dialect_of(sample)
    usual: DataPath = (*sample.messages_path, index, *rest)
    if is_as_authored(dialect) and isinstance(value_at(sample.data, sample.messages_path), list):
        return usual  # without reading a conversation again for each of its messages
    messages = spoken(sample)[index : index + 1]
    return messages[0].path_of(dialect, *rest) if messages and messages[0].path else usual


def turns(sample: Sample) -> tuple[Message, ...]:
    """Return the valid messages: those with a role and with a content that can be read, or with tool calls.

    An empty text is a content here, though the rules call it missing: rendering drops it and says so. Malformed
    segments are left out. Each message keeps the index it has in the file.
    """
    dialect = dialect_of(sample)
    parsed = (_message(index, item, dialect) for index, item in enumerate(conversation(sample)))
    messages = tuple(message for message in parsed if message is not None)
    return with_files(messages, sample.data, dialect) if dialect.contents.media_marks else messages


def unreadable(sample: Sample) -> Iterator[tuple[int, str]]:
    """Yield the messages that `turns` leaves out, by their index, and why they are not messages."""
    dialect = dialect_of(sample)
    for index, item in enumerate(conversation(sample)):
        if not isinstance(item, dict):
            yield index, "it is not a message"
        elif not (isinstance(item.get("role"), str) and item["role"]):
            yield index, "it has no role"
        elif _segments(item, dialect) is None:
            yield index, "it has no content that can be read"


def expected(sample: Sample) -> Plain:
    """Return what the grading context calls `expected`, None if the sample has nothing of the kind.

    A `score` of the sample is a truth about the grader and not an expectation of the answer, so it is not one.
    """
    data = read(sample)
    for path in dialect_of(sample).expected.paths:
        value = value_at(data, path)
        if value is not None or (len(path) == 1 and path[0] in data):
            return value
    return None


def tags(sample: Sample) -> tuple[str, ...]:
    """Return a sample's tags, each once: texts as they are, those of a table as `key:value`."""
    labels: dict[str, None] = {}
    for path in dialect_of(sample).tag_paths:
        labels.update(dict.fromkeys(_labels(value_at(sample.data, path))))
    return tuple(labels)


def title(sample: Sample) -> str:
    """Return one line to know a sample by: the start of its first user text, else of its first text, else empty."""
    messages = turns(sample)
    ordered = sorted(messages, key=lambda message: message.role != "user")
    texts = (part.text for message in ordered for part in message.segments if isinstance(part, TextSegment))
    variables = value_at(sample.data, ("vars", ALL)) if dialect_of(sample).asked_by_prompts else None
    every = itertools.chain(texts, _labels(variables))
    lines = (" ".join(text[: 4 * _TITLE_LENGTH].split())[:_TITLE_LENGTH] for text in every)
    return next((line for line in lines if line), "")


def _message(index: int, item: Plain, dialect: Dialect) -> Message | None:
    if not isinstance(item, dict):
        return None
    role = item.get("role")
    if not isinstance(role, str) or not role:
        return None
    parts = _segments(item, dialect)
    if parts is None:
        return None
    return Message(
        index, role, parts, {key: item[key] for key in (*EXTRA_KEYS, *dialect.contents.call_keys) if key in item}
    )


def _segments(item: Table, dialect: Dialect) -> tuple[Segment, ...] | None:
    """Return the segments of a message, none for one that has only tool calls; None for one that has neither."""
    parts = segments(item.get("content"), dialect.contents.tables, dialect.contents.own)
    return () if parts is None and any(item.get(key) for key in dialect.contents.call_keys) else parts


def _labels(value: Plain) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    if isinstance(value, list):
        return tuple(item for item in value if isinstance(item, str))
    if isinstance(value, dict):
        return tuple(f"{key}:{item}" for key, item in value.items() if isinstance(item, str | int | float))
    return ()


def tag_path(dialect: Dialect, data: Table, near: Iterable[Table]) -> DataPath:
    """Return where a sample's tags go: where it has some, or else where others do, or else as the dialect says.

    A table of tags, such as `data_tag`, takes no plain tag and is passed over.
    """
    for table in (data, *near):
        for path in dialect.tag_paths:
            if isinstance(value_at(table, path), str | list):
                return path
    known = (path for path in dialect.tag_paths if path[0] in dialect.known)
    return next(known, dialect.tag_paths[0])


REF = "$ref"
"""The key of a table that stands for what its pointer leads to."""


class ValuePlace(NamedTuple):
    """Where a value stands: whether beside the samples of its file, and the path there or in its sample."""

    file_level: bool
    path: DataPath


def is_reference(value: Plain) -> bool:
    """Tell whether another value stands in the place of this one."""
    return isinstance(value, dict) and isinstance(value.get(REF), str)


def as_followed(sample: Sample) -> Sample:
    """Return a sample with its references resolved, where its program has such."""
    return integration_of(sample).references().resolve(sample)


def as_meant(sample: Sample, target: Dialect, folder: Path) -> tuple[Sample, tuple[str, ...]]:
    """Return a sample with what the files say that its values name, and a line for each that stays a path.

    In its own dialect and folder it stays as it is, for the program of that reads the files.

    Args:
        sample: the sample.
        target: the dialect that it is to be written in.
        folder: the folder that it is written to.
    """
    if target is dialect_of(sample) and real_path(folder) == real_path(sample.folder):
        return sample, ()
    meant = integration_of(sample).references().meant(sample)
    return meant, unread_files(meant.data)


def unread_files(data: Table) -> tuple[str, ...]:
    """Return a line for each value that names a file and stands for what that says, where nobody reads it."""
    told = "stands as it is written, for the file is not read"
    return tuple(
        f"{shown(path)}: {value} {told}"
        for path, value in leaves(data)
        if isinstance(value, str) and value.startswith(SCHEME)
    )


def written_at(sample: Sample, path: DataPath) -> ValuePlace | None:
    """Return where the text of a value stands that is at a path of what `as_followed` makes of a sample.

    None if that is not known. A path that is not there yet is one of the sample itself, if it has no references.
    """
    if as_followed(sample).data == sample.data:
        return ValuePlace(False, path)
    return integration_of(sample).references().source_of(sample, path)
