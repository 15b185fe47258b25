"""A program in a pseudo terminal, measured as a person meets it: from a key to what the screen shows."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import re
import select
import shutil
import signal
import struct
import tempfile
import termios
import time
from codecs import getincrementaldecoder
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import pyte

COLUMNS, LINES = 120, 40
_ANSWERS = {b"\x1b[c": b"\x1b[?1;2c", b"\x1b[6n": b"\x1b[1;1R", b"\x1b[?2026$p": b"\x1b[?2026;2$y"}
_UNREAD = re.compile(r"\x1b\[[<>=?]?[0-9;]*\$?[pu]|\x1b\[>[0-9;]*[a-zA-Z]|\x1b[P_^].*?\x1b\\", re.DOTALL)
_PAUSE, _AT_ONCE = 0.01, 0.3
"""Seconds without a byte after which a frame is over, and how long bytes are taken before they are shown."""


class Spent(NamedTuple):
    """What something took, in milliseconds: on the clock, and of the processor."""

    wall: float
    cpu: float


class _Arrival(NamedTuple):
    data: bytes
    time: float
    cpu: float


class Terminal:
    """One run of a program, with a state folder of its own.

    Bytes are timed when they arrive, all that come together before any is shown: what this terminal takes to show
    some neither counts nor holds up those behind them. What the program spends on the processor is its own, however
    many others want it.
    """

    def __init__(self, command: Sequence[str], environment: Mapping[str, str] | None = None) -> None:
        self.screen = pyte.Screen(COLUMNS, LINES)
        self._stream = pyte.Stream(self.screen)
        self._decode = getincrementaldecoder("utf-8")("replace").decode
        self._state = Path(tempfile.mkdtemp(prefix="bench"))
        own = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "XDG_STATE_HOME": str(self._state)}
        self._waiting: deque[_Arrival] = deque()
        self.started = time.perf_counter()
        self._last = _Arrival(b"", self.started, 0)
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
            os.execvpe(command[0], list(command), {**os.environ, **own, **(environment or {})})

    def text(self) -> str:
        """Return what the screen shows."""
        return "\n".join(self.screen.display)

    def wait_for(self, shown: str, seconds: float = 60) -> Spent:
        """Wait until the screen shows a text; return what the program has taken since its start."""
        until = time.perf_counter() + seconds
        while shown not in self.text():
            self._read(0.05)
            if time.perf_counter() > until:
                raise TimeoutError(f"{shown!r} was not shown:\n{self.text()}")
        return Spent((self._last.time - self.started) * 1000, self._last.cpu)

    def _processor(self) -> float:
        """Return the milliseconds that the program has spent on a processor."""
        spent = 0
        for task in Path(f"/proc/{self.pid}/task").glob("*/schedstat"):
            with suppress(OSError):  # a thread may end meanwhile
                spent += int(task.read_text().split()[0])
        return spent / 1e6

    def key(self, data: bytes, settle: float = 0.1) -> tuple[float, float]:
        """Send a key; return the milliseconds to the first and to the last change before the screen rests."""
        before = self.text(), self.screen.cursor.x, self.screen.cursor.y
        sent = time.perf_counter()
        os.write(self.fd, data)
        first = last = 0.0
        while time.perf_counter() - max(sent, self._last.time) < settle or not first:
            if self._read(0.005):
                now = self.text(), self.screen.cursor.x, self.screen.cursor.y
                if now != before:
                    last = (self._last.time - sent) * 1000
                    first, before = first or last, now
            if time.perf_counter() - sent > 5:
                raise TimeoutError(f"nothing happened after {data!r}")
        return first, last

    def rest(self, seconds: float = 0.4) -> None:
        """Read until nothing has come for a while."""
        while self._read(seconds):
            pass

    def wait_for_end(self) -> None:
        """Read until the program has ended by itself."""
        with contextlib.suppress(EOFError):
            while True:
                self._read(1)

    def close(self) -> None:
        """End the program, and remove its state."""
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.fd)
        shutil.rmtree(self._state, ignore_errors=True)

    def _read(self, seconds: float) -> bool:
        """Show what has arrived, the oldest only; tell whether there was any."""
        if not self._waiting:
            self._take(seconds)
        if not self._waiting:
            return False
        self._last = self._waiting.popleft()
        self._stream.feed(_UNREAD.sub("", self._decode(self._last.data)))
        return True

    def _take(self, seconds: float) -> None:
        """Take what arrives within a time, and what follows it at once."""
        while select.select([self.fd], [], [], _PAUSE if self._waiting else seconds)[0]:
            try:
                data = os.read(self.fd, 1 << 16)
            except OSError:
                if self._waiting:
                    return
                raise EOFError("the program has ended") from None
            self._waiting.append(_Arrival(data, time.perf_counter(), self._processor()))
            for question, answer in _ANSWERS.items():
                if question in data:
                    os.write(self.fd, answer)
            if self._waiting[-1].time - self._waiting[0].time > _AT_ONCE:
                return
