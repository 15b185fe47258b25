"""The worked example of the docs, from its first key to its last line of output."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from textual.screen import Screen

from sampleui.settings.options import Settings
from sampleui.tui.app import SampleUI
from sampleui.tui.opening import first_screen
from sampleui.tui.review.first_screen import usual_review

from .driver import ROOT, drawn_lines, keys_of
from .pressing import press, rested

PAGE = ROOT / "docs" / "worked-example.md"
PIECE = re.compile(r"^```(\w+)\n(.*?)^```|^(\| `.*?)\|", re.MULTILINE | re.DOTALL)
NAMED = {"Enter", "Escape", "home", "end"}


class Piece(NamedTuple):
    """A block of the page by its language, or the first cell of a row of keys."""

    kind: str
    text: str


def pieces(heading: str) -> Iterator[Piece]:
    """The pieces below a heading, in their order."""
    page = PAGE.read_text(encoding="utf-8")
    section = re.search(rf"^## {heading}\n(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL)
    assert section, f"the page has no heading {heading}"
    for language, body, cell in PIECE.findall(section[1]):
        yield Piece(language or "keys", body or cell)


def keys_in(cell: str) -> Iterator[list[str]]:
    """Each key that a cell names, and the keys that type each of its texts."""
    for token in re.findall(r"`([^`]+)`", cell):
        if token in NAMED:
            yield [token.lower()]
        else:
            yield [token] if token.startswith("ctrl+") else keys_of(token)


def outputs(folder: Path, block: str) -> Iterator[tuple[str, str, str]]:
    """Each command of a block, what the page shows of its output, and what it prints."""
    env_path = f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin"
    env = {"PATH": env_path, "HOME": str(folder / "home"), "PYTHONUNBUFFERED": "1"}
    env |= {f"GIT_{who}_{what}": "x@example.com" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    for command, shown in re.findall(r"^\$ (.+)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
        ran = subprocess.run(
            command, shell=True, cwd=folder, env=env, check=False, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        yield command, shown, ran.stdout


async def in_the_app(found: Iterator[Piece], screen: Callable[[], Screen[int]], settings: Settings) -> None:
    """Press the keys of pieces in a running app, which they end, and look for the lines that are shown between."""
    app = SampleUI(screen, settings)
    async with app.run_test(size=(80, 24)):
        await rested(app)
        for piece in found:
            if piece.kind == "keys":
                for keys in keys_in(piece.text):
                    await press(app, *keys)
                if not app.is_running:
                    return
            elif piece.kind == "text":
                drawn = {line.strip() for line in drawn_lines(app.screen)}
                assert set(piece.text.splitlines()) <= drawn
    pytest.fail("the keys of the page do not leave the app")


async def test_every_step_of_the_worked_example_does_what_the_page_says(tmp_path, monkeypatch):
    folder = tmp_path / "empty"
    folder.mkdir()
    monkeypatch.chdir(folder)
    settings = Settings(reviewer="ann")

    def commands(found: Iterator[Piece]) -> None:
        for piece in found:
            if piece.kind == "python":
                (folder / "run.py").write_text(piece.text, encoding="utf-8")
            elif piece.kind == "toml":
                assert (folder / "new.toml").read_text(encoding="utf-8").startswith(piece.text)
            elif piece.kind == "console":
                for command, shown, printed in outputs(folder, piece.text):
                    assert printed == shown, command

    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    writing = pieces("Write a deck")
    await in_the_app(writing, first_screen(Path("new.toml"), settings, None), settings)
    commands(writing)
    commands(pieces("Run it"))
    await in_the_app(pieces("Review it"), usual_review(Path("new.results.jsonl"), settings), settings)
    commands(pieces("What has changed"))
