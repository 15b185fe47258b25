"""Runs the app to its end, whatever ends it: its keys, a crash, a signal, a terminal that is closed."""

from __future__ import annotations

import asyncio
import os
import threading
from types import FrameType

from textual.app import App

from sampleui.tui.screens.base import CommandScreen
from sampleui.tui.terminal.lending import handled
from sampleui.tui.terminal.modes import put_back, usual_modes

_SIGNALLED = 128
"""What shells add to the number of the signal that ended a program."""

_PATIENCE = 1.5
"""Seconds after which an app that was told to end is ended by force: it is at work, or its terminal is gone and
takes no more output."""

_LEFT = "\x1b[?2004l\x1b[?7h\x1b[?1000l\x1b[?1003l\x1b[?1015l\x1b[?1006l\x1b[<u\x1b[?1049l\x1b[?25h\x1b[?1004l"
"""What Textual's driver writes when it stops."""


def run_app(app: App[int]) -> int:
    """Run an app and return the exit code: the one it was left with, 1 after a crash, 128 + N after signal N.

    A signal that ends it leaves the journal whole, with what is being typed, and the terminal as it was.
    """
    modes = usual_modes()

    def force(code: int) -> None:
        put_back(modes, _LEFT)
        os._exit(code)

    def end(number: int, _frame: FrameType | None) -> None:
        code = _SIGNALLED + number
        timer = threading.Timer(_PATIENCE, force, (code,))
        timer.daemon = True
        timer.start()
        asyncio.get_running_loop().call_soon_threadsafe(app.call_later, _leave, app, code)

    with handled(("SIGINT", "SIGQUIT", "SIGTERM", "SIGHUP"), end):
        code = app.run()
    return code if code is not None else app.return_code or 0


def _leave(app: App[int], code: int) -> None:
    for screen in app.screen_stack:
        if isinstance(screen, CommandScreen):
            screen.keep_typed()
    app.exit(code)
