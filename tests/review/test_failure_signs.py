"""Rows that say somewhere that they did not pass are never counted as passed; what is not sure is ungraded."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sampleui.errors import ResultsError
from sampleui.formats.data import Plain, Table
from sampleui.review.record import Outcome, outcome_of, passed
from sampleui.review.results.file import open_results
from sampleui.review.results.guessing import guessed_rows, is_of_a_run

AGAINST: list[Table] = [
    {"passes": {"Relevance": False}},
    {"grades": {"Relevance": 2}, "passes": {"Relevance": False}},
    {"passes": [True, False]},
    {"passed": "0"},
    {"score": 0.9, "passed": 0},
    {"verdict": "FAILED"},
    {"verdict": "incorrect", "score": 1},
    {"status": "not passed"},
    {"status": "success", "correct": False},
    {"status": "ok", "is_correct": "No"},
    {"result": "fail: too long", "score": 1},
    {"evaluation": "wrong answer"},
    {"judgement": "❌", "score": 1.0},
    {"pass_fail": "FAIL"},
    {"grade": "F", "score": 1.0},
    {"score": 0.95, "threshold": 0.99},
    {"score": 1.0, "judge": {"score": 0.7, "min_score": 0.8}},
    {"score": 1.0, "error_message": "Timeout"},
    {"score": 1.0, "errors": ["boom"]},
    {"score": 1.0, "exception": "ValueError"},
    {"score": 1, "failed": True},
    {"score": 1, "failures": 2},
    {"score": 1, "failure_reason": "wrong"},
    {"score": 1.0, "checks": [{"name": "n", "passed": False}]},
    {"score": 1.0, "evaluation": {"judge": {"verdict": "fail"}}},
    {"scores": [{"name": "n", "score": 0.1}]},
    {"scores": [{"name": "n", "score": 0.9, "success": False}]},
    {"results": [{"metric": "n", "status": "failed"}]},
    {"hit": False, "score": 1},
    {"base_status": "pass", "plus_status": "fail", "score": 1},
]
UNSURE: list[Table] = [
    {"status": "completed"},
    {"status": "success"},
    {"rating": 1},
    {"score": 4},
    {"score": 1, "max_score": 5},
    {"metrics": {"start": 1748779200.0, "tokens": 21}},
    {"feedback": {"helpful": {"value": 6}}},
    {"passed": True, "checks": [{"name": "n", "passed": False}]},
]
FOR: list[Table] = [
    {"passed": True},
    {"score": 0.95, "errors": []},
    {"score": 1, "error": None, "exception": "None"},
    {"score": 1, "trace": [{"type": "tool_result", "error": "not found"}]},
    {"score": 1, "metadata": {"failed": True}},
    {"score": 1, "std_error": 0.2, "error_rate": 0.1},
]


def came_out(folder: Path, row: Table) -> bool | None:
    path = folder / "rows.jsonl"
    path.write_text(json.dumps({"id": "a", "output": "x", **row}) + "\n", encoding="utf-8")
    return passed(open_results(path, ()).indexed().entries[0])


@pytest.mark.parametrize("row", AGAINST, ids=str)
def test_a_row_that_says_anywhere_that_it_did_not_pass_is_not_counted_as_passed(tmp_path: Path, row: Table) -> None:
    assert came_out(tmp_path, row) is False


@pytest.mark.parametrize("row", UNSURE, ids=str)
def test_what_may_mean_anything_else_leaves_a_record_ungraded(tmp_path: Path, row: Table) -> None:
    assert came_out(tmp_path, row) is None


@pytest.mark.parametrize("row", FOR, ids=str)
def test_what_was_asked_or_done_and_what_is_empty_says_nothing_against_a_row(tmp_path: Path, row: Table) -> None:
    assert came_out(tmp_path, row) is True


def test_agentvs_own_rules_weigh_what_agentv_writes(tmp_path: Path) -> None:
    part: Plain = {"name": "n", "score": 0.5, "assertions": [{"text": "a", "passed": False}]}
    row: Table = {"test_id": "a", "score": 0.9, "threshold": 0.8, "execution_status": "ok", "scores": [part]}
    assert came_out(tmp_path, row) is True
    assert came_out(tmp_path, {**row, "passes": {"x": False}}) is False


@pytest.mark.parametrize(
    "row", [{"messages": [{"role": "user", "content": "a"}], "score": 0.9}, {"prompt": "x", "accuracy": 0.95}]
)
def test_a_score_of_a_row_of_a_data_set_passes_nothing(tmp_path: Path, row: Table) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text(f"{json.dumps(row)}\n")
    assert not any(passed(one) for one in open_results(path, ()).indexed().entries)


def test_how_a_run_ended_is_no_outcome_of_an_answer(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    rows = [{"id": "a", "prompt": "x", "status": "success"}, {"id": "b", "prompt": "x", "status": "failed"}]
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    try:
        entries = open_results(path, ()).indexed().entries
    except ResultsError:
        return
    assert not any(passed(one) for one in entries)


def test_a_run_of_grades_from_one_to_six_is_not_held_against_a_threshold(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(f'{{"id": "{grade}", "output": "x", "grade": {grade}}}\n' for grade in range(1, 7)))
    assert [passed(one) for one in open_results(path, ()).indexed().entries] == [None] * 6


@pytest.mark.parametrize(
    "row",
    [
        {"id": "a", "question": "q", "answer": "b", "metadata": {"score": 0.9}},
        {"id": "a", "question": "q", "answer": "b", "stats": {"quality": {"score": 0.95}}},
        {"id": "a", "question": "q", "answer": "b", "score": 12},
        {"question": "q", "answer": "b", "reward": 0.5},
    ],
)
def test_a_data_set_is_no_run_whatever_numbers_it_has(row: Table) -> None:
    table = guessed_rows([row])
    assert table is None or not is_of_a_run(table)


@pytest.mark.parametrize(
    "row",
    [
        {"output": "", "score": None, "status": "cancelled"},
        {"output": "", "score": 0, "status": "timed_out"},
        {"output": "half", "passed": False, "finish_reason": "interrupted"},
        {"output": None, "passed": None, "stop_reason": "aborted by the user"},
        {"output": None, "score": None, "outcome": "skipped"},
    ],
    ids=str,
)
def test_a_row_that_was_broken_off_is_an_error_and_no_failure(tmp_path: Path, row: Table) -> None:
    (tmp_path / "rows.jsonl").write_text(json.dumps({"id": "a", "question": "q", **row}) + "\n", encoding="utf-8")
    entry = open_results(tmp_path / "rows.jsonl", ()).indexed().entries[0]
    assert outcome_of(entry) is Outcome.ERROR and entry.error in row.values()


@pytest.mark.parametrize(
    "row", [{"score": 1, "status": "timeout was close"}, {"passed": True, "result": "cancelled"}]
)
def test_a_row_that_passed_was_not_broken_off(tmp_path: Path, row: Table) -> None:
    (tmp_path / "rows.jsonl").write_text(json.dumps({"id": "a", "output": "x", **row}) + "\n", encoding="utf-8")
    assert outcome_of(open_results(tmp_path / "rows.jsonl", ()).indexed().entries[0]) is not Outcome.ERROR
