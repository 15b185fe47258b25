"""Folders that AgentV and gage-eval write: rows twice, several targets, artifacts, outcomes."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from sampleui.errors import ResultsError
from sampleui.review.filters import Filters
from sampleui.review.log.store import open_log
from sampleui.review.queue import Queue, items_of
from sampleui.review.record import failed, failing_evaluators, why_failed
from sampleui.review.reports.report import report_of
from sampleui.review.results import run_paths
from sampleui.review.results.file import open_results
from sampleui.review.results.run_paths import index_of, run_name, run_of, runs_in, time_written
from tests.inside import inside
from tests.review.build import only_record, results_of, write_jsonl


def row(sample: str, target: str = "mock-a", **more: object) -> dict[str, object]:
    dimensions = {"eval_path": "evals/desk.eval.yaml", "attempt": 0, **more.pop("dimensions", {})}  # type: ignore[dict-item]
    return {
        "test_id": sample,
        "target": target,
        "score": 1,
        "execution_status": "ok",
        "projection_identity": {"dimensions": dimensions},
        **more,
    }


def line(role: str, text: str, target: str = "mock-a", **more: object) -> dict[str, object]:
    return {"test_id": "a", "target": target, "message_index": 0, "role": role, "content": text, **more}


class TestIdentity:
    def test_a_rerun_counts_once_by_its_last_row(self, tmp_path: Path) -> None:
        results = results_of(tmp_path, row("a", score=0, n=1), row("b"), row("a", n=2), row("a", "mock-b"))
        assert results.superseded == {0: 2}
        assert [(one.id, one.target) for one in results.counted] == [
            ("b", "mock-a"), ("a", "mock-a"), ("a#2", "mock-b"),
        ]  # fmt: skip
        assert results.find("a") is results.entries[2]
        assert results.find("#1") is results.entries[0]
        assert results.find("#9") is None

    def test_attempts_and_decks_are_told_apart(self, tmp_path: Path) -> None:
        rows = [row("a", dimensions={"attempt": at}) for at in (0, 1)]
        rows += [row("a", dimensions={"eval_path": "other.yaml"}), row("a", sample_index=3)]
        results = results_of(tmp_path, *rows)
        assert results.superseded == {}
        assert [one.attempt for one in results.entries] == [0, 1, 0, 3]
        assert [one.source for one in results.entries][2] == "other.yaml"

    def test_what_was_replaced_is_shown_where_it_is_asked_for(self, tmp_path: Path) -> None:
        results = results_of(tmp_path, row("a", n=1), row("a", n=2))
        queue = Queue().with_items(items_of(results.entries, lambda _: None), frozenset(results.superseded))
        assert queue.visible == (1,)
        assert queue.shown(Filters(only=frozenset({0}))).visible == (0,)
        run = report_of(results, open_log(tmp_path / "log")).figures.run
        assert (run.counts.records, run.replaced) == (1, 1)

    def test_a_row_may_stand_for_several_tries(self, tmp_path: Path) -> None:
        trials = [{"attempt": 0, "verdict": "fail"}, {"verdict": "pass"}, {"execution_status": "quality_failure"}]
        assert only_record(tmp_path, row("a", trials=trials)).trials == (1, 3)
        summed = {"passed_samples": 2, "total_samples": 4}
        assert only_record(tmp_path, row("a", aggregation=summed)).trials == (2, 4)

    def test_the_copy_that_a_run_keeps_is_not_its_deck(self, tmp_path: Path) -> None:
        kept = {"test_id": "a", "score": 1, "task_dir": "desk/a/task", "eval_path": "desk/a/task/EVAL.yaml"}
        assert only_record(tmp_path, kept).source is None
        assert only_record(tmp_path, {"test_id": "a", "score": 1, "eval_path": "x.yaml"}).source == "x.yaml"


class TestOutcomes:
    @pytest.mark.parametrize(
        ("more", "fails"),
        [
            ({"execution_status": "ok", "score": 0.5}, False),
            ({"execution_status": "quality_failure", "score": 0.9}, True),
            ({"execution_status": None, "success": True, "score": 0.1}, False),
            ({"execution_status": None, "status": "failed", "score": 0.9}, True),
            ({"execution_status": None, "threshold": 0.3, "score": 0.5}, False),
            ({"execution_status": "execution_error", "score": 1}, True),
            ({"execution_status": "ok", "scores": [{"name": "style", "score": 0, "verdict": "fail"}]}, False),
        ],
    )
    def test_a_record_passes_as_its_runner_says(self, tmp_path: Path, more: dict[str, Any], fails: bool) -> None:
        record = only_record(tmp_path, row("a", **more))
        assert failed(record) is fails
        assert bool(why_failed(record)) is fails

    def test_a_threshold_that_is_asked_for_rules(self, tmp_path: Path) -> None:
        record = only_record(tmp_path, row("a", score=0.5))
        assert not failed(record)
        assert why_failed(record, 0.6) == ("score 0.5 is under 0.6",)
        missed = only_record(tmp_path, row("a", score=0.5, execution_status="quality_failure"))
        assert why_failed(missed) == ("score 0.5, failed by its runner",)
        assert not failed(missed, 0.5)

    def test_an_evaluator_fails_by_its_own_verdict(self, tmp_path: Path) -> None:
        scores = [{"name": "a", "score": 0.5, "verdict": "pass"}, {"name": "b", "score": 0.9, "verdict": "fail"}]
        record = only_record(tmp_path, row("a", scores=scores))
        assert failing_evaluators(record) == ("b",)
        assert failing_evaluators(record, 0.8) == ("a",)


class TestArtifacts:
    def run(self, folder: Path, *targets: str) -> Path:
        outputs = folder / "desk" / "a" / "outputs"
        outputs.mkdir(parents=True)
        (outputs / "answer.md").write_text("It is shipped.\n")
        lines = [line("user", "Where?", targets[-1]), line("assistant", "It is shipped.", targets[-1])]
        write_jsonl(outputs / "transcript.jsonl", lines)
        paths = {"output_path": "desk/a/outputs/answer.md", "transcript_path": "desk/a/outputs/transcript.jsonl"}
        write_jsonl(folder / "index.jsonl", [row("a", target, **paths) for target in targets])
        return folder

    def test_a_transcript_is_read_with_its_row(self, tmp_path: Path) -> None:
        record = open_results(self.run(tmp_path, "mock-a")).indexed().record(0)
        assert (record.actual, record.notes) == ("It is shipped.", ())
        assert [one["role"] for one in inside(record.data, "transcript")] == ["user", "assistant"]

    def test_spans_are_read_where_the_transcript_is_gone(self, tmp_path: Path) -> None:
        folder = self.run(tmp_path, "mock-a")
        outputs = folder / "desk" / "a" / "outputs"
        (outputs / "transcript.jsonl").unlink()
        (outputs / "trace.json").write_text(json.dumps({"trace": {"spans": []}}))
        record = open_results(folder).indexed().record(0)
        assert record.data["transcript"] == {"trace": {"spans": []}}
        assert ["transcript.jsonl does not exist" in note.message for note in record.notes] == [True]

    def test_an_overwritten_answer_is_nobody_elses(self, tmp_path: Path) -> None:
        results = open_results(self.run(tmp_path, "mock-a", "mock-b")).indexed()
        first, second = results.record(0), results.record(1)
        assert (first.actual, second.actual) == ("", "It is shipped.")
        assert "overwritten by the run of mock-b" in first.notes[0].message
        assert "several records name desk/a/outputs" in second.notes[0].message


class TestFolders:
    def test_an_error_has_no_scores_from_the_grading_of_another_target(self, tmp_path: Path) -> None:
        grading = {"graders": [{"name": "contains-x", "score": 0, "verdict": "fail"}]}
        (tmp_path / "grading.json").write_text(json.dumps(grading))
        rows = [row("a", target, grading_path="grading.json") for target in ("mock-a", "mock-b")]
        write_jsonl(tmp_path / "index.jsonl", [{**rows[0], "execution_status": "execution_error"}, rows[1]])
        entries = open_results(tmp_path).indexed().entries
        assert [[mark.name for mark in entry.grades] for entry in entries] == [[], ["contains-x"]]

    def test_a_folder_of_runs_opens_the_latest(self, tmp_path: Path) -> None:
        runs = tmp_path / ".agentv" / "results" / "runs" / "default"
        for at, name in enumerate(["2026-01-01", "2026-01-03", "2026-01-02"]):
            (runs / name).mkdir(parents=True)
            index = write_jsonl(runs / name / "index.jsonl", [row("a")])
            os.utime(index, (at, at))
        assert [one.parent.name for one in runs_in(tmp_path)] == ["2026-01-02", "2026-01-03", "2026-01-01"]
        assert index_of(tmp_path / ".agentv").parent.name == "2026-01-02"
        assert run_of(index_of(runs)) == runs / "2026-01-02"

    @pytest.mark.parametrize("name", ["2026-01-03T{}-00-00-000Z", "run-20260103{}0000-0a1b2c3d"])
    def test_the_name_of_a_run_says_when_it_was_even_in_a_copy(self, tmp_path: Path, name: str) -> None:
        for at, hour in enumerate(("08", "10", "09")):
            (tmp_path / name.format(hour)).mkdir()
            os.utime(write_jsonl(tmp_path / name.format(hour) / "index.jsonl", [row("a")]), (at, at))
        assert [one.parent.name for one in runs_in(tmp_path)] == [name.format(hour) for hour in ("10", "09", "08")]

    def test_a_gage_run_opens_its_samples(self, tmp_path: Path) -> None:
        write_jsonl(tmp_path / "events.jsonl", [{"event": "start"}])
        held = {
            "sample_id": "task:a",
            "task_id": "task",
            "sample": {"id": "a", "references": ["Tom"], "predict_result": [{"answer": "old"}]},
            "model_output": {"answer": "Tim", "latency_ms": 3},
            "judge_output": {},
            "metrics": {"em": {"values": {"score": 0.0, "length": 3}, "metadata": {}}},
        }
        failure = {**held, "sample": {"id": "b"}, "model_output": {"runtime_failure": {}}}
        failure["judge_output"] = {"status": "failed", "failure": {"message": "no answer"}}
        write_jsonl(tmp_path / "samples.jsonl", [held, failure])
        results = open_results(tmp_path).indexed()
        record = results.record(0)
        assert (record.id, record.suite, record.actual, record.expected) == ("a", "task", "Tim", "Tom")
        assert (record.score, record.latency_ms) == (0.0, 3.0)
        assert [(one.name, one.score) for one in record.evaluators] == [("em", 0.0), ("em/length", 3.0)]
        assert results.entries[1].error == "no answer"

    def test_a_folder_without_runs_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "empty").mkdir()
        with pytest.raises(ResultsError, match="no results"):
            index_of(tmp_path)


def test_a_nul_or_a_broken_byte_costs_its_line(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_bytes(
        b'{"test_id": "a", "score": 1}\n{"test_id": "b\0"}\n{"test_id": "\xff"}\n{"test_id": "c", "score": 1}\n'
    )
    results = open_results(path).indexed()
    assert ([one.id for one in results.entries], results.skipped) == (["a", "c"], 2)


class TestLostAnswers:
    def test_a_transcript_of_another_target_is_no_answer(self, tmp_path: Path) -> None:
        """AgentV drops rows when it runs failed tests again: nothing else may name the files any more."""
        (tmp_path / "desk").mkdir()
        (tmp_path / "desk" / "answer.md").write_text("No.")
        write_jsonl(tmp_path / "desk" / "transcript.jsonl", [line("assistant", "No.", "mock-b")])
        paths = {"output_path": "desk/answer.md", "transcript_path": "desk/transcript.jsonl"}
        aliased = {"dimensions": {"source_target": "mock-b"}}
        write_jsonl(tmp_path / "index.jsonl", [row("a", **paths), row("b", "alias", **paths, **aliased)])
        results = open_results(tmp_path).indexed()
        assert [(one.actual, one.lost) for one in map(results.record, range(2))] == [("", True), ("No.", False)]
        assert "overwritten by the run of mock-b" in results.record(0).notes[0].message

    def test_a_row_without_an_answer_shares_the_folder_of_its_test(self, tmp_path: Path) -> None:
        write_jsonl(tmp_path / "index.jsonl", [row("a", t, artifact_dir="desk/a") for t in ("mock-a", "mock-b")])
        notes = open_results(tmp_path).indexed().record(1).notes
        assert [note.message for note in notes] == [
            "several records name desk/a; its files are those of the last one written"
        ]


class TestSamplesOfARow:
    """AgentV 5: a row for a test of one target, `sample-N/` for each of its tries."""

    def run(self, folder: Path, *outcomes: bool) -> Path:
        samples = []
        for at, good in enumerate(outcomes):
            name, answer = f"sample-{at + 1}", "Paris" if good else "Lyon"
            home = folder / "capital--1a2b" / name
            (home / "outputs").mkdir(parents=True)
            (home / "outputs" / "answer.md").write_text(answer)
            (home / "grading.json").write_text(json.dumps({"pass": good, "component_results": []}))
            write_jsonl(home / "transcript-raw.jsonl", [line("user", "Capital?"), line("assistant", answer)])
            turns = [{"type": "assistant", "content": [{"type": "text", "text": answer}]}]
            (home / "transcript.json").write_text(json.dumps({"turns": turns}))
            status = "ok" if good else "quality_failure"
            samples.append(
                {
                    "sample": at + 1,
                    "sample_index": at,
                    "sample_path": name,
                    "score": int(good),
                    "execution_status": status,
                }
            )
        passed = any(outcomes)
        whole = row(
            "capital", score=int(passed), execution_status="ok" if passed else "quality_failure",
            result_dir="capital--1a2b", samples=samples,
            aggregation={"passed_samples": sum(outcomes), "total_samples": len(outcomes)},
        )  # fmt: skip
        (folder / ".internal").mkdir()
        write_jsonl(folder / ".internal" / "index.jsonl", [whole])
        return folder

    def test_the_answer_is_that_of_a_sample_with_the_outcome_of_the_row(self, tmp_path: Path) -> None:
        results = open_results(self.run(tmp_path, False, True, False)).indexed()
        record = results.record(0)
        assert (record.actual, record.trials, failed(record)) == ("Paris", (1, 3), False)
        assert record.notes == ()
        assert [one["role"] for one in record.data["transcript"]] == ["user", "assistant"]  # type: ignore[union-attr,index,call-overload]

    def test_every_sample_can_be_read(self, tmp_path: Path) -> None:
        results = open_results(self.run(tmp_path, False, True)).indexed()
        assert [(one.actual, failed(one), one.attempt) for one in results.tries(0)] == [
            ("Lyon", True, 0), ("Paris", False, 1),
        ]  # fmt: skip

    def test_a_row_of_one_sample_stands_for_itself(self, tmp_path: Path) -> None:
        results = open_results(self.run(tmp_path, False)).indexed()
        assert [one.trials for one in results.tries(0)] == [(0, 1)]

    def test_a_folder_that_is_gone_costs_the_files_alone(self, tmp_path: Path) -> None:
        folder = self.run(tmp_path, True, True)
        for path in (folder / "capital--1a2b" / "sample-1").rglob("*.*"):
            path.unlink()
        assert open_results(folder).indexed().record(0).actual == ""


def test_of_two_runs_of_one_second_the_later_one_comes_first(tmp_path: Path) -> None:
    names = ["2026-01-02T03-04-04-999Z", "2026-01-02T03-04-05-009Z", "2026-01-02T03-04-05-010Z"]
    for name in names:
        (tmp_path / name).mkdir()
    written = [time_written(tmp_path / name / "index.jsonl") for name in names]
    assert written == [1767323044.999, 1767323045.009, 1767323045.01]


def run_in(folder: Path) -> Path:
    folder.mkdir(parents=True)
    return write_jsonl(folder / "index.jsonl", [{"test_id": "a", "score": 1}])


def test_runs_are_looked_for_five_folders_deep_and_not_in_others_of_tools(tmp_path: Path) -> None:
    here = run_in(tmp_path / "a/b/c/d/e")
    run_in(tmp_path / "a/b/c/d/x/f")
    run_in(tmp_path / ".git/a")
    run_in(tmp_path / "node_modules/a")
    run_in(tmp_path / "a/b/c/d/e/inner")
    assert runs_in(tmp_path) == (here,)


def test_in_a_folder_without_end_no_more_is_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_paths, "MAX_RUN_FOLDERS", 1)
    first = run_in(tmp_path / "a/run")
    run_in(tmp_path / "b/run")
    assert runs_in(tmp_path) == (first,)


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("2026-01-02T03-04-05-678Z", 1767323045.678),
        ("20260102T030405", 1767323045),
        ("gage_20260102030405", 1767323045),
        ("2026-13-02T03-04-05", 7),
        ("run", 7),
    ],
)
def test_when_a_run_was_written(tmp_path: Path, name: str, written: float) -> None:
    index = run_in(tmp_path / name)
    os.utime(index, (7, 7))
    assert time_written(index) == written


def test_what_a_run_is_called(tmp_path: Path) -> None:
    index = run_in(tmp_path / "runs/one")
    assert run_name(index, tmp_path) == "runs/one"
    assert run_name(index, tmp_path / "runs/one") == "one"
    assert run_name(index, tmp_path / "other") == "one"
    assert run_name(tmp_path / "x.jsonl", tmp_path) == "x.jsonl"
