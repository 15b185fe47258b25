"""Textual's driver, with a different way of reading keys."""

from __future__ import annotations

import asyncio
import os
import select
import signal
import time
from contextlib import suppress

from textual.app import SuspendNotSupported
from textual.drivers.linux_driver import LinuxDriver
from textual.events import Key
from textual.message import Message

from sampleui.integrations.foreign_code import leave_if_stuck
from sampleui.tui.input.reader import EscapedKey, KeyReader
from sampleui.tui.terminal import Modes, as_typed, left_over, lent, stop, usual_modes
from sampleui.tui.textual_internals import OwnTerminal, post_size

_POLL_S = 0.1
"""Seconds between two looks at whether the app is about to end."""

_READ_BYTES = 4096


class TerminalDriver(OwnTerminal, LinuxDriver):
    """Reads the terminal so that only what is whole is a key."""

    _usual: Modes = None
    _left_over = b""

    def start_application_mode(self) -> None:
        """Take the terminal over, without reports of its window's focus, on which nothing depends.

        Textual asks for Kitty's protocol; here the terminal is asked whether it has it.
        """
        usual = self._usual or usual_modes()
        super().start_application_mode()  # type: ignore[no-untyped-call]
        self.attrs_before = usual or self.attrs_before
        self.write("\x1b[?1004l\x1b[?u")
        self.flush()
        loop = asyncio.get_running_loop()
        # Not `signal.signal`: a signal that another thread is given does not wake a loop that has nothing to do.
        # Textual reads the size in the handler of the signal, which a second one may interrupt: then the size that
        # was read first is told last, and stays.
        loop.add_signal_handler(signal.SIGWINCH, post_size, self, loop)
        post_size(self, loop)

    def resume_application_mode(self) -> None:
        """Take the terminal back from another program, with the keys that it did not read."""
        self._usual = usual_modes()
        self._left_over = left_over()
        super().resume_application_mode()

    def stop(self) -> None:
        """Stop as by the key for it: somebody else told the app to."""
        with suppress(SuspendNotSupported):
            stop(self.app)

    def take_over_again(self) -> None:
        """Set the terminal and draw the whole screen, as after another program."""
        with suppress(SuspendNotSupported), lent(self.app):
            pass

    def run_input_thread(self) -> None:
        """Read until the app ends."""
        reader = KeyReader(self.app.settings.escape_delay / 1000)
        while not self.exit_event.is_set():
            data, self._left_over = self._left_over, b""
            if not data:
                patience = _POLL_S if reader.due is None else min(max(reader.due - time.monotonic(), 0), _POLL_S)
                ready, _, _ = select.select([self.fileno], [], [], patience)
                if ready and not (data := as_typed(os.read(self.fileno, _READ_BYTES))):
                    return
            now = time.monotonic()
            for message in reader.feed(data, now) if data else reader.flush(now):
                if not (_may_leave(message) and leave_if_stuck()):
                    self.process_message(message)


def _may_leave(message: Message) -> bool:
    """Tell whether it is a key that leaves code which does not come to an end."""
    return isinstance(message, EscapedKey) or (isinstance(message, Key) and message.key in ("escape", "ctrl+c"))
