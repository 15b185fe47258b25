"""A pool of processes, which outlives the death of any of them and dies with the command."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial
from multiprocessing import connection
from pathlib import Path
from typing import TypeAlias, TypeVar

from sampleui.cli import output
from sampleui.cli.output import FAILED
from sampleui.integrations import index

_Result = TypeVar("_Result")
_Died = TypeVar("_Died")
_WithWarnings: TypeAlias = tuple[_Result, list[str]]

_AHEAD = 16
_POLL_S = 0.1


def each_in_pool(
    work: Callable[[Path], _Result],
    paths: Sequence[Path],
    show: Callable[[int], None],
    processes: int,
    died: Callable[[Path], _Died],
) -> Iterator[_Result | _Died]:
    """Yield results, and show how many files are done while one is waited for.

    A process that dies takes all work under way with it, and nobody can tell whose fault it was; so what is left is
    done again, each file in a process of its own.

    Args:
        work: what to do; it can be pickled, as its results can.
        paths: the files.
        show: shows how many are done.
        processes: how many processes there are.
        died: returns the result of a file whose process died.

    Raises:
        Exception: what `work` raises.
    """
    waiting: deque[Future[_WithWarnings[_Result]] | None] = deque()
    with pool_of(processes) as pool:
        for done, path in enumerate(paths):
            for ahead in paths[done + len(waiting) : done + processes * _AHEAD]:
                waiting.append(_submitted(pool, partial(_with_warnings, work, ahead)))
            future = waiting.popleft()
            try:
                while future is not None and not _ready(future):
                    show(done + len([item for item in waiting if item is not None and item.done()]))
                result = _alone(work, path, died) if future is None else _with_warnings_shown(future.result())
            except BrokenProcessPool:
                result = _alone(work, path, died)
            yield result


def _alone(work: Callable[[Path], _Result], path: Path, died: Callable[[Path], _Died]) -> _Result | _Died:
    with pool_of(1) as pool:
        try:
            return _with_warnings_shown(pool.submit(partial(_with_warnings, work, path)).result())
        except BrokenProcessPool:
            return died(path)


def _with_warnings(work: Callable[[Path], _Result], path: Path) -> _WithWarnings[_Result]:
    """Return a result and the warnings of integrations, which the command itself prints, each once."""
    warnings: list[str] = []
    index.warn_by(warnings.append)
    return work(path), warnings


def _with_warnings_shown(result_with_warnings: _WithWarnings[_Result]) -> _Result:
    for warning in result_with_warnings[1]:
        output.warn(warning)
    return result_with_warnings[0]


def _submitted(pool: ProcessPoolExecutor, work: Callable[[], _Result]) -> Future[_Result] | None:
    try:
        with _uninterrupted():
            return pool.submit(work)
    except BrokenProcessPool:
        return None


def _ready(future: Future[_Result]) -> bool:
    return bool(wait([future], _POLL_S).done)


@contextmanager
def pool_of(processes: int) -> Iterator[ProcessPoolExecutor]:
    """Provide a pool of processes, and end those still at work when nobody waits for them any more."""
    # A command has no other threads, so it may be forked, which is many times quicker than a fresh start.
    context = multiprocessing.get_context("fork" if sys.platform == "linux" else None)
    output.flush()  # or each process would print again what is not printed yet
    before = {*multiprocessing.active_children()}
    pool = ProcessPoolExecutor(processes, context, _leave_with_parent)
    try:
        yield pool
    except BaseException:  # GeneratorExit and ctrl+c too, as whoever asked will not wait
        for process in {*multiprocessing.active_children()} - before:
            process.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Keep ctrl+c from the processes that are started inside: the command itself ends them."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _leave_with_parent() -> None:
    """End this process when its parent is killed; it would otherwise wait for work for ever."""
    parent = multiprocessing.parent_process()
    assert parent is not None

    def watch() -> None:
        connection.wait([parent.sentinel])
        os._exit(FAILED)

    threading.Thread(target=watch, daemon=True).start()
