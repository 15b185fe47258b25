"""The same evaluation is one run, whatever its files are called, and verdicts go forward in time."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from sampleui.review.log.store import entries_of
from sampleui.review.reports.series import timed_runs
from sampleui.review.results.file import open_results
from sampleui.review.results.run_paths import latest_of

from .conftest import ROOT

LOG = ROOT / "tests" / "integrations" / "inspect_ai" / "logs" / "scores.eval"


def promptfoo(path: Path, evaluation: str, time: str, *, passes: bool) -> Path:
    row = {
        "id": f"{evaluation}-row",
        "vars": {"q": "What?"},
        "promptIdx": 0,
        "provider": {"id": "echo"},
        "success": passes,
        "score": int(passes),
        "response": {"output": "an answer"},
        "testCase": {"description": "alpha", "vars": {"q": "What?"}},
        "gradingResult": {"pass": passes, "score": int(passes), "componentResults": []},
    }
    path.write_text(json.dumps({"evalId": evaluation, "results": {"timestamp": time, "results": [row]}}))
    return path


def row(time: str, **more: Any) -> dict[str, Any]:
    answer = {"id": "alpha", "input": "ask alpha", "output": "one", "expected": "two", "success": False}
    return {**answer, "timestamp": time, **more}


def lines(path: Path, *rows: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(item) + "\n" for item in rows))
    return path


@pytest.fixture
def carried(sampleui):
    """Return how many verdicts a report counts, and how many of these as given on an earlier run."""

    def told(path: Path) -> tuple[int, int]:
        review = json.loads(sampleui("report", path, "--format", "json").out)["review"]
        return review["reviewed"], review["carried"]

    return told


def test_a_copy_of_an_evaluation_is_in_no_series_and_is_no_previous_run(sampleui, tmp_path):
    promptfoo(tmp_path / "one.json", "eval-1", "2026-01-01T00:00:00Z", passes=True)
    two = promptfoo(tmp_path / "two.json", "eval-2", "2026-01-02T00:00:00Z", passes=False)
    shutil.copy(two, tmp_path / "reviewed.json")
    said = sampleui("report", two, "--previous", "--series", "--format", "json")
    data = json.loads(said.out)
    assert [run["name"] for run in data["series"]["runs"]] == ["one.json", "two.json"]
    assert data["series"]["baseline"].endswith("one.json")
    assert "reviewed.json is left out: it is of the same evaluation" in said.err
    copy = [run.name for run in timed_runs(open_results(tmp_path / "reviewed.json"))]
    assert copy == ["one.json", "reviewed.json"], "the file that is looked at stays"


def test_a_copy_alone_is_no_earlier_run(sampleui, tmp_path):
    one = promptfoo(tmp_path / "one.json", "eval-1", "2026-01-01T00:00:00Z", passes=True)
    shutil.copy(one, tmp_path / "copy.json")
    assert "no earlier run" in sampleui("report", one, "--previous").err


def test_an_explicit_baseline_of_the_same_evaluation_is_compared_and_named(sampleui, tmp_path):
    old = promptfoo(tmp_path / "old.json", "eval-1", "2026-01-01T00:00:00Z", passes=False)
    new = promptfoo(tmp_path / "new.json", "eval-1", "2026-01-01T00:00:00Z", passes=True)
    said = sampleui("report", new, "--baseline", old)
    assert "old.json is of the same evaluation as new.json: copied or graded again, and no other run" in said.err
    assert "1 better" in said.out
    other = promptfoo(tmp_path / "other.json", "eval-2", "2026-01-01T00:00:00Z", passes=True)
    assert "same evaluation" not in sampleui("report", new, "--baseline", other).err


def test_a_log_that_was_copied_later_is_not_the_latest_run(tmp_path):
    log = tmp_path / "2026-11-28T13-58-27-00-00_scores_8RYLQ2qPReDrg6WHkxiJWn.eval"
    shutil.copy(LOG, log)
    for name in ("reviewed.eval", "2026-11-28T13-58-27-00-00_scores_copy.eval"):
        shutil.copy(LOG, tmp_path / name)
        os.utime(tmp_path / name, (4e9, 4e9))
    assert latest_of(tmp_path)[0] == log


def test_a_copied_folder_of_a_run_is_not_the_latest(tmp_path):
    run = row("2026-11-28T14:02:27.493Z", test_id="a", score=0)
    run["projection_identity"] = {"dimensions": {"run_id": "2026-11-28T14-02-27-343Z"}}
    for name in ("2026-11-28T14-02-27-343Z", "kept"):
        (tmp_path / name).mkdir()
        lines(tmp_path / name / "index.jsonl", run)
    os.utime(tmp_path / "kept" / "index.jsonl", (4e9, 4e9))
    assert [path.parent.name for path in latest_of(tmp_path)] == ["2026-11-28T14-02-27-343Z", "kept"]


def test_a_verdict_is_never_carried_back_in_time(sampleui, tmp_path, carried):
    early = lines(tmp_path / "run-1.jsonl", row("2026-11-01T10:00:00Z"))
    late = lines(tmp_path / "run-2.jsonl", row("2026-11-02T10:00:00Z"))
    os.utime(early, (4e9, 4e9))  # what it says itself goes before when its file was written
    sampleui("verdict", late, "alpha", "model-wrong")
    assert carried(early) == (0, 0)
    assert "an earlier verdict" not in sampleui("next", early).out
    sampleui("verdict", early, "alpha", "ok")
    latest = lines(tmp_path / "run-3.jsonl", row("2026-11-03T10:00:00Z"))
    assert carried(latest) == (1, 1)


def test_a_verdict_on_a_copy_counts_for_the_evaluation_and_is_of_no_earlier_run(sampleui, tmp_path, carried):
    run = promptfoo(tmp_path / "run.json", "eval-1", "2026-01-01T00:00:00Z", passes=False)
    copy = shutil.copy(run, tmp_path / "copy.json")
    os.utime(copy, (4e9, 4e9))
    sampleui("verdict", copy, "alpha", "model-wrong")
    assert carried(run) == (1, 0)


def test_a_verdict_on_an_attempt_is_on_that_attempt_alone_in_a_copy(sampleui, tmp_path, carried):
    run = promptfoo(tmp_path / "run.json", "eval-1", "2026-01-01T00:00:00Z", passes=False)
    data = json.loads(run.read_text())
    (first,) = data["results"]["results"]
    data["results"]["results"] = [first, {**first, "id": "another row"}]
    run.write_text(json.dumps(data))
    copy = shutil.copy(run, tmp_path / "copy.json")
    sampleui("verdict", run, "alpha", "model-wrong")
    assert carried(run) == carried(copy) == (1, 0)


@pytest.mark.parametrize("missing", ["input expected", "target"])
def test_a_verdict_of_which_a_part_is_not_known_is_offered_and_does_not_count(sampleui, tmp_path, carried, missing):
    known = row("2026-11-02T10:00:00Z", target="m")
    part = {key: value for key, value in known.items() if key not in missing.split()}
    for name, before, after in (("first", known, part), ("second", part, known)):
        folder = tmp_path / name
        folder.mkdir()
        one = lines(folder / "one.jsonl", {**before, "timestamp": "2026-11-01T10:00:00Z"})
        two = lines(folder / "two.jsonl", after)
        assert sampleui("verdict", one, "alpha", "model-wrong", "--reviewer", "ann").code == 0
        assert carried(two) == (0, 0)
        assert "an earlier verdict on this answer" in sampleui("next", two, "--reviewer", "ann").out


def test_a_run_that_is_gone_was_there_before_its_verdict(sampleui, tmp_path, carried):
    one = lines(tmp_path / "one.jsonl", row(""))
    sampleui("verdict", one, "alpha", "model-wrong", "--reviewer", "ann")
    one.unlink()
    assert carried(lines(tmp_path / "two.jsonl", row("2999-01-01T00:00:00Z"))) == (1, 1)
    assert carried(lines(tmp_path / "old.jsonl", row("2001-01-01T00:00:00Z"))) == (0, 0)


def test_a_line_of_an_earlier_version_holds_for_a_later_run_by_its_parts(sampleui, tmp_path, carried):
    one = lines(tmp_path / "one.jsonl", row("2026-11-01T10:00:00Z"))
    two = lines(tmp_path / "two.jsonl", row("2026-11-02T10:00:00Z"))
    sampleui("verdict", one, "alpha", "grader-wrong", "--reviewer", "ann")
    log = tmp_path / "one.reviews.jsonl"
    line = json.loads(log.read_text())
    record = open_results(one).indexed().record(0)
    from sampleui.review.log.verdict_migration import values_digest

    del line["same"]
    older = {**line, "content": "0123456789abcdef", "values": values_digest(record), "outcome": "failed"}
    log.write_text(json.dumps(older) + "\n")
    assert carried(two) == (1, 1)
    log.write_text(json.dumps({**older, "outcome": "passed"}) + "\n")
    assert carried(two) == (0, 0)
    (read,) = entries_of(log.read_bytes())
    assert read is not None


def test_what_is_left_out_of_a_file_is_named_and_no_part_of_what_was_written(sampleui, tmp_path):
    run = promptfoo(tmp_path / "run.json", "eval-1", "2026-01-01T00:00:00Z", passes=False)
    sampleui("verdict", run, "alpha", "ok", "--reviewer", "ann")
    sampleui("verdict", run, "alpha", "model-wrong", "--reviewer", "bob")
    said = sampleui("verdicts", run, "--to", "promptfoo", "-o", tmp_path / "copy.json")
    assert said.code == 1 and "written" not in said.out
    assert "alpha: left out, reviewers disagree (ann ok, bob model-wrong)" in said.err
    sampleui("verdict", run, "alpha", "ok", "--reviewer", "bob")
    said = sampleui("verdicts", run, "--to", "promptfoo", "-o", tmp_path / "copy.json")
    assert (said.code, said.out) == (0, f"{tmp_path / 'copy.json'}: 1 verdict written\n")
    other = lines(tmp_path / "other.jsonl", row("2026-11-01T10:00:00Z"))
    sampleui("verdict", other, "alpha", "ok")
    assert sampleui("export", other, "--verdict", "ok", "--to", tmp_path / "out.jsonl").code == 0
    again = sampleui("export", other, "--verdict", "ok", "--to", tmp_path / "out.jsonl")
    assert again.code == 1 and "left out" in again.out


def test_a_verdict_on_a_later_iteration_is_not_written_into_the_feedback_of_an_earlier_one(sampleui, tmp_path):
    workspace = ROOT / "tests" / "integrations" / "skills" / "written" / "greeter-workspace"
    for number in (1, 2):
        folder = tmp_path / f"iteration-{number}"
        shutil.copytree(workspace / "iteration-1", folder)
        (folder / "feedback.json").unlink(missing_ok=True)
    later, earlier = tmp_path / "iteration-2", tmp_path / "iteration-1"
    record = open_results(later).indexed().entries[0].id
    assert sampleui("verdict", later, record, "model-wrong", "--comment", "too curt").code == 0
    assert sampleui("verdicts", earlier, "--to", "skills").code == 1
    assert not (earlier / "feedback.json").exists()
    assert sampleui("verdicts", later, "--to", "skills").code == 0
    assert "too curt" in (later / "feedback.json").read_text()


OUTCOMES = [
    {"id": "right", "output": "x", "success": True},
    {"id": "wrong", "output": "x", "success": False},
    {"id": "broken", "error": "boom", "success": False},
    {"id": "open", "output": "x"},
]


@pytest.mark.parametrize(
    ("outcome", "named"), [("passed", "right"), ("failed", "wrong"), ("error", "broken"), ("ungraded", "open")]
)
def test_every_outcome_that_a_report_counts_can_be_asked_for_by_its_word(sampleui, tmp_path, outcome, named):
    run = lines(tmp_path / "run.jsonl", *({"input": "q", **item} for item in OUTCOMES))
    said = sampleui("report", run, "--filter", f"outcome:{outcome}", "--records", "all", "--format", "json")
    data = json.loads(said.out)
    assert [record["id"] for record in data["records"]] == [named]
    assert data["records"][0]["outcome"] == outcome


@pytest.mark.parametrize(
    ("words", "known"),
    [
        ("outcome:bogus", "no outcome is bogus; there are passed, failed, error, ungraded"),
        ("verdict:wrongish", "no verdict is wrongish; there are model-wrong"),
        ("-proposed:maybe", "no proposed is maybe; there are"),
    ],
)
def test_a_word_that_a_field_never_holds_is_told(sampleui, tmp_path, words, known):
    run = lines(tmp_path / "run.jsonl", *({"input": "q", **item} for item in OUTCOMES))
    said = sampleui("report", run, "--filter", words, "--records", "all")
    assert said.code == 2 and known in said.err


def test_records_of_one_sample_are_named_by_what_tells_them_apart(sampleui, tmp_path):
    tries = [
        {
            "test_id": "a",
            "score": 0,
            "input": "q",
            "output": f"{target} {attempt}",
            "target": target,
            "attempt": attempt,
        }
        for target in ("small", "large")
        for attempt in (1, 2)
    ]
    alone = {"test_id": "b", "score": 0, "input": "q", "output": "x", "target": "small"}
    run = lines(tmp_path / "run.jsonl", *tries, alone)
    results = open_results(run).indexed()
    assert [results.telling_name(entry) for entry in results.counted] == [
        "a (small, attempt 1)",
        "a#2 (small, attempt 2)",
        "a#3 (large, attempt 1)",
        "a#4 (large, attempt 2)",
        "b",
    ]
    assert "a (small, attempt 1): score 0" in sampleui("next", run).out
    assert "for a#2 (small, attempt 2) in" in sampleui("verdict", run, "a#2", "ok").out
