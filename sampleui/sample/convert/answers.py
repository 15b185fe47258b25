"""What a sample expects, in each of the ways to say so, read into one neutral case and written from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from sampleui.formats.data import DataPath, Plain, Table
from sampleui.sample.content import reference_text, segments
from sampleui.sample.convert.contents import beside_text, conversation_for, unsent
from sampleui.sample.dialects.dialect import Answers, Dialect
from sampleui.sample.message import TextSegment
from sampleui.sample.parse import as_messages, json_text, messages_path, value_at

_PAIR = {"criteria", "output"}


@dataclass(frozen=True, slots=True)
class Case:
    """A sample without a dialect.

    Attributes:
        messages: its messages as authored, None if it has none.
        answer: the reference answer, one of: a text, any other value, a list of texts (several answers), a list of
            messages, or gage references as they are. None if there is none.
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


def from_turn(data: Table, dialect: Dialect) -> Case:
    """Read a sample as calibrate's. An answer that is a table of `criteria` and `output` is a pair of both."""
    rest = dict(data)
    messages = _taken_messages(rest, dialect)
    answer, criteria = rest.pop(dialect.expected_keys[0], None), None
    if isinstance(answer, dict) and "criteria" in answer and answer.keys() <= _PAIR:
        given = answer["criteria"]
        if isinstance(given, str):
            answer, criteria = answer.get("output"), given
    return Case(messages, answer, criteria, rest, spelled={"criteria": f"{dialect.expected_keys[0]}.criteria"})


def from_messages(data: Table, dialect: Dialect) -> Case:
    """Read a sample as AgentV's: the first of each group of keys that mean the same; the others stay fields."""
    rest = dict(data)
    messages = _taken_messages(rest, dialect)
    paths: list[DataPath] = [*((key,) for key in dialect.answer_keys), *dialect.expected.beside.values()]
    wanted = next((path for path in paths if value_at(rest, path) is not None), ())
    answer = single_answer(value_at(rest, wanted)) if wanted else None
    rest = without(rest, wanted) if wanted else rest
    key = next((key for key in dialect.expected.criteria if isinstance(rest.get(key), str)), None)
    criteria = rest.pop(key) if key else None
    named = (("expected", ".".join(map(str, wanted))), ("criteria", key))
    spelled = {meant: name for meant, name in named if name}
    return Case(messages, answer, criteria if isinstance(criteria, str) else None, rest, spelled=spelled)


def from_references(data: Table, dialect: Dialect) -> Case:
    """Read a sample as gage-eval's; a label that adds nothing is left out."""
    rest = dict(data)
    messages = _taken_messages(rest, dialect)
    references = rest.pop(dialect.expected_keys[0], None)
    answer = _answer(references) if isinstance(references, list) else references
    wanted = [dialect.expected_keys[0]]
    label = dialect.expected.label
    repeats = isinstance(references, list) and references and rest.get(label) == reference_text(references[0])
    if repeats and rest.pop(label, None) is not None:
        wanted.append(label)
    criteria, metadata = None, rest.get("metadata")
    if isinstance(metadata, dict) and isinstance(given := metadata.get("criteria"), str):
        criteria = given
        rest["metadata"] = {key: value for key, value in metadata.items() if key != "criteria"}
    spelled = {"expected": ", ".join(wanted), "criteria": "metadata.criteria"}
    return Case(messages, answer, criteria, rest, spelled=spelled)


@dataclass(frozen=True, slots=True)
class Written:
    """A sample up to what is expected, in a dialect: its fields, what is left for `metadata`, and report lines."""

    data: Table
    left: Table = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def to_turn(case: Case, head: Table, dialect: Dialect) -> Written:
    """Write what is expected as calibrate does: the answer, or a table of `criteria` and `output`."""
    key = dialect.expected_keys[0]
    if case.criteria is None:
        return Written(head if case.answer is None else {**head, key: case.answer})
    pair: Table = {"criteria": case.criteria}
    if case.answer is not None:
        pair["output"] = case.answer
    return Written({**head, key: pair}, notes=(f"criteria: kept as {key}.criteria",))


def to_messages(case: Case, head: Table, dialect: Dialect) -> Written:
    """Write what is expected as AgentV does: as messages where the answer can be one, else as `expected_output`."""
    data: Table = head if case.criteria is None else {**head, dialect.expected.criteria[0]: case.criteria}
    answer = case.answer
    listed, single = dialect.answer_keys
    if answer is None:
        return Written(data)
    if isinstance(answer, str) or (isinstance(answer, dict) and "role" not in answer):
        return Written({**data, listed: [{"role": "assistant", "content": answer}]})
    if not isinstance(answer, list | dict):
        written: list[Plain] = [{"role": "assistant", "content": json_text(answer)}]
        return Written({**data, listed: written}, notes=("expected: written as text",))
    if not isinstance(answer, list) or not _are_messages(answer):
        return Written({**data, single: answer})
    converted = conversation_for(answer, dialect)
    notes = (
        note for note in converted.notes if unsent(dialect) not in note
    )  # what is expected is not sent in any case
    return Written({**data, listed: converted.messages}, notes=tuple(f"expected {note}" for note in notes))


def to_references(case: Case, head: Table, dialect: Dialect) -> Written:
    """Write what is expected as gage-eval does: references, and the first of them as label."""
    key = dialect.expected_keys[0]
    references, label = _references(case.answer)
    data: Table = {**dialect.conversion.written_first, **head, key: references}
    left: Table = {} if case.criteria is None else {"criteria": case.criteria}
    if label is not None:
        return Written({**data, dialect.expected.label: label}, left)
    if case.answer is None and "expected" not in case.spelled:
        return Written(data, left, (f"{key}: written empty, for the sample expects no answer",))
    if case.answer is None or _are_references(case.answer):
        return Written(data, left)
    return Written(data, left, (f"expected: written as JSON text, and as it was in {key}[0].meta.value",))


def _taken_messages(rest: Table, dialect: Dialect) -> list[Plain] | None:
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


def _are_messages(value: Plain) -> bool:
    return (
        isinstance(value, list) and bool(value) and all(isinstance(item, dict) and "role" in item for item in value)
    )


def _are_references(value: Plain) -> bool:
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(item, dict) and "answer" in item for item in value)
    )


def _are_texts(value: Plain) -> bool:
    return isinstance(value, list) and len(value) > 1 and all(isinstance(item, str) for item in value)


def _references(answer: Plain) -> tuple[list[Plain], str | None]:
    """Return an answer as references, with the text of the first of them; a value that is not a text has none."""
    if answer is None:
        return [], None
    if isinstance(answer, list) and _are_references(answer):
        return answer, reference_text(answer[0])
    texts: list[Plain] = [answer] if isinstance(answer, str) else []
    if isinstance(answer, list) and _are_texts(answer):
        texts = answer
    if texts:
        return [{"answer": [{"type": "text", "text": text}]} for text in texts], str(texts[0])
    content: list[Plain] = [{"type": "text", "text": json_text(answer)}]
    return [{"answer": content, "meta": {"value": answer}}], None


def _answer(references: list[Plain]) -> Plain:
    """Return references as an answer: plain texts as texts, a kept value as it was, all else as it is."""
    if not references:
        return None
    texts = [_text(reference) for reference in references]
    if all(text is not None for text in texts):
        return texts[0] if len(texts) == 1 else [text for text in texts if text is not None]
    kept = value_at(list(references), (0, "meta"))
    if len(references) == 1 and isinstance(kept, dict) and kept.keys() == {"value"}:
        return kept["value"]
    return references


def _text(reference: Plain) -> str | None:
    """Return the text of a reference that is one text and nothing else."""
    if isinstance(reference, dict):
        reference = reference["answer"] if reference.keys() == {"answer"} else None
    if any(map(beside_text, reference if isinstance(reference, list) else [reference])):
        return None
    parts = segments(reference) or ()
    if len(parts) == 1 and isinstance(parts[0], TextSegment):
        return parts[0].text
    return None


READERS: Mapping[Answers, Callable[[Table, Dialect], Case]] = {
    Answers.TURN: from_turn,
    Answers.MESSAGES: from_messages,
    Answers.REFERENCES: from_references,
}
WRITERS: Mapping[Answers, Callable[[Case, Table, Dialect], Written]] = {
    Answers.TURN: to_turn,
    Answers.MESSAGES: to_messages,
    Answers.REFERENCES: to_references,
}
