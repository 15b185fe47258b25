"""The command run as a user runs it, in its own process; and in this one where no process is needed."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sampleui.cli import app as start
from sampleui.cli.main import run as run_command
from tests.command import Ran

ROOT = Path(__file__).parents[2]
DECKS = ROOT / "examples" / "decks"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep the settings and the state of whoever runs the tests out of them."""
    for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def process() -> Callable[..., Ran]:
    """Run `python -m sampleui` in a process of its own."""

    def run(*args: str | Path, **environment: str) -> Ran:
        done = subprocess.run(
            [sys.executable, "-m", "sampleui", *map(str, args)],
            capture_output=True,
            env={**os.environ, **environment},
            stdin=subprocess.DEVNULL,
            check=False,
        )
        return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())

    return run


@pytest.fixture
def folder(tmp_path: Path) -> Callable[..., Path]:
    """Write files into a folder, by their paths in it, and return the folder."""

    def written(**files: str) -> Path:
        root = tmp_path / "evals"
        for name, text in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        root.mkdir(exist_ok=True)
        return root

    return written


def drawn_on(master: int) -> bytes:
    """Return what programs write on a terminal, until nobody has it any more."""
    drawn = b""
    try:
        while part := os.read(master, 65536):
            drawn += part
    except OSError:
        pass
    os.close(master)
    return drawn


class Face:
    """Stands in for a screen, and remembers what it was asked to open."""

    def __init__(self, status: int) -> None:
        self.asked: tuple[Any, ...] | None = None
        self._status = status

    def stands_in_for(self, name: str, monkeypatch: pytest.MonkeyPatch) -> Face:
        """Be what the command line opens instead of a screen."""
        monkeypatch.setattr(start, name, self)
        return self

    def __call__(self, *asked: Any, **named: Any) -> int:
        assert not named
        self.asked = asked
        return self._status


@pytest.fixture
def listing(monkeypatch: pytest.MonkeyPatch) -> Face:
    return Face(6).stands_in_for("list_decks", monkeypatch)


@pytest.fixture
def trace_app(monkeypatch: pytest.MonkeyPatch) -> Face:
    return Face(9).stands_in_for("show_trace", monkeypatch)


@pytest.fixture
def review_app(monkeypatch: pytest.MonkeyPatch) -> Face:
    return Face(8).stands_in_for("show_review", monkeypatch)


@pytest.fixture
def app(monkeypatch: pytest.MonkeyPatch) -> Face:
    return Face(7).stands_in_for("edit_deck", monkeypatch)


@pytest.fixture
def sampleui(
    capsys: pytest.CaptureFixture[str], app: Face, listing: Face, review_app: Face, trace_app: Face
) -> Callable[..., Ran]:
    """Run a command line in this process."""

    def ran(*args: str | Path) -> Ran:
        capsys.readouterr()
        code = run_command([str(arg) for arg in args])
        captured = capsys.readouterr()
        return Ran(code, captured.out, captured.err)

    return ran
