"""`--scorer` and the setting of that name: one rule for every command that says what passed."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

LOGS = Path(__file__).parents[1] / "review" / "inspect"


@pytest.fixture
def log(tmp_path):
    (tmp_path / ".git").mkdir()
    shutil.copy(LOGS / "data" / "answers.jsonl", tmp_path)
    return Path(shutil.copy(LOGS / "logs" / "two-scorers.eval", tmp_path))


def counted(process, log, *args):
    return json.loads(process("report", log, "--format", "json", *args).out)


def lines(ran):
    return [json.loads(line) for line in ran.out.splitlines()]


@pytest.mark.parametrize(("scorer", "failing"), [("match", 5), ("includes", 6)])
def test_every_command_lets_the_same_scorer_decide(process, log, scorer, failing):
    asked = ("--scorer", scorer)
    report = counted(process, log, *asked)
    assert (report["failed"], report["scorer"]) == (failing, scorer)
    again = lines(process("regrade", log, *asked, "--format", "json"))
    assert [(one["failed"], one["scorer"]) for one in again] == [(not one["would_pass"], scorer) for one in again]
    assert sum(one["failed"] for one in again) == failing
    traced = lines(process("trace", log, *asked, "--format", "json"))
    assert [one["outcome"] == "failed" for one in traced] == [one["failed"] for one in again]
    following = json.loads(process("next", log, *asked, "--format", "json").out)
    assert following["scorer"] == scorer
    assert following["reasons"][0] == f"verdict fail by {scorer}"


@pytest.mark.parametrize("command", ["report", "next", "regrade", "trace", "review"])
def test_a_scorer_that_a_run_does_not_have_is_told_with_those_that_it_has(process, log, command):
    ran = process(command, log, "--scorer", "math")
    assert ran.code == 2
    assert "the run has no scorer math; it has match, includes" in ran.err


def test_the_setting_of_a_project_decides_too_and_the_command_line_over_it(process, log):
    (log.parent / ".sampleui.toml").write_text('scorer = "includes"\n')
    assert counted(process, log)["scorer"] == "includes"
    assert counted(process, log, "--scorer", "match")["scorer"] == "match"


def test_a_setting_that_is_for_other_runs_is_noted(process, log):
    (log.parent / ".sampleui.toml").write_text('scorer = "math"\n')
    ran = process("report", log, "--format", "json")
    assert json.loads(ran.out)["scorer"] == "match"
    assert "the setting scorer is math, which this run does not have; match decides" in ran.err


def test_in_results_of_another_tool_a_scorer_decides_that_is_asked_for(process, tmp_path):
    rows = [
        {"test_id": "a", "score": 1, "output": "x", "scores": [
            {"name": "tone", "score": 0.2}, {"name": "w", "score": 1}]},
        {"test_id": "b", "score": 0, "output": "x", "scores": [{"name": "tone", "score": 0.9}]},
    ]  # fmt: skip
    path = tmp_path / "results.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert counted(process, path)["scorer"] is None
    found = counted(process, path, "--scorer", "tone")
    assert (found["failed"], found["scorer"]) == (1, "tone")
    assert json.loads(process("next", path, "--scorer", "tone", "--format", "json").out)["id"] == "a"
    assert "it has tone, w" in process("report", path, "--scorer", "none").err


def test_nothing_is_said_to_be_decided_where_nothing_says_what_passed(process, log):
    shutil.copy(LOGS / "logs" / "first-table.eval", log.parent)
    ran = process("next", log.parent / "first-table.eval")
    assert (ran.code, ran.out) == (1, "")
    assert "none of 4 records is graded: both gives several values" in ran.err
