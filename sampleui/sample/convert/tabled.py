"""Conversion by a dialect's table alone: samples and what they expect, read and written as neutral cases."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sampleui.formats.data import DataPath, Plain, Table, as_table, renamed_key, without_value_at
from sampleui.integrations.index import of_dialect
from sampleui.sample.dialects.dialect import ALL, Dialect
from sampleui.sample.message import MediaSegment, TextSegment, segment
from sampleui.sample.model import Sample
from sampleui.sample.models.typed import fits
from sampleui.sample.parse import (
    Spoken,
    as_messages,
    as_pairs,
    earlier_read,
    json_text,
    messages_path,
    own_id,
    spoken,
    value_at,
    variables_of_row,
)


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
        paths: where in the sample each of its messages is; by their order under `messages` where that is empty.
    """

    messages: list[Plain] | None
    answer: Plain
    criteria: str | None
    rest: Table
    notes: tuple[str, ...] = ()
    spelled: Mapping[str, str] = field(default_factory=dict)
    renamed: Mapping[str, str] = field(default_factory=dict)
    paths: tuple[DataPath, ...] = ()


def with_value_at(data: Table, path: DataPath, value: Plain) -> Table:
    """Return a table with a value at a path of keys."""
    key = str(path[0])
    if len(path) == 1:
        return {**data, key: value}
    before = data.get(key)
    return {**data, key: with_value_at(as_table(before), path[1:], value)}


@dataclass(frozen=True, slots=True)
class WrittenSample:
    """A sample up to what is expected, in a dialect: its fields, what is left for `metadata`, and report lines."""

    data: Table
    left: Table = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def taken_messages(rest: Table, dialect: Dialect) -> list[Plain] | None:
    """Take the messages out of a sample's fields, and with them all other keys that they were read from."""
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


def from_table(data: Table, dialect: Dialect) -> Case:
    """Read a sample: its conversation in OpenAI's form, the first answer it wants, and whatever else it says."""
    sample = Sample("", 0, data, dialect.name, messages_path(data, dialect), Path(), kind=dialect)
    conversation = spoken(sample)
    rest = data
    texts = (text for turn in conversation for text in turn.texts)
    blank = (path for path in dialect.turns.added if value_at(data, path) == "")
    read = (sample.messages_path, *earlier_read(conversation, dialect), *texts, *blank)
    for path in dict.fromkeys(read if conversation else ()):
        rest = without_value_at(rest, path)
    notes = [*dict.fromkeys((*_doubled(data, conversation, dialect), *_as_texts(conversation, dialect)))]
    messages = _messages(data, conversation, dialect, notes) if conversation else None
    if not conversation and (asked := _asked(data, dialect)):
        messages, rest = [{"role": "user", "content": value_at(data, asked)}], without_value_at(rest, asked)
        notes.append(f"{'.'.join(map(str, asked))}: read as what the user says, without the prompts around it")
    answer: Plain = None
    spelled: dict[str, str] = {}
    for path in dialect.expected.paths:
        if (answer := _answer_at(rest, path, dialect)) is not None:
            rest = without_value_at(rest, path[: path.index(ALL)] if ALL in path else path)
            spelled["expected"] = ".".join(map(str, path)).replace(f".{ALL}", "[0]")
            break
    renamed: dict[str, str] = {}
    name = own_id(data, dialect)
    if name is not None:
        for path in dialect.id_paths:
            rest = without_value_at(rest, path) if own_id(data, dialect) == _name(value_at(rest, path)) else rest
        other = next((key for key in (f"{dialect.name}_id", "_id", "__id") if key not in rest), "___id")
        id_path = next((path for path in dialect.id_paths if _name(value_at(data, path)) == name), ())
        rest = {"id": value_at(data, id_path) if id_path else name, **renamed_key(rest, "id", other)}
        spelled["id"], renamed[other] = ".".join(map(str, id_path)) or "id", "id"
    if dialect.metadata not in ("", "metadata") and dialect.metadata in rest and "metadata" not in rest:
        rest = renamed_key(rest, dialect.metadata, "metadata")
        renamed["metadata"] = dialect.metadata
    paths = tuple(turn.path or ("messages", index) for index, turn in enumerate(conversation))
    return Case(
        messages,
        single_answer(answer),
        None,
        rest,
        tuple(notes),
        spelled,
        renamed,
        paths if len(paths) == len(messages or ()) else (),
    )


def _answer_at(data: Table, path: DataPath, dialect: Dialect) -> Plain:
    """Return the answer at a path; in a list of answers that of its one item, if that says nothing else."""
    if ALL not in path:
        return value_at(data, path)
    items = value_at(data, path[: path.index(ALL)])
    only = items[0] if isinstance(items, list) and len(items) == 1 else None
    key = str(path[-1])
    if not isinstance(only, dict) or only.keys() != {*_item_of(dialect), key} or path.count(ALL) > 1:
        return None
    return only[key] if all(only[name] == value for name, value in _item_of(dialect).items()) else None


def _item_of(dialect: Dialect) -> Table:
    """Return what an item of a list of answers has besides its value, where paths lead into one."""
    types = dialect.expected.types
    return {"type": types[0]} if types else {}


def _asked(data: Table, dialect: Dialect) -> DataPath:
    """Return where the text is that fills the prompts beside a sample: the usual one, or the only one."""
    variables = variables_of_row(data, dialect) if dialect.asked_by_prompts else {}
    inner = isinstance(data.get("vars"), dict)
    usual = str(dialect.turns.text_path[-1]) if dialect.turns.text_path else ""
    name = next(iter(variables)) if len(variables) == 1 else usual
    if not isinstance(variables.get(name), str):
        return ()
    return ("vars", name) if inner else (name,)


def _messages(data: Table, conversation: Sequence[Spoken], dialect: Dialect, notes: list[str]) -> list[Plain]:
    """Return a conversation in OpenAI's form."""
    items = [value_at(data, turn.path) if turn.path else None for turn in conversation]
    hooks = of_dialect(dialect).conversion(dialect)
    understood, note = hooks.to_openai([_usual(turn.message, dialect) for turn in conversation], items)
    notes += [note] if note else []
    return understood


def to_table(case: Case, head: Table, dialect: Dialect, near: DataPath) -> WrittenSample:
    """Write a case: its id, its conversation and its answer, each where the table has it or samples near it do."""
    left: Table = {} if case.criteria is None else {"criteria": case.criteria}
    data: Table = {}
    if "id" in head:
        if dialect.id_paths:
            data = with_value_at(data, dialect.id_paths[0], head["id"])
        else:
            left["id"] = head["id"]
    messages, answer = case.messages, case.answer
    notes: list[str] = []
    like = beside(messages, answer, near, dialect) if near and messages else None
    if like is not None:
        return WrittenSample({**data, **like}, left)
    if answer is not None and dialect.conversion.answer_last:
        messages, answer = [*(messages or ()), {"role": "assistant", "content": as_text(answer, notes)}], None
        notes.append("expected: written as the last turn")
    path: DataPath = ()
    if messages is not None:
        path, value = _conversation(messages, answer is not None, dialect, notes)
        data = with_value_at(data, path, value)
    if answer is not None and not dialect.expected.paths:
        left["expected"] = answer
    elif answer is not None:
        path = dialect.expected.beside.get(path) or dialect.expected.paths[0]
        if ALL in path:
            item: Table = {**_item_of(dialect), str(path[-1]): answer}
            path, answer = path[: path.index(ALL)], [item]
        whole = len(path) > 1 or fits(dialect, str(path[0]), answer)
        data = with_value_at(data, path, answer if whole else as_text(answer, notes))
    return WrittenSample(data, left, tuple(dict.fromkeys(notes)))


def _doubled(data: Table, conversation: Sequence[Spoken], dialect: Dialect) -> Iterator[str]:
    """Yield a line for each key of OpenAI's in a message that has the dialect's own for it as well."""
    pairs = (("role", dialect.turns.spelling.role), ("content", dialect.turns.spelling.content))
    for turn in conversation:
        item = value_at(data, turn.path)
        doubled = dialect.turns.spelling.doubled(item) if isinstance(item, dict) else []
        yield from (f"messages: {key} beside {key_here} is dropped" for key, key_here in pairs if key in doubled)


def _as_texts(conversation: Sequence[Spoken], dialect: Dialect) -> Iterator[str]:
    """Yield a line for each type of segment that only this dialect has and that becomes a text."""
    for turn in conversation:
        content = turn.message.get("content") if isinstance(turn.message, dict) else None
        for item in content if isinstance(content, list) and dialect.contents.own else ():
            kind = str(item.get("type")) if isinstance(item, dict) else ""
            if kind in dialect.contents.own and isinstance(
                segment(item, own_types=dialect.contents.own), TextSegment
            ):
                yield f"messages: {kind} segments are written as text"


def new_sample_data(dialect: Dialect) -> Table:
    """Return what a new sample starts as: one turn to write, and an id to give where samples have one."""
    near = dialect.message_paths[0] if dialect.asked_path else ()
    return to_table(Case([{"role": "user", "content": ""}], None, None, {}), {}, dialect, near).data


def beside(messages: Sequence[Plain], answer: Plain, near: DataPath, dialect: Dialect) -> Table | None:
    """Return turns and what is expected as samples have them whose messages are at a place, None if that cannot be.

    It is a list of messages or, where none stands there, texts of the user or pairs before the one that asks.
    """
    turns = [message for message in messages if isinstance(message, dict)]
    if len(turns) < len(messages) or not isinstance(answer, str | None):
        return None
    if near in dialect.expected.beside:
        return _listed(turns, answer, near, dialect)
    if near == dialect.message_paths[0] or any(turn.keys() - {"role", "content"} for turn in turns):
        return None
    if not all(isinstance(turn.get("content"), str) for turn in turns):
        return None
    own = dialect.fields.get(str(near[0]))
    if not dialect.turns.plain or own is None or own.type != "texts":
        return _after_pairs(turns, answer, near, dialect)
    if any(turn.get("role") != "user" for turn in turns) or (answer is not None and len(turns) > 1):
        return None
    data = with_value_at({}, near, [turn.get("content") for turn in turns])
    if answer is None:
        return data
    path = dialect.expected.paths[-1]
    forms: tuple[Plain, ...] = (answer, [answer])
    form = next((form for form in forms if fits(dialect, str(path[0]), form)), None)
    return None if form is None else with_value_at(data, path, form)


def _after_pairs(turns: list[Table], answer: str | None, near: DataPath, dialect: Dialect) -> Table | None:
    """Return the turn that asks as a text, what is before it as pairs; None if it is not the user's, or unpaired.

    An answer at the end is what is expected where nothing else is.
    """
    system = [turn.get("content") for turn in turns[:1] if turn.get("role") == "system"]
    rest = turns[len(system) :]
    if answer is None and rest and rest[-1].get("role") == "assistant":
        answer, rest = str(rest[-1].get("content")), rest[:-1]
    earlier = as_pairs(rest[:-1])
    if not rest or rest[-1].get("role") != "user" or earlier is None or not dialect.turns.earlier:
        return None
    table = with_value_at({}, near, rest[-1].get("content"))
    table = with_value_at(table, dialect.expected.paths[0], answer) if answer is not None else table
    table = with_value_at(table, dialect.turns.system[0], system[0]) if system and dialect.turns.system else table
    return with_value_at(table, dialect.turns.earlier[0], earlier) if earlier else table


def _listed(turns: Sequence[Table], answer: str | None, near: DataPath, dialect: Dialect) -> Table:
    """Return turns as a list of messages at a place, with the answer where samples that have them there have it."""
    path, last = dialect.expected.beside[near], turns[-1]
    text = last.get("content")
    is_answer = last.keys() == {"role", "content"} and last["role"] == "assistant" and isinstance(text, str)
    if path and answer is None and is_answer and near not in dialect.conversion.open_conversations:
        answer, turns = str(text), turns[:-1]
    written: list[Plain] = [dialect.turns.spelling.written(turn) for turn in turns]
    if answer is None:
        return with_value_at({}, near, written)
    answering: Plain = dialect.turns.spelling.written({"role": "assistant", "content": answer})
    if not path:
        return with_value_at({}, near, [*written, answering])
    return with_value_at(
        with_value_at({}, near, written), path, [answering] if fits(dialect, str(path[0]), [answering]) else answer
    )


def _conversation(
    messages: list[Plain], answered: bool, dialect: Dialect, notes: list[str]
) -> tuple[DataPath, Plain]:
    """Return where a conversation goes and what is there: one text of the user by itself, if that may be."""
    only = messages[0] if len(messages) == 1 else None
    text = only.get("content") if isinstance(only, dict) and only.keys() == {"role", "content"} else None
    asks = isinstance(only, dict) and only.get("role") == "user" and isinstance(text, str)
    if dialect.turns.text_path is not None and (asks or dialect.conversion.text_only):
        if not asks:
            notes.append("messages: written as JSON text, for only one text is asked here")
        return dialect.turns.text_path, text if asks else json_text(messages)
    open_still = answered or bool(messages and as_table(messages[-1]).get("role") != "assistant")
    path = (dialect.asked_path if open_still else None) or dialect.message_paths[0]
    return path, [dialect.turns.spelling.written(item) if isinstance(item, dict) else item for item in messages]


def _usual(message: Plain, dialect: Dialect) -> Plain:
    """Return a message of a dialect with its media as those segments that most dialects share."""
    content = message.get("content") if isinstance(message, dict) else None
    if not isinstance(message, dict) or not isinstance(content, list) or not dialect.contents.own:
        return message
    return {**message, "content": [*_segments(content, dialect)]}


def _segments(content: list[Plain], dialect: Dialect) -> Iterator[Plain]:
    for item in content:
        _, key = dialect.contents.own.get(str(item.get("type")), ("", "")) if isinstance(item, dict) else ("", "")
        medium = segment(item, own_types=dialect.contents.own) if key else None
        if isinstance(medium, MediaSegment) and isinstance(item, dict) and key in item:
            rest = {other: value for other, value in item.items() if other not in ("type", key)}
            yield {"type": medium.kind, medium.kind: {"url": medium.url, **rest}}
        elif isinstance(medium, TextSegment):
            yield {"type": "text", "text": medium.text}
        else:
            yield item


def _name(value: Plain) -> str | None:
    return str(value) if isinstance(value, str | int) and not isinstance(value, bool) else None
