"""By which rows of results a tool is told, and which are nobody's."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sampleui.review.results.adapter_selection import LOOKED_AT, shipped_for
from sampleui.review.results.adapters import adapter_of
from sampleui.review.results.file import open_results

PROMPTFOO = Path(__file__).parents[1] / "integrations/promptfoo/written"


@pytest.mark.parametrize(
    "row",
    [
        {"id": 1, "epoch": 1, "input": "?", "scores": {"includes": {"value": "I"}}, "output": {"completion": "4"}},
        {"id": 1, "epoch": 1, "scores": {"includes": {"value": "I"}}, "output": {"choices": [], "completion": "4"}},
        {"id": "a", "score": {"accuracy": 0.0}},
        {"id": "a", "evaluators": {"exact": False}, "answer": "4"},
    ],
)
def test_rows_that_are_not_understood_are_claimed_by_nobody(row: dict[str, object]) -> None:
    assert adapter_of(row) is None  # type: ignore[arg-type]


def test_a_shipped_tool_is_named_for_the_rows_that_tell_it_and_for_no_others() -> None:
    promptfoo = json.loads((PROMPTFOO / "out.jsonl").read_text().splitlines()[0])
    assert shipped_for(promptfoo) == "promptfoo"
    assert shipped_for({"test_id": "a", "score": 1, "candidate_answer": "x"}) == "agentv"
    assert shipped_for({"frage": "x", "antwort": "y"}) == ""


def test_some_first_rows_of_a_long_file_are_looked_at(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text(
        '{"cut off\n' + "".join(json.dumps({"test_id": str(at), "score": 1}) + "\n" for at in range(80))
    )
    rows = open_results(path).first_rows
    assert [row["test_id"] for row in rows] == [str(at) for at in range(LOOKED_AT - 1)]
