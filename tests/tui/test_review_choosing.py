"""Choosing what to review: random samples, where a review begins, what is unstable over attempts."""

from __future__ import annotations

from pathlib import Path

import pytest

from sampleui.review.log.store import log_path, open_log
from sampleui.review.queue import Order
from sampleui.review.sampling import Design, Source

from .review_driver import reviewing, write_results


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """A run of 30 samples by two targets, three attempts each; every fifth sample passes now and then."""
    rows = [
        {
            "test_id": f"case-{case:02}",
            "target": target,
            "attempt": attempt,
            "score": float(case % 5 > 1 or (case % 5 == 0 and attempt == 1)),
            "output": f"answer {case % 3}",
        }
        for case in range(30)
        for target in ("alpha", "beta")
        for attempt in (1, 2, 3)
    ]
    return write_results(tmp_path / "run.jsonl", rows)


DESIGN = Design(8, Source.PASSED, ("target",))


async def test_a_random_sample_is_the_queue_and_its_chances_are_in_the_log(results):
    async with reviewing(results, sample=DESIGN) as app:
        (draw,) = open_log(log_path(results)).draws
        assert draw.design == DESIGN
        assert [(one.values, one.population, one.chance) for one in draw.strata] == [
            (("alpha",), 60, 4 / 60),
            (("beta",), 60, 4 / 60),
        ]
        assert app.queue == [*draw.records.values()]
        assert "drew 8 of 120 passed" in app.said
        assert "random sample · as drawn" in str(app.screen.queue_pane.border_title)
        await app.press("5", "5", "1")
        assert app.queue == [*draw.records.values()], "what is decided stays"
        assert "3/8 reviewed" in app.verdicts
    async with reviewing(results, sample=DESIGN) as app:
        assert app.at == app.queue[3], "the first that is open"
        assert "were drawn on" in app.said
        assert len(open_log(log_path(results)).draws) == 1
        await app.press("ctrl+l")
        assert app.at == app.queue[3] and len(app.queue) == 8


async def test_a_sample_of_a_file_that_changed_is_drawn_anew_and_that_is_told(results):
    async with reviewing(results, sample=DESIGN):
        pass
    with results.open("a") as file:
        file.write('{"test_id": "late", "target": "beta", "attempt": 1, "score": 1.0, "output": "x"}\n')
    async with reviewing(results, sample=DESIGN) as app:
        assert "the run has other records than on" in app.said and "drew 8 of 121 passed anew" in app.said
        first, second = open_log(log_path(results)).draws
        assert second.population == 121
        assert len(first.records.keys() & second.records.keys()) >= 6


async def test_a_sample_is_drawn_from_the_app_by_a_form(results):
    async with reviewing(results) as app:
        await app.press("S")
        await app.type("6")
        await app.press("tab")
        await app.type("nowhere")
        await app.press("enter")
        assert "not from nowhere" in app.drawn
        await app.press("shift+tab", "tab")
        await app.type("fail")
        await app.press("down")
        await app.type("target")
        await app.press("enter")
        await app.back()
        (draw,) = open_log(log_path(results)).draws
        assert draw.design == Design(6, Source.FAILED, ("target",))
        assert app.queue == [*draw.records.values()]
        await app.press("f", *"all records", "enter")
        assert len(app.queue) == 180
        await app.press("f", *"random", "enter")
        assert len(app.queue) == 6
        await app.press("S", *"1", "enter")
        await app.back()
        assert "cannot stand for 2 groups by target" in app.said
        assert len(open_log(log_path(results)).draws) == 1


async def test_what_is_unstable_over_attempts_is_a_filter_and_an_order(results):
    async with reviewing(results, everything=True, order=Order.UNSTABLE) as app:
        unstable = [f"case-{case:02}" for case in range(0, 30, 5)]
        assert [one.partition("#")[0] for one in app.queue[:6]] == ["case-00"] * 6
        assert {one.partition("#")[0] for one in app.queue[:36]} == {*unstable}
        await app.press("f", *"unstable", "enter")
        assert len(app.queue) == 36
        assert "unstable over attempts" in str(app.screen.queue_pane.border_title)


async def test_a_review_begins_with_the_record_that_is_asked_for(results):
    async with reviewing(results, record_id="case-03#2") as app:
        assert app.at == "case-03#2", "though it passed"
        assert len(app.queue) == 180
    async with reviewing(results, record_id="case-01") as app:
        assert app.at == "case-01"
        assert len(app.queue) < 180, "it failed: the usual queue has it"
    async with reviewing(results, record_id="nothing") as app:
        assert "there is no record nothing" in app.said
