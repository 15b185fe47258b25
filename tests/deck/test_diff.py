"""The diff against the disk: what `diff -u` says, found quickly."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sampleui.deck.diff import diff
from sampleui.deck.model import Change, DeckFile, DeckFiles, Disk
from sampleui.formats.document import Splice
from sampleui.text.aligning import changed_regions
from tests.quick import within

from .lines import Lines, files_of, rewritten


def pair(before: tuple[str, ...], after: tuple[str, ...]) -> DeckFiles:
    path = Path("deck.txt")
    return DeckFiles(path, (DeckFile(path, Lines(("", *after, "")), Disk(Lines(("", *before, "")), None)),))


def test_one_changed_line_is_one_hunk_with_its_context(tmp_path):
    path = tmp_path / "deck.txt"
    path.write_text("".join(f"{number}\n" for number in range(1, 11)))
    assert diff(rewritten(files_of(path), 4, "five")).split("\n")[2:] == [
        "@@ -2,7 +2,7 @@",
        " 2",
        " 3",
        " 4",
        "-5",
        "+five",
        " 6",
        " 7",
        " 8",
        "",
    ]


def test_a_deck_without_changes_has_no_diff(tmp_path):
    path = tmp_path / "deck.txt"
    path.write_text("a\n")
    assert diff(files_of(path)) == ""


def test_a_deck_that_its_base_only_cuts_otherwise_has_no_diff():
    files = pair(("a\n", "b\n"), ("a\n", "b\n"))
    assert diff(files, [Lines(("", "a\nb\n", ""))]) == ""


def test_a_missing_final_newline_is_said(tmp_path):
    path = tmp_path / "deck.txt"
    path.write_text("a\nb")
    found = diff(rewritten(files_of(path), 1, "c"))
    assert found.endswith(" a\n-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n")


def test_a_new_file_comes_from_nowhere(tmp_path):
    path = tmp_path / "new.txt"
    empty = Lines.parse("")
    files = DeckFiles(path, (DeckFile(path, empty, Disk(empty, None)),))
    found = diff(files.apply(Change(0, Splice(1, (), ("a\n",)))))
    assert found == f"--- /dev/null\n+++ {path}\n@@ -0,0 +1 @@\n+a\n"


@pytest.mark.skipif(shutil.which("patch") is None, reason="needs patch")
@settings(
    max_examples=settings().max_examples // 2,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    deadline=None,
)
@given(data=st.data())
def test_patch_makes_the_new_text_of_the_old_one(tmp_path, data):
    piece = st.sampled_from(["a\n", "b\n", "c\nd\n", "e\n\n", "f", "g\r\n", "h\ni\nj\nk\nl\n"])
    before = tuple(data.draw(st.lists(piece, min_size=8, max_size=30)))
    after = list(before)
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, max(len(after) - 1, 0)))
        after[at : at + data.draw(st.integers(0, 2))] = data.draw(st.lists(piece, max_size=2))
    if "".join(after) == "".join(before) or not after:
        return
    target = tmp_path / "deck.txt"
    target.write_bytes("".join(before).encode())
    change = diff(pair(before, tuple(after))).replace("--- /dev/null", "--- deck.txt")
    command = ["patch", "--binary", "--fuzz=0", "--silent", "--force", str(target)]
    subprocess.run(command, input=change.encode(), check=True, cwd=tmp_path, capture_output=True, timeout=20)
    assert target.read_bytes() == "".join(after).encode()


@given(st.lists(st.sampled_from("abc"), max_size=12), st.lists(st.sampled_from("abc"), max_size=12))
def test_all_outside_the_changed_regions_is_identical(old, new):
    regions = changed_regions(old, new)
    rebuilt, at = [], 0
    for region in regions:
        assert old[region.before.start : region.before.stop] != new[region.after.start : region.after.stop]
        rebuilt += old[at : region.before.start] + new[region.after.start : region.after.stop]
        at = region.before.stop
    assert rebuilt + old[at:] == new


@pytest.mark.parametrize(
    "lines", [[f"line {n}\n" for n in range(100_000)], ["same\n"] * 100_000], ids=["unlike", "alike"]
)
def test_a_large_deck_is_compared_quickly(lines):
    after = ["first\n", *lines[1:-1], "last\n", "more\n"]
    files = pair(tuple(lines), tuple(after))
    with within(2):
        found = diff(files)
    assert "+first\n" in found
    assert "+last\n+more\n" in found
    if lines[0] != lines[1]:
        assert found.count("@@ -") == 2


@pytest.mark.parametrize(
    ("before", "after", "hunks"),
    [
        (("a", "b", "c\n", "d\n"), ("x", "b", "y\n", "d\n"), ["@@ -1,2 +1,2 @@", "-abc", "+xby", " d"]),
        (("a", "b", "c", "e\n", "d\n"), ("x", "b", "c", "f\n", "d\n"), ["@@ -1,2 +1,2 @@", "-abce", "+xbcf", " d"]),
        (("a\n", "b\n", "c\n"), ("x\n", "b\n", "y\n"), ["@@ -1,3 +1,3 @@", "-a", "+x", " b", "-c", "+y"]),
        (("0\n", "a", "b\n", "c\n"), ("0\n", "x", "b\n", "c\n"), ["@@ -1,3 +1,3 @@", " 0", "-ab", "+xb", " c"]),
        (
            ("0\n", "a", "b\n", "c\n"),
            ("0\n", "a", "y", "b\n", "c\n"),
            ["@@ -1,3 +1,3 @@", " 0", "-ab", "+ayb", " c"],
        ),
        (("a\n", "b\n"), ("a", "b\n"), ["@@ -1,2 +1 @@", "-a", "-b", "+ab"]),
        (("a", "b\n", "c\n"), ("a\n", "b\n", "c\n"), ["@@ -1,2 +1,3 @@", "-ab", "+a", "+b", " c"]),
        (("0\n", "a", "b\n"), ("0\n", "a", "x\n"), ["@@ -1,2 +1,2 @@", " 0", "-ab", "+ax"]),
        (("0\n", "a", "", "b\n"), ("0\n", "a", "", "x\n"), ["@@ -1,2 +1,2 @@", " 0", "-ab", "+ax"]),
    ],
)
def test_pieces_that_share_a_line_are_compared_as_that_line(before, after, hunks):
    assert diff(pair(before, after)).splitlines()[2:] == hunks
    headless = DeckFile(Path("deck.txt"), Lines((*after, "")), Disk(Lines((*before, "")), None))
    assert diff(DeckFiles(headless.path, (headless,))).splitlines()[2:] == hunks


def test_changes_all_over_a_large_deck_are_as_many_regions():
    before = [f"line {n}\n" for n in range(20_000)]
    after = [f"changed {n}\n" if n % 10 == 5 else line for n, line in enumerate(before)]
    regions = changed_regions(before, after)
    assert [(one.before, one.after) for one in regions] == [(range(n, n + 1),) * 2 for n in range(5, 20_000, 10)]


def test_what_moved_and_what_came_between_is_told_apart():
    before = [str(n) for n in range(300)]
    after = [*before[:50], "new", *before[50:120], before[200], *before[120:200], *before[201:]]
    regions = changed_regions(before, after)
    assert [(len(one.before), len(one.after)) for one in regions] == [(0, 1), (0, 1), (1, 0)]
