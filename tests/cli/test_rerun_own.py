"""Samples run again by a program of the user's own, named in their settings and in nobody else's."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from sampleui.errors import SettingsError
from sampleui.settings.options import settings_in

PROGRAM = """\
import json, os, pathlib, sys, time
here = pathlib.Path(__file__).parent
name, target, out, times = sys.argv[1:5]
with open(here / "started", "a") as file:
    file.write(json.dumps([sys.argv[1:], os.environ.get("MINE")]) + "\\n")
mode = (here / "mode").read_text()
if mode == "hang":
    time.sleep(60)
rows = [{"test_id": name, "target": target, "score": 1.0, "output": "x"}] * (int(times) + (mode == "more"))
if mode == "stranger":
    rows = [{**row, "test_id": "other"} for row in rows]
if mode != "nothing":
    (pathlib.Path(out) / "new.jsonl").write_text("".join(json.dumps(row) + "\\n" for row in rows))
sys.exit(7)
"""

ODD = [
    'it\'s "q"',
    "a,b",
    "new\nline",
    "{out}",
    "{n} {id}",
    "q[a]*",
    "$(touch evil)",
    "`touch evil`; touch evil",
    "é",
]


@pytest.fixture
def project(tmp_path: Path, home: Path) -> Path:
    root = tmp_path / "project"
    (root / ".git").mkdir(parents=True)
    (root / "answer.py").write_text(PROGRAM)
    (root / "mode").write_text("pass")
    rows = [{"test_id": name, "target": "m", "score": 0.0, "output": "y"} for name in ["sum", *ODD, "-rf"]]
    (root / "run.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    own(home, ["answer.py", "{id}", "{target}", "{out}", "{n}"])
    return root


def own(home: Path, arguments: list[str], more: str = "") -> None:
    (home / "sampleui").mkdir(parents=True, exist_ok=True)
    command = json.dumps([sys.executable, *arguments])
    text = f'[runners.mine]\ncommand = {command}\nenvironment = {{ MINE = "yes" }}\n{more}'
    (home / "sampleui" / "config.toml").write_text(text)


def started(root: Path) -> list[list]:
    path = root / "started"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def test_it_is_shown_first_and_then_called_with_what_it_names(sampleui, project):
    ran = sampleui("rerun", project / "run.jsonl", "--id", "sum", "--runner", "mine")
    assert (ran.code, started(project)) == (2, [])
    assert f"program: {Path(sys.executable).resolve()}, found by your settings" in ran.err
    assert "as your settings say: " in ran.err and "MINE=yes" in ran.err
    ran = sampleui("rerun", project / "run.jsonl", "--id", "sum", "--runner", "mine", "--n", "3", "--yes")
    assert (ran.code, "sum: 3 of 3 pass now" in ran.out) == (0, True), ran.err
    ((arguments, variable),) = started(project)
    assert (arguments[:2], arguments[3], variable) == (["sum", "m"], "3", "yes")


@pytest.mark.parametrize("name", ODD)
def test_ids_are_data_whatever_they_hold(sampleui, project, name):
    place = 2 + ODD.index(name)
    ran = sampleui("rerun", project / "run.jsonl", "--id", f"#{place}", "--runner", "mine", "--yes")
    assert ran.code == 0, ran.err
    assert [call[0][0] for call in started(project)] == [name]
    assert not [*project.rglob("evil")]


def test_an_id_that_would_be_taken_for_an_option_is_refused_in_words(sampleui, project):
    ran = sampleui("rerun", project / "run.jsonl", "--id", "-rf", "--runner", "mine", "--yes")
    assert (ran.code, started(project)) == (2, [])
    assert "-rf begins with a dash" in ran.err


@pytest.mark.parametrize(
    ("mode", "said"),
    [
        ("more", "asked for 2, found 3"),
        ("nothing", "asked for 2, found 0"),
        ("stranger", "2 answers to something else"),
    ],
)
def test_all_that_was_asked_for_counts_or_nothing(sampleui, project, mode, said):
    (project / "mode").write_text(mode)
    wanted = ["--id", "sum", "--runner", "mine", "--n", "2", "--yes"]
    ran = sampleui("rerun", project / "run.jsonl", *wanted)
    assert (ran.code, ran.out.count("pass")) == (2, 0)
    assert said in ran.err


def test_without_a_place_for_how_often_it_is_called_as_often(sampleui, project, home):
    own(home, ["answer.py", "{id}", "{target}", "{out}", "1"])
    ran = sampleui("rerun", project / "run.jsonl", "--id", "sum", "--runner", "mine", "--n", "3", "--yes")
    assert "sum: 3 of 3 pass now" in ran.out
    assert len(started(project)) == 3


def test_its_time_limit_ends_it(sampleui, project, home):
    own(home, ["answer.py", "{id}", "{target}", "{out}", "{n}"], "seconds = 0.5\n")
    (project / "mode").write_text("hang")
    ran = sampleui("rerun", project / "run.jsonl", "--id", "sum", "--runner", "mine", "--yes")
    assert ran.code == 2
    assert "it took longer than 0.5 seconds" in ran.err


def test_one_with_the_name_of_a_tool_takes_its_place_and_of_no_tool_is_said(sampleui, project, home):
    rows = [{"name": "sum", "answer": "y", "passed": False}]
    (project / "other.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    ran = sampleui("rerun", project / "other.jsonl", "--id", "sum", "--yes")
    assert (ran.code, started(project)) == (2, [])
    assert "it is not known how its samples are run again; name one of mine" in ran.err
    settings = home / "sampleui" / "config.toml"
    settings.write_text(settings.read_text().replace("runners.mine", "runners.agentv"))
    assert sampleui("rerun", project / "run.jsonl", "--id", "sum", "--yes").code == 0
    assert len(started(project)) == 1
    own(home, ["answer.py", "{out}"])
    ran = sampleui("rerun", project / "run.jsonl", "--id", "sum", "--runner", "nobody")
    assert "there is no runner nobody; known are mine, " in ran.err


def test_a_project_has_none(sampleui, project, home):
    (home / "sampleui" / "config.toml").unlink()
    (project / ".sampleui.toml").write_text('[runners.mine]\ncommand = ["sh", "{out}"]\n')
    ran = sampleui("rerun", project / "run.jsonl", "--id", "sum", "--runner", "mine", "--yes")
    assert ran.code == 2 and "there is no runner mine" in ran.err
    assert started(project) == []


def test_no_data_is_filled_into_the_text_of_a_program(tmp_path):
    runner = '[runners.mine]\ncommand = ["sh", "{out}"]\n'
    assert settings_in(runner, tmp_path / "config.toml")["runners"]
    for wrong in (
        '["sh", "-c", "x {id} {out}"]',
        '["x", "{id}"]',
        '["{id}", "{out}"]',
        '["x", "{what} {out}"]',
        "[]",
    ):
        with pytest.raises(SettingsError, match="runners"):
            settings_in(f"[runners.mine]\ncommand = {wrong}\n", tmp_path / "config.toml")
    for code in ("-c", "-e", "--eval"):
        with pytest.raises(SettingsError, match="text of a program"):
            settings_in(
                f'[commands.f5]\ntitle = "x"\ncommand = ["x", "{code}", "{{id}}"]\n', tmp_path / "config.toml"
            )
