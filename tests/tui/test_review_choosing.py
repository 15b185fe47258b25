"""Choosing what to review: random samples, where a review begins, what is unstable over attempts."""

from __future__ import annotations

from pathlib import Path

import pytest

from sampleui.review.log.store import log_path, open_log
from sampleui.review.queue import Order
from sampleui.review.sampling import Design, Population
from sampleui.tui.app import SampleUI
from sampleui.tui.clipboard import Taker
from sampleui.tui.review import feed

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


DESIGN = Design(8, Population.PASSED, ("target",))


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
        assert draw.design == Design(6, Population.FAILED, ("target",))
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


async def test_marked_records_are_decided_as_one_and_taken_back_as_one(results):
    async with reviewing(results) as app:
        app.screen.set_focus(app.screen.queue)
        await app.press("space", "space", "j", "V")
        marked = [*app.queue[:4]]
        assert "4 marked" in str(app.screen.queue_pane.border_subtitle)
        assert "for 4 marked" in app.verdicts
        assert app.drawn.count("* ") >= 4
        await app.press("3")
        assert "recorded grader-wrong for 4 records" in app.said
        assert app.at == app.queue[4], "on to the first that is open"
        assert [one.record_id for one in app.log] == marked
        assert "marked" not in app.verdicts
        await app.press("1")
        assert len(app.log) == 5
        await app.press("u", "u")
        assert "took back grader-wrong of 4 records" in app.said
        assert app.at == marked[0]
        assert "0/" in app.verdicts
    async with reviewing(results) as app:
        app.screen.set_focus(app.screen.queue)
        await app.press("*")
        assert f"for {len(app.queue):,} marked" in app.verdicts
        await app.press("escape")
        assert "marked" not in app.verdicts
        app.screen.set_focus(app.screen.answer)
        await app.press("]", "V")
        assert "for 1 marked" in app.verdicts, "keys that mean nothing else in a pane mark from there too"
        await app.press("escape")
        assert "marked" not in app.verdicts
        await app.press("[", "*", "6")
        assert len(app.log) == 10 + len(app.queue)
    async with reviewing(results) as app:
        await app.press("u")
        assert f"took back skip of {len(app.queue)} records" in app.said, "in a later session too"


async def test_a_step_that_cannot_be_recorded_decides_nothing(results):
    async with reviewing(results) as app:
        app.screen.set_focus(app.screen.queue)
        await app.press("*")
        results.write_text("")
        await app.press("5")
        assert "changed since it was read" in app.said
        assert app.log == () and "marked" in app.verdicts


async def test_equal_answers_are_offered_to_be_decided_together(tmp_path):
    texts = ["no", "no", "yes", "no ", "no", "other"]
    rows = [
        {"test_id": f"case-{at // 2}", "target": "t", "attempt": at, "score": 0.0, "output": text}
        for at, text in enumerate(texts)
    ]
    path = write_results(tmp_path / "run.jsonl", rows)
    async with reviewing(path, order=Order.FILE) as app:
        await app.until(lambda: not feed.at_work(app.screen, feed.ANSWERS))
        await app.press("]", "]", "5")
        assert "=" not in app.said, "nothing is like it"
        await app.press("[", "[", "[", "1")
        assert "= decides all 4 with this same answer" in app.said
        await app.press("=")
        assert "The 2 that answer this sample" in app.drawn
        await app.press("a")
        await app.back()
        assert "recorded model-wrong for 3 more with this same answer" in app.said
        assert [one.record_id for one in app.log][1:] == ["case-0", "case-0#2", "case-1#2", "case-2"]
        await app.press("u")
        assert "took back model-wrong of 4 records" in app.said, "the first one is of the same step"
        await app.press("1", "=", "s")
        await app.back()
        assert len(app.log) == 5 + 4 + 2
        await app.press("=")
        assert "has no verdict of yours" in app.said


async def test_what_is_copied_leads_back_to_the_record(results, monkeypatch):
    copied: list[str] = []
    monkeypatch.setattr(SampleUI, "hand_over", lambda _, text: (copied.append(text), Taker.SYSTEM)[1])
    monkeypatch.chdir(results.parent)
    async with reviewing(results, everything=True) as app:
        await app.press("]")
        for key in "ailc":
            await app.press("y", key)
            await app.back()
        assert "copied the command that prints it" in app.said
    record_id = copied[1]
    assert copied[0].startswith("answer")
    assert copied[2] == f"sampleui review run.jsonl --id '{record_id}'"
    assert copied[3].startswith("sampleui trace run.jsonl --id '#")
    async with reviewing(results, record_id=record_id) as app:
        assert app.at == record_id


async def test_a_cell_of_the_groups_leads_to_its_records(results):
    async with reviewing(results) as app:
        await app.press("R", "B")
        await app.type("target")
        await app.press("enter")
        assert "alpha" in app.drawn and "pass rate" in app.drawn
        await app.press("j", "l", "l", "enter")
        await app.back()
        assert "beta · failed" in str(app.screen.queue_pane.border_title)
        items = app.screen.review.queue.items
        shown = [items[at] for at in app.screen.review.queue.visible]
        assert {item.entry.target for item in shown} == {"beta"}
        assert len(shown) == 30 and all(item.failed for item in shown)
        await app.press("B", *"attempt, target", "enter", "enter")
        await app.back()
        assert len(app.queue) == 30
        await app.press("B", *"metadata.nothing", "enter")
        await app.back()
        assert "no record has metadata.nothing" in app.said


async def test_a_search_that_was_left_with_its_field_hidden_can_be_typed_again(results):
    async with reviewing(results, everything=True) as app:
        for _ in range(2):
            await app.press("slash")
            await app.type("case-07")
            await app.press("enter")
            await app.back()
            assert {one.partition("#")[0] for one in app.queue} == {"case-07"}
            await app.press("f", *"all records", "enter")
            await app.back()
            assert len(app.queue) == 180 and not app.screen.search_input.display
