"""What all tests share: how long properties are tried, and an environment that is nobody's own.

Properties have no clock, for a busy machine is no fault of theirs. Each run tries the same few examples, so that
what landed passes tomorrow as well; `make torture` tries many, other ones each time.
"""

from __future__ import annotations

import gc
import importlib
import os
import re
import subprocess
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pytest
from hypothesis import HealthCheck, settings
from textual.app import App

for profile, examples, always_the_same in (("quick", 5, True), ("usual", 20, True), ("deep", 1000, False)):
    settings.register_profile(
        profile,
        max_examples=examples,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
        derandomize=always_the_same,
    )
settings.load_profile("usual")

# The program is started often, and compiling it takes a third of a start.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# Tests leave little behind that refers to itself, and looking for it among all modules and tests takes long.
gc.set_threshold(50_000, 20, 50)

# Whatever terminal or hook of git the tests are run from: their widths, colours and repositories are their own.
_THEIRS = {"COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "TMUX"}
for name in [name for name in os.environ if name in _THEIRS or name.startswith("GIT_")]:
    del os.environ[name]
os.environ["GIT_CONFIG_GLOBAL"] = os.environ["GIT_CONFIG_SYSTEM"] = os.devnull


def pytest_addoption(parser: pytest.Parser) -> None:
    """Take `--quick`."""
    parser.addoption("--quick", action="store_true", help="start no process and no app, and try few examples")


def pytest_configure(config: pytest.Config) -> None:
    """Try few examples with `--quick`."""
    if config.getoption("quick"):
        settings.load_profile("quick")


@pytest.fixture(scope="session", autouse=True)
def quick(request: pytest.FixtureRequest) -> None:
    """With `--quick`, leave a test out where it would start a process or an app."""
    if request.config.getoption("quick"):
        subprocess.Popen.__init__ = os.fork = App.run_test = _left_out  # type: ignore[assignment, method-assign]


def _left_out(*_: object, **__: object) -> NoReturn:
    pytest.skip("it starts a process or an app")


@pytest.fixture(scope="session")
def new_folder(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Make folders. Pytest itself numbers each by a look through those of all tests before it."""
    numbers: Counter[str] = Counter()

    def made(name: str) -> Path:
        numbers[name] += 1
        return tmp_path_factory.mktemp(f"{name}_{numbers[name]}", numbered=False)

    return made


@pytest.fixture
def tmp_path(request: pytest.FixtureRequest, new_folder: Callable[[str], Path]) -> Path:
    """Return an empty folder of the test's own."""
    return new_folder(re.sub(r"\W", "_", request.node.name)[:29])


@pytest.fixture
def two_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have two processors, whatever this machine has."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {0, 1}, raising=False)


@pytest.hookimpl(tryfirst=True)
def pytest_xdist_auto_num_workers() -> int:
    """Use a process more than there are processors: some tests wait for a program in a terminal."""
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Have each process begin with other modules: asserts are rewritten by the first that imports them.

    In a fresh checkout each process would rewrite those of all, at the same time, which takes longer than all else
    that it does to collect them.
    """
    folder = Path(__file__).parent
    worker = getattr(session.config, "workerinput", None)
    if worker is None or [Path(path).absolute() for path in session.config.args] != [folder]:
        return
    modules = sorted(
        ".".join(path.relative_to(folder.parent).with_suffix("").parts) for path in folder.rglob("test_*.py")
    )
    first = len(modules) * int(worker["workerid"].removeprefix("gw")) // worker["workercount"]
    for module in (*modules[first:], *modules[:first]):
        try:
            importlib.import_module(module)
        except (ImportError, SyntaxError, pytest.skip.Exception):
            continue  # collecting it says so


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish() -> None:
    """Leave what the tests made to the end of the process: pytest would collect it five times over."""
    gc.freeze()
