"""An answer that consists of files, beside those of another target and of the run before."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from .driver import ROOT
from .review_driver import reviewing


def a_run(home: Path, configuration: str, files: dict[str, str | bytes], *, passed: bool = False) -> None:
    """Write a run of the only eval of an iteration."""
    outputs = home / "eval-1" / configuration / "outputs"
    outputs.mkdir(parents=True)
    for name, data in files.items():
        (outputs / name).write_bytes(data if isinstance(data, bytes) else data.encode())
    graded = {"expectations": [{"text": "It is short", "passed": passed, "evidence": "e"}]}
    (outputs.parent / "grading.json").write_text(json.dumps(graded))


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """Return a workspace of two iterations, whose second has been told something in the first."""
    first, second = tmp_path / "w" / "iteration-1", tmp_path / "w" / "iteration-2"
    a_run(first, "with_skill", {"answer.md": "one two three"})
    (first / "feedback.json").write_text(json.dumps({"eval-1": "Too long."}))
    a_run(second, "with_skill", {"answer.md": "one two", "rows.csv": "a,b\n1,2\n", "pic.png": b"\0\1"})
    a_run(second, "without_skill", {"answer.md": "one four", "old.txt": "gone"}, passed=True)
    return second


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_files_are_shown_beside_the_other_target_then_the_run_before_then_alone(workspace, size):
    async with reviewing(workspace, size=size) as app:
        await app.until(lambda: "iteration-1" in app.answer)
        assert "beside without_skill" in app.answer
        assert "four" in app.answer
        assert "- old.txt · 4 bytes" in app.answer
        assert "· only in without_skill" in app.answer
        assert "pic.png · 2 bytes" in app.answer
        await app.press("b")
        assert "beside iteration-1" in app.answer
        assert "three" in app.answer
        await app.press("b")
        assert "alone" in app.answer
        assert "four" not in app.answer
        assert "three" not in app.answer
        assert "a │ b" in app.answer


async def test_what_was_said_before_and_what_failed_stand_above_the_answer(workspace):
    async with reviewing(workspace) as app:
        above = app.answer.partition("beside")[0]
        assert "feedback before: Too long." in above
        assert "✖ It is short" in above


@pytest.fixture
def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put programs that note what they open where the system's would be found; return the note."""
    folder, note = tmp_path / "bin", tmp_path / "opened"
    folder.mkdir()
    for name in ("open", "xdg-open"):
        (folder / name).write_text(f'#!/bin/sh\nprintf "%s" "$1" > "{note}"\n')
        (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    return note


async def test_a_file_is_opened_by_the_system_once_it_is_agreed_to(workspace, opened):
    async with reviewing(workspace) as app:
        await app.press("E")
        await app.type("pic")
        await app.press("enter")
        assert not opened.exists()
        assert "Open it" in app.drawn
        await app.press("escape", "E")
        await app.type("pic")
        await app.press("enter", "enter")
        await app.until(opened.exists)
        await app.until(lambda: "was given to" in app.said)
        assert opened.read_text() == str((workspace / "eval-1/with_skill/outputs/pic.png").resolve())


@pytest.mark.parametrize("name", ["run.desktop", "script.sh", "marked"])
async def test_a_file_that_could_be_run_is_not_opened(workspace, opened, name):
    path = workspace / "eval-1" / "with_skill" / "outputs" / name
    path.write_text("x")
    path.chmod(0o755 if name == "marked" else 0o644)
    async with reviewing(workspace) as app:
        await app.press("E")
        await app.type(name)
        await app.press("enter")
        assert "could be run" in app.said
    assert not opened.exists()


async def test_a_file_that_became_a_link_is_not_opened(workspace, opened, tmp_path):
    (tmp_path / "secret").write_text("x")
    path = workspace / "eval-1" / "with_skill" / "outputs" / "pic.png"
    async with reviewing(workspace) as app:
        path.unlink()
        path.symlink_to(tmp_path / "secret")
        await app.press("E")
        await app.type("pic")
        await app.press("enter")
        assert "link" in app.said
    assert not opened.exists()


async def test_of_more_files_than_are_listed_nobody_is_told_that_the_other_lacks_one(tmp_path):
    home = tmp_path / "iteration-1"
    a_run(home, "with_skill", {f"a{number:04}.bin": b"\0" for number in range(1_000)} | {"z.bin": b"\0"})
    a_run(home, "without_skill", {"a0001.bin": b"\0", "y.bin": b"\0"}, passed=True)
    async with reviewing(home) as app:
        lines = app.answer.splitlines()
        assert any("a0001.bin" in line and "as large in without_skill" in line for line in lines)
        assert any("y.bin" in line and line.endswith("· in without_skill") for line in lines)
        assert not any("only in" in line for line in lines)
        assert "more than 1,000 files" in app.scores.replace("\n", " ")


async def test_an_answer_does_not_become_the_description_of_a_good_one(tmp_path):
    skills = shutil.copytree(ROOT / "examples" / "skills", tmp_path / "skills")
    deck = skills / "greeter" / "evals" / "evals.json"
    before = deck.read_text()
    async with reviewing(skills / "greeter-workspace" / "iteration-1", deck, everything=True) as app:
        await app.press("x")
        assert "no answer is taken: expected_output says in words what a good answer is" in app.said
        await app.press("2")
        await app.rested()
        assert "Take the actual answer" not in app.drawn
    assert deck.read_text() == before


async def test_a_run_before_that_is_too_large_to_be_read_is_named(workspace, monkeypatch):
    monkeypatch.setattr("sampleui.tui.review.feed.MAX_EARLIER_RECORDS", 0)
    async with reviewing(workspace) as app:
        await app.until(lambda: "iteration-1 has 1 record and is not read, to be shown beside" in app.said)
        assert "beside without_skill" in app.answer
