"""A program in a pseudo terminal, measured as a person meets it: from a key to what the screen shows."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time

import pyte

COLUMNS, LINES = 120, 40
_ANSWERS = {b"\x1b[c": b"\x1b[?1;2c", b"\x1b[6n": b"\x1b[1;1R", b"\x1b[?2026$p": b"\x1b[?2026;2$y"}
_UNREAD = re.compile(r"\x1b\[[<>=?]?[0-9;]*\$?[pu]|\x1b\[>[0-9;]*[a-zA-Z]|\x1b[P_^].*?\x1b\\", re.DOTALL)


class Terminal:
    """One run of a program."""

    def __init__(self, command: list[str]) -> None:
        self.screen = pyte.Screen(COLUMNS, LINES)
        self._stream = pyte.Stream(self.screen)
        self.started = time.perf_counter()
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.environ.update(TERM="xterm-256color", COLORTERM="truecolor", PYTHONDONTWRITEBYTECODE="")
            os.execvp(command[0], command)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))

    def text(self) -> str:
        """Return what the screen shows."""
        return "\n".join(self.screen.display)

    def wait_for(self, pattern: str, seconds: float = 30) -> float:
        """Wait until the screen matches; return the milliseconds since the start."""
        until = time.perf_counter() + seconds
        while not re.search(pattern, self.text()):
            self._read(0.05)
            if time.perf_counter() > until:
                raise TimeoutError(f"{pattern!r} was not shown:\n{self.text()}")
        return (time.perf_counter() - self.started) * 1000

    def key(self, data: bytes, settle: float = 0.1) -> tuple[float, float]:
        """Send a key; return the milliseconds to the first and to the last change before the screen rests."""
        before = self.text(), self.screen.cursor.x, self.screen.cursor.y
        sent = time.perf_counter()
        os.write(self.fd, data)
        first = last = 0.0
        quiet = sent
        while time.perf_counter() - quiet < settle or not first:
            if self._read(0.005):
                quiet = time.perf_counter()
                now = self.text(), self.screen.cursor.x, self.screen.cursor.y
                if now != before:
                    last = (quiet - sent) * 1000
                    first, before = first or last, now
            if time.perf_counter() - sent > 5:
                raise TimeoutError(f"nothing happened after {data!r}")
        return first, last

    def rest(self, seconds: float = 0.4) -> None:
        """Read until nothing has come for a while."""
        while self._read(seconds):
            pass

    def close(self) -> None:
        """End the program."""
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.fd)

    def _read(self, seconds: float) -> bool:
        ready, _, _ = select.select([self.fd], [], [], seconds)
        if not ready:
            return False
        try:
            data = os.read(self.fd, 1 << 16)
        except OSError:
            return False
        for question, answer in _ANSWERS.items():
            if question in data:
                os.write(self.fd, answer)
        self._stream.feed(_UNREAD.sub("", data.decode("utf-8", "replace")))
        return True
