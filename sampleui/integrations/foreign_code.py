"""Code of other packages, run so that it costs a line of warning at most.

Whatever it raises, `SystemExit` and `KeyboardInterrupt` too, becomes a `ForeignError`; what it prints is kept from
the terminal and told in a line; and one that does not come to an end can be left: by ctrl+c, which ends a command,
and by ctrl+c or Escape in the app, which goes on without it.
"""

from __future__ import annotations

import io
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from typing import Any

from sampleui.errors import Interrupted, SampleUIError
from sampleui.text.visible import one_line

STUCK_S = 1.0
"""Seconds after which a key leaves code that runs; until then it is a key like any other."""

_PRINTED = 1 << 16
_BEGUN: list[float] = []
"""When each call began that is still running on the main thread."""


class ForeignError(Exception):
    """Code of another package failed, in one clean line. `was_left` tells whether somebody left it."""

    def __init__(self, line: str, was_left: bool = False) -> None:
        super().__init__(line)
        self.was_left = was_left


def _unheard(_line: str) -> None:
    """Say nothing of what is printed."""


class _Left(BaseException):
    """Somebody left what runs."""


def run(call: Callable[..., Any], *args: Any, heard: Callable[[str], object] = _unheard) -> Any:
    """Return what a call of another package's code returns.

    Args:
        call: the function.
        args: what it is given.
        heard: is told in a line of what it prints.

    Raises:
        SampleUIError: what it raises on purpose, to say what is wrong with a file.
        Interrupted: when the user interrupts the command.
        ForeignError: whatever else it raises.
    """
    printed = _Printed()
    is_main = threading.current_thread() is threading.main_thread()
    if is_main:
        _BEGUN.append(time.monotonic())
    try:
        with redirect_stdout(printed), redirect_stderr(printed):
            result = call(*args)
    except (SampleUIError, Interrupted, StopIteration):
        raise
    except _Left:
        raise ForeignError("stopped, because it did not end", was_left=True) from None
    except BaseException as error:  # noqa: BLE001 - whatever a stranger's code raises must not end the program
        raise ForeignError(_line(error)) from None
    finally:
        if is_main:
            _BEGUN.pop()
    if text := printed.getvalue():
        heard(f"it prints {one_line(text)}")
    return result


def each(items: Iterator[Any], heard: Callable[[str], object] = _unheard) -> Iterator[Any]:
    """Yield the items of an iterator of another package's. Raises as `run`."""
    while True:
        try:
            item = run(next, items, heard=heard)
        except StopIteration:
            return
        yield item


def leave_if_stuck() -> bool:
    """Leave code that has run on the main thread for a while, and tell whether there is any; for any thread."""
    begun = _BEGUN[:1]
    if not begun or time.monotonic() - begun[0] < STUCK_S or not hasattr(signal, "SIGUSR1"):
        return False
    os.kill(os.getpid(), signal.SIGUSR1)
    return True


def leave(*_: object) -> None:
    """Handle the signal that `leave_if_stuck` sends."""
    if _BEGUN:
        raise _Left


class _Printed(io.StringIO):
    """What is printed, the beginning of it."""

    def write(self, text: str) -> int:
        if self.tell() < _PRINTED:
            super().write(str(text)[:_PRINTED])
        return len(text)


def _line(error: BaseException) -> str:
    try:
        text = str(error)
    except BaseException:  # noqa: BLE001 - its own words are a stranger's code too
        text = ""
    return one_line(f"{type(error).__name__}: {text}" if text else type(error).__name__)
