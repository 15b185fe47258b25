"""Mutants put into the functions of a running process that has collected all tests: one fork each."""

from __future__ import annotations

import ast
import functools
import gc
import os
import resource
import signal
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from types import CodeType, FunctionType
from typing import Protocol

import pytest

ELSEWHERE = 77
"""The status of a fork whose mutant is in no function: it tells nothing."""


class Made(Protocol):
    """What is asked of a mutant: its file's text, and the tree of that with the mutation made."""

    source: str

    def tree(self) -> ast.Module: ...


class Trials:
    """A plugin of pytest that runs no test but in forks, each with a mutant, and keeps which mutants are caught."""

    def __init__(
        self, mutants: Sequence[Made], places: Sequence[Path], tests: Callable[[int], list[str]], seconds: int
    ) -> None:
        self.mutants = mutants
        self.places = places
        self.tests = tests
        self.patience = Patience(seconds)
        self.caught_in = Path(tempfile.mkdtemp()) / "caught"
        self.caught_in.touch()

    def __enter__(self) -> None:
        """Do nothing: the plugin is used as one that watches is."""

    def __exit__(self, *_: object) -> None:
        """Do nothing."""

    @property
    def caught(self) -> set[int]:
        """The mutants that a test noticed, by their indexes."""
        return {int(line) for line in self.caught_in.read_text().split()}

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Try each mutant against its tests."""
        items = defaultdict(list)
        for item in session.items:
            items[item.nodeid.partition("[")[0]].append(item)
        for index in range(len(self.mutants)):
            chosen = [item for test in self.tests(index) for item in items[test]]
            if chosen and self._fails(session, index, chosen):
                with self.caught_in.open("a") as file:
                    file.write(f"{index}\n")
        return True

    def _fails(self, session: pytest.Session, index: int, items: list[pytest.Item]) -> bool:
        child = os.fork()
        if not child:
            status = 1
            try:
                os.setsid()
                session.config.pluginmanager.register(self.patience)
                status = self._run(session, items) if put(self.mutants[index], self.places[index]) else ELSEWHERE
            finally:
                os._exit(status)
        return status_of(child) not in (0, ELSEWHERE)

    def _run(self, session: pytest.Session, items: list[pytest.Item]) -> int:
        with tempfile.TemporaryDirectory() as folder:
            session.config._tmp_path_factory._basetemp = Path(folder)  # type: ignore[attr-defined]
            for item, following in zip(items, [*items[1:], None], strict=True):
                session.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
                if session.testsfailed:
                    return 1
        return 0


class Patience:
    """A plugin of pytest that ends this process when a single test does not come to an end."""

    def __init__(self, seconds: int) -> None:
        self.seconds = seconds

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self) -> Iterator[None]:
        """Give a test its time, however long the tests before it took."""
        end_after(self.seconds)
        try:
            return (yield)
        finally:
            signal.alarm(0)


def end_after(seconds: int) -> None:
    """End this process once it has taken so many more seconds of the processor, or four times as many in all."""
    taken = resource.getrusage(resource.RUSAGE_SELF)
    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (int(taken.ru_utime + taken.ru_stime) + seconds, most))
    signal.alarm(seconds * 4)


def status_of(child: int) -> int:
    """Wait for a child that leads a group of processes, and end them all; return its status."""
    os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
    with suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)  # what its tests may have started
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def put(mutant: Made, place: Path) -> bool:
    """Give the functions of this process the code of a mutant; tell whether there are any that it changes."""
    old, new = (
        dict(_codes(compile(tree, str(place), "exec"))) for tree in (ast.parse(mutant.source), mutant.tree())
    )
    changed = {key: code for key, code in new.items() if key in old and old[key] != code}
    done = False
    for one in gc.get_objects():
        if isinstance(one, FunctionType) and one.__code__.co_filename == str(place):
            code = changed.get((one.__code__.co_qualname, one.__code__.co_firstlineno))
            if code is not None:
                one.__code__, done = code, True
        elif isinstance(one, functools._lru_cache_wrapper) and str(one.__module__).startswith("sampleui"):
            one.cache_clear()
    return done


def _codes(code: CodeType) -> Iterator[tuple[tuple[str, int], CodeType]]:
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield (inner.co_qualname, inner.co_firstlineno), inner
            yield from _codes(inner)
