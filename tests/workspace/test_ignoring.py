"""Ignored files: as git ignores them."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sampleui.workspace.folders import LikelyDeck, Skipped, walk

FOLDERS = [".", "build", "x", "sub", "lib", "x/sub", "x/sub/lib", "lib/x"]
NAMES = ["a.toml", "b.toml", "a b.toml", "#h.toml", "!n.toml"]
PATTERNS = r"""
*.toml|!a.toml|build/|/x|sub/*.toml|**/lib|lib/**|a[!b].toml|x/|!x/a.toml|a\ b.toml|\#h.toml|\!n.toml|# c||sub|
/sub/b.toml|*|!*/|!b.toml|x/**/b.toml|a.toml   |?.toml|lib/|**/sub/a.toml
""".replace("\n", "").split("|")
lines = st.lists(st.sampled_from(PATTERNS), min_size=1, max_size=4)


@pytest.fixture(scope="module")
def tree():
    if shutil.which("git") is None:
        pytest.skip("needs git")
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        subprocess.run(["git", "init", "-q", root], check=True)
        for folder in FOLDERS:
            (root / folder).mkdir(exist_ok=True)
            for file in NAMES:
                (root / folder / file).touch()
        yield root


@settings(max_examples=settings().max_examples // 2, deadline=None)
@given(lines, st.none() | lines, st.none() | lines)
def test_what_git_ignores_is_ignored(tree, here, below, beside):
    for folder, rules in ((".", here), ("x", below), ("sub", beside)):
        (tree / folder / ".gitignore").write_text("".join(f"{line}\n" for line in rules or ()))
    listed = subprocess.run(
        ["git", "-C", tree, "ls-files", "--others", "--exclude-standard", "-z"], capture_output=True, check=True
    ).stdout.decode()
    found = {str(one.path.relative_to(tree)) for one in walk(tree) if isinstance(one, LikelyDeck)}
    assert found == {name for name in listed.split("\0") if name.endswith(".toml")}


def test_a_pattern_of_the_folders_above_holds_below(tmp_path):
    (tmp_path / ".git").mkdir()
    (tmp_path / "in").mkdir()
    (tmp_path / ".gitignore").write_text("in/a.toml\n")
    for name in ("a.toml", "b.toml"):
        (tmp_path / "in" / name).touch()
    assert [(type(one), one.path.name) for one in walk(tmp_path / "in")] == [
        (Skipped, "a.toml"),
        (LikelyDeck, "b.toml"),
    ]


def test_patterns_that_are_matched_for_ever_are_not_matched(tmp_path):
    (tmp_path / ".gitignore").write_text("*a" * 30 + "b\n")
    (tmp_path / ("a" * 100 + ".toml")).touch()
    assert sum(isinstance(one, LikelyDeck) for one in walk(tmp_path)) == 1
