"""How tests of AgentV are run again: what its output tells, and what has changed."""

from __future__ import annotations

import json

import pytest

from sampleui.integrations.agentv.rerun import finished, plan
from sampleui.review.results.file import open_results
from sampleui.runs.rerun.calls import ProgramCall, Request, RerunRequest
from sampleui.runs.rerun.joining import changes_of
from sampleui.runs.rerun.program import NotFound
from sampleui.runs.rerun.trust import shown
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


@pytest.mark.parametrize("where", ["targets", "hooks", "test", "settings by a link"])
def test_a_program_that_a_deck_or_settings_name_outside_of_the_folder_is_refused(tmp_path, where):
    root, outside = tmp_path / "project", tmp_path / "elsewhere"
    (root / ".git").mkdir(parents=True)
    outside.mkdir()
    (outside / "run.sh").write_text("")
    settings = root / ".agentv"
    if where == "settings by a link":
        settings.symlink_to(outside)
    else:
        settings.mkdir()
    command = f"{outside}/run.sh {{PROMPT_FILE}}"
    if where == "targets":
        targets = {"targets": [{"name": "good", "provider": "cli", "command": command}]}
        (settings / "targets.yaml").write_text(json.dumps(targets))
    if where == "hooks":
        (settings / "config.yaml").write_text(f"hooks: {{before_session: {{command: [sh, '{outside}/run.sh']}}}}\n")
    grader = {"type": "code-grader", "command": ["sh", "../elsewhere/run.sh"]}
    test = {"id": "sum", "criteria": "c", "input": "x", **({"assertions": [grader]} if where == "test" else {})}
    deck = root / "deck.eval.yaml"
    deck.write_text(json.dumps({"name": "deck", "tests": [test]}))
    row = {"test_id": "sum", "suite": "deck", "target": "good", "score": 0.0, "output": "x", "timestamp": "2026"}
    (root / "run.jsonl").write_text(json.dumps(row) + "\n")
    opened = open_deck(deck)
    record = open_results(root / "run.jsonl").indexed().record(0)
    asked = RerunRequest(record, "key", opened, opened.samples[0])
    (call,) = plan(Request([asked], root / "run.jsonl", 1, tmp_path / "out", root))
    assert isinstance(call, ProgramCall)
    refused = shown(call, root)
    assert isinstance(refused, NotFound) and str(outside) in refused.why
