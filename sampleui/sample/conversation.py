"""The conversation of a sample: each message in OpenAI's form, and where the file has it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from sampleui.errors import EditRefusedError
from sampleui.formats.data import DataPath, Plain, Table, as_list
from sampleui.integrations.index import of_dialect
from sampleui.sample.dialects.dialect import Dialect, Older, value_at
from sampleui.sample.dialects.older import mapped
from sampleui.sample.dialects.shipped import DIALECTS
from sampleui.sample.message import json_text

if TYPE_CHECKING:
    from sampleui.integrations.integration import Integration
    from sampleui.sample.model import Sample


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
