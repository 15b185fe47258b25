"""What a report says of figures: never more than follows from them, and nothing twice."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from tests.command import ran

from .test_report_figures import lines_of


def run_of(path: Path, outcomes: str, **more: Any) -> Path:
    """Write a run whose samples pass (1), fail (0), or are not there (.)."""
    rows = (
        {"test_id": f"s{number}", "target": "m", "output": "x", "passed": outcome == "1", **more}
        for number, outcome in enumerate(outcomes)
        if outcome != "."
    )
    return lines_of(path, rows)


def both(folder: Path, new: str, old: str, *options: str) -> Any:
    paths = [run_of(folder / f"{name}.jsonl", outcomes) for name, outcomes in (("new", new), ("old", old))]
    return ran("report", paths[0], "--baseline", paths[1], *options)


def test_a_difference_that_is_not_shown_is_told_by_its_interval(tmp_path):
    told = both(tmp_path, "111111", "100000").out
    assert "5 of 6 better, 0 worse: not shown, between −5 and +100 points.\n" in told
    assert "detectable" not in told and "could show" not in told


def test_samples_that_fell_where_too_few_are_there_to_show_it_fail_and_say_why(tmp_path):
    fell = both(tmp_path, "00000", "11111", "--fail-if-worse")
    assert (
        fell.code,
        "5 pairs cannot show that a run is worse, not if all fell, and 5 of them fell" in fell.err,
    ) == (1, True)
    none = both(tmp_path, "11111", "11111", "--fail-if-worse")
    assert (none.code, none.err.strip()) == (
        0,
        "new.jsonl: 5 pairs cannot show that a run is worse, not if all fell; none fell",
    )
    six = both(tmp_path, "111111", "111111", "--fail-if-worse")
    assert (six.code, six.err) == (0, "")


def test_samples_that_the_run_lacks_are_told_and_not_known_to_demands(tmp_path):
    lost = both(tmp_path, "1" * 20 + "." * 10, "1" * 30)
    assert "10 samples of the baseline missing in this run: s20, s21, s22" in lost.out
    for demand in (["--fail-if-worse"], ["--max-drop", "0.3"]):
        ended = both(tmp_path, "1" * 20 + "." * 10, "1" * 30, *demand)
        assert ended.code == 1
        assert (
            "with what is not known counted as not passed, 10 samples of the baseline missing in this run"
            in ended.err
        )
    found = json.loads(both(tmp_path, "1" * 20 + "." * 10, "1" * 30, "--format", "json").out)["comparison"]
    assert (found["missing"]["samples"], found["worse"], found["at_worst"]["worse"]) == (10, 0, 10)


def test_samples_that_the_deck_no_longer_has_are_told_and_are_no_gap(tmp_path):
    deck = tmp_path / "new.yaml"
    deck.write_text(json.dumps({"tests": [{"id": f"s{number}", "input": "?"} for number in range(20)]}))
    ended = both(tmp_path, "1" * 20 + "." * 10, "1" * 30, "--deck", str(deck), "--fail-if-worse")
    assert (ended.code, ended.err) == (0, "")
    assert "10 samples of the baseline no longer in the deck: s20, s21" in ended.out
    assert "missing in this run" not in ended.out


def test_scores_of_graders_are_a_list_of_their_own_beside_one_counting(tmp_path):
    paths = [
        run_of(tmp_path / f"{name}.jsonl", "1" * 8, scores=[{"name": "judge", "score": score, "verdict": "pass"}])
        for name, score in (("new", 0.94), ("old", 0.95))
    ]
    told = ran("report", paths[0], "--baseline", paths[1]).out
    assert "0 of 8 better, 0 worse: not shown" in told and "Worse:" not in told and "By record" not in told
    rows = told.splitlines()
    row = rows[rows.index("Scores of evaluators against the baseline") + 2].split()
    assert row[:3] == ["judge", "worse", "−0.010"]


def test_an_evaluator_of_both_runs_without_a_common_sample_is_named(tmp_path):
    def graded(path: Path, *with_b: int) -> Path:
        rows: Iterable[dict[str, Any]] = (
            {
                "test_id": f"s{number}",
                "passed": True,
                "scores": [{"name": name, "score": 1} for name in ("a", *(["b"] if number in with_b else []))],
            }
            for number in range(4)
        )
        return lines_of(path, rows)

    told = ran(
        "report", graded(tmp_path / "new.jsonl", 1, 2), "--baseline", graded(tmp_path / "old.jsonl", 0, 3)
    ).out
    assert "Both runs have b, but on no common sample." in told


def test_evaluators_of_one_record_each_are_one_line_everywhere(tmp_path):
    def literals(path: Path, score: int) -> Path:
        rows = (
            {
                "test_id": f"s{number}",
                "passed": True,
                "scores": [
                    {"name": f"says {number}", "score": score, "verdict": "pass" if score else "fail"},
                    {"name": "tone", "score": 1, "verdict": "pass"},
                ],
            }
            for number in range(30)
        )
        return lines_of(path, rows)

    new, old = literals(tmp_path / "new.jsonl", 0), literals(tmp_path / "old.jsonl", 1)
    for form in ("text", "markdown", "html"):
        told = ran("report", new, "--baseline", old, "--format", form).out
        assert "30 evaluators of one record each: 30 failed." in told
        assert "30 evaluators of one record each in both runs, not compared." in told
        assert told.count("says 7") == (1 if form == "html" and "says 7" in told else 0)
    data = json.loads(ran("report", new, "--baseline", old, "--format", "json").out)
    assert [item["name"] for item in data["evaluators"]] == ["tone"]
    assert data["single_evaluators"] == {"evaluators": 30, "failed": 30}
    (tone,) = data["comparison"]["evaluators"]
    assert tone["adjusted_p_value"] == tone["p_value"], "those that are not compared correct nothing"


def targets(path: Path) -> Path:
    shares = {"poor": 2, "good": 19, "fair": 15}
    rows = [
        {"test_id": f"s{number}", "target": name, "passed": number < share, "output": "x"}
        for name, share in shares.items()
        for number in range(20)
        if (name, number) != ("fair", 19)
    ]
    return lines_of(path, rows)


def test_targets_of_a_run_are_compared_with_the_best_or_with_one_that_is_chosen(tmp_path):
    run = targets(tmp_path / "run.jsonl")
    found = json.loads(ran("report", run, "--format", "json").out)["compared_targets"]
    assert (found["against"], found["chosen"]) == ("good", False)
    assert [(item["name"], item["shown"]) for item in found["targets"]] == [
        ("poor", "worse"),
        ("fair", "not shown"),
    ]
    assert [item["n_dropped_baseline"] for item in found["targets"]] == [0, 1]
    assert all(item["adjusted_p_value"] >= item["p_value"] for item in found["targets"])
    told = ran("report", run).out
    assert "Each against good, which has the highest pass rate." in told and "missing" in told
    chosen = json.loads(ran("report", run, "--against", "fair", "--format", "json").out)["compared_targets"]
    assert [(item["name"], item["shown"]) for item in chosen["targets"]] == [
        ("poor", "worse"),
        ("good", "not shown"),
    ]


def test_a_target_that_no_record_has_cannot_be_compared_with(tmp_path):
    ended = ran("report", targets(tmp_path / "run.jsonl"), "--against", "other")
    assert (ended.code, "no record is of the target other, or there is no other" in ended.err) == (2, True)


def test_a_cluster_of_over_a_third_is_told_beside_the_interval(tmp_path):
    rows = [
        {
            "test_id": f"s{number}",
            "passed": number % 2 == 0,
            "metadata": {"document": "d" if number < 8 else number},
        }
        for number in range(16)
    ]
    told = ran("report", lines_of(tmp_path / "run.jsonl", rows), "--cluster", "metadata.document").out
    assert "one cluster has over a third of them, which makes the interval too narrow" in told


def test_of_many_groups_it_is_said_that_many_are_looked_at(tmp_path):
    rows = [
        {"test_id": f"s{number}", "passed": True, "metadata": {"topic": f"t{number % 12}"}} for number in range(24)
    ]
    told = ran("report", lines_of(tmp_path / "run.jsonl", rows), "--by", "metadata.topic").out
    assert "12 groups are looked at: of so many intervals some miss by chance" in told


@pytest.mark.parametrize(("passed", "said"), [(799, "79.9%, under 80%"), (7_999, "79.99%, under 80%")])
def test_a_rate_under_a_limit_does_not_look_like_the_limit(tmp_path, passed, said):
    run = run_of(tmp_path / "run.jsonl", "1" * passed + "0" * (10 ** len(str(passed)) - passed))
    assert said in ran("report", run, "--min-pass-rate", "0.8").err


def test_a_mean_that_is_not_one_does_not_look_so_and_zero_has_no_sign(tmp_path):
    rows = [{"test_id": f"s{number}", "score": 1 - (number == 0) / 8, "passed": True} for number in range(40)]
    told = ran("report", lines_of(tmp_path / "run.jsonl", rows)).out
    assert "mean score 0.997." in told and "Mean score 0.997 (" in told
    shifted = [{**row, "score": row["score"] * (1 + 1e-12)} for row in rows]
    run, other = lines_of(tmp_path / "a.jsonl", rows), lines_of(tmp_path / "b.jsonl", shifted)
    assert "-0.00" not in ran("report", run, "--baseline", other).out


def test_a_score_too_large_to_be_averaged_is_in_neither_the_mean_nor_the_plot(tmp_path):
    rows = [{"test_id": name, "score": score} for name, score in (("a", 1e300), ("b", 5), ("c", -3))]
    told = ran("report", lines_of(tmp_path / "run.jsonl", rows), "--plots").out
    assert "of 2 samples" in told and "1 without a score below 1e+140 left out" in told
    assert "Scores of 2 records" in told


def test_a_grader_is_told_of_by_counts_with_the_labels_still_missing(tmp_path):
    run = run_of(tmp_path / "run.jsonl", "1" * 6 + "0" * 4)
    for number in range(10):
        verdict = "ok" if number < 6 else "model-wrong"
        assert ran("verdict", run, f"s{number}", verdict, "--reviewer", "ann").code == 0
    told = ran("report", run).out
    assert "all 10" in told and "4 of 4, 100% (" in told and "6 of 6, 100% (" in told
    assert "12 more failures reviewed would tell whether it catches 80%" in told
    assert "100% (100 to 100%)" not in told, "a review of all is no certainty of records to come"
