"""`sampleui regrade --by-tool`: recorded answers graded by the run's own tool, asked for as any run is."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from .rerunning import Project
from .test_rerun_tools import agentv, hashes, inspect_ai, promptfoo, tool


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path / "project")


def set_value(project: Project, value: str) -> None:
    config = project.root / "promptfooconfig.yaml"
    config.write_text(config.read_text().replace('value: "8"', f'value: "{value}"'))


def test_nothing_runs_before_it_is_agreed_to_and_the_answer_is_what_was_recorded(sampleui, project):
    set_value(project, "9")
    ran = sampleui("regrade", project.results, "--by-tool")
    assert (ran.code, project.started) == (2, None)
    assert "runs with your rights" in ran.err and "assertions that ask a model ask it" in ran.err
    ran = sampleui("regrade", project.results, "--by-tool", "--yes")
    assert ran.out.count("would pass now") == 2 and ran.out.startswith("sum: would pass now")
    assert "right is not graded: no deck has its test" in ran.err
    assert not [*project.root.glob("*.reruns")]


def test_each_attempt_is_graded_by_its_own_answer(sampleui, project):
    project.attempts()
    ran = sampleui("regrade", project.results, "--by-tool", "--yes", "--format", "json")
    told = [json.loads(line) for line in ran.out.splitlines()]
    assert [item["would_pass"] for item in told if item["id"].startswith("sum")] == [False, True, False]
    assert len(told) == 6


@pytest.mark.parametrize("output", ["", None, False, 0])
def test_an_answer_for_which_promptfoo_would_ask_its_provider_is_not_known(sampleui, project, output):
    document = json.loads(project.results.read_text())
    document["results"]["results"][0]["response"] = {"output": output}
    project.results.write_text(json.dumps(document))
    ran = sampleui("regrade", project.results, "--by-tool", "--yes", "--id", "sum")
    assert (ran.code, project.started) == (2, None)
    assert "asks its provider for" in ran.err


def test_an_answer_that_is_changed_on_the_way_to_its_graders_is_not_known(sampleui, project):
    project.mode("transform")
    ran = sampleui("regrade", project.results, "--by-tool", "--yes", "--id", "sum")
    assert ran.code == 2
    assert "sum: not known: the answer was changed before it was graded" in ran.out


def test_a_tool_without_a_way_to_grade_recorded_answers_is_said(sampleui, tmp_path):
    row = {"name": "sum", "answer": "y", "passed": False}
    (tmp_path / "run.jsonl").write_text(json.dumps(row) + "\n")
    ran = sampleui("regrade", tmp_path / "run.jsonl", "--by-tool", "--yes")
    assert ran.code == 2
    assert "it is not known" in ran.err


BY_TOOL = [
    tool("promptfoo", promptfoo, shutil.which("promptfoo")),
    tool("agentv", agentv, shutil.which("agentv")),
    tool("inspect", inspect_ai, shutil.which("inspect")),
]


@pytest.mark.parametrize("run", BY_TOOL)
def test_the_real_tool_grades_and_asks_no_model(sampleui, tmp_path, run):
    root = tmp_path / "project"
    (root / ".git").mkdir(parents=True)
    results = run(root, ["sum", "q[a]*"])
    asked, before = (root / "n").read_text(), hashes(results)
    first = sampleui("regrade", results, "--by-tool", "--yes")
    assert first.out.splitlines() == ["sum: still fails", "q[a]*: passes still"], first.err
    assert ((root / "n").read_text(), hashes(results)) == (asked, before)


@pytest.mark.skipif(not shutil.which("inspect"), reason="there is no inspect")
def test_inspect_scores_by_the_target_that_a_sample_has_by_now(sampleui, tmp_path):
    root = tmp_path / "project"
    (root / ".git").mkdir(parents=True)
    results = inspect_ai(root, ["sum", "other"])
    samples = [
        {"id": name, "input": name, "target": target} for name, target in (("sum", "nine"), ("other", "ten"))
    ]
    (root / "data.json").write_text(json.dumps(samples))
    ran = sampleui("regrade", results, "--by-tool", "--yes", "--deck", root / "data.json")
    assert ran.out.splitlines() == ["sum: would pass now", "other: would fail now"], ran.err
