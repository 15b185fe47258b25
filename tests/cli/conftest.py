"""The command run as a user runs it, in its own process; and in this one where no process is needed."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from sampleui.cli.faces import Faces
from sampleui.cli.main import run as run_command
from sampleui.review.options import ReviewOptions
from sampleui.runs.records import Run
from sampleui.settings.options import Settings

ROOT = Path(__file__).parents[2]
DECKS = ROOT / "examples" / "decks"


@dataclass(frozen=True)
class Ran:
    """What a command did."""

    code: int
    out: str
    err: str


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep the settings and the state of whoever runs the tests out of them."""
    for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def process() -> Callable[..., Ran]:
    """Run `python -m sampleui` in a process of its own."""

    def ran(*args: str | Path, **environment: str) -> Ran:
        done = subprocess.run(
            [sys.executable, "-m", "sampleui", *map(str, args)],
            capture_output=True,
            env={**os.environ, **environment},
            stdin=subprocess.DEVNULL,
            check=False,
        )
        return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())

    return ran


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


@dataclass
class Author:
    """Stands in for the app and remembers what it was asked to open."""

    asked: tuple[Path, Settings, str | None] | None = None

    def __call__(self, path: Path, settings: Settings, dialect: str | None) -> int:
        self.asked = (path, settings, dialect)
        return 7


@dataclass
class Review:
    """Stands in for the review screen and remembers what it was asked to open."""

    asked: tuple[ReviewOptions, Settings] | None = None

    def __call__(self, options: ReviewOptions, settings: Settings) -> int:
        self.asked = (options, settings)
        return 8


@dataclass
class Trace:
    """Stands in for the trace screen and remembers what it was asked to open."""

    asked: tuple[Run, Settings, str | None] | None = None

    def __call__(self, run: Run, settings: Settings, record_id: str | None) -> int:
        self.asked = (run, settings, record_id)
        return 9


@dataclass
class Listing:
    """Stands in for the list of decks and remembers what it was asked to list."""

    asked: tuple[Sequence[Path], Settings] | None = None

    def __call__(self, paths: Sequence[Path], settings: Settings) -> int:
        self.asked = (paths, settings)
        return 6


@pytest.fixture
def listing() -> Listing:
    return Listing()


@pytest.fixture
def trace_app() -> Trace:
    return Trace()


@pytest.fixture
def review_app() -> Review:
    return Review()


@pytest.fixture
def app() -> Author:
    return Author()


@pytest.fixture
def sampleui(
    capsys: pytest.CaptureFixture[str], app: Author, listing: Listing, review_app: Review, trace_app: Trace
) -> Callable[..., Ran]:
    """Run a command line in this process."""

    def ran(*args: str | Path) -> Ran:
        capsys.readouterr()
        faces = Faces(author=app, workspace=listing, review=review_app, trace=trace_app)
        code = run_command([str(arg) for arg in args], faces)
        captured = capsys.readouterr()
        return Ran(code, captured.out, captured.err)

    return ran
