"""Globs are matched in bounded time, and never outside of the root."""

import os
from pathlib import Path

import pytest

from sampleui import open_deck
from sampleui.text.patterns import matched


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "root"
    (root / "deck/sub").mkdir(parents=True)
    for name in ("a.yaml", "b.yaml", "sub/c.yaml", "x1.txt", f"{'a' * 60}b", "../up.yaml", "../../out.yaml"):
        (root / "deck" / name).write_text("- id: x\n")
    return root


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("*.yaml", ["a.yaml", "b.yaml"]),
        ("**/*.yaml", ["a.yaml", "b.yaml", "sub/c.yaml"]),
        ("{a,sub/c,none}.yaml", ["a.yaml", "sub/c.yaml"]),
        ("x{1..3}.txt", ["x1.txt"]),
        ("[ab].yaml", ["a.yaml", "b.yaml"]),
        ("@(a|z).?aml", ["a.yaml"]),
        ("../*.yaml", ["../up.yaml"]),
        ("../../*.yaml", []),
        ("sub/*/../../a.yaml", []),
        ("?*?*?*.yaml", []),
        ("*?*?*?.yaml", []),
        ("*?*?*?*.yaml", []),
        ("+(a|aa|aaa)*c", []),
        ("{a,b,c}{,1,2}{,1,2}{,1,2}{,1,2}*.yaml", []),
        ("{1..101}*.yaml", []),
        ("*\0", []),
        ("\0/*", []),
    ],
)
def test_a_glob_stands_for_files_in_the_root(root: Path, pattern: str, found: list[str]) -> None:
    assert matched(pattern, root / "deck", root, 100) == found


def test_links_to_folders_are_passed_inside_of_the_root_by_single_stars(root: Path) -> None:
    (root / "deck" / "within").symlink_to("sub")
    (root / "deck" / "out").symlink_to("../..")
    (root / "deck" / "round").symlink_to(".")
    assert matched("*/c.yaml", root / "deck", root, 100) == ["sub/c.yaml", "within/c.yaml"]
    assert matched("**/c.yaml", root / "deck", root, 100) == ["sub/c.yaml"]


@pytest.mark.parametrize(
    "pattern",
    ["/**/*.yaml", "{/,x}**/*.yaml", "{..,x}/{..,x}/*", "*/*/*/*.yaml", "out/*", "@(..)/*", "[.][.]/*"],
)
def test_no_folder_outside_of_the_root_is_looked_into(root: Path, pattern: str, monkeypatch) -> None:
    (root / "deck" / "out").symlink_to("/")
    looked_into: list[Path] = []
    scandir = os.scandir

    def seen(path):
        looked_into.append(Path(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", seen)
    matched(pattern, root / "deck", root, 100)
    assert [path for path in looked_into if not path.resolve().is_relative_to(root.resolve())] == []


def test_so_many_files_are_looked_for(root: Path) -> None:
    assert len(matched("**", root / "deck", root, 3)) == 3


def test_a_deck_whose_glob_cannot_be_matched_is_opened(root: Path) -> None:
    config = root / "deck/promptfooconfig.yaml"
    pattern = "file://{a,b,c}{,1,2}{,1,2}{,1,2}{,1,2}*.yaml"
    config.write_text(f"prompts: ['{pattern}']\ntests: ['{pattern}', {{vars: {{x: '{pattern}'}}}}]\n")
    deck = open_deck(config)
    assert [pattern[7:] in str(found) for found in deck.notes] == [True]
    assert pattern[7:] in str(deck.render(deck.samples[0]).diagnostics)
