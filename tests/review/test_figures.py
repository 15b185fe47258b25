"""Baselines, scores against truths, outcomes against verdicts, and reports."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sampleui.page.data import as_data
from sampleui.page.text import as_markdown, as_text
from sampleui.review.baseline import Trend, compare, record_comparison_words
from sampleui.review.log.store import open_log
from sampleui.review.record import Grade
from sampleui.review.reports.graders import outcomes_by_verdict, reviewers_of
from sampleui.review.reports.report import report_of
from sampleui.review.reports.sql_figures import against_truth
from sampleui.review.verdict import LogAction, Verdict
from tests.review.build import decision, entry, plain, results_of


def test_each_trend_against_a_baseline() -> None:
    old = [
        entry(0, "better", score=0.5),
        entry(1, "worse", score=0.9),
        entry(2, "same", score=0.4),
        entry(3, "gone", score=1.0),
        entry(4, "fixed", score=0.9, error="late"),
        entry(5, "broken", score=0.95),
        entry(6, "nearer", score=3.0, truth=0.0),
    ]
    new = [
        entry(0, "same", score=0.4),
        entry(1, "better", score=0.6),
        entry(2, "worse", score=0.85),
        entry(3, "fixed", score=0.8),
        entry(4, "broken", score=0.9, verdict="fail"),
        entry(5, "fresh", score=0.1),
        entry(6, "nearer", score=-1.0, truth=0.0),
    ]
    compared = {one.id: (one.trend, one.delta) for one in compare(new, old)}
    assert compared == {
        "same": (Trend.SAME, 0.0),
        "better": (Trend.SAME, pytest.approx(0.1)),
        "worse": (Trend.SAME, pytest.approx(-0.05)),
        "fixed": (Trend.UNKNOWN, None),
        "broken": (Trend.WORSE, pytest.approx(-0.05)),
        "fresh": (Trend.ONLY_NEW, None),
        "nearer": (Trend.SAME, 2.0),
        "gone": (Trend.ONLY_OLD, None),
    }
    assert [one.id for one in compare(new, old)][-1] == "gone"
    words = "4 the same, 1 worse, 1 not comparable (an error in the baseline), 1 only here, 1 only in the baseline"
    assert {*record_comparison_words(compare(new, old)).split(", ")} == {*words.split(", ")}


def test_a_record_that_passed_and_fails_now_is_worse_whatever_its_score() -> None:
    found = compare([entry(score=0.95, verdict="fail")], [entry(score=0.9)])
    assert [one.trend for one in found] == [Trend.WORSE]


def test_records_pair_by_target_where_both_runs_have_the_same() -> None:
    old = [entry(0, "a", score=0.1, target="x"), entry(1, "a", score=0.9, target="y")]
    new = [entry(0, "a", score=0.9, target="y"), entry(1, "a", score=0.1, target="x")]
    assert {one.trend for one in compare(new, old)} == {Trend.SAME}
    renamed = [entry(0, "a", score=0.1, target="z"), entry(1, "a", score=0.9, target="z")]
    trends = {one.trend for one in compare(renamed, old)}
    assert trends == {Trend.ONLY_NEW, Trend.ONLY_OLD}, "no target is of both runs"


@given(st.lists(st.sampled_from("abc"), max_size=6), st.lists(st.sampled_from("abc"), max_size=6))
def test_no_record_is_lost_or_paired_twice(new: list[str], old: list[str]) -> None:
    found = compare(
        [entry(at, name) for at, name in enumerate(new)], [entry(at, name) for at, name in enumerate(old)]
    )
    assert sorted(one.new.index for one in found if one.new) == [*range(len(new))]
    assert sorted(one.old.index for one in found if one.old) == [*range(len(old))]


def test_scores_against_truths() -> None:
    pairs = [(3.0, 3.0), (3.0, 1.0), (-3.0, -3.0), (-3.0, 3.0)]
    found = against_truth(pairs)
    assert found is not None
    assert (found.records, found.agreed, found.rate, found.average_distance) == (4, 2, 0.5, 2.0)
    assert found.confusion.labels == ("-3", "1", "3")
    assert found.confusion.counts == ((1, 0, 1), (0, 0, 0), (0, 1, 1))
    assert against_truth([]) is None


def test_a_confusion_of_many_values_is_rounded_to_a_table() -> None:
    fine = against_truth([(index / 100, index / 100) for index in range(101)])
    assert fine is not None
    assert fine.confusion.labels == tuple(f"{index / 10:g}" for index in range(11))
    assert sum(map(sum, fine.confusion.counts)) == 101
    below = against_truth([(-0.01 * index, 0.0) for index in range(20)])
    assert below is not None
    assert below.confusion.labels == ("-0.2", "-0.1", "0")


def test_outcomes_against_verdicts(tmp_path: Path) -> None:
    log = open_log(tmp_path / "x.reviews.jsonl")
    verdicts = [*Verdict, Verdict.MODEL_WRONG, Verdict.OK, Verdict.GRADER_WRONG]
    entries = [entry(at, score=0.0 if at < len(Verdict) else 1.0) for at in range(len(verdicts) + 1)]
    for at, verdict in enumerate(verdicts):
        log.append(decision(f"digest-{at}", verdict))
    found = outcomes_by_verdict(entries, log)
    assert found is not None
    assert dict(found.failed) == dict.fromkeys(Verdict, 1)
    assert {one for one, times in found.passed.items() if times} == {
        Verdict.MODEL_WRONG,
        Verdict.OK,
        Verdict.GRADER_WRONG,
    }
    # Right about one wrong answer that failed and one fine answer that passed; flaky and skip settle nothing.
    assert (found.judged, found.agreed) == (7, 2)
    assert outcomes_by_verdict(entries, open_log(tmp_path / "none.reviews.jsonl")) is None


def test_reviewers_against_each_other(tmp_path: Path) -> None:
    log = open_log(tmp_path / "x.reviews.jsonl")
    entries = [entry(at) for at in range(5)]
    for at, (mine, theirs) in enumerate([("ok", "ok"), ("flaky", "flaky"), ("ok", "flaky"), ("ok", "skip")]):
        log.append(decision(f"digest-{at}", Verdict(mine)))
        log.append(decision(f"digest-{at}", Verdict(theirs), reviewer="bob"))
    log.append(replace(decision("digest-2", Verdict.OK, reviewer="cid"), kind=LogAction.ADJUDICATE))
    found = reviewers_of(entries, log)
    assert found is not None
    (pair,) = found.pairs
    assert (pair.first, pair.second, pair.records, pair.agreed) == ("ann", "bob", 3, 2)
    assert pair.kappa == pytest.approx(0.4)
    assert (found.records, found.alpha) == (3, pytest.approx(1 - (1 / 3) / (18 / 30)))
    assert reviewers_of(entries, open_log(tmp_path / "none.reviews.jsonl")) is None


def test_a_report_in_three_forms(tmp_path: Path) -> None:
    results = results_of(
        tmp_path,
        {"test_id": "a", "score": 0.5, "scores": [{"name": "judge | x", "score": 0.5}]},
        {"test_id": "b", "score": 1, "scores": [{"name": "judge | x", "score": 1}]},
        {"test_id": "c", "error": "late"},
        {"id": "d", "grader_score": 1, "truth_score": 2},
    )
    log = open_log(tmp_path / "run.reviews.jsonl")
    log.append(decision(results.entries[0].digest, Verdict.EXPECTED_WRONG))
    report = report_of(results, log)
    data = as_data(report)
    assert plain(data) == data
    run, review, (judge, _) = report.figures.run, report.review, report.figures.evaluators
    assert review is not None
    assert (run.counts.records, run.counts.failed, run.counts.errors) == (4, 2, 1)
    assert (review.reviewed, dict(review.verdicts)[Verdict.EXPECTED_WRONG]) == (1, 1)
    assert (judge.name, judge.records, judge.failed, judge.mean.value) == ("judge | x", 2, 1, 0.75)
    confusion = {"labels": ["1", "2"], "confusion": [[0, 0], [1, 0]]}
    assert data["truth"] == {"records": 1, "agreed": 0, "average_distance": 1.0, **confusion}
    text = "\n".join(as_text(report))
    assert "4 records: 1 passed, 2 failed, 1 error; mean score 0.83." in text
    assert "  judge | x        2       1  0.75" in text
    assert "1 of 3 failed records and errors decided" in text
    markdown = "\n".join(as_markdown(report))
    assert markdown.startswith("# run.jsonl\n\n4 records")
    assert "| judge \\| x | 2 | 1 | 0.75 |" in markdown


def test_a_report_of_nothing(tmp_path: Path) -> None:
    report = report_of(results_of(tmp_path), open_log(tmp_path / "run.reviews.jsonl"))
    assert as_text(report)[:2] == (
        "run.jsonl",
        "0 records: 0 passed, 0 failed, 0 errors; mean score not known.",
    )
    assert as_data(report)["truth"] is None


def test_evaluators_missed_by_the_truth_count_as_failed(tmp_path: Path) -> None:
    results = results_of(
        tmp_path, {"id": "a", "grader_score": 3, "truth_score": 3}, {"id": "b", "grader_score": 3, "truth_score": 0}
    )
    report = report_of(results, open_log(tmp_path / "run.reviews.jsonl"))
    assert [(one.records, one.failed) for one in report.figures.evaluators] == [(2, 1)]
    assert results.entries[0].grades == (Grade("grader", 3.0, None),)


@pytest.mark.parametrize("side", ["new", "old"])
def test_where_a_grader_is_tested_on_either_side_its_marks_are_no_changes(side: str) -> None:
    pairs = {
        one: entry(
            0, "a", score=0.5, truth=1.0 if one == side else None, grades=(Grade("m", float(one == "new"), None),)
        )
        for one in ("new", "old")
    }
    (compared,) = compare([pairs["new"]], [pairs["old"]])
    assert compared.graders == ()


def test_a_report_says_what_there_is_to_say_of_a_review(tmp_path: Path) -> None:
    rows = [{"test_id": name, "score": 0, "target": target} for name in "ab" for target in "xyx"]
    results = results_of(tmp_path, *(dict(row, attempt=at) for at, row in enumerate(rows)))
    log = open_log(tmp_path / "run.reviews.jsonl")
    first, second = (results.entries[at].digest for at in (0, 1))
    for record, verdict, reviewer in ((first, "ok", "ann"), (first, "flaky", "bob"), (second, "ok", "ann")):
        log.append(replace(decision(record, Verdict(verdict), reviewer), tags=("format",)))
    text = "\n".join(" ".join(line.split()) for line in as_text(report_of(results, log)))
    for part in (
        "6 records: 0 passed, 6 failed under sampleui's 0.8, 0 errors; mean score 0.00.",
        "Targets\ntarget records passed failed rate",
        "x 4 0 4 0%",
        "Attempts: 0 pairs of sample and target unstable\nNone.",
        "Kinds of failure\nkind records\nformat 2",
        "Disagreement\n1 record open (a), 0 adjudicated.",
        "Reviewers\nreviewers records agreed Cohen's kappa alike\nann, bob 1 0 0.00 0%",
        "Outcome against verdicts: 0 of 1 agree (0%)",
    ):
        assert part in text, text
    assert "Verdicts without a record" not in text
    quiet = "\n".join(as_text(report_of(results_of(tmp_path, rows[0]), open_log(tmp_path / "none.reviews.jsonl"))))
    for title in ("Targets", "Attempts", "Kinds", "Disagreement", "Reviewers", "Outcome", "Score against"):
        assert title not in quiet


def test_of_many_evaluators_those_are_listed_that_say_most(tmp_path: Path) -> None:
    checks = [{"name": "all", "score": 1.0}]
    results = results_of(
        tmp_path,
        *(
            {"test_id": f"s{at}", "scores": [{"name": f"only {at // 2}", "score": 1.0}, *checks]}
            for at in range(50)
        ),
    )
    lines = as_text(report_of(results, open_log(tmp_path / "run.reviews.jsonl")))
    start = lines.index("Evaluators, 20 of 26 listed")
    assert [line.split("  ")[1] for line in lines[start + 2 :][:20]] == ["all", *(f"only {at}" for at in range(19))]


def test_targets_are_compared_in_proportion_to_their_samples(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Counted are the steps of the database, which do not depend on how busy the machine is."""
    connect, steps = sqlite3.connect, [0]

    def count() -> None:
        steps[0] += 1

    def connected(*args: object, **options: object) -> sqlite3.Connection:
        connection = connect(*args, **options)  # type: ignore[call-overload]
        connection.set_progress_handler(count, 100)
        return connection  # type: ignore[no-any-return]

    monkeypatch.setattr("sampleui.review.reports.relations.sqlite3.connect", connected)
    taken = []
    for samples in (200, 800):
        rows = (
            {"test_id": f"s{index}", "target": target, "score": index % 2}
            for index in range(samples)
            for target in ("x", "y", "z")
        )
        steps[0] = 0
        found = report_of(results_of(tmp_path, *rows), open_log(tmp_path / "none.reviews.jsonl"))
        assert found.figures.compared_targets is not None
        taken.append(steps[0])
    assert taken[1] < 6 * taken[0]
