"""Records that nobody graded: found by their shape, reviewed in the order of their file, judged by people."""

from __future__ import annotations

import html
import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sampleui.formats.data import Plain, Table
from sampleui.review.baseline import Trend, compare
from sampleui.review.log.store import log_path, open_log
from sampleui.review.people import found_by_all, with_findings
from sampleui.review.queue import ReviewOptions
from sampleui.review.record import ungraded
from sampleui.review.reports.by_people import JudgedRun, by_people_of
from sampleui.review.reports.record_measures import Question
from sampleui.review.reports.run_figures import no_deck
from sampleui.review.results.file import open_results
from sampleui.review.results.guessing import guessed_records, is_of_a_run
from sampleui.review.verdict import Verdict
from sampleui.runs.decks import decks_of_run
from sampleui.settings.options import Settings
from sampleui.tui.review.filters import named_records
from sampleui.tui.review.session import ReviewSession, open_review
from sampleui.tui.review.session_verdicts import undo_verdicts, write_down
from tests.command import ran
from tests.review.build import decide

TIMES = range(8)
SHAPES: Mapping[str, tuple[list[Table], dict[str, str]]] = {
    "a log of a product": (
        [
            {
                "trace_id": f"t{n}",
                "channel": ["email", "sms"][n % 2],
                "customer": {"name": f"Client {n}"},
                "user_query": f"Find a flat with {n} rooms",
                "steps": [{"tool": "search", "sql": "select 1", "rows": 12}],
                "final_email": f"Dear Client {n},\n\nthree flats match.",
            }
            for n in TIMES
        ],
        {
            "id": "trace_id",
            "prompt": "user_query",
            "actual": "final_email",
            "steps": "steps",
            "tags": "channel",
        },
    ),
    "a mailbox": (
        [
            {
                "ticket": {"number": f"T-{n}", "opened": "2026-03-01T10:00:00Z", "queue": ["tech", "sales"][n % 2]},
                "mail": {"from": f"a{n}@x.org", "subject": f"Refund {n}", "body": f"I was charged twice for {n}."},
                "drafted_reply": f"We refund order {n} within three days.",
            }
            for n in TIMES
        ],
        {
            "id": "ticket.number",
            "prompt": "mail.body",
            "actual": "drafted_reply",
            "time": "ticket.opened",
            "tags": "ticket.queue",
        },
    ),
    "retrieval": (
        [
            {
                "req_id": f"r{n}",
                "q": f"What is the notice period of contract {n}?",
                "chunks": [{"doc": "a.pdf", "text": "Three months."}],
                "llm": {"model": "m", "text": f"Three months, says contract {n}."},
            }
            for n in TIMES
        ],
        {"id": "req_id", "prompt": "q", "actual": "llm.text", "target": "llm.model"},
    ),
    "queries": (
        [
            {"nl": f"How many bought {n}?", "generated_sql": f"select count(*) where id = {n}", "runtime_ms": 12.5}
            for n in TIMES
        ],
        {"prompt": "nl", "actual": "generated_sql", "milliseconds": "runtime_ms"},
    ),
    "spans": (
        [
            {
                "run": f"run-{n}",
                "startedAt": "2026-04-01T10:00:00Z",
                "goal": f"Book a table for {n} people",
                "events": [{"kind": "search", "args": {"city": "Oslo"}, "result": ["A"]}],
                "outcomeText": f"I booked a table for {n} people.",
            }
            for n in TIMES
        ],
        {"id": "run", "prompt": "goal", "actual": "outcomeText", "steps": "events", "time": "startedAt"},
    ),
    "commands and patches": (
        [
            {
                "nth": n + 1,
                "command": f"make test-{n} --keep-going",
                "log": f"run {n} ended with an error that is longer than the command was",
                "patch": f"--- a/x.c\n+++ b/x.c\n@@ -{n},1 +{n},1 @@\n-return 1;\n+return 0;\n",
                "when": 1_764_000_000 + n,
            }
            for n in TIMES
        ],
        {"id": "nth", "prompt": "command", "actual": "patch", "time": "when"},
    ),
    "remarks on patches": (
        [
            {
                "pull": 4400 - n,
                "hunk": f"@@ -{n},2 +{n},2 @@ def run():\n-    return x\n+    return y\n",
                "remark": f"Is y set in case {n}?",
                "weight": ["minor", "major"][n % 2],
                "epoch_ms": 1_764_000_000_000 + 977 * n,
            }
            for n in TIMES
        ],
        {"id": "pull", "prompt": "hunk", "actual": "remark", "time": "epoch_ms", "tags": "weight"},
    ),
    "calls, with what was written of each": (
        [
            {
                "call_ref": f"C-{n}",
                "turns": [
                    {"speaker": "Caller", "utterance": f"My line {n} is down."},
                    {"speaker": "Agent", "utterance": "I look into it."},
                ],
                "wrap_up": {"summary": f"Line {n} was down.", "result_code": ["closed", "open"][n % 2]},
                "started": 1_764_000_000 + 977 * n,
            }
            for n in TIMES
        ],
        {
            "id": "call_ref",
            "prompt": "turns",
            "actual": "wrap_up.summary",
            "time": "started",
            "tags": "wrap_up.result_code",
        },
    ),
    "a table of translations": (
        [
            {
                "string": f"screen.{n}",
                "source_de": f"Gerät {n} bitte neu starten",
                "mt_en": f"Restart {n}",
                "mt_fr": f"Veuillez redémarrer l'appareil numéro {n}",
                "mt_nl": f"Start apparaat {n} opnieuw op",
                "edited_on": str(1_764_000_000 + 60 * n),
            }
            for n in TIMES
        ],
        {"id": "string", "prompt": "source_de", "actual": "mt_en", "time": "edited_on"},
    ),
    "a table of source and target": (
        [
            {"string": f"menu.{n}", "source": f"Open door {n}", "target": f"Tür {n} öffnen", "model": "mt-7"}
            for n in TIMES
        ],
        {"id": "string", "prompt": "source", "actual": "target", "target": "model"},
    ),
    "a report of several parts": (
        [
            {
                "visit_no": n + 7,
                "model": "m",
                "dictated": f"knee {n} hurts",
                "report": {"found": f"swelling {n}", "plan": f"ice {n}"},
            }
            for n in TIMES
        ],
        {"id": "visit_no", "prompt": "dictated", "actual": "report", "target": "model"},
    ),
    "calls of people in words of their own": (
        [
            {
                "phone": f"+4930000{n}",
                "turns": [{"party": "client", "words": f"My line {n} is down."}],
                "first_ms": 20,
                "last_ms": 300 + 7 * n,
                "summary": f"The line {n} is down again.",
                "Date": f"Tue, {n + 1} Mar 2026 10:00:00 +0000",
                "Drafting-Model": "small-1",
            }
            for n in TIMES
        ],
        {"prompt": "turns", "actual": "summary", "time": "Date", "target": "Drafting-Model"},
    ),
    "searches": (
        [
            {
                "t": 1_764_000_000.5 + 60 * n,
                "sid": f"{n * 77777:08x}",
                "typed": f"red shoes {n}",
                "hits": [{"rank": 1, "title": "Shoes", "price": 30}],
                "best_bet": f"Try size {n} in our shop.",
            }
            for n in TIMES
        ],
        {"id": "sid", "prompt": "typed", "actual": "best_bet", "time": "t"},
    ),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_what_nobody_graded_is_guessed_by_its_shape(shape: str) -> None:
    rows, told = SHAPES[shape]
    table = guessed_records(rows)
    assert table is not None
    assert {key: path for key, path in table.items() if key != "marks"} == told
    assert is_of_a_run(table)


def test_a_list_of_messages_is_found_under_any_name() -> None:
    said: list[Table] = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Ho"}]
    table = guessed_records([{"no": n, "both_said": [*said]} for n in TIMES])
    assert table is not None
    assert (table["id"], table["messages"]) == ("no", "both_said")


def test_numbers_that_are_no_times_are_none_and_an_attempt_is_no_time() -> None:
    rows: list[Table] = [
        {
            "q": f"What is {n}?",
            "reply": f"It is {n}.",
            "account_no": 1_400_000_000 + 7 * n,
            "bytes": 900_000_000 + n,
        }
        for n in TIMES
    ]
    table = guessed_records(rows)
    assert table is not None
    assert "time" not in table
    assert table["id"] == "account_no"
    tried = guessed_records([{"q": f"What is {n}?", "reply": f"It is {n}.", "epoch": n % 2} for n in TIMES])
    assert tried is not None
    assert (tried["attempt"], "time" in tried) == ("epoch", False)


@pytest.mark.parametrize("value", [1_764_000_000, 1_764_000_000_000, "1764000000", 1_764_000_000.25])
def test_a_time_that_is_a_number_is_told_as_one(tmp_path: Path, value: Plain) -> None:
    (tmp_path / ".sampleui.toml").write_text('[results.mine]\nactual = "said"\ntime = "n"\n', "utf-8")
    results = open_results(written(tmp_path, [{"said": "Hello", "n": value}])).indexed()
    assert results.record(0).timestamp == "2025-11-24T16:00:00+00:00"


def test_rows_without_anything_to_read_are_no_records() -> None:
    assert guessed_records([{"a": 1, "b": True}, {"a": 2, "b": False}]) is None


def test_samples_with_an_answer_that_is_expected_are_a_deck() -> None:
    table = guessed_records([{"question": f"{n} + {n}?", "answer": str(2 * n)} for n in TIMES])
    assert table is None or not is_of_a_run(table)


def test_steps_of_a_log_are_its_trace(tmp_path: Path) -> None:
    rows, _ = SHAPES["spans"]
    results = open_results(written(tmp_path, rows)).indexed()
    (message,) = results.record(0).done
    assert message["tool_calls"] == [
        {"args": {"city": "Oslo"}, "tool": "search", "input": {"city": "Oslo"}, "output": ["A"]}
    ]


def test_a_table_of_the_settings_need_not_say_how_a_row_came_out(tmp_path: Path) -> None:
    (tmp_path / ".sampleui.toml").write_text('[results.mine]\nactual = "said"\nprompt = "heard"\n', "utf-8")
    results = open_results(written(tmp_path, [{"heard": "Hi", "said": "Hello"}])).indexed()
    assert (results.guess, results.grades, results.record(0).actual) == (None, False, "Hello")
    assert all(map(ungraded, results.entries))


def test_next_goes_through_the_records_in_the_order_of_their_file(tmp_path: Path) -> None:
    path = written(tmp_path, SHAPES["a mailbox"][0])
    judged = []
    while (told := ran("next", path, "--reviewer", "ann", "--format", "id")).code == 0:
        judged.append(told.out.strip())
        ran("verdict", path, judged[-1], "ok", "--reviewer", "ann")
    assert judged == [f"T-{n}" for n in TIMES]


def test_next_shows_what_was_asked_of_a_record_that_nobody_graded(tmp_path: Path) -> None:
    path = written(tmp_path, SHAPES["a mailbox"][0])
    told = ran("next", path, "--reviewer", "ann").out
    assert told.splitlines()[0].endswith(":1: T-0: ungraded")
    assert "asked:     I was charged twice for 0." in told
    told = json.loads(ran("next", path, "--format", "json").out)
    assert told["asked"] == [{"role": "user", "content": "I was charged twice for 0."}]
    calls = written(tmp_path, SHAPES["calls, with what was written of each"][0])
    assert "asked:     Caller: My line 0 is down." in ran("next", calls, "--reviewer", "bo").out


def test_a_report_tells_what_people_say_apart_from_what_graders_say(tmp_path: Path) -> None:
    path = written(tmp_path, SHAPES["a mailbox"][0])
    for n in TIMES:
        ran("verdict", path, f"T-{n}", "model-wrong" if n == 3 else "ok", "--reviewer", "ann")
    said = ran("report", path)
    assert "8 records: 0 passed, 0 failed, 8 ungraded, 0 errors" in said.out
    assert "By people\n7 of 8 passed (95% " in said.out
    assert "8 of 8 ungraded records decided" in said.out
    by_people = people(path)
    assert [by_people[name] for name in ("records", "decided", "passed", "failed")] == [8, 8, 7, 1]
    assert json.loads(ran("report", path, "--format", "json").out)["run"]["passed"] == 0
    listed = ran("report", path, "--format", "markdown", "--records", "failed").out
    assert "### – `T-3`" in listed and listed.count("### ") == 1


def test_records_picked_by_hand_have_no_interval_and_other_verdicts_say_neither(tmp_path: Path) -> None:
    path = written(tmp_path, SHAPES["a mailbox"][0])
    for name, verdict in (("T-5", "ok"), ("T-1", "flaky"), ("T-2", "skip")):
        ran("verdict", path, name, verdict, "--reviewer", "ann")
    found = people(path)
    assert (found.pop("rate")["n"], found) == (
        1,
        {
            "records": 8,
            "decided": 2,
            "passed": 1,
            "failed": 0,
            "interval": None,
            "comparison": None,
        },
    )
    said = ran("report", path).out
    assert "1 of 1 passed (95% not known: neither all records nor the first ones of a draw" in said
    assert "6 ungraded records not decided yet" in said


def two_runs(folder: Path, last_judged: int) -> tuple[Path, Path]:
    """Write a run and an earlier one: people say that half of the earlier answers are wrong."""
    paths = []
    for name in ("before", "after"):
        (folder / name).mkdir()
        paths.append(written(folder / name, SHAPES["a mailbox"][0]))
        for n in range(last_judged):
            verdict = "model-wrong" if name == "before" and n < 4 else "ok"
            ran("verdict", paths[-1], f"T-{n}", verdict, "--reviewer", "ann")
    return paths[1], paths[0]


def test_two_runs_that_nobody_graded_are_compared_by_what_people_say_of_both(tmp_path: Path) -> None:
    run, baseline = two_runs(tmp_path, 8)
    comparison = people(run, "--baseline", baseline)["comparison"]
    assert [comparison[name] for name in ("n_paired", "better", "worse", "same")] == [8, 4, 0, 4]
    assert comparison["interval"] is not None
    said = ran("report", run, "--baseline", baseline).out
    assert "Against log.jsonl, by people\n4 of 8 better, 0 worse" in said
    assert "Better: T-0, T-1, T-2, T-3.\n" in said
    assert "nothing to compare" not in said
    page = html.unescape(ran("report", run, "--baseline", baseline, "--format", "html").out)
    assert "By people: 8 of 8 passed" in page
    assert "Against log.jsonl, by people: 4 of 8 better, 0 worse" in page


def test_of_records_picked_by_hand_no_comparison_says_what_is_chance(tmp_path: Path) -> None:
    run, baseline = two_runs(tmp_path, 6)
    comparison = people(run, "--baseline", baseline)["comparison"]
    assert [comparison[name] for name in ("n_paired", "better", "interval", "p_value")] == [6, 4, None, None]
    told = ran("report", run, "--baseline", baseline).out
    assert "4 of 6 better, 0 worse: 6 samples cannot show whether that is more than chance" in told


def test_a_record_that_a_grader_graded_in_one_run_is_not_compared_with_what_people_say(tmp_path: Path) -> None:
    run, graded = two_runs(tmp_path, 8)
    rows = [{"test_id": f"T-{n}", "output": "We refund it.", "score": n % 2} for n in TIMES]
    graded.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    assert people(run, "--baseline", graded)["comparison"] is None
    why = "no sample of {} has an outcome that a grader gave"
    assert why.format("this run") in ran("report", run, "--baseline", graded).out
    assert why.format("log.jsonl") in ran("report", graded, "--baseline", run).out


def test_where_people_judged_one_run_alone_it_is_said_of_which_nothing_is_known(tmp_path: Path) -> None:
    run, baseline = two_runs(tmp_path, 8)
    log_path(baseline).unlink()
    told = ran("report", run, "--baseline", baseline).out
    assert "nothing to compare: people judged no record of log.jsonl." in told


def test_runs_of_different_targets_are_paired_as_graded_ones_are(tmp_path: Path) -> None:
    """Where each run has one target, that makes no difference; and attempts are averaged."""
    paths = []
    for target, verdicts in (("m-1", ("model-wrong", "ok")), ("m-2", ("ok", "ok"))):
        (tmp_path / target).mkdir()
        table = '[results.mine]\nid = "req"\nprompt = "q"\nactual = "text"\ntarget = "model"\n'
        (tmp_path / target / ".sampleui.toml").write_text(table, "utf-8")
        rows: list[Table] = [
            {"req": f"r{n}", "q": f"What of {n}?", "model": target, "text": f"{target} says {n}, try {m}."}
            for n in range(4)
            for m in range(2)
        ]
        paths.append(written(tmp_path / target, rows))
        for n in range(4):
            for record, verdict in zip((f"r{n}", f"r{n}#2"), verdicts, strict=True):
                assert ran("verdict", paths[-1], record, verdict, "--reviewer", "ann").code == 0
    told = people(paths[1], "--baseline", paths[0])["comparison"]
    assert [told[name] for name in ("n_paired", "better", "run_mean", "baseline_mean")] == [4, 4, 1.0, 0.5]
    assert (len(told["records"]["named_better"]), told["same"]) == (4, 0)


def test_a_verdict_on_one_of_two_records_that_say_the_same_is_about_that_one(tmp_path: Path) -> None:
    rows: list[Table] = [{"q": f"What is {n // 2}?", "said": f"It is {n // 2}, I think."} for n in TIMES]
    path = written(tmp_path, rows)
    results = open_results(path).indexed()
    assert len({entry.digest for entry in results.entries}) == 8
    ran("verdict", path, results.entries[0].id, "model-wrong", "--reviewer", "ann")
    ran("verdict", path, results.entries[1].id, "ok", "--reviewer", "ann")
    told = people(path)
    assert [told[name] for name in ("records", "decided", "passed", "failed")] == [8, 2, 1, 1]


def test_what_reviewers_dispute_or_took_back_counts_on_no_side(tmp_path: Path) -> None:
    run, baseline = two_runs(tmp_path, 8)
    ran("verdict", run, "T-0", "model-wrong", "--reviewer", "bob")
    ran("verdict", run, "T-7", "model-wrong", "--reviewer", "ann")
    ran("verdict", baseline, "T-1", "ok", "--reviewer", "ann")
    told = people(run, "--baseline", baseline)["comparison"]
    assert [told[name] for name in ("n_paired", "better", "worse", "same")] == [7, 2, 1, 4]
    assert told["records"]["named_worse"] == ["T-7"]
    assert told["interval"] is not None, "who disputes a record has looked at it"


def test_a_run_that_is_worse_by_what_people_say_of_all_of_it_meets_no_demand_not_to_be(tmp_path: Path) -> None:
    better, worse = two_runs(tmp_path, 8)
    assert ran("report", better, "--baseline", worse, "--fail-if-worse").code == 0
    for n in range(4, 8):
        ran("verdict", worse, f"T-{n}", "model-wrong", "--reviewer", "ann")
    told = ran("report", worse, "--baseline", better, "--fail-if-worse")
    assert (told.code, "0 of 8 better, 8 worse: worse by" in told.err) == (1, True)
    log_path(better).unlink()
    told = ran("report", better, "--baseline", worse, "--fail-if-worse")
    assert (told.code, "people judged no record of this run" in told.err) == (1, True)


def test_runs_over_time_that_nobody_graded_have_no_known_flips_and_the_one_before_is_compared(
    tmp_path: Path,
) -> None:
    for time, verdict in (("09-00", "model-wrong"), ("10-00", "ok")):
        path = tmp_path / f"log-2026-03-01T{time}.jsonl"
        rows = [{**row, "drafted_reply": f"{row['drafted_reply']} {time}"} for row in SHAPES["a mailbox"][0]]
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
        ran("verdict", path, "T-0", verdict, "--reviewer", "ann")
    told = ran("report", path, "--previous", "--series").out
    assert "Against log-2026-03-01T09-00.jsonl, by people\n1 of 1 better, 0 worse" in told
    assert told.count("not known  not known  not known") == 2


def test_another_run_of_the_same_log_is_no_deck_of_it(tmp_path: Path) -> None:
    for name in ("before.jsonl", "after.jsonl"):
        path = tmp_path / name
        path.write_text("".join(json.dumps(row) + "\n" for row in SHAPES["a mailbox"][0]), "utf-8")
    assert decks_of_run(open_results(path).indexed(), (), Settings()).decks == ()


def test_a_record_of_a_table_becomes_a_sample(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    rows = "".join(f"C-{n},How do I return item {n}?,Send item {n} back.\n" for n in TIMES)
    path.write_text(f"ref,question,reply\n{rows}", "utf-8")
    assert ran("promote", path, "--id", "C-3", "--to", tmp_path / "deck.toml").code == 0
    assert "How do I return item 3?" in (tmp_path / "deck.toml").read_text("utf-8")


def reviewed(run: Path, baseline: Path, reviewer: str = "ann") -> ReviewSession:
    options = ReviewOptions(results=run, reviewer=reviewer, baseline=baseline)
    review = open_review(options, Settings())
    assert review.baseline is not None
    for results in (review.results, review.baseline):
        results.indexed()
    review.take_in()
    review.finish_index(review.comparison())
    return review


def test_a_queue_shows_what_differs_by_people_and_follows_each_verdict(tmp_path: Path) -> None:
    run, baseline = two_runs(tmp_path, 8)
    review = reviewed(run, baseline)
    assert review.comparison_words == "by people 4 better, 4 the same"
    assert [review.queue.items[index].entry.id for index in review.queue.visible] == ["T-0", "T-1", "T-2", "T-3"]
    names = {name: len(records) for name, records in named_records(review).items()}
    assert names["better than the baseline, by people"] == 4
    assert "better than the baseline" not in names
    review.state = review.state.at(0)
    write_down(review, review.item.entry, Verdict.MODEL_WRONG, "")
    assert review.comparison_words == "by people 3 better, 5 the same"
    undo_verdicts(review)
    assert review.comparison_words == "by people 4 better, 4 the same"


def test_a_run_that_is_yet_to_be_judged_is_shown_whole_beside_its_baseline(tmp_path: Path) -> None:
    run, baseline = two_runs(tmp_path, 8)
    log_path(run).unlink()
    review = reviewed(run, baseline)
    assert len(review.queue.visible) == 8
    assert review.comparison_words == "8 not comparable (ungraded here)"
    write_down(review, review.item.entry, Verdict.OK, "")
    assert review.comparison_words == "7 not comparable (ungraded here); by people 1 better"


def test_what_others_found_is_not_told_by_a_comparison_before_one_has_decided(tmp_path: Path) -> None:
    run, baseline = two_runs(tmp_path, 8)
    assert reviewed(run, baseline, "bob").comparison_words == "8 not comparable (ungraded here)"


def test_a_record_that_people_judged_is_not_compared_with_one_that_a_grader_graded(tmp_path: Path) -> None:
    run, graded = two_runs(tmp_path, 8)
    rows = [{"test_id": f"T-{n}", "output": "We refund it.", "score": n % 2} for n in TIMES]
    graded.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    review = reviewed(run, graded)
    assert review.comparison_words == "8 not comparable (judged by people here, by graders in the baseline)"


@pytest.mark.long
@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(*[st.sampled_from([None, *Verdict])] * 2), min_size=1, max_size=12))
def test_pairs_are_counted_as_one_would_count_them_by_hand(
    tmp_path_factory: pytest.TempPathFactory, given_verdicts: list[tuple[Verdict | None, Verdict | None]]
) -> None:
    folder = tmp_path_factory.mktemp("runs")
    sides = []
    for side in (0, 1):
        (folder / str(side)).mkdir()
        rows: list[Table] = [
            {"req_id": f"r{n}", "q": f"What of {n}?", "text": f"Run {side} says {n}."}
            for n in range(len(given_verdicts))
        ]
        results = open_results(written(folder / str(side), rows)).indexed()
        log = open_log(log_path(results.path))
        for entry, pair in zip(results.entries, given_verdicts, strict=True):
            if (verdict := pair[side]) is not None:
                decide(results, log, entry.id, verdict, "ann")
        sides.append(JudgedRun(results, log))
    passes = {Verdict.OK: 1, Verdict.MODEL_WRONG: 0}
    both = [(passes[old], passes[new]) for old, new in given_verdicts if old in passes and new in passes]
    told = by_people_of(sides[1], len(given_verdicts), Question(), no_deck, sides[0])
    assert told is not None
    judged = [passes[new] for _, new in given_verdicts if new in passes]
    assert (told.passed, told.failed) == (sum(judged), len(judged) - sum(judged))
    if not any(verdict in passes for pair in given_verdicts for verdict in pair):
        assert told.comparison is None
        return
    assert told.comparison is not None and told.comparison.records is not None
    found, records = told.comparison.comparison, told.comparison.records
    wanted = [sum(new > old for old, new in both), sum(new < old for old, new in both)]
    assert [found.n_paired, found.better, found.worse, found.same] == [len(both), *wanted, len(both) - sum(wanted)]
    assert [len(records.named_better), len(records.named_worse)] == wanted
    old, new = ([*with_findings(run.results.counted, found_by_all(run.log), None)] for run in sides)
    in_queue = Counter(item.trend for item in compare(new, old) if item.by_people)
    assert [in_queue[trend] for trend in (Trend.BETTER, Trend.WORSE)] == wanted
    all_looked_at = None not in [verdict for pair in given_verdicts for verdict in pair]
    assert all_looked_at or (found.interval is None and found.p_value is None)


def people(path: Path, *options: str | Path) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(ran("report", path, *options, "--format", "json").out)["review"]["by_people"]
    return told


def written(folder: Path, rows: list[Table]) -> Path:
    path = folder / "log.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def test_a_value_that_is_a_word_in_some_rows_and_a_list_in_others_is_no_tag() -> None:
    kinds: list[Plain] = ["a", "b", ["a"], {"b": 1}]
    rows: list[Table] = [{"question": f"{n} + {n}?", "answer": str(2 * n), "kind": kinds[n % 4]} for n in TIMES]
    assert "tags" not in (guessed_records(rows) or {})


ASKED: list[Table] = [{"question": f"What is {n} plus {n}?", "reply": f"It is {n + n}."} for n in TIMES]


@pytest.mark.parametrize(
    ("document", "ids", "lines"),
    [
        ({f"case-{n}": row for n, row in enumerate(ASKED)}, ["case-0", "case-7"], [2, 30]),
        ({key: [row[key] for row in ASKED] for key in ("question", "reply")}, None, [1, 1]),
        ({key: {str(n): row[key] for n, row in enumerate(ASKED)} for key in ("question", "reply")}, None, [1, 1]),
        ({"columns": ["question", "reply"], "data": [[*row.values()] for row in ASKED]}, None, [1, 1]),
    ],
)
def test_records_in_a_table_by_id_or_by_column_are_counted(
    tmp_path: Path, document: Table, ids: list[str] | None, lines: list[int]
) -> None:
    path = tmp_path / "log.json"
    path.write_text(json.dumps(document, indent=1), "utf-8")
    results = open_results(path).indexed()
    assert [results.record(n).actual for n in TIMES] == [row["reply"] for row in ASKED]
    first, *_, last = results.entries
    assert [first.line, last.line] == lines
    assert ids is None or [first.id, last.id] == ids


def test_a_request_and_its_response_are_one_record(tmp_path: Path) -> None:
    path = tmp_path / "log.json"
    path.write_text(
        json.dumps({"request": {"text": "Hi there", "n": 1}, "response": {"text": "Hello you", "n": 2}})
    )
    assert len(open_results(path).indexed()) == 1
