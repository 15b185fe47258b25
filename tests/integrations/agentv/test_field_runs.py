"""Runs that AgentV wrote, opened as they are: their decks, traces and outcomes, and a fix of the source deck.

Set SAMPLEUI_CORPUS or put the corpus beside the checkout as `shared/corpus`.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import os
import shutil
from pathlib import Path
from statistics import fmean

import pytest

from sampleui.review.queue import ReviewOptions
from sampleui.review.record import Record, failed
from sampleui.review.results.file import Results, open_results
from sampleui.runs.decks import decks_of_run
from sampleui.runs.records import open_run
from sampleui.runs.regrading import regraded
from sampleui.runs.sample_as_run import as_run
from sampleui.settings.options import Settings
from sampleui.trace.reading.extract import untold
from sampleui.tui.app import SampleUI
from sampleui.tui.review.first_screen import review_screen
from tests.tui.review_driver import ReviewDriver

FIELD = Path(os.environ.get("SAMPLEUI_CORPUS", Path(__file__).parents[4] / "shared" / "corpus")) / "field"
DESK = FIELD / "agentv-helpdesk"
BUNDLES = sorted(path for path in (DESK / "runs").glob("*") if path.is_dir())
pytestmark = pytest.mark.skipif(not BUNDLES, reason="no corpus")
each_bundle = pytest.mark.parametrize("bundle", BUNDLES, ids=lambda path: path.name)


def opened(bundle: Path) -> tuple[Results, list[Record]]:
    results = open_results(bundle).indexed()
    return results, [results.record(entry.index) for entry in results.entries]


def share(record: Record) -> float:
    """Return the part of its graders that a record passed; without any, whether it passed by its score."""
    scores = [mark.score for mark in record.grades] or [record.score]
    return fmean(score is not None and score >= 0.8 for score in scores)


@each_bundle
def test_no_record_is_without_its_sample_nor_differs_from_what_was_run(bundle: Path) -> None:
    results, records = opened(bundle)
    decks = decks_of_run(results, [DESK / "evals"], Settings())
    samples = [decks.sample(entry) for entry in results.entries]
    assert None not in samples
    assert {one.path.parent.resolve() for one in samples if one is not None} == {(DESK / "evals").resolve()}
    kept = [as_run(record, results.base_dir, sample) for record, sample in zip(records, samples, strict=True)]
    assert [one and one.changed for one in kept] == [()] * len(records)


@each_bundle
def test_no_trace_is_unread(bundle: Path) -> None:
    run = open_run(bundle)
    summary = json.loads((bundle / "benchmark.json").read_text())["run_summary"]
    traces = [run.trace(at) for at in range(len(run.records))]
    assert all(not untold(trace) and trace.events and not trace.diagnostics for trace in traces)
    [told] = summary.values()
    calls = fmean(sum(trace.summary.tool_calls_by_name.values()) for trace in traces)
    assert round(calls, 3) == told.get("tool_calls", {"mean": 0})["mean"]


@each_bundle
def test_outcomes_are_those_of_the_run(bundle: Path) -> None:
    results, records = opened(bundle)
    summary = json.loads((bundle / "benchmark.json").read_text())
    rows = [json.loads(line) for line in (bundle / "index.jsonl").read_text().splitlines()]
    assert results.skipped == 0
    assert sorted(one.sample_id for one in records) == sorted(summary["metadata"]["tests_run"])
    assert [failed(one) for one in records] == [row["execution_status"] != "ok" for row in rows]
    assert [one.error is not None for one in records] == [
        row["execution_status"] == "execution_error" for row in rows
    ]
    [told] = summary["run_summary"].values()
    assert round(fmean(share(one) for one in records if one.error is None), 3) == told["pass_rate"]["mean"]
    given: dict[str, list[float]] = {}
    for record in records:
        for one in record.evaluators:
            if one.score is not None:
                given.setdefault(f"{one.name}:{one.type}", []).append(one.score)
    means = {name: one["mean"] for name, one in summary["per_grader_summary"].items()}
    assert {name: round(fmean(held), 3) for name, held in given.items() if name in means} == means


@each_bundle
def test_a_deck_that_did_not_change_gives_the_outcomes_of_the_run(bundle: Path) -> None:
    results, records = opened(bundle)
    decks = decks_of_run(results, [DESK / "evals"], Settings())
    found = [(record, sample) for record in records if (sample := decks.sample(record)) is not None]
    again = [(regraded(results, record, sample).passes, not failed(record)) for record, sample in found]
    assert all(now is None or now is then for now, then in again)
    assert any(now is not None for now, _ in again)


async def test_five_keys_from_a_failing_call_to_a_fix_of_the_source(tmp_path: Path) -> None:
    home = tmp_path / "desk"
    shutil.copytree(DESK, home)
    (home / ".git").mkdir()
    for path in home.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)
    run, deck = home / "runs" / "agent-a", home / "evals" / "agent.eval.yaml"
    held = {path: hashlib.sha1(path.read_bytes()).digest() for path in run.rglob("*") if path.is_file()}
    before = deck.read_text()
    decks = tuple(one.path for one in decks_of_run(open_results(run), (), Settings()).decks)
    options = ReviewOptions(results=run, reviewer="ada", decks=decks)
    app = SampleUI(review_screen(options, Settings()), Settings())
    async with app.run_test(size=(120, 40)) as pilot:
        driver = ReviewDriver(pilot, run)
        await driver.until(lambda: driver.screen.review.results.complete)
        await pilot.pause()
        while driver.at != "fix-login":
            driver.screen.run_command(driver.screen.registry["review.next"])
        await driver.press("!")
        event = driver.screen.trace_view.event
        assert event is not None
        assert event.failed
        await driver.press("x")
        await driver.until(lambda: driver.app.screen is not driver.screen)
        await driver.press("enter")
        await driver.until(lambda: driver.app.screen is driver.screen)
        assert driver.pressed <= 5
    after = deck.read_text()
    hunks = [*difflib.unified_diff(before.splitlines(), after.splitlines(), n=0, lineterm="")][2:]
    assert [line[:1] for line in hunks] == ["@", "-", "+"], "one hunk, and in it the expected answer alone"
    assert "expected_output" in hunks[1]
    assert {path: hashlib.sha1(path.read_bytes()).digest() for path in run.rglob("*") if path.is_file()} == held
