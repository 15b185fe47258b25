"""Plays scripts of keys at a speed: to the program in a pseudo-terminal, or to the app in this process."""

from __future__ import annotations

import asyncio
import fcntl
import os
import pty
import select
import struct
import sys
import termios
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pyte
import pytest
from textual.message import Message

from sampleui.cli import output
from sampleui.cli.main import run
from sampleui.tui.app import SampleUI
from sampleui.tui.input.reader import KeyReader

from ..driver import drawn_lines
from ..pressing import rested

_NAMES = {
    "enter": "\r",
    "esc": "\x1b",
    "tab": "\t",
    "bs": "\x7f",
    "space": " ",
    "down": "\x1b[B",
    "up": "\x1b[A",
    "home": "\x1b[H",
    "end": "\x1b[F",
    "pgdn": "\x1b[6~",
    "paste": "\x1b[200~pasted\x1b[201~",
}
_READY = b"\x1b[?2004h"
_PATIENCE = 60.0
"""Seconds after which the program hangs, on a machine that does much besides."""


_LATE = 45.0
"""Seconds after which a screen is not the one that was waited for, on such a machine."""


def keys_of(script: str) -> list[bytes]:
    """Return the bytes of each key of a script: `a`, `<enter>`, `<c-s>`, `text:hello`."""
    keys: list[str] = []
    for word in script.split():
        if word.startswith("text:"):
            keys += word[5:]
        elif word.startswith("<c-"):
            keys.append(chr(ord(word[3]) & 31))
        else:
            keys.append(_NAMES[word[1:-1]] if word.startswith("<") and len(word) > 1 else word)
    return [key.encode() for key in keys]


def read_at(reader: KeyReader, written: bytes, now: float) -> Iterator[Message]:
    """Yield what bytes mean after which nothing comes for a while."""
    yield from reader.feed(written, now)
    while reader.due is not None:
        yield from reader.flush(reader.due)


def play_here(
    arguments: list[str], folder: Path, keys: list[bytes], gap: float | None, monkeypatch: pytest.MonkeyPatch
) -> str:
    """Run a command line in a folder, with the app in this process; type keys, and return what is shown then.

    Keys are bytes, read as those of a terminal are: all in one write for a gap of 0, with a gap of some seconds, or
    for None each when the one before has had its effect.
    """
    shown: list[str] = []

    async def typed(app: SampleUI) -> None:
        async with app.run_test(size=(120, 40)):
            reader = KeyReader()
            await rested(app)
            for number, written in enumerate([b"".join(keys)] if gap == 0 else keys):
                for message in read_at(reader, written, 2.0 * number):
                    app.post_message(message)
                await (asyncio.sleep(gap) if gap else rested(app))
            await rested(app)
            if app.is_running:
                shown.extend(drawn_lines(app.screen))

    def run_app(app: SampleUI) -> int | None:
        asyncio.run(typed(app))
        return app.return_value

    with monkeypatch.context() as patch:
        patch.chdir(folder)
        patch.setattr(output, "interactive", lambda: True)
        patch.setattr(SampleUI, "run", run_app)
        assert run(arguments) == 0
    return "\n".join(shown)


class Hands:
    """One run of the program."""

    def __init__(self, arguments: list[str], folder: Path, size: tuple[int, int] = (120, 40)) -> None:
        self._screen = pyte.Screen(*size)
        self._stream = pyte.ByteStream(self._screen)
        self._undrawn: list[bytes] = []
        self.sent = b""
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.environ.update(TERM="xterm-256color", EDITOR="true", COLORTERM="truecolor")
            os.execv(sys.executable, [sys.executable, "-m", "sampleui", *arguments])
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
        self._until(lambda: _READY in self.sent)

    def play(self, keys: list[bytes], gap: float | None) -> None:
        """Type keys: in one write for 0, with a gap of some seconds, or for None each when the screen rests."""
        if gap == 0:
            os.write(self.fd, b"".join(keys))
            return
        with suppress(EOFError):
            for key in keys:
                os.write(self.fd, key)
                if gap is None:
                    self.rest()
                else:
                    self._read(gap, at_once=False)

    def rest(self, quiet: float = 0.08) -> None:
        """Wait until the screen has not changed for a while."""
        while self._read(quiet):
            pass

    def text(self) -> str:
        """Return what the screen shows. What nobody asks for is not drawn: that takes longer than the program."""
        for data in self._undrawn:
            self._stream.feed(data)
        self._undrawn.clear()
        return "\n".join(self._screen.display)

    def shows(self, wanted: str, read: Callable[[str], str] = str) -> bool:
        """Wait for a screen, or for what is read of one, and tell whether it came."""
        self._until(lambda: read(self.text()) == wanted, give_up=_LATE)
        return read(self.text()) == wanted

    def ended(self) -> int:
        """Wait for the end of the program and return its exit code."""
        self._until(lambda: False)
        status = os.waitpid(self.pid, 0)[1]
        os.close(self.fd)
        return os.waitstatus_to_exitcode(status)

    def _until(self, condition: Callable[[], bool], give_up: float = _PATIENCE) -> None:
        end = time.monotonic() + give_up
        while not condition() and time.monotonic() < end:
            try:
                self._read(0.05)
            except EOFError:
                return
        if give_up == _PATIENCE and time.monotonic() >= end:
            os.kill(self.pid, 9)
            raise TimeoutError(f"nothing more came of the program:\n{self.text()}")

    def _read(self, seconds: float, at_once: bool = True) -> bool:
        """Read for some seconds, or until something came; tell whether something did."""
        came, end = False, time.monotonic() + seconds
        for data in self._pieces(end):
            came = True
            self.sent = (self.sent + data)[-4096:] if _READY in self.sent else self.sent + data
            self._undrawn.append(data)
            if at_once:
                break
        return came

    def _pieces(self, end: float) -> Iterator[bytes]:
        while (left := end - time.monotonic()) > 0:
            if not select.select([self.fd], [], [], left)[0]:
                return
            try:
                data = os.read(self.fd, 1 << 16)
            except OSError as error:
                raise EOFError from error
            if not data:
                raise EOFError
            yield data
