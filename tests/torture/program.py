"""A program in a pseudo-terminal, written to as fast as it reads, and watched for its end and its silence."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import termios
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

_TAIL = 60_000


class Program:
    """One run of a program. What it draws is read and thrown away but for its end."""

    def __init__(
        self, command: Sequence[str], folder: Path, environment: Mapping[str, str], size: tuple[int, int]
    ) -> None:
        self.pid, self._fd = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.execve(command[0], list(command), dict(environment))
        os.set_blocking(self._fd, False)
        self.status: int | None = None
        self.output = b""
        self.size = size
        self.resize(size)

    def resize(self, size: tuple[int, int]) -> None:
        """Give the terminal another number of columns and lines."""
        self.size = size
        columns, lines = size
        fcntl.ioctl(self._fd, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def write(self, data: bytes, seconds: float) -> bool:
        """Send keys in as few writes as the terminal takes; tell whether it took them in time."""
        end = time.monotonic() + seconds
        while data and time.monotonic() < end and self.runs():
            self._read(0.0)
            _, ready, _ = select.select([], [self._fd], [], 0.01)
            if ready:
                try:
                    data = data[os.write(self._fd, data) :]
                except BlockingIOError:
                    continue
                except OSError:  # the program has ended
                    return True
        return not data

    def answered(self, sign: bytes, since: int, seconds: float) -> float | None:
        """Wait until the program writes something; return how long that took it, None when it did not come.

        The time that the program wanted to work in and the machine had no processor for is not counted.
        """
        begun, starved = time.monotonic(), self._starved()
        while time.monotonic() - begun - (self._starved() - starved) < seconds:
            if sign in self.output[max(since - len(sign), 0) :]:
                return time.monotonic() - begun - (self._starved() - starved)
            if not self.runs():
                return None
            self._read(0.01)
        return None

    def _starved(self) -> float:
        try:
            return int(Path(f"/proc/{self.pid}/schedstat").read_text().split()[1]) / 1e9
        except (OSError, IndexError):
            return 0.0

    def mark(self) -> int:
        """Forget what was read before the tail, and return the place after it."""
        self.output = self.output[-_TAIL:]
        return len(self.output)

    def runs(self) -> bool:
        """Tell whether the program runs; `status` is its exit status afterwards, negative for a signal."""
        if self.status is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG | os.WUNTRACED)
            if pid and os.WIFSTOPPED(status):  # no shell is there to do this
                os.kill(self.pid, signal.SIGCONT)
            elif pid:
                self.status = os.waitstatus_to_exitcode(status)
                while self._read(0.05):
                    pass
        return self.status is None

    def end(self) -> None:
        """End the program if it runs, and let go of its terminal."""
        if self.runs():
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self._fd)

    def _read(self, seconds: float) -> bool:
        ready, _, _ = select.select([self._fd], [], [], seconds)
        if not ready:
            return False
        try:
            data = os.read(self._fd, 1 << 16)
        except (BlockingIOError, OSError):
            return False
        self.output += data
        return bool(data)
