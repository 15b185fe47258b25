"""Runs of skills as records: in all layouts, counted right, and nothing written by looking."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from sampleui.errors import ResultsError
from sampleui.formats.data import Table
from sampleui.integrations.skills.results import recorded_outcomes
from sampleui.review.record import Outcome, outcome_of
from sampleui.review.reports.against_baselines import Discrimination, against_baselines, records_by_telling
from sampleui.review.reports.series import timed_runs
from sampleui.review.results.file import Results, open_results
from sampleui.review.results.run_paths import runs_in
from sampleui.sample.dialects.shipped import LEAST
from sampleui.sample.model import Sample
from sampleui.trace.reading.extract import read_trace
from tests.command import ran
from tests.tui.driver import ROOT

from .workspaces import workspace, write_json

WORKSPACES = int(os.environ.get("SAMPLEUI_WORKSPACES", "40"))
OUTCOMES = {True: Outcome.PASSED, False: Outcome.FAILED, None: Outcome.UNGRADED}


def opened(path: Path) -> Results:
    return open_results(path, ()).indexed()


def state(folder: Path) -> dict[str, tuple[int, bytes]]:
    return {
        str(path): (path.stat().st_mtime_ns, path.read_bytes())
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.mark.parametrize("seed", range(WORKSPACES))
def test_random_workspaces_are_counted_right_and_nothing_is_written(seed: int, tmp_path: Path) -> None:
    folder = tmp_path / "some-workspace"
    true = workspace(folder, seed)
    before = state(tmp_path)

    for name, expected in true.items():
        results = opened(folder / name)
        records = [results.record(index) for index in range(len(results))]
        found = {str(record.data["skill_run"]): record for record in records}
        assert {run: outcome_of(record) for run, record in found.items()} == {
            run: OUTCOMES[passed] for run, passed in expected.outcomes.items()
        }
        for run, counts in expected.expectations.items():
            verdicts = [mark.verdict for mark in found[run].grades]
            assert (verdicts.count("pass"), verdicts.count("fail"), verdicts.count(None)) == counts
        assert sum("counts for none" in note for note in results.source.notes) == expected.misplaced
    assert opened(folder).path.name == max(true, key=lambda name: int(name.partition("-")[2]))
    assert state(tmp_path) == before


def test_iterations_are_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    for number in (10, 2, 9):
        run(tmp_path / "a-workspace" / f"iteration-{number}" / "eval-1" / "with_skill")

    assert [path.name for path in runs_in(tmp_path / "a-workspace")] == [
        "iteration-10",
        "iteration-9",
        "iteration-2",
    ]


def run(folder: Path, *passed: bool, **more: object) -> Path:
    """Write a run with expectations that passed or not, and files by their names with `__` for a dot."""
    (folder / "outputs").mkdir(parents=True)
    if passed:
        items = [{"text": f"s{number}", "passed": item, "evidence": "e"} for number, item in enumerate(passed)]
        write_json(folder / "grading.json", {"expectations": items, **more})
    return folder


def test_a_run_without_a_grading_is_ungraded(tmp_path: Path) -> None:
    run(tmp_path / "iteration-1" / "e" / "with_skill")

    (entry,) = opened(tmp_path / "iteration-1").entries

    assert outcome_of(entry) is Outcome.UNGRADED


def test_the_id_is_that_of_the_metadata_or_the_number_of_the_folder_or_its_name(tmp_path: Path) -> None:
    home = tmp_path / "iteration-1"
    for name in ("eval-7-x", "words", "other"):
        run(home / name / "with_skill", True)
    write_json(home / "other" / "eval_metadata.json", {"eval_id": 3})

    assert {entry.sample_id for entry in opened(home).entries} == {"7", "words", "3"}


def test_a_name_has_the_id_that_another_iteration_says_of_it(tmp_path: Path) -> None:
    run(tmp_path / "w" / "iteration-1" / "eval-5-sum" / "with_skill", True)
    write_json(
        tmp_path / "w" / "iteration-1" / "eval-5-sum" / "eval_metadata.json", {"eval_id": 5, "eval_name": "sum"}
    )
    run(tmp_path / "w" / "iteration-2" / "sum" / "with_skill", True)

    assert [entry.sample_id for entry in opened(tmp_path / "w").entries] == ["5"]


def test_outputs_are_the_answer_and_what_is_no_output_is_not(tmp_path: Path) -> None:
    folder = run(tmp_path / "iteration-1" / "eval-1" / "with_skill", True)
    (folder / "outputs" / "a.md").write_text("# Hello")
    (folder / "outputs" / "metrics.json").write_text("{}")
    (folder / "outputs" / "b.bin").write_bytes(b"\0\1")

    record = opened(tmp_path / "iteration-1").record(0)

    assert "# Hello" in record.actual
    assert "b.bin · 2 bytes" in record.actual
    assert "metrics" not in record.actual


def test_a_transcript_is_the_trace_and_says_what_was_asked(tmp_path: Path) -> None:
    folder = run(tmp_path / "iteration-1" / "eval-1" / "with_skill", True)
    (folder / "transcript.md").write_text(
        "## Eval Prompt\n\nAdd them.\n\n## Steps\n\n1. x\n\n## Final Answer\n\n3\n"
    )

    record = opened(tmp_path / "iteration-1").record(0)

    assert record.asked[0]["content"] == "Add them."
    assert not read_trace(record.data, tmp_path).summary.counted
    assert record.evaluators[-1].reasoning == "iteration-1/eval-1/with_skill/transcript.md"
    assert [message["role"] for message in record.data["output_messages"]] == ["user", "assistant", "assistant"]  # type: ignore[index, union-attr, call-overload]


def test_expectations_that_are_no_list_are_told_and_leave_the_run_ungraded(tmp_path: Path) -> None:
    folder = run(tmp_path / "iteration-1" / "e" / "with_skill")
    write_json(folder / "grading.json", {"expectations": {"text": "It adds.", "passed": True}})

    record = opened(tmp_path / "iteration-1").record(0)

    assert outcome_of(record) is Outcome.UNGRADED
    assert [note.message for note in record.notes] == [
        "the expectations of grading.json are no list, and are not read"
    ]


def test_a_summary_that_contradicts_its_expectations_is_told_and_does_not_count(tmp_path: Path) -> None:
    run(tmp_path / "iteration-1" / "eval-1" / "with_skill", True, summary={"passed": 0, "total": 1})

    results = opened(tmp_path / "iteration-1")

    assert outcome_of(results.entries[0]) is Outcome.PASSED
    assert "the summary says 0 of 1" in results.record(0).notes[0].message


def benchmark(home: Path, *runs: dict[str, object], **summary: object) -> None:
    """Write what a benchmark says of runs of eval 1, and of configurations on average."""
    rows = [
        {"eval_id": 1, "configuration": "with_skill", "run_number": number, "result": run}
        for number, run in enumerate(runs, start=1)
    ]
    write_json(home / "benchmark.json", {"runs": rows, "run_summary": summary})


def test_a_benchmark_that_says_something_else_is_told_with_its_run(tmp_path: Path) -> None:
    home = tmp_path / "iteration-1"
    folder = run(home / "eval-1" / "with_skill" / "run-1", True, False)
    write_json(folder / "timing.json", {"total_tokens": 50, "total_duration_seconds": 3})
    benchmark(home, {"passed": 2, "failed": 0, "total": 2, "tokens": 900, "time_seconds": 4})

    results = opened(home)

    assert [note.partition("with_skill/run-1: ")[2] for note in results.source.notes] == [
        "benchmark.json says 2 of 2; the folder says 1 of 2",
        "benchmark.json says 900 tokens; the folder says 50",
        "benchmark.json says 4 seconds; the folder says 3",
    ]
    assert [note.message.partition(": ")[2] or note.message for note in results.record(0).notes] == [
        "benchmark.json says 2 of 2; the folder says 1 of 2",
        "benchmark.json says 900 tokens; the folder says 50",
        "benchmark.json says 4 seconds; the folder says 3",
    ]


@pytest.mark.parametrize(
    ("passed", "result", "told"),
    [
        ((True,), {"passed": 0, "total": 0}, "says 0 of 0; the folder says 1 of 1"),
        ((True,), {"passed": 1, "total": 1}, None),
        ((), {"passed": 1, "total": 1}, "says 1 of 1; the folder says nothing of expectations"),
        ((), {"passed": 0, "total": 0}, None),
        ((True, False), {"pass_rate": 1.0}, "says a pass rate of 1; the folder says 1 of 2"),
    ],
)
def test_the_only_run_of_a_configuration_is_run_1_of_a_benchmark(
    passed: tuple[bool, ...], result: dict[str, object], told: str | None, tmp_path: Path
) -> None:
    home = tmp_path / "iteration-1"
    run(home / "eval-1" / "with_skill", *passed)
    benchmark(home, result)

    notes = opened(home).source.notes

    assert [note.partition("benchmark.json ")[2] for note in notes] == ([told] if told else [])


def test_a_configuration_whose_average_is_another_is_told(tmp_path: Path) -> None:
    home = tmp_path / "iteration-1"
    for number, passed in enumerate((True, False), start=1):
        run(home / "eval-1" / "with_skill" / f"run-{number}", passed)
        run(home / "eval-1" / "without_skill" / f"run-{number}", passed)
    benchmark(home, with_skill={"pass_rate": {"mean": 1.0}}, without_skill={"pass_rate": {"mean": 0.5}}, delta={})

    assert opened(home).source.notes == (
        "benchmark.json says 1 pass rate on average for with_skill; the folders 0.5",
    )


def test_an_average_is_compared_over_the_runs_that_a_benchmark_has(tmp_path: Path) -> None:
    home = tmp_path / "iteration-1"
    for number, tokens in enumerate((100, 900), start=1):  # the second one is ungraded, and no run of a benchmark
        folder = run(home / "eval-1" / "with_skill" / f"run-{number}", *((True,) if number == 1 else ()))
        write_json(folder / "timing.json", {"total_tokens": tokens})
    benchmark(home, {"passed": 1, "total": 1}, with_skill={"tokens": {"mean": 100}})

    assert opened(home).source.notes == ()


def test_runs_that_only_one_of_a_benchmark_and_the_folders_has_are_told(tmp_path: Path) -> None:
    home = tmp_path / "iteration-1"
    for number in range(3, 5):
        run(home / "eval-1" / "with_skill" / f"run-{number}", True)
    passed: dict[str, object] = {"passed": 1, "total": 1}
    benchmark(home, passed, passed, passed)

    assert opened(home).source.notes == (
        "benchmark.json has eval 1, with_skill, run 1, of which no folder is known",
        "benchmark.json has eval 1, with_skill, run 2, of which no folder is known",
        "benchmark.json says nothing of 1 run with a grading",
    )


@pytest.mark.parametrize("number", ["1e999", "-1e999", "NaN", "1" + "0" * 400, '"x"', "true", "[]"])
def test_numbers_that_are_none_count_for_nothing(number: str, tmp_path: Path) -> None:
    home = tmp_path / "iteration-1"
    folder = run(home / "eval-1" / "with_skill", True)
    said = f'{{"total_tokens": {number}, "total_duration_seconds": {number}, "duration_ms": {number}}}'
    (folder / "timing.json").write_text(said)
    result = (
        f'{{"pass_rate": {number}, "passed": {number}, "total": 2, "tokens": {number}, "time_seconds": {number}}}'
    )
    runs = f'[{{"eval_id": 1, "configuration": "with_skill", "result": {result}}}]'
    means = f'{{"with_skill": {{"pass_rate": {{"mean": {number}}}, "tokens": {{"mean": {number}}}}}}}'
    (home / "benchmark.json").write_text(f'{{"runs": {runs}, "run_summary": {means}}}')

    for path in (home, home / "benchmark.json"):
        results = opened(path)
        assert results.record(0).latency_ms is None
        assert results.record(0).tokens is None
    assert outcome_of(opened(home).entries[0]) is Outcome.PASSED


def test_a_benchmark_alone_is_a_run(tmp_path: Path) -> None:
    result = {"pass_rate": 0.5, "passed": 1, "failed": 1, "total": 2, "time_seconds": 2.0, "tokens": 900}
    rows: list[dict[str, object]] = [
        {"eval_id": 1, "configuration": name, "run_number": 1, "result": result, "expectations": []}
        for name in ("with_skill", "without_skill")
    ]
    write_json(tmp_path / "benchmark.json", {"metadata": {}, "runs": rows, "run_summary": {}})

    results = opened(tmp_path / "benchmark.json")

    assert [(entry.target, outcome_of(entry)) for entry in results.entries] == [
        ("with_skill", Outcome.FAILED),
        ("without_skill", Outcome.FAILED),
    ]
    assert results.record(0).latency_ms == 2000


def test_feedback_is_shown_with_its_run_in_both_forms(tmp_path: Path) -> None:
    for number in (1, 2):
        run(tmp_path / "w" / f"iteration-{number}" / "eval-1" / "with_skill", True)
    reviews = [{"run_id": "eval-1-with_skill", "feedback": "Too long."}]
    write_json(tmp_path / "w" / "iteration-1" / "feedback.json", {"reviews": reviews, "status": "complete"})
    write_json(tmp_path / "w" / "iteration-2" / "feedback.json", {"eval-1": ""})

    told = {
        item.name: item.reasoning for item in opened(tmp_path / "w").record(0).evaluators if item.type == "person"
    }

    assert told == {"feedback": "looked at, and found fine", "feedback before": "Too long."}


def test_a_suggestion_stands_at_its_expectation(tmp_path: Path) -> None:
    feedback = {"suggestions": [{"assertion": "s0", "reason": "too easy"}], "overall": "ok"}
    run(tmp_path / "iteration-1" / "eval-1" / "with_skill", True, eval_feedback=feedback)

    record = opened(tmp_path / "iteration-1").record(0)

    assert [item.text for item in record.evaluators[0].assertions] == ["suggestion: too easy"]


def test_statements_of_an_eval_are_told_with_how_they_came_out(tmp_path: Path) -> None:
    run(tmp_path / "iteration-1" / "eval-1" / "with_skill", True, False)
    record = opened(tmp_path / "iteration-1").record(0)
    data: Table = {
        "expectations": ["s0", {"text": "s1"}, "new"],
        "assertions": [{"name": "n", "description": "s0"}],
    }

    told = recorded_outcomes(record, Sample("1", 0, data, LEAST, (), tmp_path))

    assert told == {("expectations", 0): True, ("expectations", 1): False, ("assertions", 0): True}


@pytest.mark.parametrize("link", ["eval-2", "eval-1/with_skill", "eval-1/with_skill/outputs"])
def test_no_link_out_of_the_folder_is_followed(link: str, tmp_path: Path) -> None:
    home, outside = tmp_path / "iteration-1", tmp_path / "outside"
    run(home / "eval-1" / "with_skill", True)
    run(outside / "run-1", True)
    (outside / "secret.txt").write_text("SECRET")
    (outside / "outputs").mkdir()
    (outside / "outputs" / "secret.txt").write_text("SECRET")
    if (home / link).exists():
        shutil.rmtree(home / link)
    (home / link).symlink_to(outside)
    run(home / "eval-3" / "with_skill", True)

    results = opened(home)

    said = json.dumps([results.record(index).data for index in range(len(results))])
    assert "SECRET" not in said
    assert "secret.txt" not in said


def test_links_that_are_not_followed_are_told_by_where_they_are(tmp_path: Path) -> None:
    home, outside = tmp_path / "iteration-1", tmp_path / "outside"
    run(home / "eval-1" / "with_skill", True)
    run(outside / "run-1", True)
    (home / "eval-1" / "without_skill").symlink_to(outside)
    (home / "eval-1" / "with_skill" / "transcript.md").symlink_to(outside / "run-1" / "grading.json")

    results = opened(home)

    assert "eval-1/without_skill is not looked into: a link to a folder" in results.ended
    notes = [note.message for note in results.record(0).notes]
    assert notes == ["transcript.md is a link, which is not followed"]


def test_a_grading_that_is_a_link_out_is_not_read(tmp_path: Path) -> None:
    folder = run(tmp_path / "iteration-1" / "eval-1" / "with_skill")
    write_json(tmp_path / "grading.json", {"expectations": [{"text": "x", "passed": True}]})
    (folder / "grading.json").symlink_to(tmp_path / "grading.json")

    results = opened(tmp_path / "iteration-1")

    assert outcome_of(results.entries[0]) is Outcome.UNGRADED
    assert "outside" in results.record(0).notes[0].message


def test_large_outputs_are_named_and_not_read(tmp_path: Path) -> None:
    folder = run(tmp_path / "iteration-1" / "eval-1" / "with_skill", True)
    with (folder / "outputs" / "big.txt").open("wb") as file:
        file.truncate(200 << 20)
    for number in range(1_200):
        (folder / "outputs" / f"f{number}.dat").touch()

    record = opened(tmp_path / "iteration-1").record(0)

    assert "too large to be shown" in record.actual
    assert len(record.actual) < 50_000
    assert any("1,000" in note.message for note in record.notes)


def test_statements_are_told_apart_by_what_they_tell(tmp_path: Path) -> None:
    home = tmp_path / "iteration-1" / "eval-1"
    for number, passed in enumerate([(True, False, True, True, False), (True, False, True, False, False)], start=1):
        run(home / "with_skill" / f"run-{number}", *passed)
        run(home / "without_skill" / f"run-{number}", True, False, False, True, True)

    (against,) = against_baselines(opened(tmp_path / "iteration-1"))

    assert {item.statement: item.tells for item in against.statements} == {
        "s0": Discrimination.ALWAYS,
        "s1": Discrimination.NEVER,
        "s2": Discrimination.MADE,
        "s3": Discrimination.CHANGES,
        "s4": Discrimination.LOST,
    }


def test_what_statements_tell_leads_to_their_records(tmp_path: Path) -> None:
    for number, (mine, theirs) in enumerate([(True, True), (True, False), (False, False)], start=1):
        run(tmp_path / "iteration-1" / f"eval-{number}" / "with_skill", mine)
        run(tmp_path / "iteration-1" / f"eval-{number}" / "without_skill", theirs)
    results = opened(tmp_path / "iteration-1")

    told = records_by_telling(results)

    assert {name: {results.entries[at].sample_id for at in records} for name, records in told.items()} == {
        "statements that pass always in both": {"1"},
        "statements that fail always in both": {"3"},
        "statements that pass with with_skill alone": {"2"},
    }
    assert {len(records) for records in told.values()} == {2}


def test_figures_with_the_skill_are_paired_by_eval_with_those_without(tmp_path: Path) -> None:
    for number, (mine, theirs) in enumerate(
        [((True, True), (True, False)), ((True, False), (False, False))], start=1
    ):
        home = tmp_path / "iteration-1" / f"eval-{number}"
        write_json(
            run(home / "with_skill", *mine) / "timing.json", {"total_tokens": 100 * number, "duration_ms": 2000}
        )
        write_json(run(home / "old_skill", *theirs) / "timing.json", {"total_tokens": 50, "duration_ms": 1000})
    run(tmp_path / "iteration-1" / "eval-3" / "with_skill", True)

    (against,) = against_baselines(opened(tmp_path / "iteration-1"))

    assert (against.target, against.baseline) == ("with_skill", "old_skill")
    told = {item.name: (item.comparison.n_paired, item.comparison.mean_difference) for item in against.measures}
    assert told == {"statements": (2, 0.5), "runs": (2, 0.5), "tokens": (2, 100.0), "seconds": (2, 1.0)}


def test_runs_that_nobody_graded_are_paired_by_what_people_found(tmp_path: Path) -> None:
    iteration = tmp_path / "demo-workspace" / "iteration-1"
    for number in range(1, 4):
        for name in ("with_skill", "without_skill"):
            run(iteration / f"eval-{number}" / name)
    for index, entry in enumerate(opened(iteration).entries):
        verdict = "model-wrong" if entry.target == "without_skill" and index < 4 else "ok"
        ran("verdict", iteration, entry.id, verdict, "--reviewer", "ann")
    told = json.loads(ran("report", iteration, "--format", "json").out)
    (measure,) = told["against"][0]["measures"]
    assert (measure["name"], measure["n_paired"]) == ("runs, by people", 3)
    assert (measure["baseline_mean"], measure["target_mean"]) == (pytest.approx(1 / 3), 1.0)
    assert measure["interval"] is not None


def test_runs_of_one_configuration_have_no_baseline(tmp_path: Path) -> None:
    run(tmp_path / "iteration-1" / "eval-1" / "with_skill", True)

    assert against_baselines(opened(tmp_path / "iteration-1")) == ()


def test_records_are_read_where_the_first_rows_were_asked_for_in_between(tmp_path: Path) -> None:
    for number in range(150):
        run(tmp_path / "iteration-1" / f"eval-{number}" / "with_skill", True)
    results = opened(tmp_path / "iteration-1")

    assert len(results.first_rows) < len(results)
    assert results.record(149).sample_id == "149"


def test_iterations_over_time_are_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    for number, passed in (
        (10, True),
        (9, False),
        (2, False),
    ):  # the last one is the first in time, as after a copy
        run(tmp_path / "w" / f"iteration-{number}" / "eval-1" / "with_skill", passed)

    assert [each.name for each in timed_runs(opened(tmp_path / "w"))] == [
        "iteration-2",
        "iteration-9",
        "iteration-10",
    ]


def test_a_skill_and_a_single_run_are_called_what_they_are_and_not_results(tmp_path: Path) -> None:
    skills = shutil.copytree(ROOT / "examples" / "skills", tmp_path / "skills")
    run = skills / "greeter-workspace/iteration-1/eval-0-card/with_skill/run-1"
    assert open_results(skills / "greeter-workspace", ()).indexed().entries
    for folder, told in (
        (skills / "greeter", "the folder is a skill; its runs are in greeter-workspace, beside it"),
        (run, "the folder is one run of an eval; name the folder of the eval, or that of its iteration"),
    ):
        with pytest.raises(ResultsError, match=told):
            open_results(folder, ())
    shutil.rmtree(skills / "greeter-workspace")
    with pytest.raises(ResultsError, match="in greeter-workspace, where its evals were run"):
        open_results(skills / "greeter", ())


def test_a_record_is_found_by_what_a_terminal_shows_of_its_name(tmp_path: Path) -> None:
    for name in ("we\tird", "plain"):
        home = tmp_path / "w-workspace" / "iteration-1" / name / "with_skill"
        (home / "outputs").mkdir(parents=True)
        write_json(home / "grading.json", {"expectations": [{"text": "ok", "passed": False, "evidence": "e"}]})
    named = ran("next", "w-workspace", "--format", "id", folder=tmp_path).out.strip()
    for _ in range(2):
        assert ran("verdict", "--", "w-workspace", named, "ok", folder=tmp_path).code == 0
        named = ran("next", "w-workspace", "--format", "id", folder=tmp_path).out.strip()
    assert named == ""


def test_a_sample_is_its_eval_though_one_run_alone_has_a_transcript(tmp_path: Path) -> None:
    iteration = tmp_path / "greeter-workspace" / "iteration-1"
    for name in ("eval-1", "words", "eval-3"):
        for configuration in ("with_skill", "without_skill"):
            folder = iteration / name / configuration
            (folder / "outputs").mkdir(parents=True)
            (folder / "outputs" / "a.md").write_text("hi")
            graded = [{"text": "says hi", "passed": True, "evidence": "hi"}]
            (folder / "grading.json").write_text(json.dumps({"expectations": graded}))
        transcript = iteration / name / "with_skill" / "transcript.md"
        transcript.write_text("## Eval Prompt\n\nSay hi\n\n## Steps\nx\n")
    (iteration / "words" / "with_skill" / "transcript.md").unlink()
    data = json.loads(ran("report", iteration, "--format", "json").out)
    assert data["run"]["samples"] == 3


def test_a_grading_of_other_keys_is_named_as_one(tmp_path: Path) -> None:
    folder = tmp_path / "iteration-1" / "eval-1" / "with_skill"
    (folder / "outputs").mkdir(parents=True)
    (folder / "grading.json").write_text(json.dumps({"verdicts": [], "judge": "x"}))
    results = open_results(tmp_path / "iteration-1").indexed()
    notes = [note.message for note in results.record(0).notes]
    assert notes == [
        "grading.json has verdicts, judge and no expectations: it is another grading, which is not read"
    ]
