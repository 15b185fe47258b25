"""What people said of promptfoo's results, as its viewer writes ratings, in a copy that it imports."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.command import ran

ROWS = [("one", True, 1), ("two", False, 0), ("three", False, 0.5), ("four", False, 0)]


def a_result(number: int, name: str, success: bool, score: float) -> dict:
    grade = {"pass": success, "score": score, "reason": "", "assertion": {"type": "equals", "value": "x"}}
    return {
        "id": f"id-{number}",
        "testIdx": number,
        "promptIdx": 0,
        "vars": {"q": name},
        "testCase": {"description": name, "vars": {"q": name}, "assert": [{"type": "equals", "value": "x"}]},
        "provider": {"id": "echo"},
        "prompt": {"raw": name, "label": "q"},
        "success": success,
        "score": score,
        "failureReason": int(not success),
        "response": {"output": name},
        "gradingResult": {"pass": success, "score": score, "reason": "", "componentResults": [grade]},
    }


@pytest.fixture
def results(tmp_path: Path) -> Path:
    metrics = {"score": 1.5, "testPassCount": 1, "testFailCount": 3, "assertPassCount": 1, "assertFailCount": 3}
    stats = {"successes": 1, "failures": 3, "errors": 0}
    rows = [a_result(number, *row) for number, row in enumerate(ROWS)]
    evaluated = {"results": rows, "stats": stats, "prompts": [{"raw": "{{q}}", "label": "q", "metrics": metrics}]}
    path = tmp_path / "out.json"
    path.write_text(json.dumps({"evalId": "eval-1", "results": evaluated, "config": {"of": "others"}}))
    return path


def decide(results: Path, name: str, verdict: str, *more: str) -> None:
    assert ran("verdict", results, name, verdict, "--reviewer", "ada", *more).code == 0


def test_a_verdict_is_a_rating_and_the_counts_follow(results):
    before = hashlib.sha256(results.read_bytes()).hexdigest()
    decide(results, "one", "model-wrong", "--comment", "no")
    decide(results, "two", "grader-wrong", "--comment", "it is fine")
    decide(results, "three", "flaky")
    copy = results.with_name("new.json")
    told = ran("verdicts", results, "--to", "promptfoo", "-o", copy)
    assert told.code == 1 and "three: left out, flaky says neither" in told.err
    assert told.out.endswith("new.json: 2 verdicts written, 1 left out\n")
    data = json.loads(copy.read_text())
    rows = data["results"]["results"]
    assert [(row["success"], row["score"]) for row in rows] == [(False, 0), (True, 1), (False, 0.5), (False, 0)]
    human = rows[1]["gradingResult"]["componentResults"][-1]
    assert human["assertion"] == {"type": "human"} and "it is fine" in human["comment"]
    assert data["results"]["stats"] == {"successes": 1, "failures": 3, "errors": 0}
    metrics = {"score": 1.5, "testPassCount": 1, "testFailCount": 3, "assertPassCount": 2, "assertFailCount": 4}
    assert data["results"]["prompts"][0]["metrics"] == metrics
    assert data["evalId"] == "eval-1" and data["config"] == {"of": "others"}
    assert hashlib.sha256(results.read_bytes()).hexdigest() == before


def test_a_second_rating_takes_the_place_of_the_first(results):
    decide(results, "two", "grader-wrong")
    first, second = results.with_name("first.json"), results.with_name("second.json")
    assert ran("verdicts", results, "--to", "promptfoo", "-o", first).code == 0
    decide(first, "two", "model-wrong")
    assert ran("verdicts", first, "--to", "promptfoo", "-o", second).code == 0
    evaluated = json.loads(second.read_text())["results"]
    (row,) = [row for row in evaluated["results"] if row["id"] == "id-1"]
    assert [part["pass"] for part in row["gradingResult"]["componentResults"]] == [False, False]
    metrics = evaluated["prompts"][0]["metrics"]
    assert [metrics[name] for name in ("testPassCount", "assertPassCount", "assertFailCount")] == [1, 1, 4]


def test_nothing_is_written_over_and_what_a_program_proposes_is_no_rating(results):
    copy = results.with_name("new.json")
    assert ran("verdict", results, "two", "grader-wrong", "--as", "agent:x").code == 0
    assert ran("verdicts", results, "--to", "promptfoo", "-o", copy).code == 1 and not copy.exists()
    decide(results, "one", "model-wrong")
    copy.write_text("mine")
    assert ran("verdicts", results, "--to", "promptfoo", "-o", copy).code == 2 and copy.read_text() == "mine"
    copy.unlink()
    copy.symlink_to(results.with_name("elsewhere"))
    assert ran("verdicts", results, "--to", "promptfoo", "-o", copy).code == 2
    assert not results.with_name("elsewhere").exists()
    assert ran("verdicts", results, "--to", "promptfoo").code == 2


@pytest.mark.skipif(shutil.which("promptfoo") is None, reason="promptfoo is not there")
def test_promptfoo_imports_and_exports_the_ratings(tmp_path):
    (tmp_path / "promptfooconfig.yaml").write_text(
        "prompts: ['{{q}}']\nproviders: [echo]\ntests:\n"
        "- {description: one, vars: {q: a}, assert: [{type: equals, value: b}]}\n"
        "- {description: two, vars: {q: b}, assert: [{type: equals, value: b}]}\n"
    )
    own = {**os.environ, "PROMPTFOO_CONFIG_DIR": str(tmp_path / "own"), "PROMPTFOO_DISABLE_TELEMETRY": "1"}

    def promptfoo(*arguments: str) -> None:
        subprocess.run(
            ["promptfoo", *arguments], cwd=tmp_path, env=own, capture_output=True, check=False, timeout=90
        )

    promptfoo("eval", "-c", "promptfooconfig.yaml", "--no-cache", "--no-write", "-o", "out.json")
    decide(tmp_path / "out.json", "one", "grader-wrong", "--comment", "it is fine")
    copy = tmp_path / "new.json"
    assert ran("verdicts", tmp_path / "out.json", "--to", "promptfoo", "-o", copy).code == 0
    promptfoo("import", "new.json")
    promptfoo("export", "eval", json.loads(copy.read_text())["evalId"], "-o", "back.json")
    rows = json.loads((tmp_path / "back.json").read_text())["results"]["results"]
    assert [row["success"] for row in rows] == [True, True]
    assert "it is fine" in rows[0]["gradingResult"]["comment"]
