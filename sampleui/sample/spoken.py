"""The conversation of a sample: each message in OpenAI's form, and where the file has it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from sampleui.formats.data import DataPath, Plain, Table
from sampleui.sample.dialect import Dialect, value_at
from sampleui.sample.dialects import DIALECTS
from sampleui.sample.plaintext import json_text


class Authored(Protocol):
    """What a conversation is read from: a sample. Its attributes are those of `Sample`, which knows this module."""

    @property
    def data(self) -> Table:
        """Its value as the file gives it."""

    @property
    def dialect(self) -> str:
        """The name of the dialect it is read in."""

    @property
    def kind(self) -> Dialect | None:
        """The dialect, if it is not one of those shipped."""

    @property
    def messages_path(self) -> DataPath:
        """The keys that lead to its list of messages."""

    @property
    def context(self) -> Table:
        """The values of the file beside its samples."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """One message of a conversation.

    Attributes:
        message: in OpenAI's form where its dialect spells it otherwise, or else as authored.
        path: where it is; empty if the file has no such value.
        texts: where its texts are, for one that is not a table of the file but made of them.
    """

    message: Plain
    path: DataPath = ()
    texts: tuple[DataPath, ...] = ()

    def place(self, dialect: Dialect, *rest: str | int) -> DataPath:
        """Return where a value of the message is: of one that is made of texts, the text itself."""
        if self.texts or not rest:
            return self.path
        own = {"role": dialect.spelling.role, "content": dialect.spelling.content}
        return (*self.path, own.get(str(rest[0]), rest[0]), *rest[1:])


def dialect_of(sample: Authored) -> Dialect:
    """Return the dialect that a sample is read in."""
    return sample.kind or DIALECTS[sample.dialect]


def read(sample: Authored) -> Table:
    """Return a sample's data in today's spelling: an older record as the sample it maps to, any other as it is."""
    older = dialect_of(sample).mapped
    return (older(sample.data) if older else None) or sample.data


def spoken(sample: Authored) -> list[Spoken]:
    """Return a sample's messages in order.

    Short forms are written out: one text or table is one user message, and AgentV's `input_files` are attached to
    it before its text. An older gage-eval record has the messages it maps to.
    """
    dialect = dialect_of(sample)
    own = _own(sample, dialect)
    beside = (
        [_system(sample.data, path) for path in dialect.system_paths if _says(sample.data, path)] if own else []
    )
    return [*beside, *own]


def as_messages(value: Plain, data: Table, dialect: Dialect) -> list[Plain] | None:
    """Return the value that stands for a sample's messages as a list, None when it cannot be one."""
    if isinstance(value, list) and (not dialect.any_input or _are_turns(value, dialect)):
        return [_in_full(item, dialect) for item in value]
    if dialect.shorthand and isinstance(value, str | dict):
        added = [text for path in dialect.added_paths if isinstance(text := value_at(data, path), str) and text]
        whole = "\n".join((value, *added)) if isinstance(value, str) else value
        return [_written_out(whole, data.get("input_files") if dialect.attaches_files else None, dialect)]
    if dialect.any_input and value is not None:
        return [{"role": "user", "content": json_text(value)}]
    return None


def variables_of_row(data: Table, dialect: Dialect) -> Table:
    """Return what fills templates beside a sample: its `vars`, or the keys of a row that are not the dialect's."""
    held = data.get("vars")
    if isinstance(held, dict):
        return held
    return {key: value for key, value in data.items() if key not in dialect.known and not key.startswith("__")}


def skips_defaults(data: Table) -> bool:
    """Tell whether an AgentV test opts out of what its file says for all tests."""
    execution = data.get("execution")
    return isinstance(execution, dict) and execution.get("skip_defaults") is True


def _own(sample: Authored, dialect: Dialect) -> list[Spoken]:
    path = sample.messages_path
    value = value_at(sample.data, path)
    messages = as_messages(value, _with_shared_files(sample), dialect)
    if messages is None:
        mapped = read(sample).get("messages") if dialect.mapped else None
        return [Spoken(item) for item in mapped] if isinstance(mapped, list) else []
    if isinstance(value, list) and len(messages) == len(value) and not _is_json(value, dialect):
        places: list[DataPath] = [(*path, index) for index in range(len(value))]
        return [
            Spoken(message, place, (place,) if isinstance(item, str) and dialect.plain_turns else ())
            for message, place, item in zip(messages, places, value, strict=True)
        ]
    if isinstance(value, str):
        added = (other for other in dialect.added_paths if _says(sample.data, other))
        return [Spoken(messages[0], path, (path, *added))]
    return [Spoken(messages[0], path, (path,)) if dialect.any_input else Spoken(messages[0])]


def _is_json(value: list[Plain], dialect: Dialect) -> bool:
    return dialect.any_input and not _are_turns(value, dialect)


def _are_turns(value: list[Plain], dialect: Dialect) -> bool:
    """Tell whether a list is one of messages, in a dialect in which it may be anything."""
    return bool(value) and all(isinstance(item, dict) and dialect.spelling.role in item for item in value)


def _in_full(item: Plain, dialect: Dialect) -> Plain:
    if isinstance(item, str) and dialect.plain_turns:
        return {"role": "user", "content": item}
    return dialect.spelling.read(item) if isinstance(item, dict) else item


def _system(data: Table, path: DataPath) -> Spoken:
    return Spoken({"role": "system", "content": value_at(data, path)}, path, (path,))


def _says(data: Table, path: DataPath) -> bool:
    text = value_at(data, path)
    return isinstance(text, str) and bool(text)


def _with_shared_files(sample: Authored) -> Table:
    """Return a sample's data with the file-wide `input_files` if it has none and takes what is shared."""
    shared = sample.context.get("input_files")
    if shared is None or "input_files" in sample.data or skips_defaults(sample.data):
        return sample.data
    return {**sample.data, "input_files": shared}


def _written_out(value: Plain, files: Plain, dialect: Dialect) -> Plain:
    if isinstance(value, dict) and "role" in value:
        return value
    names = [name for name in files if isinstance(name, str)] if isinstance(files, list) else []
    if not names or isinstance(value, dict):
        content = json_text(value) if dialect.any_input and isinstance(value, dict) else value
        return {"role": "user", "content": content}
    attached: list[Plain] = [{"type": "file", "value": name} for name in names]
    return {"role": "user", "content": [*attached, {"type": "text", "value": value}]}
