"""Which scorer decides about the records of a log, against what Inspect 0.3.285 itself made of the same scores."""

from __future__ import annotations

from pathlib import Path

import pytest

from sampleui.page.text import as_text
from sampleui.review.attempts import attempts_of
from sampleui.review.log.store import Log, log_path, open_log
from sampleui.review.record import Entry, Grade, passed, why_failed
from sampleui.review.reports.report import report_of
from sampleui.review.results.file import Results, open_results
from sampleui.review.results.scoring import ReportedMetrics
from tests.review.build import entry

LOGS = Path(__file__).parent / "logs"


def read(name: str, scorer: str | None = None) -> Results:
    return open_results(LOGS / f"{name}.eval", scorer=scorer).indexed()


def outcomes(results: Results) -> dict[str, bool | None]:
    return {one.id: passed(one) for one in results.entries}


@pytest.mark.parametrize(
    ("log", "scorer", "told"),
    [
        ("two-scorers", None, (7, 5, 0)),
        ("two-scorers", "includes", (6, 6, 0)),
        ("first-table", None, (0, 0, 4)),
        ("first-table", "both/right", (3, 1, 0)),
        ("first-table", "both/style", (0, 0, 4)),
        ("own-scale", None, (0, 0, 4)),
        ("own-scale", "includes", (3, 1, 0)),
        ("letters", None, (1, 2, 1)),
        ("letters", "truth", (1, 3, 0)),
        ("not-scored", None, (1, 2, 1)),
        ("not-scored", "match", (3, 1, 0)),
    ],
)
def test_one_scorer_decides_and_what_it_does_not_say_is_not_made_up(
    log: str, scorer: str | None, told: tuple[int, int, int]
) -> None:
    found = [*outcomes(read(log, scorer)).values()]
    assert (found.count(True), found.count(False), found.count(None)) == told


def test_the_scorer_that_the_task_lists_first_decides_also_where_a_sample_lacks_it() -> None:
    results = read("not-scored")
    assert (results.decider, results.scorers) == ("some", ("some", "match"))
    assert outcomes(results)["colour"] is None
    assert [*results.entries[0].grades] == [Grade("match", 1.0, "pass")]


def test_why_a_record_failed_names_only_the_scorer_that_decides() -> None:
    results = read("two-scorers")
    (failing,) = (one for one in results.entries if one.id == "capital")
    assert why_failed(failing) == ("verdict fail by match", "score 0 is under sampleui's 0.8")
    assert why_failed(next(one for one in results.entries if one.id == "café")) == ()


def test_a_scale_of_its_own_is_held_against_no_threshold() -> None:
    results = read("own-scale")
    record = results.record(0)
    assert {one.name: (one.score, one.bounded) for one in record.evaluators}["grade10"] == (3.0, False)
    assert "grade10 gives scores under 0 or over 1" in results.untold
    assert passed(results.entries[0], 0.5) is None


def test_a_threshold_rules_over_partly_correct_and_not_over_incorrect() -> None:
    results = read("letters")
    assert [passed(one, 0.5) for one in results.entries] == [True, False, None, True]
    assert [passed(one, 0.0) for one in results.entries] == [True, False, None, True]


def report_lines(results: Results) -> tuple[str, ...]:
    return as_text(report_of(results, nothing_decided(results)))


def nothing_decided(results: Results) -> Log:
    return open_log(log_path(results.path))


def test_the_metrics_that_the_run_has_are_beside_what_passed() -> None:
    results = read("two-scorers")
    assert [(one.name, one.reducer) for one in results.source.metrics] == [
        ("match", "mean"), ("match", "mode"), ("includes", "mean"), ("includes", "mode"),
    ]  # fmt: skip
    lines = report_lines(results)
    assert lines[1] == "12 records by match: 7 passed, 5 failed, 0 errors; mean score 0.58."
    assert "  match     accuracy 0.583 ± 0.0833  mean" in lines
    run = report_of(results, nothing_decided(results)).figures.run
    assert run.scorer == "match"
    assert [one.as_data() for one in run.metrics] == [
        {"score": one.name, "reducer": one.reducer, "metrics": dict(one.metrics)} for one in results.source.metrics
    ]


def test_figures_that_have_no_error_or_only_that_read_well() -> None:
    assert ReportedMetrics("a", "", (("mean", 7.5), ("std", 0.25))).text == "mean 7.5 · std 0.25"
    assert ReportedMetrics("a", "", (("stderr", 0.25),)).text == "stderr 0.25"


def test_what_the_first_scorer_cannot_say_is_told_with_what_could() -> None:
    assert report_lines(read("first-table"))[2] == (
        "both gives several values, of which one can be asked for: both/style, both/right."
    )


def test_attempts_of_which_nothing_is_known_did_not_pass() -> None:
    several = [entry(index, "a", score=None, target="m") for index in range(2)]
    unknown: list[Entry] = [one for one in several if passed(one) is None]
    assert len(unknown) == 2
    assert [one.passed for one in attempts_of(several).values()] == [0, 0]
