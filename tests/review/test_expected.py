from __future__ import annotations

from pathlib import Path

import pytest

from sampleui.formats.data import DataPath, Plain, Table, with_set
from sampleui.review.expected import Expectation, expectation, taking
from sampleui.sample.dialects import DIALECTS
from sampleui.sample.model import Sample
from sampleui.sample.parse import messages_path


def sample(dialect: str, data: Table) -> Sample:
    return Sample("a", 0, data, dialect, messages_path(data, DIALECTS[dialect]), Path("deck"))


def said(text: str, role: str = "assistant") -> dict[str, Plain]:
    return {"role": role, "content": text}


ASKED = said("?", "user")
CASES: list[tuple[str, Table, tuple[str, DataPath] | None, Table]] = [
    (
        "calibrate",
        {"messages": [ASKED, said("4")], "expected": {"score": 3}},
        ("4", ("messages", 1, "content")),
        {"messages": [ASKED, said("new")], "expected": {"score": 3}},
    ),
    (
        "calibrate",
        {"messages": [ASKED, said("4")], "expected": "four"},
        ("four", ("expected",)),
        {"messages": [ASKED, said("4")], "expected": "new"},
    ),
    (
        "calibrate",
        {"messages": [ASKED], "expected": {"score": 3}},
        ('{\n  "score": 3\n}', ("expected",)),
        {"messages": [ASKED], "expected": {"score": 3, "answer": "new"}},
    ),
    (
        "agentv",
        {"vars": {"input": "?", "expected_output": "4"}, "criteria": "adds"},
        ("4", ("vars", "expected_output")),
        {"vars": {"input": "?", "expected_output": "new"}, "criteria": "adds"},
    ),
    ("calibrate", {"messages": [ASKED]}, None, {"messages": [ASKED], "expected": "new"}),
    (
        "agentv",
        {"input_messages": [ASKED], "expected_messages": [said("a"), said("b")], "expected_outcome": "is b"},
        ("b", ("expected_messages", 1, "content")),
        {"input_messages": [ASKED], "expected_messages": [said("a"), said("new")], "expected_outcome": "is b"},
    ),
    (
        "agentv",
        {"input": "?", "expected_output": "b"},
        ("b", ("expected_output",)),
        {"input": "?", "expected_output": "new"},
    ),
    (
        "agentv",
        {"input_messages": [ASKED], "expected_outcome": "is b"},
        ("is b", ("expected_outcome",)),
        {"input_messages": [ASKED], "expected_outcome": "is b", "expected_messages": [said("new")]},
    ),
    (
        "agentv",
        {"input": "?", "criteria": "is b"},
        ("is b", ("criteria",)),
        {"input": "?", "criteria": "is b", "expected_output": "new"},
    ),
    (
        "gage",
        {"messages": [ASKED], "references": ["b"], "label": "b"},
        ("b", ("references", 0)),
        {"messages": [ASKED], "references": ["new"], "label": "new"},
    ),
    (
        "gage",
        {"messages": [ASKED], "references": [{"answer": [{"type": "text", "text": "b"}], "meta": {"x": 1}}]},
        ("b", ("references", 0, "answer", 0, "text")),
        {"messages": [ASKED], "references": [{"answer": [{"type": "text", "text": "new"}], "meta": {"x": 1}}]},
    ),
    (
        "gage",
        {"messages": [ASKED], "references": [{"answer": "b"}]},
        ("b", ("references", 0, "answer")),
        {"messages": [ASKED], "references": [{"answer": "new"}]},
    ),
    (
        "gage",
        {"messages": [ASKED], "references": []},
        None,
        {"messages": [ASKED], "references": [{"answer": [{"type": "text", "text": "new"}]}]},
    ),
]


@pytest.mark.parametrize(("dialect", "data", "wanted", "taken"), CASES)
def test_what_is_expected_and_how_an_answer_takes_its_place(
    dialect: str, data: Table, wanted: tuple[str, DataPath] | None, taken: Table
) -> None:
    found = expectation(sample(dialect, data))
    assert found == (Expectation(*wanted) if wanted else None)
    changed: Plain = data
    for setting in taking(sample(dialect, data), "new"):
        changed = with_set(changed, setting.path, setting.value)
    assert changed == taken
    again = expectation(sample(dialect, taken))
    assert again is not None
    assert "new" in again.text
