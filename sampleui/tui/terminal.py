"""The terminal itself: its modes, its signals, lending it to other programs, and leaving it as it was."""

from __future__ import annotations

import fcntl
import os
import select
import signal
import sys
import termios
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from textual.app import App

Modes: TypeAlias = "list[Any] | None"
"""What `termios` says of the terminal; None if there is none."""

_modes_before: list[Any] = []
"""The modes that the start of the app has changed."""

_early: list[int] = []
"""How many bytes were typed before `keys_kept` began."""

_READ_BYTES = 4096

INTERRUPTED = "sampleui: interrupted\n"
"""What is said of an interrupt before the app takes anything."""

_INPUT, _OUTPUT = 0, 2
"""Where Textual reads keys and writes what it draws."""


def read_modes() -> Modes:
    """Return what the terminal is set to now."""
    try:
        return termios.tcgetattr(_INPUT)
    except (OSError, ValueError, termios.error):
        return None


@contextmanager
def keys_kept() -> Iterator[None]:
    """Keep keys as typed while the app starts: in line mode a terminal makes line feeds of Enter, and more."""
    before = read_modes() if in_front() else None
    if before is None:
        yield
        return
    _modes_before.append(before)

    def interrupted(*_: object) -> None:
        put_back(before, INTERRUPTED)
        os._exit(130)

    try:
        termios.tcsetattr(_INPUT, termios.TCSANOW, _by_key(before))
        _early[:] = [_waiting()]
        with handled(("SIGINT",), interrupted):
            yield
    finally:
        put_back(_modes_before.pop(), "")


def as_typed(read: bytes) -> bytes:
    """Return bytes as they were typed: in those from before the app began, line feeds were Enter."""
    count = _early.pop() if _early else 0
    if count > len(read):
        _early.append(count - len(read))
    return read[:count].replace(b"\n", b"\r") + read[count:]


def _waiting() -> int:
    """Return how many bytes are typed and not read. They stay where they are: for the shell, if nothing starts."""
    try:
        return int.from_bytes(fcntl.ioctl(_INPUT, termios.FIONREAD, bytes(4)), sys.byteorder)
    except OSError:
        return 0


def _by_key(modes: list[Any]) -> list[Any]:
    """Return modes in which keys come one by one, as they are typed."""
    changed = [*modes[:6], list(modes[6])]
    changed[0] &= ~(termios.IXON | termios.IXOFF | termios.ICRNL | termios.INLCR | termios.IGNCR)
    changed[3] &= ~(termios.ECHO | termios.ICANON | termios.IEXTEN)
    return changed


def left_over() -> bytes:
    """Return what was typed into the terminal that another program had, and did not read; keep keys from now on.

    A terminal that takes lines has made line feeds of Enter by then, which is what they were most likely.
    """
    modes = read_modes()
    if modes is None or not in_front():
        return b""
    typed = b""
    try:
        termios.tcsetattr(_INPUT, termios.TCSANOW, _by_key(modes))
        while select.select([_INPUT], [], [], 0)[0] and (read := os.read(_INPUT, _READ_BYTES)):
            typed += read
    except (OSError, termios.error):
        return typed  # the terminal is gone
    return typed.replace(b"\n", b"\r")


def usual_modes() -> Modes:
    """Return what the terminal was set to before the app began to start."""
    return _modes_before[0] if _modes_before else read_modes()


def put_back(modes: Modes, sequences: str) -> None:
    """Set the terminal to what it was set to, and write control sequences to it, whoever has it in front."""
    if modes is None:
        return
    # A process that is not in front is stopped for this, unless it blocks the signal.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTTOU})
    try:
        os.tcsetpgrp(_INPUT, os.getpgrp())
        termios.tcsetattr(_INPUT, termios.TCSANOW, modes)
        os.write(_OUTPUT, sequences.encode())
    except (OSError, termios.error):
        return  # the terminal is gone
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def in_front() -> bool:
    """Tell whether the terminal takes this process for the one in front."""
    try:
        return os.tcgetpgrp(_INPUT) == os.getpgrp()
    except OSError:
        return True


Handler: TypeAlias = Callable[[int, FrameType | None], Any] | signal.Handlers


@contextmanager
def handled(names: Sequence[str], handler: Handler) -> Iterator[None]:
    """Handle those of some signals that this system has; to be used on the main thread."""
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    before = [(number, signal.signal(number, handler)) for number in numbers]
    try:
        yield
    finally:
        for number, handler_before in before:
            signal.signal(number, handler_before)


_SOFT_RESET = "\x1b[!p"
"""Margins, character sets, cursor keys, colours: what a program that was killed did not put back."""


@contextmanager
def lent(app: App[Any]) -> Iterator[None]:
    """Step aside while another program has the terminal. Whatever happens inside, the app comes back.

    Keys that interrupt are for the other program alone. A signal that ends the app meanwhile ends it at once: there
    is nothing on the screen to put back.

    Raises:
        SuspendNotSupported: when the app has no terminal that it could lend.
    """
    # Handlers and not SIG_IGN, which the other program would inherit.
    with handled(("SIGINT", "SIGQUIT"), lambda *_: None):
        suspended = app.suspend()
        suspended.__enter__()
        modes = read_modes()
        try:
            with handled(("SIGTERM", "SIGHUP"), signal.SIG_DFL):
                yield
        finally:
            put_back(modes, _SOFT_RESET)
            # Not by `with`: Textual does not come back from an exception in it.
            suspended.__exit__(None, None, None)


def stop(app: App[Any]) -> None:
    """Stop the app and whatever runs it, until the shell brings it to the front again.

    Raises:
        SuspendNotSupported: when the app has no terminal that it could lend.
    """
    with lent(app):
        os.kill(0, signal.SIGSTOP)
        while not in_front():
            os.kill(0, signal.SIGSTOP)
