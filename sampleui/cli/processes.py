"""Work on many files: in several processes when that pays off, with the results in the order of the files.

A pool of processes outlives the death of any of them and dies with the command.
"""

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
from typing import Any, TypeAlias, TypeVar

from sampleui.cli import output
from sampleui.cli.output import FAILED
from sampleui.errors import DeckError
from sampleui.integrations import index
from sampleui.text.confined import size_of

_Result = TypeVar("_Result")
_Part = TypeVar("_Part")
_WithWarnings: TypeAlias = tuple[_Result, list[str]]

MANY = 16
"""From how many files on processes pay for their start, whatever the files hold."""

BIG = 1 << 22
"""From how many bytes on they pay for two files."""

_AHEAD = 16
_POLL_S = 0.1


def each(
    work: Callable[[Path], _Result], paths: Sequence[Path], jobs: int | None, doing: str
) -> Iterator[_Result | DeckError]:
    """Yield the result of each file, in the order of the files, and show the progress on a terminal.

    Of a file whose process died it is an error that says so.

    Args:
        work: what to do; it can be pickled, as its results can.
        paths: the files.
        jobs: how many processes at most; None for as many as there are processors.
        doing: the word for it, such as "checking".

    Raises:
        Exception: what `work` raises.
    """

    def show(done: int) -> None:
        output.progress(f"{doing} {done:,} of {len(paths):,}")

    processes = min(jobs or _processors(), len(paths))
    pays = jobs is not None or len(paths) >= MANY or sum(map(_size, paths)) >= BIG
    several = processes > 1 and pays
    results = _several(work, paths, show, processes) if several else _one_by_one(work, paths, show)
    try:
        for done, result in enumerate(results, 1):
            show(done)
            yield result
    finally:
        output.end_progress()


def spread(work: Callable[[_Part], _Result], parts: Sequence[_Part]) -> Iterator[_Result]:
    """Yield the result of each part, in order, computed in several processes if they can be forked.

    Args:
        work: what to do. It is not pickled, as the parts and the results are, and changes nothing that stays.
        parts: what to do it with.

    Raises:
        Exception: what `work` raises.
    """
    processes = min(_processors(), len(parts)) if sys.platform == "linux" else 1
    if processes < 2:
        yield from map(work, parts)
        return
    global _forked_work  # noqa: PLW0603 - what is forked finds it there
    _forked_work = work
    with _pool_of(processes) as pool:
        yield from pool.map(_do_forked, parts)


@contextmanager
def meanwhile(work: Callable[[], _Result]) -> Iterator[Callable[[], _Result]]:
    """Begin some work in a forked process, if possible, and provide a function that waits for its result.

    Where none can be forked, or the process dies, the work is done when its result is asked for. It is not pickled,
    as its result is, and changes nothing that stays.

    Raises:
        Exception: what `work` raises, when its result is asked for.
    """
    if sys.platform != "linux" or _processors() < 2:
        yield work
        return
    global _forked_work  # noqa: PLW0603 - what is forked finds it there
    _forked_work = lambda _: work()  # noqa: E731
    with _pool_of(1) as pool:
        future = pool.submit(_do_forked, None)

        def waited() -> _Result:
            try:
                result: _Result = future.result()
            except BrokenProcessPool:
                return work()
            return result

        yield waited


def _do_forked(part: Any) -> Any:
    return _forked_work(part)


_forked_work: Callable[[Any], Any] = str
"""What `spread` and `meanwhile` have their processes do."""


def _one_by_one(
    work: Callable[[Path], _Result], paths: Sequence[Path], show: Callable[[int], None]
) -> Iterator[_Result]:
    for done, path in enumerate(paths):
        show(done)
        yield work(path)


def _several(
    work: Callable[[Path], _Result], paths: Sequence[Path], show: Callable[[int], None], processes: int
) -> Iterator[_Result | DeckError]:
    """Yield results, and show how many files are done while one is waited for.

    A process that dies takes all work under way with it, and nobody can tell whose fault it was; so what is left is
    done again, each file in a process of its own.
    """
    waiting: deque[Future[_WithWarnings[_Result]] | None] = deque()
    with _pool_of(processes) as pool:
        for done, path in enumerate(paths):
            for ahead in paths[done + len(waiting) : done + processes * _AHEAD]:
                waiting.append(_submitted(pool, partial(_with_warnings, work, ahead)))
            future = waiting.popleft()
            try:
                while future is not None and not wait([future], _POLL_S).done:
                    show(done + len([item for item in waiting if item is not None and item.done()]))
                result = _alone(work, path) if future is None else _with_warnings_shown(future.result())
            except BrokenProcessPool:
                result = _alone(work, path)
            yield result


def _alone(work: Callable[[Path], _Result], path: Path) -> _Result | DeckError:
    with _pool_of(1) as pool:
        try:
            return _with_warnings_shown(pool.submit(partial(_with_warnings, work, path)).result())
        except BrokenProcessPool:
            return DeckError("the process that worked on it died", path)


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


@contextmanager
def _pool_of(processes: int) -> Iterator[ProcessPoolExecutor]:
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


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _size(path: Path) -> int:
    try:
        return size_of(path)
    except OSError:
        return 0
