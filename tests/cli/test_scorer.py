"""`--scorer` and the setting of that name: one rule for every command that says what passed."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

LOGS = Path(__file__).parents[1] / "integrations" / "inspect_ai"


@pytest.fixture
def log(tmp_path):
    (tmp_path / ".git").mkdir()
    shutil.copy(LOGS / "data" / "answers.jsonl", tmp_path)
    return Path(shutil.copy(LOGS / "logs" / "two-scorers.eval", tmp_path))


def counted(sampleui, log, *args):
    return json.loads(sampleui("report", log, "--format", "json", *args).out)["run"]


def lines(ran):
    return [json.loads(line) for line in ran.out.splitlines()]


@pytest.mark.parametrize(("scorer", "failing"), [("match", 5), ("includes", 6)])
def test_every_command_lets_the_same_scorer_decide(sampleui, log, scorer, failing):
    asked = ("--scorer", scorer)
    report = counted(sampleui, log, *asked)
    assert (report["failed"], report["scorer"]) == (failing, scorer)
    again = lines(sampleui("regrade", log, *asked, "--format", "json"))
    assert [(one["failed"], one["scorer"]) for one in again] == [(not one["would_pass"], scorer) for one in again]
    assert sum(one["failed"] for one in again) == failing
    traced = lines(sampleui("trace", log, *asked, "--format", "json"))
    assert [one["outcome"] == "failed" for one in traced] == [one["failed"] for one in again]
    following = json.loads(sampleui("next", log, *asked, "--format", "json").out)
    assert following["scorer"] == scorer
    assert following["why"].startswith(f"verdict fail by {scorer}")


@pytest.mark.parametrize("command", ["report", "next", "regrade", "trace", "review"])
def test_a_scorer_that_a_run_does_not_have_is_told_with_those_that_it_has(sampleui, log, command):
    ran = sampleui(command, log, "--scorer", "math")
    assert ran.code == 2
    assert "the run has no scorer math; it has match, includes" in ran.err


def test_the_setting_of_a_project_decides_too_and_the_command_line_over_it(sampleui, log):
    (log.parent / ".sampleui.toml").write_text('scorer = "includes"\n')
    assert counted(sampleui, log)["scorer"] == "includes"
    assert counted(sampleui, log, "--scorer", "match")["scorer"] == "match"


def test_a_setting_that_is_for_other_runs_is_noted(sampleui, log):
    (log.parent / ".sampleui.toml").write_text('scorer = "math"\n')
    ran = sampleui("report", log, "--format", "json")
    assert json.loads(ran.out)["run"]["scorer"] == "match"
    assert "the setting scorer is math, which this run does not have; match decides" in ran.err


def test_in_results_of_another_tool_a_scorer_decides_that_is_asked_for(sampleui, tmp_path):
    rows = [
        {"test_id": "a", "score": 1, "output": "x", "scores": [
            {"name": "tone", "score": 0.2}, {"name": "w", "score": 1}]},
        {"test_id": "b", "score": 0, "output": "x", "scores": [{"name": "tone", "score": 0.9}]},
    ]  # fmt: skip
    path = tmp_path / "results.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert counted(sampleui, path)["scorer"] is None
    found = counted(sampleui, path, "--scorer", "tone")
    assert (found["failed"], found["scorer"]) == (1, "tone")
    assert json.loads(sampleui("next", path, "--scorer", "tone", "--format", "json").out)["id"] == "a"
    assert "it has tone, w" in sampleui("report", path, "--scorer", "none").err


def test_nothing_is_said_to_be_decided_where_nothing_says_what_passed(sampleui, log):
    shutil.copy(LOGS / "logs" / "first-table.eval", log.parent)
    ran = sampleui("next", log.parent / "first-table.eval")
    assert (ran.code, ran.out) == (1, "")
    assert "none of 4 records is graded: both gives several values" in ran.err
