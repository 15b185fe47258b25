"""What the panes of a review draw, as rows."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from sampleui.review.attempts import Attempts, attempts_of
from sampleui.review.log.store import Log
from sampleui.review.queue import ReviewProgress, items_of
from sampleui.review.record import Record
from sampleui.review.reports.report import report_of
from sampleui.review.results.file import Results, open_results
from sampleui.review.samples.comparing import expected_of
from sampleui.review.samples.diffwords import DiffOp, DiffSegment, diff_words, likeness
from sampleui.review.verdict import Decision, Verdict
from sampleui.sample.model import Sample
from sampleui.tui.drawing.rows import Room, row_text
from sampleui.tui.drawing.two_texts import word_rows
from sampleui.tui.review.boxes import report_rows
from sampleui.tui.review.rows.answer import VIEWS
from sampleui.tui.review.rows.compared import side_rows
from sampleui.tui.review.rows.queue import queue_row, verdict_mark, verdict_places, verdict_row
from sampleui.tui.review.rows.scores import score_rows
from sampleui.tui.review.shown import Shown, Sides

from .review_driver import RESULTS, write_results

TEXT = st.text(st.sampled_from("ab cdé漢字\n\t.[]{}+-\x1b\u200b"), max_size=120)


def write_and_read(folder: Path, row: dict[str, object]) -> Record:
    (folder / "r.jsonl").write_text(json.dumps(row) + "\n")
    return open_results(folder / "r.jsonl").indexed().record(0)


def marked(segments: tuple[DiffSegment, ...]) -> str:
    """Return segments with their marks, as one text."""
    marks = {DiffOp.DELETE: "[-{}-]", DiffOp.INSERT: "{{+{}+}}", DiffOp.EQUAL: "{}"}
    return "".join(marks[one.op].format(one.text) for one in segments)


@pytest.mark.parametrize(
    ("expected", "answered"), [("caf\u00e9", "cafe\u0301"), ("Paris", "P\u0430ris"), ("yes", "yes ")]
)
def test_an_answer_that_looks_as_expected_says_which_code_points_differ(tmp_path, expected, answered):
    row = {"test_id": "a", "score": 0, "output": answered, "expected_output": expected}
    record = write_and_read(tmp_path, row)
    shown = Shown(record=record, expected=expected)
    rows = [row_text(row) for row in VIEWS["Diff"].rows(shown, Room(200))]
    assert "≈ they look the same (expected → actual):" in rows
    assert any("U+" in row for row in rows)


@given(TEXT, TEXT, st.integers(4, 60))
def test_a_diff_shows_every_word_of_both_texts_within_the_width(expected, actual, width):
    segments = diff_words(expected, actual)
    rows = word_rows(segments, Room(width, brackets=True))
    assert all(cell_len(row_text(row)) <= width for row in rows)
    plain = "".join(character for character in marked(segments) if character.isprintable() and character != " ")
    drawn = "".join(row_text(row) for row in rows)
    symbols = set(drawn) - set(plain)
    assert "".join(character for character in drawn if character not in symbols) == plain
    assert all(character.isprintable() for character in drawn)


def test_each_mark_has_the_style_of_its_kind():
    segments = diff_words("one two three", "one 2 three")
    [plain] = word_rows(segments, Room(40, brackets=True))
    assert row_text(plain) == "one [-two-]{+2+} three"
    assert [part for part in plain if part[0] in ("gone", "come")] == [("gone", "two"), ("come", "2")]
    [coloured] = word_rows(segments, Room(40))
    assert coloured == (("text", "one "), ("gone", "two"), ("come", "2"), ("text", " three"))


@pytest.mark.parametrize(
    ("expected", "actual", "least", "most"),
    [("a b c", "a b c", 1, 1), ("a b c d", "w x y z", 0, 0), ("", "", 1, 1), ("one two", "one 2", 0.5, 0.9)],
)
def test_likeness_is_the_part_that_both_share(expected, actual, least, most):
    assert least <= likeness(diff_words(expected, actual)) <= most


def drawn(rows) -> str:
    return "\n".join(row_text(row).rstrip() for row in rows)


@pytest.mark.parametrize(
    ("row", "fail_under", "said"),
    [
        ({"score": 0.9}, None, "passes from sampleui's 0.8"),
        ({"score": 0.5}, None, "fails under sampleui's 0.8"),
        ({"score": 0.6}, 0.5, "passes from 0.5"),
        ({"score": 0.9, "error": "boom"}, None, "an error, which has no score"),
        ({"score": 0.9, "verdict": "fail"}, None, "failed by its verdict"),
        ({"score": 0.5, "execution_status": "ok"}, None, "passed, as its runner says"),
    ],
)
def test_a_score_names_the_threshold_that_decided(tmp_path, row, fail_under, said):
    record = write_and_read(tmp_path, {"test_id": "a", **row})
    assert said in drawn(score_rows(Shown(record=record, fail_under=fail_under), 60))


def test_an_answer_that_is_not_kept_is_said_so_in_every_view(tmp_path):
    record = write_and_read(tmp_path, {"test_id": "a", "score": 0, "target": "one", "answer_path": "a/answer.md"})
    assert record.lost
    results = open_results(tmp_path / "r.jsonl").indexed()
    shown = Shown(record=record, expected="Paris", old=record)
    for view in ("Diff", "Actual", "Baseline"):
        said = " ".join(drawn(VIEWS[view].rows(shown, Room(60))).split())
        assert "Its answer is not kept; a/answer.md does not exist" in said, view
        assert "No answer" not in said, view
    columns = drawn(side_rows(Sides(results, (0,), 0, (Attempts("a", "one", 0, 2),)), 60))
    assert "its answer is not kept" in " ".join(columns.split())


LONG = [f"azure-openai-gpt-4o-mini-2024-07-18-{region}-west" for region in ("eu", "us", "ap")]


def test_the_answers_of_targets_with_long_names_are_told_apart_in_their_columns(tmp_path):
    rows = [{"test_id": "a", "score": 0, "target": target, "output": "x"} for target in LONG for _ in range(2)]
    results = first(write_results(tmp_path / "r.jsonl", rows))
    attempts = tuple(dict.fromkeys(attempts_of(results.counted).values()))
    for width in (40, 76, 118, 196):
        lines = drawn(side_rows(Sides(results, (0, 1, 2, 3, 4, 5), 0, attempts), width)).splitlines()
        told = [line.rpartition("  ")[0] for line in lines if line.endswith("passed")]
        assert len(set(told)) == len(told) == len(attempts)
        heads = [cell.strip() for line in lines if "✖" in line for cell in line.split("│")]
        assert len(set(heads)) == len(heads) == 6, heads


@pytest.mark.parametrize("width", [72, 112, 192])
def test_names_are_told_apart_in_a_report_and_no_line_of_a_table_is_wider_than_the_screen(tmp_path, width):
    checks = ["Answer relevance to the question asked", "Answer relevance to the context given"]
    rows = [
        {"test_id": "a", "score": 0, "target": target, "scores": [{"name": name, "score": 0} for name in checks]}
        for target in LONG
        for _ in range(2)
    ]
    results = first(write_results(tmp_path / "r.jsonl", rows))
    lines = [row_text(row) for row in report_rows(report_of(results, Log(tmp_path / "log")), width)]
    assert all(cell_len(line) <= width for line in lines)
    start = lines.index(next(line for line in lines if line.startswith("Evaluators"))) + 2
    assert len({line.strip().split("  ")[0] for line in lines[start : start + 2]}) == 2
    start = lines.index(next(line for line in lines if line == "Targets")) + 2
    assert len({line.split("  ")[1] for line in lines[start : start + 3]}) == 3


def test_the_whole_name_of_an_evaluator_is_shown(tmp_path):
    name = "Answer relevance to the question asked by the user [GEval]"
    record = write_and_read(tmp_path, {"test_id": "a", "score": 0, "scores": [{"name": name, "score": 0.25}]})
    rows = drawn(score_rows(Shown(record=record), 38))
    assert name in " ".join(rows.split())
    assert all(cell_len(line) <= 38 for line in rows.splitlines())


def test_an_evaluator_that_failed_is_listed_once(tmp_path):
    record = write_and_read(
        tmp_path, {"test_id": "a", "score": 0, "scores": [{"name": "short", "verdict": "fail"}]}
    )
    rows = drawn(score_rows(Shown(record=replace(record, misses=("short", "no date"))), 60))
    assert rows.count("short") == 1
    assert "✖ no date" in rows


def test_what_stands_in_the_place_of_an_answer_is_not_compared(tmp_path):
    record = write_and_read(
        tmp_path, {"test_id": "a", "score": 0, "error": "boom", "output": "Error occurred: boom"}
    )
    said = drawn(VIEWS["Diff"].rows(Shown(record=record, expected="Error occurred: none"), Room(60)))
    assert "No answer: boom" in said
    assert "In its place\n  Error occurred: boom" in said
    assert "{+" not in said


@pytest.mark.parametrize(
    ("dialect", "data", "label"),
    [
        ("agentv", {"input": "?", "criteria": "is polite"}, "Criteria"),
        ("promptfoo", {"vars": {}, "assert": [{"type": "llm-rubric", "value": "is polite"}]}, "Llm-rubric"),
    ],
)
def test_what_an_answer_is_judged_by_is_not_compared_with_it(tmp_path, dialect, data, label):
    record = write_and_read(tmp_path, {"test_id": "a", "score": 0, "output": "is rude"})
    sample = Sample("a", 0, data, dialect, ("input",), tmp_path)
    expected, criteria, _ = expected_of(sample, None)
    assert expected is None
    shown = Shown(record=record, sample=sample, expected=expected, criteria=criteria)
    for view in ("Diff", "Expected"):
        assert f"{label}: no answer to compare with\n  is polite" in drawn(VIEWS[view].rows(shown, Room(60)))
    assert expected_of(sample, replace(record, expected="Hello")).text == "Hello"


@given(st.integers(0, 10**6), st.integers(60, 240), st.sampled_from([None, *Verdict]), st.booleans())
def test_the_verdict_bar_fits_and_shows_every_key(count, width, current, stale):
    progress = ReviewProgress(count, count + 7, tuple((verdict, count) for verdict in Verdict))
    text = row_text(verdict_row(progress, current, stale, width))
    if width >= 80:
        assert cell_len(text) == width
    for start, end, verdict, _ in verdict_places(progress, width):
        assert text[start:end].strip(" []").startswith(verdict.key)
    if current is not None:
        assert f"[{current.key} {current[:5]}" in text


@given(
    st.permutations(["9", "f12", "^k", "", "k", "⇧tab"]), st.integers(80, 240), st.sampled_from([None, *Verdict])
)
def test_the_verdict_bar_and_the_marks_name_the_keys_that_a_person_has(names, width, current):
    keys = dict(zip(Verdict, names, strict=True))
    text = row_text(verdict_row(ReviewProgress(0, 7, ()), current, False, width, keys=keys))
    assert cell_len(text) == width
    for start, end, verdict, _ in verdict_places(ReviewProgress(0, 7, ()), width, keys):
        assert text[start:end].strip(" []").startswith(f"{keys[verdict]} {verdict[:5]}".strip())


def first(path: Path) -> Results:
    return open_results(path).indexed()


def test_outcomes_and_verdicts_are_told_apart_without_colour(tmp_path):
    rows = [
        {"test_id": "passed", "score": 1},
        {"test_id": "failed", "score": 0},
        {"test_id": "error", "error": "down"},
        {"test_id": "neither", "output": "x"},
    ]
    results = first(write_results(tmp_path / "r.jsonl", rows))
    items = items_of(results.entries, lambda _: None)
    signs = [row_text(queue_row(item, 40))[0] for item in items]
    assert len(set(signs)) == 4
    entry = results.entries[0]
    made = Decision(
        reviewer="a", record=entry.digest, record_id="p", sample="p", sample_hash="old", verdict=Verdict.OK
    )
    [stale] = items_of([entry], lambda _: made, lambda _: "new")
    [fresh] = items_of([entry], lambda _: made, lambda _: "old")
    assert {verdict_mark(item)[1] for item in (items[0], stale, fresh)} == {"· ", "5~", "5 "}
    marks = {
        key: verdict_mark(fresh, {**dict.fromkeys(Verdict, "x"), Verdict.OK: key})[1] for key in ("9", "f5", "")
    }
    assert marks == {"9": "9 ", "f5": "o ", "": "o "}


@given(st.integers(32, 180))
def test_rows_of_real_records_fit_any_width(width):
    results = first(RESULTS / "hello.results.jsonl")
    for item in items_of(results.entries, lambda _: None):
        shown = Shown(item=item, record=results.record(item.entry.index), expected="something else")
        assert cell_len(row_text(queue_row(item, width))) <= width
        for view in VIEWS.values():
            assert all(cell_len(row_text(row)) <= width for row in view.rows(shown, Room(width)))
        if width >= 40:
            assert all(cell_len(row_text(row)) <= width for row in score_rows(shown, width))


def test_what_has_no_room_beside_a_score_stands_below_it(tmp_path):
    rows = [{"test_id": "a", "score": 0.5, "execution_status": "quality_failure", "trial": at} for at in (1, 2)]
    results = first(write_results(tmp_path / "r.jsonl", rows))
    item = items_of(results.entries, lambda _: None)[0]
    [attempts] = set(attempts_of(results.entries, None).values())
    shown = Shown(item=item, record=results.record(0), attempts=attempts)
    for width in (20, 38, 80):
        lines = [row_text(row).strip() for row in score_rows(shown, width)]
        assert all(cell_len(line) <= width for line in lines)
        assert "of the attempts at this sample" in " ".join(lines)


def test_attempts_at_a_sample_can_be_told_apart_in_a_narrow_queue(tmp_path):
    rows = [{"test_id": "refund-policy-of-a-shop-that-is-closed", "score": 0.25, "trial": at} for at in range(12)]
    items = items_of(first(write_results(tmp_path / "r.jsonl", rows)).entries, lambda _: None)
    for width in (24, 26, 40):
        shown = [row_text(queue_row(item, width)) for item in items]
        assert len({*shown}) == len(items)
        assert all(cell_len(row) <= width for row in shown)
        assert "#12 " in shown[-1]


def test_an_exact_answer_says_so(tmp_path):
    results = first(write_results(tmp_path / "r.jsonl", [{"test_id": "a", "score": 0, "output": "same"}]))
    [item] = items_of(results.entries, lambda _: None)
    rows = VIEWS["Diff"].rows(Shown(item=item, record=results.record(0), expected="same"), Room(40))
    assert "✓ exactly as expected" in "\n".join(map(row_text, rows))


def test_calibrate_results_show_score_against_truth(tmp_path):
    path = tmp_path / "r.toml"
    path.write_text(
        "[[graderResults.kind.models.m.results]]\n"
        'id = "a"\ngrader_score = 2\ntruth_score = 3\nreason = "too kind"\n'
    )
    results = first(path)
    [item] = items_of(results.entries, lambda _: None)
    rows = "\n".join(map(row_text, score_rows(Shown(item=item, record=results.record(0)), 60)))
    assert "score 2" in rows
    assert "truth 3" in rows
    assert "too kind" in rows
    assert "✖ kind" in rows
    assert "2≠3" in row_text(queue_row(item, 40))
    report = "\n".join(map(row_text, report_rows(report_of(results, Log(tmp_path / "log")), 100)))
    assert "Score against truth: 0 of 1 agree (0%), average distance 1.00" in report


def test_what_passed_without_a_score_has_the_sign_of_what_passed(tmp_path):
    rows = [
        {"id": at, "input": "a", "output": "b", "passed": passed} for at, passed in enumerate((True, False, None))
    ]
    results = first(write_results(tmp_path / "r.jsonl", rows))
    entries = results.entries
    assert [entry.score for entry in entries] == [None, None, None]
    assert "".join(row_text(queue_row(item, 40))[0] for item in items_of(entries, lambda _: None)) == "✓✖–"


def test_a_low_score_that_is_the_truth_is_no_failure(tmp_path):
    path = tmp_path / "r.toml"
    path.write_text('[[graderResults.kind.models.m.results]]\nid = "a"\ngrader_score = -3\ntruth_score = -3\n')
    results = first(path)
    [item] = items_of(results.entries, lambda _: None)
    rows = "\n".join(map(row_text, score_rows(Shown(item=item, record=results.record(0)), 60)))
    assert "✓ kind" in rows
    assert row_text(queue_row(item, 40)).startswith("✓")
