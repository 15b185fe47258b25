"""What a terminal is set to, to be put back."""

from __future__ import annotations

import os
import signal
from typing import Any, TypeAlias

Modes: TypeAlias = "list[Any] | None"
"""What `termios` says of the terminal; None where there is none, or no termios."""

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
