"""Lends the terminal to another program or to the shell, with the signals handled as it needs for that while."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Any, TypeAlias

from textual.app import App

from sampleui.tui.terminal.modes import in_front, put_back, read_modes

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
