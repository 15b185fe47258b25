"""What lies below a folder: in order, lazily, and with the reasons of what is left out."""

from __future__ import annotations

import os
from itertools import islice
from pathlib import Path

import pytest

from sampleui.text.patterns import is_glob
from sampleui.workspace.folders import LikelyDeck, Skipped, Unread, globbed, walk


def made(root: Path, *names: str) -> Path:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).touch()
    return root


def names(found, root: Path) -> list[str]:
    return [one.path.relative_to(root).as_posix() for one in found if isinstance(one, LikelyDeck)]


def test_files_come_before_folders_each_by_name(tmp_path):
    made(tmp_path, "b.toml", "a/z.yaml", "a/c/x.json", "c.JSONL", "B/d.md", "notes.txt", "main.py")
    assert names(walk(tmp_path), tmp_path) == ["b.toml", "c.JSONL", "B/d.md", "a/z.yaml", "a/c/x.json"]


def test_what_nobody_means_is_left_out_with_its_reason(tmp_path):
    made(tmp_path, ".git/a.json", "node_modules/a.json", ".venv/a.json", ".hidden.toml", "in/venv/a.toml", "x.toml")
    (tmp_path / "gone.toml").symlink_to("nothing")
    (tmp_path / "again").symlink_to(".")
    os.mkfifo(tmp_path / "pipe.toml")
    found = list(walk(tmp_path))
    assert names(found, tmp_path) == ["x.toml"]
    assert {one.path.name: one.reason for one in found if isinstance(one, Skipped)} == {
        ".git": "hidden",
        ".venv": "hidden",
        ".hidden.toml": "hidden",
        "node_modules": "a folder of other programs",
        "venv": "a folder of other programs",
        "again": "a link to a folder",
    }
    assert {one.path.name: one.reason for one in found if isinstance(one, Unread)} == {
        "gone.toml": "a link that leads nowhere",
        "pipe.toml": "no regular file",
    }


def test_a_file_that_is_deleted_while_its_folder_is_looked_through_is_none(tmp_path):
    found = walk(made(tmp_path, "a.toml", "b.toml", "c.toml"))
    assert next(found) == LikelyDeck(tmp_path / "a.toml")
    (tmp_path / "b.toml").unlink()
    assert [*found] == [LikelyDeck(tmp_path / "c.toml")]


def test_a_link_is_a_deck_of_the_folder_only_if_it_ends_in_the_project(tmp_path):
    made(tmp_path, "outside.toml", "project/.git/x", "project/lib/deck.toml", "project/evals/own.toml")
    evals = tmp_path / "project" / "evals"
    (evals / "out.toml").symlink_to(tmp_path / "outside.toml")
    (evals / "loop.toml").symlink_to("loop.toml")
    (evals / "within.toml").symlink_to("../lib/deck.toml")
    found = list(walk(evals))
    assert names(found, evals) == ["own.toml", "within.toml"]
    assert [(item.path.name, item.reason) for item in found if isinstance(item, Unread)] == [
        ("loop.toml", "a link that leads nowhere"),
        ("out.toml", "a link that leads out of the folder"),
    ]


def test_a_hidden_folder_that_is_named_is_looked_into(tmp_path):
    made(tmp_path, ".agentv/evals/a.yaml")
    assert names(walk(tmp_path / ".agentv"), tmp_path) == [".agentv/evals/a.yaml"]


def test_a_folder_that_cannot_be_read_is_said(tmp_path, monkeypatch):
    made(tmp_path, "a/x.toml", "b/x.toml")
    real = os.scandir

    def scandir(path):
        if Path(path).name == "a":
            raise PermissionError(13, "Permission denied")
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)
    first, second = walk(tmp_path)
    assert first == Unread(tmp_path / "a", "the folder cannot be read: Permission denied")
    assert second == LikelyDeck(tmp_path / "b" / "x.toml")


def test_the_first_deck_does_not_wait_for_the_others(tmp_path, monkeypatch):
    made(tmp_path, *(f"{at:03}/x.toml" for at in range(100)))
    looked: list[str] = []
    real = os.scandir
    monkeypatch.setattr(os, "scandir", lambda path: looked.append(str(path)) or real(path))
    assert names(islice(walk(tmp_path), 1), tmp_path) == ["000/x.toml"]
    assert len(looked) == 2


@pytest.mark.parametrize(
    ("pattern", "matched"),
    [
        ("*.toml", ["x.toml"]),
        ("**/*.toml", ["x.toml", "a/x.toml", "a/b/x.toml", "c/[z].toml"]),
        ("*/x.{toml,yaml}", ["a/x.toml"]),
        ("a/*", ["a/x.toml", "a/y.yaml", "a/b/x.toml"]),
        ("./a/?.toml", ["a/x.toml"]),
        ("../here/a/*.toml", ["a/x.toml"]),
        ("c/[[]z*", ["c/[z].toml"]),
        ("none/*", []),
    ],
)
def test_a_glob_stands_for_the_files_that_match_it(tmp_path, monkeypatch, pattern, matched):
    root = made(
        tmp_path / "here", "x.toml", "a/x.toml", "a/y.yaml", "a/b/x.toml", "a/node_modules/x.toml", "c/[z].toml"
    )
    monkeypatch.chdir(root)
    found = [one for one in globbed(pattern) if isinstance(one, LikelyDeck)]
    assert [one.path.resolve().relative_to(root.resolve()).as_posix() for one in found] == matched
    whole = f"{root}/{pattern}"
    assert [one.path.resolve() for one in globbed(whole) if isinstance(one, LikelyDeck)] == [
        one.path.resolve() for one in found
    ]


def test_a_file_whose_name_looks_like_a_glob_is_that_file(tmp_path):
    made(tmp_path, "[z].toml")
    assert not is_glob(tmp_path / "[z].toml")
    assert is_glob(tmp_path / "[y].toml")
