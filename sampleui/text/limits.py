"""A time limit on what a stranger's pattern may cost."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class TookTooLongError(Exception):
    """What was done inside `limited` was stopped."""


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Stop what is done inside after a time. Matching looks for signals, which only the main thread gets.

    Raises:
        TookTooLongError: when it took longer.
    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return

    def stop(_number: int, _frame: object) -> None:
        raise TookTooLongError

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
