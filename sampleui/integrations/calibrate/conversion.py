"""calibrate's samples as those of other tools, and back."""

from __future__ import annotations

from sampleui.formats.data import Table
from sampleui.integrations.integration import Converting
from sampleui.sample.convert.tabled import Case, WrittenSample, taken_messages
from sampleui.sample.dialects.dialect import Dialect


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


CONVERSION = Converting(from_turn, to_turn)
