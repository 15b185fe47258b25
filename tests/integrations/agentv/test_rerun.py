"""How tests of AgentV are run again: what its output tells, and what has changed."""

from __future__ import annotations

import json

import pytest

from sampleui.integrations.agentv.rerun import finished
from sampleui.review.results.file import open_results
from sampleui.runs.rerun.calls import RerunRequest
from sampleui.runs.rerun.joining import changes_of
from sampleui.workspace.deck import open_deck


@pytest.mark.parametrize(
    ("line", "done"),
    [
        ("0/3   🔄 sum | good", None),
        ("1/3   ✅ sum | good | 100% PASS | 246/254ms", 1),
        ("3/3   ❌ sum | good | 0% FAIL", 3),
        ("Using target: good", None),
    ],
)
def test_a_line_tells_how_many_tests_are_done(line, done):
    assert finished(line) == done


@pytest.mark.parametrize(("value", "told"), [("nine", ["expects something else"]), ("eight", [])])
def test_an_assertion_that_is_another_than_in_the_copy_of_the_run_is_told(tmp_path, value, told):
    test = {"id": "sum", "criteria": "says it", "input": "x"}
    assertions = [{"type": "contains", "value": "eight", "name": "contains-eight"}]
    (tmp_path / "run" / "sum" / "task").mkdir(parents=True)
    (tmp_path / "run" / "sum" / "task" / "EVAL.yaml").write_text(
        json.dumps({"tests": [{**test, "assertions": assertions}]})
    )
    row = {
        "timestamp": "2026-11-28T01:38:15.160Z",
        "test_id": "sum",
        "score": 0,
        "target": "good",
        "scores": [{"name": "contains-eight", "type": "contains", "score": 0, "verdict": "fail"}],
        "execution_status": "quality_failure",
        "task_dir": "sum/task",
        "eval_path": "sum/task/EVAL.yaml",
    }
    (tmp_path / "run" / "index.jsonl").write_text(json.dumps(row) + "\n")
    deck = tmp_path / "deck.eval.yaml"
    deck.write_text(json.dumps({"tests": [{**test, "assertions": [{"type": "contains", "value": value}]}]}))
    results, opened = open_results(tmp_path / "run").indexed(), open_deck(deck)
    record = results.record(0)
    found = changes_of(RerunRequest(record, "", opened, opened.samples[0]), [record], results.base_dir)
    assert [words.split("sample ")[1].split(" than")[0] for words in found] == told
