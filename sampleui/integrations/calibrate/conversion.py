"""calibrate's samples as those of other tools and back, and where they have their answer."""

from __future__ import annotations

from sampleui.formats.data import DataPath, Table
from sampleui.integrations.integration import Converting
from sampleui.review.samples.expectation import Setting, last_answer
from sampleui.sample.convert.tabled import Case, WrittenSample, taken_messages
from sampleui.sample.dialects.dialect import Dialect
from sampleui.sample.model import Sample
from sampleui.sample.parse import dialect_of


def from_turn(data: Table, dialect: Dialect) -> Case:
    """Read a sample as calibrate's. An answer that is a table of `criteria` and `output` is a pair of both."""
    rest = dict(data)
    messages = taken_messages(rest, dialect)
    answer, criteria = rest.pop(dialect.expected_keys[0], None), None
    if isinstance(answer, dict) and "criteria" in answer and answer.keys() <= {"criteria", "output"}:
        by_criteria = answer["criteria"]
        if isinstance(by_criteria, str):
            answer, criteria = answer.get("output"), by_criteria
    return Case(messages, answer, criteria, rest, spelled={"criteria": f"{dialect.expected_keys[0]}.criteria"})


def to_turn(case: Case, head: Table, dialect: Dialect) -> WrittenSample:
    """Write what is expected as calibrate does: the answer, or a table of `criteria` and `output`."""
    key = dialect.expected_keys[0]
    if case.criteria is None:
        return WrittenSample(head if case.answer is None else {**head, key: case.answer})
    pair: Table = {"criteria": case.criteria}
    if case.answer is not None:
        pair["output"] = case.answer
    return WrittenSample({**head, key: pair}, notes=(f"criteria: kept as {key}.criteria",))


def expected_paths(sample: Sample) -> tuple[DataPath, ...]:
    """Return where a sample may have its answer, the places that count first at the beginning."""
    key = dialect_of(sample).expected_keys[0]
    if isinstance(sample.data.get(key), str):
        return ((key,),)
    return (*last_answer(sample.data, sample.messages_path), (key, "answer"), (key,))


def taking(sample: Sample, actual: str) -> tuple[Setting, ...]:
    """Return the edits that make an answer the expected one."""
    key = dialect_of(sample).expected_keys[0]
    expected = sample.data.get(key)
    answers = () if isinstance(expected, str) else last_answer(sample.data, sample.messages_path)
    if answers:
        return (Setting(answers[0], actual),)
    return (Setting((key, "answer") if isinstance(expected, dict) else (key,), actual),)


CONVERSION = Converting(from_turn, to_turn, expected_paths=expected_paths, accept_answer=taking)
