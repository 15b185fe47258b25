"""From a sample's data to what it means: id, conversation, what is expected, tags, a title.

This runs for every sample of a list and at every key typed, so it reads plain data and imports no models.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from sampleui.errors import EditRefusedError
from sampleui.formats.data import DataPath, Plain, Table, as_list, leaves, shown
from sampleui.integrations.index import of_dialect
from sampleui.sample.dialects.dialect import ALL, Dialect, Older, value_at
from sampleui.sample.dialects.older import mapped
from sampleui.sample.dialects.shipped import DIALECTS
from sampleui.sample.message import Message, Segment, TextSegment, json_text, segments, with_files
from sampleui.text.confined import SCHEME, real_path

if TYPE_CHECKING:
    from pathlib import Path

    from sampleui.integrations.integration import Integration
    from sampleui.sample.model import Sample

__all__ = ["json_text", "value_at"]

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


class Spoken(NamedTuple):
    """One message of a conversation.

    Attributes:
        message: in OpenAI's form where its dialect spells it otherwise, or else as authored.
        path: where it is; empty if the file has no such value.
        texts: where its texts are, for one that is not a table of the file but made of them.
    """

    message: Plain
    path: DataPath = ()
    texts: tuple[DataPath, ...] = ()

    def path_of(self, dialect: Dialect, *rest: str | int) -> DataPath:
        """Return where a value of the message is: of one that is made of texts, the text itself."""
        if self.texts or not rest:
            return self.path
        spelled = {"role": dialect.turns.spelling.role, "content": dialect.turns.spelling.content}
        return (*self.path, spelled.get(str(rest[0]), rest[0]), *rest[1:])


def dialect_of(sample: Sample) -> Dialect:
    """Return the dialect that a sample is read in."""
    return sample.kind or DIALECTS[sample.dialect]


def integration_of(sample: Sample) -> Integration:
    """Return the integration that brings the dialect of a sample."""
    return of_dialect(dialect_of(sample))


def read(sample: Sample) -> Table:
    """Return a sample's data in today's spelling: an older record as the sample it maps to, any other as it is."""
    return mapped(sample.data, dialect_of(sample)) or sample.data


def spoken(sample: Sample) -> list[Spoken]:
    """Return a sample's messages in order.

    Short forms are written out: one text or table is one user message, and `input_files` are attached to
    it before its text. An older record that is read as a newer one has the messages of that.
    """
    dialect = dialect_of(sample)
    messages = _own(sample, dialect)
    others = (
        [_system(sample.data, path) for path in dialect.turns.system if _says(sample.data, path)]
        if messages
        else []
    )
    asks = messages and isinstance(value_at(sample.data, sample.messages_path), str)
    earlier = (turn for path in dialect.turns.earlier if asks for turn in _earlier(sample.data, path))
    return [*others, *earlier, *messages]


def is_as_authored(dialect: Dialect) -> bool:
    """Tell whether a list of messages is the conversation as it stands: nothing beside it, nothing spelled anew."""
    elsewhere = dialect.turns.system or dialect.turns.earlier
    return not (elsewhere or dialect.turns.plain or dialect.turns.any_input) and dialect.turns.spelling.usual


def as_messages(value: Plain, data: Table, dialect: Dialect) -> list[Plain] | None:
    """Return the value that stands for a sample's messages as a list, None when it cannot be one."""
    if isinstance(value, list) and (not dialect.turns.any_input or _are_turns(value, dialect)):
        return [_in_full(item, dialect) for item in value]
    if dialect.turns.shorthand and isinstance(value, str | dict):
        added = [text for path in dialect.turns.added if isinstance(text := value_at(data, path), str) and text]
        whole = "\n".join((value, *added)) if isinstance(value, str) else value
        return [_written_out(whole, data.get("input_files") if dialect.contents.attaches_files else None, dialect)]
    if dialect.turns.any_input and value is not None:
        return [{"role": "user", "content": json_text(value)}]
    return None


def variables_of_row(data: Table, dialect: Dialect, columns: Sequence[str] = ()) -> Table:
    """Return what fills templates beside a sample: its `vars`, or the keys of a row that are not the dialect's.

    Args:
        data: the sample.
        dialect: its dialect.
        columns: those of its table, of which an empty cell is an empty text here.
    """
    variables = data.get("vars")
    if isinstance(variables, dict):
        return variables
    known = frozenset() if is_row(data, dialect, columns) else dialect.known
    row: Table = {**dict.fromkeys(columns, ""), **data}
    return {key: value for key, value in row.items() if key not in known and not key.startswith("__")}


def is_row(data: Table, dialect: Dialect, columns: Sequence[str]) -> bool:
    """Tell whether a sample is a row in which each column is a variable, whatever it is called, but for `__` ones.

    A table that has tests as JSON in its cells is not read so here.
    """
    return bool(columns and dialect.asked_by_prompts) and not {"vars", "assert"} & data.keys()


def skips_defaults(data: Table) -> bool:
    """Tell whether a sample opts out of what its file says for all tests."""
    execution = data.get("execution")
    return isinstance(execution, dict) and execution.get("skip_defaults") is True


def _own(sample: Sample, dialect: Dialect) -> list[Spoken]:
    path = sample.messages_path
    value = value_at(sample.data, path)
    messages = as_messages(value, _with_shared_files(sample), dialect)
    if messages is None:
        mapped = read(sample).get("messages") if dialect.older is Older.READ else None
        return [Spoken(item) for item in as_list(mapped)]
    if isinstance(value, list) and len(messages) == len(value) and not _is_json(value, dialect):
        paths: list[DataPath] = [(*path, index) for index in range(len(value))]
        return [
            Spoken(message, at_path, (at_path,) if isinstance(item, str) and dialect.turns.plain else ())
            for message, at_path, item in zip(messages, paths, value, strict=True)
        ]
    if isinstance(value, str):
        added = (other for other in dialect.turns.added if _says(sample.data, other))
        return [Spoken(messages[0], path, (path, *added))]
    return [Spoken(messages[0], path, (path,)) if dialect.turns.any_input else Spoken(messages[0])]


def _is_json(value: list[Plain], dialect: Dialect) -> bool:
    return dialect.turns.any_input and not _are_turns(value, dialect)


def _are_turns(value: list[Plain], dialect: Dialect) -> bool:
    """Tell whether a list is one of messages, in a dialect in which it may be anything."""
    return bool(value) and all(isinstance(item, dict) and dialect.turns.spelling.role in item for item in value)


def _in_full(item: Plain, dialect: Dialect) -> Plain:
    if isinstance(item, str) and dialect.turns.plain:
        return {"role": "user", "content": item}
    return dialect.turns.spelling.read(item) if isinstance(item, dict) else item


def _system(data: Table, path: DataPath) -> Spoken:
    return Spoken({"role": "system", "content": value_at(data, path)}, path, (path,))


def _earlier(data: Table, path: DataPath) -> Iterator[Spoken]:
    """Yield the turns of a list of pairs; what is no pair of texts as it is."""
    pairs = value_at(data, path)
    for index, pair in enumerate(as_list(pairs)):
        if not isinstance(pair, list) or len(pair) != 2 or not all(isinstance(text, str) for text in pair):
            yield Spoken(pair, (*path, index))
            continue
        for side, role in enumerate(("user", "assistant")):
            at_path = (*path, index, side)
            yield Spoken({"role": role, "content": pair[side]}, at_path, (at_path,))


def earlier_read(turns: Iterable[Spoken], dialect: Dialect) -> list[DataPath]:
    """Return where earlier turns stand that are among those of a sample."""
    return [path for path in dialect.turns.earlier if any(turn.path[: len(path)] == path for turn in turns)]


def whole_pair(path: DataPath, dialect: Dialect) -> DataPath:
    """Return the path of the pair of earlier turns that a turn is one side of; of any other turn its own."""
    is_pair = any(path[:-2] == earlier and len(path) == len(earlier) + 2 for earlier in dialect.turns.earlier)
    return path[:-1] if is_pair else path


def place_of_pairs(data: Table, path: DataPath, dialect: Dialect, *, below: bool) -> DataPath | None:
    """Return where a pair of earlier turns is put beside a turn; None where a sample has no place for one there.

    Args:
        data: the sample.
        path: where the turn stands; pairs come before the one text of the user.
        dialect: its dialect.
        below: whether below the turn.
    """
    if not dialect.turns.earlier or not isinstance(value_at(data, path), str):
        return None
    pair = whole_pair(path, dialect)
    index = pair[-1]
    if pair != path and isinstance(index, int):
        return (*pair[:-1], index + below)
    pairs = value_at(data, dialect.turns.earlier[0])
    asked = path in dialect.message_paths
    return (*dialect.turns.earlier[0], len(pairs) if isinstance(pairs, list) and asked else 0)


def as_texts(turns: Sequence[Table], among: Plain, dialect: Dialect) -> Sequence[Plain]:
    """Return turns as the messages are spelled that they go among; as texts among texts, the user's turns.

    Raises:
        EditRefusedError: when they go among texts and are not all the user's.
    """
    items = as_list(among)
    messages = [dialect.turns.spelling.read(turn) for turn in turns]
    if not dialect.turns.plain or not any(isinstance(item, str) for item in items):
        role_key = dialect.turns.spelling.role
        usual = any(isinstance(item, dict) and "role" in item and role_key not in item for item in items)
        return messages if usual else [*map(dialect.turns.spelling.written, messages)]
    texts: list[Plain] = [message.get("content") for message in messages if message.get("role") == "user"]
    if len(texts) < len(turns) or not all(isinstance(text, str) for text in texts):
        raise EditRefusedError("the turns of this sample are texts of the user; others cannot be among them")
    return texts


def as_pairs(turns: Sequence[Table]) -> list[Plain] | None:
    """Return turns as pairs of what was asked and what answered; None where they are anything else."""
    texts = [turn.get("content", turn.get("value")) for turn in turns]
    roles = [turn.get("role", turn.get("from")) for turn in turns]
    asked = all(role in (("user", "human"), ("assistant", "gpt"))[index % 2] for index, role in enumerate(roles))
    if len(turns) % 2 or not asked or not all(isinstance(text, str) for text in texts):
        return None
    return [[texts[index], texts[index + 1]] for index in range(0, len(texts), 2)]


def _says(data: Table, path: DataPath) -> bool:
    text = value_at(data, path)
    return isinstance(text, str) and bool(text)


def _with_shared_files(sample: Sample) -> Table:
    """Return a sample's data with the file-wide `input_files` if it has none and takes what is shared."""
    shared = sample.context.get("input_files")
    if shared is None or "input_files" in sample.data or skips_defaults(sample.data):
        return sample.data
    return {**sample.data, "input_files": shared}


def _written_out(value: Plain, files: Plain, dialect: Dialect) -> Plain:
    if isinstance(value, dict) and "role" in value:
        return value
    names = [name for name in as_list(files) if isinstance(name, str)]
    if not names or isinstance(value, dict):
        content = json_text(value) if dialect.turns.any_input and isinstance(value, dict) else value
        return {"role": "user", "content": content}
    attached: list[Plain] = [{"type": "file", "value": name} for name in names]
    return {"role": "user", "content": [*attached, {"type": "text", "value": value}]}


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
