"""Scores on a scale that no tool names, such as lengths: they do not say whether a record passed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sampleui.formats.data import Table
from sampleui.page.text import as_text
from sampleui.review.baseline import Trend, compare
from sampleui.review.log.store import log_path, open_log
from sampleui.review.queue import Order
from sampleui.review.record import Grade, Outcome, failing_evaluators, outcome_of, why_failed
from sampleui.review.reports.record_measures import Question
from sampleui.review.reports.report import report_of
from sampleui.review.results.file import Results, open_results
from sampleui.review.session import next_record
from tests.review.build import entry, results_of

PASSED, FAILED, UNGRADED = Outcome.PASSED, Outcome.FAILED, Outcome.UNGRADED


def cases(folder: Path, *scored: Table) -> Results:
    """Write a report of pydantic-evals with these scores of its cases, and open it."""
    path = folder / "report.json"
    held = [
        {"name": f"c{at}", "inputs": "q", "output": "a", "assertions": {}, "scores": _values(scores), "labels": {}}
        for at, scores in enumerate(scored)
    ]
    path.write_text(json.dumps({"name": "r", "cases": held, "failures": []}))
    return open_results(path).indexed()


def _values(scores: Table) -> Table:
    return {name: {"name": name, "value": value, "reason": None} for name, value in scores.items()}


def outcomes(results: Results) -> list[Outcome]:
    return [outcome_of(one) for one in results.entries]


def test_a_length_does_not_pass_where_it_is_1_nor_fail_where_it_is_0(tmp_path: Path) -> None:
    results = cases(tmp_path, {"length": 1}, {"length": 6}, {"length": 0})
    assert outcomes(results) == [UNGRADED] * 3
    assert [one.score for one in results.entries] == [None] * 3
    assert [failing_evaluators(one) for one in results.entries] == [()] * 3
    assert not results.record(2).evaluators[0].bounded


def test_the_mean_of_what_graders_gave_leaves_out_those_of_another_scale(tmp_path: Path) -> None:
    results = cases(tmp_path, {"quality": 0.9, "length": 0.1}, {"quality": 0.2, "length": 7})
    assert outcomes(results) == [PASSED, FAILED]
    assert [one.score for one in results.entries] == [0.9, 0.2]
    report = report_of(results, open_log(tmp_path / "x.reviews.jsonl"))
    assert report.figures.run.mean_score.value == pytest.approx(0.55)
    assert [one.bounded for one in report.figures.evaluators] == [True, False]


def test_scores_that_all_lie_between_0_and_1_are_held_against_the_threshold(tmp_path: Path) -> None:
    assert outcomes(cases(tmp_path, {"quality": 0.9}, {"quality": 0.2})) == [PASSED, FAILED]


def test_a_score_of_its_own_scale_is_not_passed_by_the_numbers_beside_it(tmp_path: Path) -> None:
    rows = [
        {"example_id": at, "prompt": "q", "completion": "a", "reward": reward, "metrics": {"num_turns": 1.0}}
        for at, reward in enumerate((1.5, 0.9, -0.5))
    ]
    results = results_of(tmp_path, *rows)
    assert outcomes(results) == [UNGRADED] * 3
    assert outcome_of(results.entries[1], 0.95) is FAILED  # a reader who names a threshold knows the scale
    assert why_failed(results.entries[1], 0.95) == ("score 0.9 is under 0.95",)


def test_the_next_in_file_order_knows_the_scales_of_the_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    cases(tmp_path, {"length": 0}, {"length": 5})
    assert next_record(open_results(path), open_log(log_path(path)), order=Order.FILE) is None


def test_more_on_a_scale_that_is_not_known_is_neither_better_nor_worse() -> None:
    was, now = (
        entry(0, "a", grades=(Grade("exact", 1.0, "pass"), Grade("latency", seconds, None, bounded=False)))
        for seconds in (2.0, 9.0)
    )
    (compared,) = compare([now], [was])
    assert compared.trend is Trend.SAME
    assert [(str(one), one.trend) for one in compared.graders] == [("latency 2 → 9", Trend.UNKNOWN)]


def test_a_grader_that_gave_no_score_and_then_one_changed_by_what_it_said() -> None:
    was, now = (
        entry(0, "a", score=None, grades=(Grade("judge", score, verdict),))
        for score, verdict in ((None, "fail"), (0.6, "pass"))
    )
    (compared,) = compare([now], [was])
    assert [str(one) for one in compared.graders] == ["judge 0 → 1"]


def test_attempts_that_nobody_graded_are_not_told_as_attempts_that_did_not_pass(tmp_path: Path) -> None:
    row = {"test_id": "a", "target": "t", "output": "hello"}
    results = results_of(
        tmp_path,
        *({**row, "attempt": at} for at in range(2)),
        *({**row, "attempt": 2 + at, "score": at} for at in range(2)),
    )
    report = report_of(results, open_log(tmp_path / "x.reviews.jsonl"))
    assert report.figures.attempts is not None
    assert report.figures.attempts.samples == (("a", "t", 1, 2, 4),)
    assert any("1 of 2 passed, 2 without an outcome" in line for line in as_text(report))


def test_what_an_error_failed_is_not_said_to_have_failed_under_a_score(tmp_path: Path) -> None:
    rows = ({"test_id": "a", "error": "late"}, {"test_id": "b", "output": "hello"})
    report = report_of(results_of(tmp_path, *rows), open_log(tmp_path / "x.reviews.jsonl"))
    assert "2 records: 0 passed, 0 failed, 1 ungraded, 1 error; mean score not known." in as_text(report)
    assert report.figures.run.fail_under is None


def test_a_record_that_a_threshold_decides_is_not_counted_as_ungraded_too(tmp_path: Path) -> None:
    rows = [
        {"example_id": at, "prompt": "q", "completion": "a", "reward": reward} for at, reward in enumerate((3, 1))
    ]
    results, log = results_of(tmp_path, *rows), open_log(tmp_path / "x.reviews.jsonl")
    assert "2 records: 0 passed, 0 failed, 2 ungraded, 0 errors; mean score 2.00." in as_text(
        report_of(results, log)
    )
    told = "2 records: 1 passed, 1 failed under 2, 0 errors; mean score 2.00."
    assert told in as_text(report_of(results, log, Question(fail_under=2.0)))


@pytest.mark.parametrize("infinite", [float("inf"), float("-inf"), 10**400])
def test_an_infinite_score_is_outside_0_to_1_so_that_no_number_of_its_scorer_decides(
    tmp_path: Path, infinite: float
) -> None:
    results = cases(tmp_path, {"strange": 1.0}, {"strange": infinite}, {"strange": 0.0})
    assert outcomes(results) == [UNGRADED] * 3
    assert results.unbounded == {"strange"}
    rows: list[Table] = [
        {"test_id": str(at), "score": score, "scores": [{"name": "a", "score": score}]}
        for at, score in enumerate((1.0, infinite, 0.0))
    ]
    assert outcomes(results_of(tmp_path, *rows)) == [UNGRADED] * 3


def test_a_score_that_is_no_number_leaves_the_scale_as_it_is(tmp_path: Path) -> None:
    assert outcomes(cases(tmp_path, {"right": 1.0}, {"right": float("nan")}, {"right": 0.0})) == [
        PASSED,
        UNGRADED,
        FAILED,
    ]


def test_an_infinite_score_of_a_row_that_nobody_knows_leaves_all_of_its_scorer_open(tmp_path):
    path = tmp_path / "run.jsonl"
    lines = ['{"case": "a", "output": "x", "score": Infinity}', '{"case": "b", "output": "x", "score": 1.0}']
    path.write_text("\n".join(lines) + "\n")
    assert [outcome_of(entry) for entry in open_results(path).indexed().entries] == [UNGRADED, UNGRADED]
