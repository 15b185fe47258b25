"""Textual's driver, with a different way of reading keys."""

from __future__ import annotations

import asyncio
import os
import select
import signal
from codecs import getincrementaldecoder

from textual.drivers.linux_driver import LinuxDriver

from sampleui.integrations.foreign_code import leave_if_stuck
from sampleui.tui.input.reader import KeyReader
from sampleui.tui.terminal import Modes, as_typed, left_over, usual_modes
from sampleui.tui.textual_internals import SizedByTerminal, post_size

_SEQUENCE_TIMEOUT_S = 0.002
"""Seconds within which a sequence that has begun goes on. A terminal sends it whole; a hand needs longer."""

_POLL_S = 0.1
"""Seconds between two looks at whether the app is about to end."""

_READ_BYTES = 4096


class TerminalDriver(SizedByTerminal, LinuxDriver):
    """Reads the terminal so that Escape is Escape at once, whatever is typed after it."""

    _usual: Modes = None
    _left_over = b""

    def start_application_mode(self) -> None:
        """Take the terminal over, with cursor keys as `ESC [ A` and no reports of its window's focus.

        Those reports look like Escape, `[` and a letter, and nothing here depends on the focus of a window.
        """
        usual = self._usual or usual_modes()
        super().start_application_mode()  # type: ignore[no-untyped-call]
        self.attrs_before = usual or self.attrs_before
        self.write("\x1b[?1l\x1b[?1004l")
        self.flush()
        loop = asyncio.get_running_loop()
        # Not `signal.signal`: a signal that another thread is given does not wake a loop that has nothing to do.
        loop.add_signal_handler(signal.SIGWINCH, self._tell_size, loop)
        self._tell_size(loop)

    def resume_application_mode(self) -> None:
        """Take the terminal back from another program, with the keys that it did not read."""
        self._usual = usual_modes()
        self._left_over = left_over()
        super().resume_application_mode()

    def _tell_size(self, loop: asyncio.AbstractEventLoop) -> None:
        """Post the terminal's size as it is now.

        Textual reads it in the handler of the signal. Of two signals the second may be handled in the midst of the
        first, and the size that was read first is told last then, and stays.
        """
        post_size(self, loop)

    def run_input_thread(self) -> None:
        """Read until the app ends."""
        reader = KeyReader(console=os.environ.get("TERM") == "linux")
        decode = getincrementaldecoder("utf-8")("replace").decode
        while not self.exit_event.is_set():
            data, self._left_over = self._left_over, b""
            if not data:
                ready, _, _ = select.select(
                    [self.fileno], [], [], _SEQUENCE_TIMEOUT_S if reader.waiting else _POLL_S
                )
                if ready and not (data := as_typed(os.read(self.fileno, _READ_BYTES))):
                    return
            if (b"\x03" in data or b"\x1b" in data) and leave_if_stuck():
                continue
            messages = reader.feed(decode(data)) if data else reader.flush()
            for message in messages:
                self.process_message(message)
