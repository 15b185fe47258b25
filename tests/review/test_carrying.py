"""Verdicts that hold for a new run too."""

from __future__ import annotations

from pathlib import Path

import pytest

from sampleui.review.log.store import Log, log_path, open_log
from sampleui.review.log.verdict_migration import carry_over, has_earlier
from sampleui.review.queue import items_of
from sampleui.review.reports.report import report_of
from sampleui.review.results.file import Results, open_results
from sampleui.review.session import next_record
from sampleui.review.verdict import Verdict
from tests.review.build import decide, write_jsonl


def row(sample: str, output: str, **more: object) -> dict[str, object]:
    return {"test_id": sample, "score": 0, "output": output, "target": "m", "input": f"ask {sample}", **more}


def reviewed(path: Path, *rows: dict[str, object], verdict: Verdict = Verdict.OK) -> tuple[Results, Log]:
    """Write results over those that are there, and decide about the first record."""
    results, log = opened(path, *rows)
    decide(results, log, "#1", verdict, "ann")
    return results, log


def opened(path: Path, *rows: dict[str, object]) -> tuple[Results, Log]:
    path.parent.mkdir(exist_ok=True)
    results = open_results(write_jsonl(path, rows)).indexed()
    log = open_log(log_path(results.path))
    carry_over(results, log)
    return results, log


def carried(results: Results, log: Log) -> list[tuple[Verdict | None, bool]]:
    return [(item.verdict, item.carried) for item in items_of(results.entries, log.current)]


def test_a_verdict_stays_where_only_times_and_costs_changed(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    reviewed(path, row("a", "x", duration_ms=5, timestamp="1"), row("b", "y"))
    found = opened(path, row("a", "x", duration_ms=9, timestamp="2", cost_usd=1), row("b", "y"))
    assert carried(*found) == [(Verdict.OK, True), (None, False)]
    assert found[1].orphans == ()


def test_a_verdict_carries_over_to_the_same_answer_graded_otherwise(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    reviewed(path, row("a", "x"))
    assert carried(*opened(path, row("a", "x", score=0.5))) == [(Verdict.OK, True)]


def test_a_verdict_carries_over_to_another_run(tmp_path: Path) -> None:
    reviewed(tmp_path / "one" / "index.jsonl", row("a", "x"), row("b", "y"))
    results, log = opened(tmp_path / "two" / "index.jsonl", row("b", "y"), row("a", "x"))
    assert carried(results, log) == [(None, False), (Verdict.OK, True)]
    review = report_of(results, log).review
    assert review is not None
    assert (review.carried, review.reviewed, review.orphans) == (1, 1, ())
    found = next_record(results, log, "ann")
    assert found is not None
    assert found.id == "b"
    decide(results, log, "a", Verdict.MODEL_WRONG, "ann")
    assert carried(results, log)[1] == (Verdict.MODEL_WRONG, False)


def test_verdicts_that_match_nothing_are_listed(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    reviewed(path, row("a", "x"), verdict=Verdict.FLAKY)
    results, log = opened(path, row("a", "another answer"))
    assert carried(results, log) == [(None, False)]
    assert [(one.record_id, one.verdict) for one in log.orphans] == [("a", Verdict.FLAKY)]
    assert log.flaky == {results.entries[0].digest}
    review = report_of(results, log).review
    assert review is not None and review.orphans == log.orphans


@pytest.mark.parametrize("other", [row("b", "x"), row("a", "y"), row("a", "", error="late")])
def test_another_sample_or_answer_takes_nothing_over(tmp_path: Path, other: dict[str, object]) -> None:
    reviewed(tmp_path / "one.jsonl", row("a", "x"))
    assert carried(*opened(tmp_path / "two.jsonl", other)) == [(None, False)]


def test_nothing_is_written_into_a_run(tmp_path: Path) -> None:
    folder = tmp_path / "runs" / "one"
    folder.mkdir(parents=True)
    results, log = reviewed(folder / "index.jsonl", row("a", "x"))
    assert [path.name for path in folder.iterdir()] == ["index.jsonl"]
    assert log.path == tmp_path / "runs" / "one.reviews.jsonl"
    old = folder / "index.reviews.jsonl"
    old.write_text("")
    assert log_path(results.path) == old, "one that lies there already goes on to be used"


def test_the_next_record_is_none_that_an_earlier_run_had_decided(tmp_path: Path) -> None:
    reviewed(tmp_path / "one.jsonl", row("a", "x"))
    results = open_results(write_jsonl(tmp_path / "two.jsonl", [row("a", "x"), row("b", "y")]))
    found = next_record(results, open_log(log_path(results.path)), "ann")
    assert found is not None
    assert found.id == "b"


def test_a_log_that_cannot_be_read_is_no_matter_of_another_run(tmp_path: Path) -> None:
    reviewed(tmp_path / "one.jsonl", row("a", "x"))
    (tmp_path / "odd.reviews.jsonl").mkdir()
    results, log = opened(tmp_path / "two.jsonl", row("a", "x"))
    assert carried(results, log) == [(Verdict.OK, True)]


def test_whether_there_are_earlier_decisions(tmp_path: Path) -> None:
    log = open_log(tmp_path / "run.reviews.jsonl")
    assert not has_earlier(log)
    _, log = reviewed(tmp_path / "run.jsonl", row("a", "x"))
    assert has_earlier(log)
    log.undo("ann")
    assert not has_earlier(log)
    (tmp_path / "other.reviews.jsonl").touch()
    assert has_earlier(log)


@pytest.mark.parametrize("changed", [{"target": "other"}, {"input": "another question"}])
def test_a_sample_is_flaky_only_for_the_same_target_and_values(tmp_path: Path, changed: dict[str, object]) -> None:
    flaky = row("a", "x", input="a question")
    reviewed(tmp_path / "one.jsonl", flaky, verdict=Verdict.FLAKY)
    assert len(opened(tmp_path / "two.jsonl", {**flaky, "output": "y"})[1].flaky) == 1
    assert not opened(tmp_path / "two.jsonl", {**flaky, "output": "y", **changed})[1].flaky


def test_the_answer_of_attempts_that_share_their_files_is_not_known_to_be_the_same(tmp_path: Path) -> None:
    def run(name: str, *attempts: int) -> tuple[Results, Log]:
        folder = tmp_path / name
        folder.mkdir()
        (folder / "answer.md").write_text("x")
        rows = [
            {"test_id": "a", "input": "q", "score": 0, "target": "m", "attempt": at, "answer_path": "answer.md"}
            for at in attempts
        ]
        return opened(folder / "index.jsonl", *rows)

    for name, attempts, known in (("one", (0, 1), False), ("two", (0,), True)):
        results, log = run(name, *attempts)
        decide(results, log, "#1", Verdict.OK, "ann")
        again, log = run(f"{name} again", *attempts)
        assert any(one.verdict for one in items_of(again.entries, log.current)) is known
