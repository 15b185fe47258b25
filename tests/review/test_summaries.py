"""Files that sum up results: what they are, and which files have the records."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sampleui.errors import ResultsError
from sampleui.formats.data import Table
from sampleui.review.results.file import open_results
from tests.command import ran

SCORES: Table = {
    "results": {"demo": {"alias": "demo", "acc,none": 1.0}},
    "configs": {"demo": {"task": "demo", "metric_list": [{"metric": "acc"}]}},
    "versions": {"demo": 1},
    "n-shot": {"demo": 0},
    "higher_is_better": {"demo": {"acc": True}},
}
HEADERS: Table = {
    "a.eval": {"version": 2, "status": "success", "eval": {"task": "a", "tags": [{"id": "x"}]}},
    "b.eval": {"version": 2, "status": "error", "eval": {"task": "b"}},
}
TASKS: Table = {"eval_set_id": "hjz", "tasks": [{"name": "two", "task_id": "x"}]}


@pytest.mark.parametrize(
    ("name", "data", "others", "said"),
    [
        (
            "results_2026-01-02.json",
            SCORES,
            ["samples_demo_2026-01-02.jsonl", "samples_demo_2025-01-02.jsonl"],
            "these are the scores of lm-eval's tasks, without records; open samples_demo_2026-01-02.jsonl",
        ),
        (
            "moved.json",
            SCORES,
            [f"samples_{name}.jsonl" for name in "abcde"],
            "these are the scores of lm-eval's tasks, without records; "
            "open samples_a.jsonl, samples_b.jsonl, samples_c.jsonl or 2 more",
        ),
        (
            "results_2026-01-02.json",
            SCORES,
            [],
            "these are the scores of lm-eval's tasks, without records; "
            "lm-eval writes records into samples_*.jsonl if it is run with --log_samples",
        ),
        (
            "logs.json",
            HEADERS,
            ["a.eval", "b.eval", "c.eval"],
            "these are the headers of Inspect's logs, without records; open a.eval, b.eval",
        ),
        (
            "eval-set.json",
            TASKS,
            ["a.eval"],
            "these are the tasks of an eval set of Inspect's, without records; open a.eval",
        ),
        (
            "eval-set.json",
            TASKS,
            [],
            "these are the tasks of an eval set of Inspect's, without records; its records are in the logs, *.eval",
        ),
    ],
)
def test_a_summary_says_what_it_is_and_what_to_open(
    tmp_path: Path, name: str, data: Table, others: list[str], said: str
) -> None:
    for other in others:
        (tmp_path / other).write_text("")
    (tmp_path / name).write_text(json.dumps(data))
    with pytest.raises(ResultsError) as raised:
        open_results(tmp_path / name)
    assert raised.value.message == said


@pytest.mark.parametrize(
    "data",
    [
        {"results": [{"id": "a", "score": 1}]},
        {"tasks": [{"id": "a", "score": 1}], "eval_set_id": "x", "other": 1},
        {"a.eval": {"version": 2, "status": "success", "eval": []}},
        {"a": {"version": 2, "status": "success", "eval": {"task": "x"}}},
    ],
)
def test_other_documents_are_no_summaries(tmp_path: Path, data: Table) -> None:
    (tmp_path / "logs.json").write_text(json.dumps(data))
    assert open_results(tmp_path / "logs.json").indexed().path.name == "logs.json"


@pytest.mark.parametrize("command", ["report", "check"])
@pytest.mark.parametrize(
    ("data", "said"),
    [
        (
            {
                "version": 2,
                "status": "success",
                "eval": {"task": "t", "model": "m", "dataset": {"sample_ids": ["a", "b"], "samples": 2}},
                "results": {"total_samples": 2},
            },
            "the head of a log of Inspect's",
        ),
        (
            {
                "schema_version": "0.3.0",
                "evaluation_id": "demo/1",
                "model_info": {"name": "small"},
                "evaluation_results": [{"evaluation_name": "sums", "metric_config": {}, "score_details": {}}],
            },
            "the scores of an evaluation of Every Eval Ever's, without records",
        ),
    ],
)
def test_a_file_without_records_is_named_as_what_it_is(
    tmp_path: Path, command: str, data: Table, said: str
) -> None:
    (tmp_path / "one.json").write_text(json.dumps(data))
    told = ran(command, tmp_path / "one.json")
    assert told.code == 2 and said in told.err
    assert "sampleui review opens it" not in told.err, "the next command would contradict it"
