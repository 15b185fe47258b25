"""The author screen on decks of its own, with the settings and state of whoever runs the tests kept out."""

from __future__ import annotations

import gc
import subprocess
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from inspect import CO_VARARGS, CO_VARKEYWORDS
from pathlib import Path
from typing import Any

import pyperclip
import pytest
from textual import Logger, _callback
from textual._compositor import Compositor
from textual.cache import LRUCache
from textual.css.stylesheet import Stylesheet
from textual.message import Message
from textual.message_pump import MessagePump

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


@pytest.fixture(autouse=True, scope="session")
def handlers_looked_up_once() -> Iterator[None]:
    """Look for the handlers of a kind of message once for a class, and write no log, which nobody would read.

    Textual looks through all parents of a class for each message, and through the signature of each function it
    calls, which takes a tenth of a test or more.
    """
    look, count = MessagePump._get_dispatch_methods, _callback._count_parameters
    known: dict[tuple[type, type, str], list[tuple[type, Any]] | None] = {}

    def plain(kind: type, message: type, name: str) -> list[tuple[type, Any]] | None:
        """Return the handlers that go by their names, or None where a decorator has a say."""
        messages = message.__mro__
        if any(one in cls.__dict__.get("_decorated_handlers", ()) for cls in kind.__mro__ for one in messages):
            return None
        handlers = ((cls, cls.__dict__.get(f"_{name}") or cls.__dict__.get(name)) for cls in kind.__mro__)
        return [(cls, one) for cls, one in handlers if one is not None and not getattr(one, "_textual_on", None)]

    def looked_up(pump: MessagePump, name: str, message: Message) -> Iterable[tuple[type, Any]]:
        key = type(pump), type(message), name
        if key not in known:
            known[key] = plain(*key)
        handlers = known[key]
        if handlers is None:
            yield from look(pump, name, message)
            return
        for cls, method in handlers:
            if message._no_default_action:
                break
            yield cls, method.__get__(pump, cls)

    def counted(function: Any) -> int:
        code = getattr(function, "__code__", None)
        if code is None or hasattr(function, "__wrapped__") or code.co_flags & (CO_VARARGS | CO_VARKEYWORDS):
            return count(function)
        return int(code.co_argcount + code.co_kwonlyargcount)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(MessagePump, "_get_dispatch_methods", looked_up)
        patch.setattr(_callback, "_count_parameters", counted)
        patch.setattr(Logger, "__call__", lambda *_, **__: None)
        patch.setattr(Logger, "event", property(lambda logger: logger))
        patch.setattr(Logger, "verbosity", lambda logger, _: logger)
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
