"""The report in a review: the comparison in words first, the ways on to records, and keys that wait for nothing."""

from __future__ import annotations

import os
import threading

from sampleui.review.verdict import Verdict
from sampleui.tui.review import session_figures
from tests.cli.test_report_codes import labelled

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


async def test_a_report_says_how_many_records_fail_in_the_way_of_each_code(tmp_path):
    async with reviewing(labelled(tmp_path)) as app:
        await app.press("ctrl+s")  # takes what the rows are guessed to be
        await app.until(lambda: "rental-001" in app.drawn)
        await report(app)
        await app.until(lambda: "60 of 100 records read, the last new code was" in app.drawn)


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
        {"test_id": sample, "target": target, "attempt": attempt, "score": int(outcome), "metadata": {"topic": "t"}}
        for sample, target, outcomes in (("shaky", "m", "101"), ("shaky", "n", "110"), ("broken", "m", "000"))
        for attempt, outcome in enumerate(outcomes)
    ]
    async with reviewing(write_results(tmp_path / "run.jsonl", rows)) as app:
        drawn = await report(app)
        assert "2 pairs of sample and target unstable" in drawn
        await app.press("end")
        assert "U shows 6 records of 2 pairs of sample and target: unstable over attempts" in app.drawn
        await app.press("U")
        await app.back()
        assert {name.split("#")[0] for name in app.queue} == {"shaky"} and len(app.queue) == 6
        await app.press("B")
        offered = app.drawn
        assert "metadata.topic" in offered and "metadata " not in offered


async def test_keys_do_not_wait_for_the_report_to_be_worked_out(tmp_path, monkeypatch):
    go, worked_out = threading.Event(), session_figures.report

    def slow(review):
        assert go.wait(5)
        return worked_out(review)

    monkeypatch.setattr(session_figures, "report", slow)
    async with reviewing(run(tmp_path / "run.jsonl", "000")) as app:
        await app.press("R")
        assert "being worked out" in app.drawn
        await app.press("escape")
        await app.back()
        await app.press("R")
        go.set()
        await app.until(lambda: "Pass rate" in app.drawn)


async def test_a_cell_of_what_graders_and_people_say_leads_to_its_records_and_passes_can_be_drawn(tmp_path):
    async with reviewing(run(tmp_path / "run.jsonl", "000111")) as app:
        drawn = " ".join((await report(app)).split())
        assert "How right graders are about what they pass is not known: S draws" in drawn
        await app.press("escape")
        await app.back()
        await app.press("1", "3", "1", "R")
        await app.until(lambda: "Graders against people" in app.drawn)
        assert "none of 3 passes was reviewed at random" in " ".join(app.drawn.split())
        await app.press("I")
        await app.until(lambda: "✖ right" in app.drawn)
        assert "Catches failures: not known." in app.drawn
        await app.press("l", "l", "l", "enter")
        await app.back()
        assert len(app.queue) == 1
        assert app.screen.review.queue.items[app.screen.review.queue.visible[0]].verdict is Verdict.GRADER_WRONG
        await app.press("I")
        await app.until(lambda: "✖ right" in app.drawn)
        await app.press("S", "enter", "enter", "enter", "enter")
        await app.until(lambda: app.screen.review.state.draw is not None)
        await app.back()
        assert sorted(app.queue) == ["s3", "s4", "s5"]
        await app.press("5", "1", "5", "R", "I")
        await app.until(lambda: "Catches failures: 2 of 3, 67%" in app.drawn)
        await app.press("l", "l", "enter")
        await app.back()
        assert len(app.queue) == 1 and "passed, wrong" in str(app.screen.queue_pane.border_title)


async def test_runs_over_time_lead_to_what_flipped_in_this_run_and_in_others(tmp_path):
    for hour, outcomes in enumerate(("1100", "0100", "1101")):
        run(tmp_path / f"run{hour}.jsonl", outcomes, hour)
    async with reviewing(tmp_path / "run2.jsonl") as app:
        await app.press("R")
        await app.until(lambda: "2 samples flipped" in app.drawn or "Runs over time" in app.drawn)
        await app.press("s")
        await app.until(lambda: "2 samples flipped" in app.drawn)
        assert all(f"run{hour}" in app.drawn for hour in range(3)) and "100% ┤" in app.drawn
        await app.press("j", "j", "tab", "tab", "tab", "tab", "enter")
        await app.back()
        assert sorted(app.queue) == ["s0", "s3"]
        await app.press("s")
        await app.until(lambda: "2 samples flipped" in app.drawn)
        await app.press("G", "k", "enter")
        await app.until(lambda: app.screen.review.results.path.name == "run1.jsonl")
        await app.back()
        assert app.at == "s0"


async def test_groups_show_how_the_deck_covers_values_and_lead_to_what_was_answered(tmp_path):
    deck = tmp_path / "deck.yaml"
    samples = [("s0", "math"), ("s1", "math"), ("s2", "code"), ("s9", "art")]
    tests = "".join(f"- id: {name}\n  input: Hi\n  tags: [{tag}]\n" for name, tag in samples)
    deck.write_text(f"tests:\n{tests}", encoding="utf-8")
    async with reviewing(run(tmp_path / "run.jsonl", "011"), deck) as app:
        await app.press("B", *"tag", "enter")
        await app.until(lambda: "Samples of the deck" in app.drawn)
        lines = [" ".join(line.strip("│ ").split()) for line in app.drawn.splitlines()]
        assert "tags: art 1 0 0 few, 1 without a record" in lines
        await app.press("G", "enter")
        await app.back()
        assert sorted(app.queue) == ["s0", "s1"]
        await app.press("R")
        await app.until(lambda: "1 without a record" in app.drawn)


async def test_groups_without_room_for_rates_tell_that_of_the_line_and_combinations_without_a_record(tmp_path):
    rows = [
        {"test_id": f"sample {number}", "target": target, "score": 1, "tags": [tag]}
        for number, (target, tag) in enumerate((("a" * 30, "x"), ("b" * 30, "x"), ("b" * 30, "y")))
    ]
    async with reviewing(write_results(tmp_path / "run.jsonl", rows), size=(60, 24)) as app:
        await app.press("B", *"target, tag", "enter")
        await app.until(lambda: "target by tag" in app.drawn)
        await app.press("j", "j")  # beyond the grid of both
        await app.until(lambda: "1 combination without a record" in app.drawn)
        await app.until(lambda: "pass rate: 100% (15 to 100%)  few: 1" in app.drawn)


async def test_samples_can_be_clustered_in_the_report(tmp_path):
    rows = [
        {"test_id": f"s{index}", "target": "m", "score": index % 2, "metadata": {"document": f"d{index // 4}"}}
        for index in range(40)
    ]
    async with reviewing(write_results(tmp_path / "run.jsonl", rows)) as app:
        assert "10 clusters" not in await report(app)
        await app.press("C", *"metadata.document", "enter")
        await app.until(lambda: "in 10 clusters" in app.drawn)
        await app.press("escape")
        await app.back()
        await app.press("C", *"metadata.nothing", "enter")
        await app.back()
        assert "no record has metadata.nothing" in app.said
