"""The report in a review: the comparison in words first, the ways on to records, and keys that wait for nothing."""

from __future__ import annotations

import os
import threading

from sampleui.tui.review.session import ReviewSession

from .review_driver import reviewing, write_results


def run(path, outcomes, hour=1):
    """Write a run in which samples pass (1) or fail (0)."""
    rows = [
        {
            "timestamp": f"2026-01-02T{hour:02}:00:00Z",
            "test_id": f"s{index}",
            "target": "m",
            "output": "x",
            "score": int(outcome),
        }
        for index, outcome in enumerate(outcomes)
    ]
    return write_results(path, rows)


async def report(app):
    await app.press("R")
    await app.until(lambda: "Pass rate" in app.drawn)
    return app.drawn


async def test_a_report_says_first_how_a_run_fares_and_keys_lead_to_what_is_worse_and_better(tmp_path):
    old, new = run(tmp_path / "old.jsonl", "1110011111"), run(tmp_path / "new.jsonl", "0001011111")
    async with reviewing(new, baseline=old) as app:
        drawn = await report(app)
        assert "1 of 10 better, 3 worse" in drawn
        assert drawn.index("1 of 10 better") < drawn.index("Pass rate")
        await app.press("w")
        await app.back()
        assert sorted(app.queue) == ["s0", "s1", "s2"]
        await report(app)
        await app.press("b")
        await app.back()
        assert app.queue == ["s3"]


async def test_the_earlier_run_of_the_same_samples_is_offered_and_compared_with(tmp_path):
    old, new = run(tmp_path / "old.jsonl", "1110", hour=1), run(tmp_path / "new.jsonl", "0110", hour=2)
    run(tmp_path / "other.jsonl", "11111111", hour=3)
    for path in (old, new):
        os.utime(path, (1, 1))
    async with reviewing(new) as app:
        assert "earlier one of the same deck and targets" in " ".join((await report(app)).split())
        await app.press("c")
        await app.until(lambda: "0 of 4 better, 1 worse" in app.drawn)
        await app.press("w")
        await app.back()
        assert app.queue == ["s0"]
    async with reviewing(old) as app:
        await report(app)
        await app.press("c")
        await app.until(lambda: "no earlier run of the same deck and targets" in app.said)


async def test_a_run_that_is_alone_is_offered_no_other_and_none_is_said_to_be_better(tmp_path):
    async with reviewing(run(tmp_path / "new.jsonl", "01")) as app:
        drawn = await report(app)
        assert "better" not in drawn and "Other runs" not in drawn
        await app.press("w")
        assert "does nothing here" in app.drawn


async def test_the_report_counts_unstable_samples_and_leads_to_them(tmp_path):
    rows = [
        {"test_id": sample, "target": "m", "attempt": attempt, "score": int(outcome)}
        for sample, outcomes in (("shaky", "101"), ("steady", "111"), ("broken", "000"))
        for attempt, outcome in enumerate(outcomes)
    ]
    async with reviewing(write_results(tmp_path / "run.jsonl", rows)) as app:
        drawn = await report(app)
        assert "1 sample unstable" in drawn and "unstable over attempts" in drawn
        await app.press("u")
        await app.back()
        assert {name.split("#")[0] for name in app.queue} == {"shaky"} and len(app.queue) == 3


async def test_keys_do_not_wait_for_the_report_to_be_worked_out(tmp_path, monkeypatch):
    go, worked_out = threading.Event(), ReviewSession.report

    def slow(review):
        assert go.wait(5)
        return worked_out(review)

    monkeypatch.setattr(ReviewSession, "report", slow)
    async with reviewing(run(tmp_path / "run.jsonl", "000")) as app:
        await app.press("R")
        assert "being worked out" in app.drawn
        await app.press("escape")
        await app.back()
        await app.press("R")
        go.set()
        await app.until(lambda: "Pass rate" in app.drawn)
