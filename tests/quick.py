"""Limits of time, for what must not grow with the square of a size; a slow or a busy machine moves them."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from sampleui.garbage import collector_off

_IDLE = 0.02
"""Seconds of the processor that `_known_work` takes on an idle machine."""


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Fail when a block takes more of the processor than it may on an idle machine.

    What other tests have left in memory does not count (the garbage collector rests), nor does what slows all work
    down at this moment (the limit grows with what a known piece of work takes).
    """
    with collector_off():
        started = time.process_time()
        yield
        lasted = time.process_time() - started
    assert lasted < seconds or lasted < seconds * _known_work() / _IDLE, f"took {lasted:.1f} s, not {seconds} s"


def _known_work() -> float:
    started = time.process_time()
    words = [str(number) for number in range(100_000)]
    assert len(sorted(dict.fromkeys(words), reverse=True)) == len(" ".join(words).split())
    return time.process_time() - started
