"""Folders of runs in the review screen, as AgentV writes them."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from sampleui.review.filters import QueueItem
from sampleui.review.queue import Order, ReviewOptions
from sampleui.review.record import Grade
from sampleui.review.results.file import open_results
from sampleui.runs.decks import decks_of_run
from sampleui.settings.options import Settings
from sampleui.tui.app import SampleUI
from sampleui.tui.drawing.rows import row_text
from sampleui.tui.review.first_screen import review_screen
from sampleui.tui.review.rows.queue import queue_row
from tests.tui.review_driver import ReviewDriver

DECK = """\
# Kept by: @desk
tests:
  - id: fix-login   # slow
    input: Fix the login.
    expected_output: "Fixed; 42 tests pass."
    assertions:
      - { name: order, type: tool-trajectory, mode: in_order, expected: [{ tool: read }, { tool: test }] }
"""


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run of two targets whose deck lies two folders up."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "evals").mkdir()
    (tmp_path / "evals" / "agent.eval.yaml").write_text(DECK)
    folder = tmp_path / "runs" / "one"
    rows = []
    for target, answer in (("mock-a", "Fixed; all tests pass."), ("mock-b", "No.")):
        outputs = folder / target / "fix-login" / "outputs"
        outputs.mkdir(parents=True)
        (outputs / "answer.md").write_text(answer)
        calls = [{"tool": "read", "id": "1"}, {"tool": "test", "id": "2", "status": "error"}]
        said = [("user", "Fix the login.", []), ("assistant", "", calls), ("assistant", answer, [])]
        of = {"test_id": "fix-login", "target": target}
        lines = [
            {**of, "message_index": at, "role": role, "content": text, "tool_calls": made}
            for at, (role, text, made) in enumerate(said)
        ]
        (outputs / "transcript.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
        rows.append({
            "test_id": "fix-login", "target": target, "score": 0.3, "execution_status": "quality_failure",
            "scores": [{"name": "order", "score": 1, "verdict": "pass"}],
            "output_path": f"{target}/fix-login/outputs/answer.md",
            "transcript_path": f"{target}/fix-login/outputs/transcript.jsonl",
            "projection_identity": {"dimensions": {"eval_path": "evals/agent.eval.yaml", "attempt": 0}},
        })  # fmt: skip
    (folder / "index.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


@asynccontextmanager
async def opened(folder: Path, size: tuple[int, int] = (120, 40)) -> AsyncIterator[ReviewDriver]:
    decks = tuple(deck.path for deck in decks_of_run(open_results(folder), (), Settings()).decks)
    app = SampleUI(
        review_screen(ReviewOptions(results=folder, reviewer="ada", decks=decks), Settings()), Settings()
    )
    async with app.run_test(size=size) as pilot:
        driver = ReviewDriver(pilot, folder)
        await driver.until(lambda: driver.screen.review.results.complete)
        await pilot.pause()
        yield driver


def contents(folder: Path) -> dict[str, str]:
    return {str(path): hashlib.sha1(path.read_bytes()).hexdigest() for path in folder.rglob("*") if path.is_file()}


async def test_from_a_failing_call_to_a_saved_hunk_in_three_keys(run: Path) -> None:
    before, deck = contents(run), run.parents[1] / "evals" / "agent.eval.yaml"
    async with opened(run) as app:
        await app.press("!")
        shown, subject = app.screen.trace_view.event, app.screen.trace_view.subject
        assert shown is not None and shown.failed and shown.event.name == "test"
        assert subject is not None
        assert [(check.name, check.passed) for check in subject.checks] == [("order", True)]
        await app.press("x")
        await app.until(lambda: app.app.screen is not app.screen)
        await app.press("enter")
        await app.until(lambda: app.app.screen is app.screen)
        assert deck.read_text() == DECK.replace("42 tests", "all tests")
        await app.press("1")
    assert contents(run) == before, "nothing is written into a run"
    assert (run.parent / "one.reviews.jsonl").is_file()


async def test_targets_are_filtered_and_told_apart(run: Path) -> None:
    async with opened(run) as app:
        review = app.screen.review
        assert [item.entry.target for item in review.queue.items] == ["mock-a", "mock-b"]
        await app.press("f")
        await app.until(lambda: app.app.screen is not app.screen)
        await app.press(*"target: mock-b", "enter")
        await app.until(lambda: app.app.screen is app.screen)
        assert [review.queue.items[at].entry.target for at in review.queue.visible] == ["mock-b"]


async def test_a_rewritten_file_is_read_again_and_the_place_kept(run: Path) -> None:
    async with opened(run) as app:
        await app.press("]")
        index = run / "index.jsonl"
        lines = index.read_text().splitlines()
        new = json.dumps({"test_id": "new", "target": "mock-a", "score": 0, "execution_status": "quality_failure"})
        index.write_text("\n".join([new, *lines]))
        await app.press("ctrl+l")
        await app.until(lambda: len(app.screen.review.queue.items) == 3)
        assert app.screen.review.item.entry.target == "mock-b"


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_a_pane_takes_the_whole_screen_and_gives_it_back(run: Path, size: tuple[int, int]) -> None:
    async with opened(run, size) as app:
        beside = app.screen.queue_pane.display and app.screen.conversation.display
        await app.press("z")
        assert app.screen.answer.size.width >= size[0] - 4
        await app.press("!")
        assert app.screen.scope == "timeline", "what a key shows is in view"
        await app.press("z")
        assert (app.screen.queue_pane.display and app.screen.conversation.display) == beside


async def test_the_latest_run_is_opened_and_another_is_at_hand(run: Path) -> None:
    early = run.parent / "early"
    shutil.copytree(run, early)
    os.utime(early / "index.jsonl", (1, 1))
    async with opened(run.parent) as app:
        assert app.screen.review.results.path == run / "index.jsonl"
        assert "the latest of 2 runs; O opens another" in app.said
        await app.press("O")
        await app.until(lambda: app.app.screen is not app.screen)
        assert "one · latest · open" in app.drawn
        await app.press(*"early", "enter")
        await app.until(lambda: app.app.screen is app.screen and app.screen.review.results.complete)
        assert app.screen.review.results.path == early / "index.jsonl"
        assert app.screen.review.deck is not None, "its decks are looked for as well"
        await app.press("1")
        assert (run.parent / "early.reviews.jsonl").is_file()
        assert not (run.parent / "one.reviews.jsonl").exists()
        await app.press("O")
        await app.until(lambda: app.app.screen is not app.screen)
        assert "early · open" in app.drawn


async def test_reading_again_stays_in_the_run(run: Path) -> None:
    async with opened(run.parent) as app:
        shutil.copytree(run, run.parent / "later")
        os.utime(run.parent / "later" / "index.jsonl")
        await app.press("ctrl+l")
        assert app.screen.review.results.path == run / "index.jsonl"
        assert len(app.screen.review.runs) == 2


async def test_without_other_runs_the_key_says_so(run: Path) -> None:
    async with opened(run) as app:
        await app.press("O")
        assert "no other runs" in app.said


async def test_the_sample_as_it_was_run_is_shown_and_what_changed_is_marked(run: Path) -> None:
    task = run / "mock-a" / "fix-login" / "task"
    task.mkdir()
    (task / "EVAL.yaml").write_text(DECK.replace("42 tests", "40 tests"))
    index = run / "index.jsonl"
    rows = [json.loads(line) for line in index.read_text().splitlines()]
    index.write_text("".join(json.dumps({**row, "task_dir": "mock-a/fix-login/task"}) + "\n" for row in rows))
    before = contents(run)
    async with opened(run) as app:
        assert "sample changed since this run" in app.title
        for _ in range(5):
            if "kept in EVAL.yaml" not in app.answer:
                await app.press("v")
        assert "≠ changed since this run: expected_output" in " ".join(app.answer.split())
        assert "- Fixed; 40 tests pass." in app.answer
        assert "+ Fixed; 42 tests pass." in app.answer
    assert contents(run) == before


async def test_targets_stand_side_by_side_and_are_grouped_in_the_queue(run: Path) -> None:
    async with opened(run, (200, 60)) as app:
        for _ in range(5):
            if "mock-b" not in app.answer:
                await app.press("v")
        columns = next(line for line in app.answer.splitlines() if "mock-b" in line)
        assert columns.index("mock-a  0.30 ‹") < columns.index("│") < columns.index("mock-b")
        assert "all tests pass." in app.answer
        assert "No." in app.answer
        await app.press("o")
        assert app.screen.review.queue.order is Order.FILE
        await app.press("o")
        assert "sorted by target" in app.said
        rows = [row_text(app.screen.queue.row(at, 60)) for at in range(2)]
        assert [row.split()[0] for row in rows] == ["mock-a", "mock-b"]
        await app.press("o")
        assert app.screen.review.queue.order is Order.SCORE


async def test_a_row_of_several_samples_shows_each_of_them(run: Path) -> None:
    samples = []
    for at, answer in enumerate(("Yes.", "No.", "Maybe.")):
        outputs = run / "hello--1" / f"sample-{at + 1}" / "outputs"
        outputs.mkdir(parents=True)
        (outputs / "answer.md").write_text(answer)
        said = {"score": int(not at), "execution_status": "quality_failure" if at else "ok"}
        samples.append({"sample_path": f"sample-{at + 1}", "sample_index": at, **said})
    row = {
        "test_id": "hello", "target": "m", "score": 1, "execution_status": "ok", "result_dir": "hello--1",
        "samples": samples, "aggregation": {"passed_samples": 1, "total_samples": 3},
    }  # fmt: skip
    (run / "index.jsonl").write_text(json.dumps(row) + "\n")
    async with opened(run, (200, 60)) as app:
        await app.press("f", "enter")
        await app.until(lambda: app.app.screen is app.screen)
        assert "1 of 3 passed" in app.scores
        for _ in range(5):
            if "m · 2" not in app.answer:
                await app.press("v")
        assert "1 of 3 passed" in app.answer
        for answer in ("✓ m · 1", "✖ m · 3", "Yes.", "No.", "Maybe."):
            assert answer in app.answer


async def test_why_a_record_failed_stands_on_its_row(run: Path) -> None:
    async with opened(run, (80, 24)) as app:
        item = app.screen.review.queue.items[0]
        assert "0.3 < 0.5 by order" in row_text(queue_row(replace_score(item, "order", 0.2), 80, fail_under=0.5))
        missed = replace_score(item, "polite", 0.0)
        assert "polite" in row_text(queue_row(missed, 80))


def replace_score(item: QueueItem, name: str, score: float) -> QueueItem:
    """Return the item of a record that one evaluator failed."""
    return item._replace(entry=replace(item.entry, grades=(Grade(name, score, "fail"),)))


async def test_the_report_has_a_row_for_each_target(run: Path) -> None:
    async with opened(run) as app:
        await app.press("R")
        await app.until(lambda: "mock-a" in app.drawn and app.app.screen is not app.screen and "rate" in app.drawn)
        drawn = app.drawn.splitlines()
        for target in ("mock-a", "mock-b"):
            (row,) = (line for line in drawn if target in line and "0%" in line)
            assert row.split()[2:6] == ["1", "0", "1", "0%"], "records, passed, failed, rate"
