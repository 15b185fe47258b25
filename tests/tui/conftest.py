"""The author screen on decks of its own, with the settings and state of whoever runs the tests kept out."""

from __future__ import annotations

import gc
import subprocess
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyperclip
import pytest
from textual._compositor import Compositor
from textual.cache import LRUCache
from textual.css.stylesheet import Stylesheet

from .driver import DECKS


@pytest.fixture(autouse=True)
def home(new_folder: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    home = new_folder("home")
    monkeypatch.setenv("HOME", str(home))
    for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(home / name))
    for name in ("NO_COLOR", "VISUAL", "EDITOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLORTERM", "truecolor")  # else the colours are those of the terminal the tests run in
    return home


@pytest.fixture(autouse=True)
def unpainted(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Paint no frames, which nobody sees and which take half of the time; tests draw what they read.

    Tests marked `painted` have each frame painted, as a terminal has.
    """
    if request.node.get_closest_marker("painted"):
        return
    paint = Compositor.render_update

    def pictures_only(compositor: Compositor, full: bool = False, **given: Any) -> Any:
        if full:
            return paint(compositor, full, **given)
        compositor._dirty_regions.clear()
        return None

    monkeypatch.setattr(Compositor, "render_update", pictures_only)


@pytest.fixture(autouse=True, scope="session")
def styles_read_once() -> Iterator[None]:
    """Read a style sheet once for all apps with the same colours; each would spend a tenth of its test on that."""
    shared: dict[frozenset[tuple[str, str]], LRUCache[Any, Any]] = defaultdict(lambda: LRUCache(1024))
    begin, set_variables = Stylesheet.__init__, Stylesheet.set_variables

    def share(sheet: Stylesheet) -> None:
        sheet._parse_cache = shared[frozenset(sheet._variables.items())]

    def begin_sharing(sheet: Stylesheet, *, variables: dict[str, str] | None = None) -> None:
        begin(sheet, variables=variables)
        share(sheet)

    def set_and_share(sheet: Stylesheet, variables: dict[str, str]) -> None:
        sheet._parse_cache = LRUCache(1)  # the one that Textual clears
        set_variables(sheet, variables)
        share(sheet)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Stylesheet, "__init__", begin_sharing)
        patch.setattr(Stylesheet, "set_variables", set_and_share)
        yield


@pytest.fixture(autouse=True)
def unfrozen() -> Iterator[None]:
    """Let go of an app that has ended: a running one has frozen what there is."""
    yield
    gc.unfreeze()


@pytest.fixture
def system(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a clipboard that stands for the system's."""
    held = [""]
    monkeypatch.setattr(pyperclip, "copy", lambda text: held.__setitem__(0, text))
    monkeypatch.setattr(pyperclip, "paste", lambda: held[0])
    return held


@pytest.fixture
def hello(tmp_path: Path) -> Path:
    """Return a copy of the first example deck."""
    path = tmp_path / "hello.toml"
    path.write_bytes((DECKS / "hello.toml").read_bytes())
    return path


@pytest.fixture
def repository(hello: Path) -> Path:
    """Return the same copy, committed to a git repository."""
    for command in (
        ["init", "-q"],
        ["add", hello.name],
        ["-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-qm", "first"],
    ):
        subprocess.run(["git", *command], cwd=hello.parent, check=True, capture_output=True)
    return hello
