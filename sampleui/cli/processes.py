"""Work on many files: in several processes when that pays off, with the results in the order of the files."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from sampleui.cli import output
from sampleui.text.confined import size_of

_Result = TypeVar("_Result")
_Part = TypeVar("_Part")

MANY = 16
"""From how many files on processes pay for their start, whatever the files hold."""

BIG = 1 << 22
"""From how many bytes on they pay for two files."""


@dataclass(frozen=True, slots=True)
class Died:
    """The result of a file whose process died."""

    path: Path
    reason: str = "the process that worked on it died"


def each(
    work: Callable[[Path], _Result], paths: Sequence[Path], jobs: int | None, doing: str
) -> Iterator[_Result | Died]:
    """Yield the result of each file, in the order of the files, and show the progress on a terminal.

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
    if processes > 1 and pays:
        from sampleui.cli.pool import each_in_pool  # what one file does without

        results = each_in_pool(work, paths, show, processes, Died)
    else:
        results = _one_by_one(work, paths, show)
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
    from sampleui.cli.pool import pool_of

    with pool_of(processes) as pool:
        yield from pool.map(_do_forked, parts)


def _do_forked(part: Any) -> Any:
    return _forked_work(part)


_forked_work: Callable[[Any], Any] = str
"""What `spread` has its processes do."""


def _one_by_one(
    work: Callable[[Path], _Result], paths: Sequence[Path], show: Callable[[int], None]
) -> Iterator[_Result]:
    for done, path in enumerate(paths):
        show(done)
        yield work(path)


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _size(path: Path) -> int:
    try:
        return size_of(path)
    except OSError:
        return 0
