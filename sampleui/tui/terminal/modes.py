"""What a terminal is set to, to be put back."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

Modes: TypeAlias = "list[Any] | None"
"""What `termios` says of the terminal; None where there is none, or no termios."""

_held: list[Any] = []
"""The modes that the start of the app has changed."""

_INPUT, _OUTPUT = 0, 2
"""Where Textual reads keys and writes what it draws."""


def read_modes() -> Modes:
    """Return what the terminal is set to now."""
    try:
        import termios
    except ImportError:  # Windows
        return None
    try:
        return termios.tcgetattr(_INPUT)
    except (OSError, ValueError, termios.error):
        return None


@contextmanager
def keys_kept() -> Iterator[None]:
    """Keep what is typed while the app starts: a terminal that takes lines makes line feeds of Enter, and more."""
    before = read_modes() if in_front() else None
    if before is None:
        yield
        return
    import termios

    _held.append(before)
    early = [*before[:6], list(before[6])]
    early[0] &= ~(termios.IXON | termios.IXOFF | termios.ICRNL | termios.INLCR | termios.IGNCR)
    early[3] &= ~(termios.ECHO | termios.ICANON | termios.IEXTEN)
    try:
        termios.tcsetattr(_INPUT, termios.TCSANOW, early)
        yield
    finally:
        put_back(_held.pop(), "")


def usual_modes() -> Modes:
    """Return what the terminal was set to before the app began to start."""
    return _held[0] if _held else read_modes()


def put_back(modes: Modes, sequences: str) -> None:
    """Set the terminal to what it was set to, and write control sequences to it, whoever has it in front."""
    if modes is None:
        return
    import termios

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
