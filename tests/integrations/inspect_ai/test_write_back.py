"""Verdicts put into a copy of a log by Inspect's own program, found in the project and agreed to."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

from sampleui.runs import edited_copy
from sampleui.runs.rerun.trust import TRUSTED
from tests.command import Ran, ran

LOG = Path(__file__).parent / "logs" / "reasoning.eval"


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    project = tmp_path / "project"
    (project / ".git").mkdir(parents=True)
    path = project / "run.eval"
    shutil.copy(LOG, path)
    failed = ran("next", path, "--format", "id").out.strip()
    assert ran("verdict", path, failed, "grader-wrong", "--comment", "it is fine", "--reviewer", "ada").code == 0
    return path


def a_python(log: Path, script: str) -> None:
    """Put a program into the project's environment that stands for its Python."""
    program = log.parent / ".venv" / "bin" / "python"
    program.parent.mkdir(parents=True)
    program.write_text(f"#!/bin/sh\ntouch '{log.parent}/started'\n{script}\n")
    program.chmod(0o755)


def handed_back(log: Path, *more: str) -> Ran:
    return ran("verdicts", log, "--to", "inspect", "-o", log.with_name("new.eval"), *more)


@cache
def has_inspect(python: str) -> bool:
    return subprocess.run([python, "-c", "import inspect_ai"], capture_output=True, check=False).returncode == 0


READ = """
import json, sys
from inspect_ai.log import read_eval_log
log = read_eval_log(sys.argv[1])
scores = [score for sample in log.samples for score in sample.scores.values()]
print(json.dumps([[item.model_dump(mode="json") for item in score.history] for score in scores]))
"""


def histories(python: str, log: Path) -> list[list[dict]]:
    """Return the history of each score of a log, as Inspect reads it."""
    told = subprocess.run([python, "-c", READ, log], capture_output=True, text=True, check=True)
    return json.loads(told.stdout)


def test_nothing_runs_before_it_was_shown_and_agreed_to(log):
    a_python(log, 'cp "$2" "$4"')
    told = handed_back(log)
    assert told.code == 2 and "--yes agrees" in told.err and f"{log.parent}/.venv/bin/python" in told.err
    assert not (log.parent / "started").exists() and not log.with_name("new.eval").exists()


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ('cp "$2" "$4"', "the copy lacks 1 of 1 edits"),
        ("echo no such module; exit 1", "no such module"),
        ("", "nothing"),
    ],
)
def test_a_copy_without_the_verdicts_is_none(log, script, words):
    before = hashlib.sha256(log.read_bytes()).hexdigest()
    a_python(log, script)
    told = handed_back(log, "--yes")
    assert told.code == 2 and words in told.err and not log.with_name("new.eval").exists()
    assert hashlib.sha256(log.read_bytes()).hexdigest() == before


def test_what_is_there_is_not_written_over(log):
    a_python(log, 'cp "$2" "$4"')
    log.with_name("new.eval").write_text("mine")
    assert handed_back(log, "--yes").code == 2 and log.with_name("new.eval").read_text() == "mine"
    assert not (log.parent / "started").exists()


def test_a_record_that_is_skipped_is_no_edit(log):
    for name in ("s1", "s2"):
        ran("verdict", log, name, "skip", "--reviewer", "ada")
    edits = ran("report", log, "--format", "score-edits").out.splitlines()
    assert [json.loads(line)["edit"]["provenance"]["reason"] for line in edits] == ["grader-wrong: it is fine"]


def in_place(log: Path, *more: str) -> Ran:
    return ran("verdicts", log, "--to", "inspect", "--in-place", *more)


@pytest.mark.parametrize("agreed", [[], ["--yes"]])
def test_a_log_is_written_in_place_only_if_that_is_said_twice(log, agreed):
    before = log.read_bytes()
    a_python(log, 'cp "$2" "$4"')
    told = in_place(log, *agreed)
    assert told.code == 2 and "--yes --yes agrees" in told.err and f"{log} itself is to be written" in told.err
    assert log.read_bytes() == before and not (log.parent / "started").exists()


@pytest.mark.parametrize(
    ("link", "words"), [(Path.symlink_to, "no link to one"), (Path.hardlink_to, "another name (a hard link)")]
)
def test_a_log_with_another_name_is_not_written_in_place(log, tmp_path, link, words):
    before = log.read_bytes()
    a_python(log, 'cp "$2" "$4"')
    outside = tmp_path / "outside.eval"
    log.rename(outside)
    link(log, outside)
    told = in_place(log, "--yes", "--yes")
    assert told.code == 2 and words in told.err
    assert outside.read_bytes() == before and not (log.parent / "started").exists()


@pytest.mark.parametrize("meanwhile", ["", 'echo more >> "$2"'])
def test_a_log_is_replaced_as_a_whole_unless_it_changed_meanwhile(log, monkeypatch, meanwhile):
    monkeypatch.setattr(edited_copy, "_check", lambda *_: None)
    a_python(log, f'printf edited > "$4"; {meanwhile}')
    before = log.read_bytes()
    log.chmod(0o640)
    told = in_place(log, "--yes", "--yes")
    assert log.stat().st_mode & 0o777 == 0o640 and not [*log.parent.glob(".sampleui-*")]
    if meanwhile:
        assert told.code == 2 and "it changed meanwhile; nothing was written" in told.err
        assert log.read_bytes() == before + b"more\n"
    else:
        assert told.code == 0 and log.read_bytes() == b"edited"
        assert "stay in the history of their scores" in told.err


def test_a_tool_with_a_file_of_its_own_has_nothing_to_write_in_place(log):
    told = ran("verdicts", log, "--to", "promptfoo", "--in-place")
    assert told.code == 2 and "promptfoo does not keep the scores that are edited" in told.err
    both = in_place(log, "-o", str(log.with_name("new.eval")))
    assert both.code == 2 and "either -o NEW or --in-place" in both.err


def test_inspect_itself_writes_a_log_in_place(log):
    python = shutil.which("python")
    if python is None or not has_inspect(python):
        pytest.skip("Inspect is not there")
    assert in_place(log, "--yes", "--yes").code == 0
    (edit,) = (history[1:] for history in histories(python, log) if len(history) > 1)
    assert [(item["value"], item["provenance"]["author"]) for item in edit] == [("C", "ada")]


def test_inspect_itself_writes_and_reads_the_verdicts(log):
    python = shutil.which("python")
    if python is None or not has_inspect(python):
        pytest.skip("Inspect is not there")
    assert handed_back(log, "--yes").code == 0
    (edit,) = (history[1:] for history in histories(python, log.with_name("new.eval")) if len(history) > 1)
    assert [(item["value"], item["provenance"]["author"]) for item in edit] == [("C", "ada")]


def test_a_folder_that_is_trusted_is_asked_about_no_more_than_for_a_rerun(log):
    a_python(log, 'cp "$2" "$4"')
    TRUSTED.add(log.parent, always=True)
    told = handed_back(log)
    assert "the copy lacks 1 of 1 edits" in told.err and "program:" not in told.err
    assert (log.parent / "started").exists()
