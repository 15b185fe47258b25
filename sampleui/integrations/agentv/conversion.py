"""What AgentV's tests say, read into neutral cases and written from them."""

from __future__ import annotations

from sampleui.formats.data import DataPath, Plain, Table, without_value_at
from sampleui.integrations.agentv.fields import CRITERIA
from sampleui.integrations.integration import Converting
from sampleui.prompt.templates import is_conversation
from sampleui.review.samples.expectation import Setting, last_answer, said_at
from sampleui.sample.convert.contents import conversation_for
from sampleui.sample.convert.tabled import Case, WrittenSample, single_answer, taken_messages
from sampleui.sample.dialects.dialect import Dialect, value_at
from sampleui.sample.message import json_text
from sampleui.sample.model import Sample
from sampleui.sample.parse import dialect_of, messages_path

LISTED, SINGLE = "expected_messages", "expected_output"
"""The keys of expected messages in the older spelling, and of messages or any value in today's."""

IN_VARS: DataPath = ("vars", "expected_output")
"""Where version 5 has the answer."""


def paths(sample: Sample) -> tuple[DataPath, ...]:
    """Return where a test may have its answer, the places that count first at the beginning."""
    last = (path for key in (LISTED, SINGLE) for path in last_answer(sample.data, (key,)))
    return (*last, (SINGLE,), (LISTED,), IN_VARS, *((key,) for key in CRITERIA))


def taking(sample: Sample, actual: str) -> tuple[Setting, ...]:
    """Return the edits that make an answer the expected one."""
    for key in (LISTED, SINGLE):
        if answers := last_answer(sample.data, (key,)):
            return (Setting(answers[0], actual),)
        if key in sample.data:
            return (Setting((key,), actual if key == SINGLE else _message(actual)),)
    if said_at(sample.data, IN_VARS):
        return (Setting(IN_VARS, actual),)
    if (
        sample.messages_path == dialect_of(sample).message_paths[0]
    ):  # the older spelling, which goes with the older key
        return (Setting((LISTED,), _message(actual)),)
    return (Setting((SINGLE,), actual),)


def _message(text: str) -> Plain:
    return [{"role": "assistant", "content": text}]


_UNSENT = "tool_calls are kept; AgentV itself does not send them"


def message(item: Table, notes: dict[str, None]) -> Table:
    """Return a message as AgentV takes it, which has no null for its content where it calls tools."""
    if item.get("role") == "tool":
        notes["turns of tool are kept; the runs of AgentV take them, and its check refuses them"] = None
    if not item.get("tool_calls"):
        return item
    notes[_UNSENT] = None
    return {key: value for key, value in item.items() if key != "content" or value is not None}


def from_messages(data: Table, dialect: Dialect) -> Case:
    """Read a sample as AgentV's: the first of each group of keys that mean the same; the others stay fields."""
    rest = dict(data)
    messages = taken_messages(rest, dialect)
    answers: list[DataPath] = [(LISTED,), (SINGLE,), *dialect.expected.beside.values()]
    wanted = next((path for path in answers if value_at(rest, path) is not None), ())
    answer = single_answer(value_at(rest, wanted)) if wanted else None
    rest = without_value_at(rest, wanted) if wanted else rest
    key = next((key for key in CRITERIA if isinstance(rest.get(key), str)), None)
    criteria = rest.pop(key) if key else None
    named = (("expected", ".".join(map(str, wanted))), ("criteria", key))
    spelled = {meant: name for meant, name in named if name}
    place = messages_path(data, dialect)
    paths = (
        tuple((*place, index) for index in range(len(messages or ())))
        if isinstance(value_at(data, place), list)
        else ()
    )
    return Case(
        messages, answer, criteria if isinstance(criteria, str) else None, rest, spelled=spelled, paths=paths
    )


def to_messages(case: Case, head: Table, dialect: Dialect) -> WrittenSample:
    """Write what is expected as AgentV does: as messages where the answer can be one, else as `expected_output`."""
    data: Table = head if case.criteria is None else {**head, CRITERIA[0]: case.criteria}
    answer = case.answer
    listed, single = LISTED, SINGLE
    if answer is None:
        return WrittenSample(data)
    if isinstance(answer, str) or (isinstance(answer, dict) and "role" not in answer):
        return WrittenSample({**data, listed: [{"role": "assistant", "content": answer}]})
    if not isinstance(answer, list | dict):
        written: list[Plain] = [{"role": "assistant", "content": json_text(answer)}]
        return WrittenSample({**data, listed: written}, notes=("expected: written as text",))
    if not isinstance(answer, list) or not is_conversation(answer):
        return WrittenSample({**data, single: answer})
    converted = conversation_for(answer, dialect)
    notes = (note for note in converted.notes if _UNSENT not in note)  # what is expected is not sent in any case
    return WrittenSample({**data, listed: converted.messages}, notes=tuple(f"expected {note}" for note in notes))


CONVERSION = Converting(
    from_messages, to_messages, write_message=message, expected_paths=paths, accept_answer=taking
)
