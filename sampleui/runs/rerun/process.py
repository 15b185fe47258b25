"""A call's process: started in a session of its own, listened to, and ended with all that it started.

Programs of evals start others, and leave them behind when they are stopped. Where a system shows its processes
(`/proc`), one belongs to a call if it bears the mark that the call has in its environment, is in a session of the
call's, was started by a process of the call's, or was known as one at an earlier look; elsewhere the group of the
call is all that is known. Whether a call ends by itself or is stopped, none of them stays.

No process slips through between a look and the signal that follows it: what it starts meanwhile is seen by the next
look, which follows until none has found anyone; and what forks without end is killed by its group, at one stroke.
"""

from __future__ import annotations

import codecs
import os
import re
import selectors
import signal
import subprocess
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from sampleui.text.confined import below, is_folder, size_of
from sampleui.text.limits import MAX_RERUN_BYTES
from sampleui.text.visible import visible

MARK = "SAMPLEUI_RERUN"
"""The variable that every process of a call has in its environment, with a value of this call alone."""

KEPT_LINES, LONGEST_LINE = 1_000, 2_000
"""Lines of output that are kept, the last ones; characters of a line that are."""

_PATIENCE = ((signal.SIGINT, 6.0), (signal.SIGTERM, 2.0), (signal.SIGKILL, 5.0))
"""What the processes of a call are sent to end them, and the seconds that they are given each time."""

_POLL_S, _MAX_POLLS = 0.05, 3
"""Seconds between two looks at processes and output, and looks after which nobody is left whom none of them saw."""

_STOPPED, _ENDED = b"T", (b"Z", b"X")
"""States of a process, as the system writes them."""

_MEASURE_INTERVAL_S = 1.0
"""Seconds between two looks at what a call has written and which processes it has."""

_DRAIN_S = 0.5
"""Seconds that output is waited for once the program itself has ended."""

_SEQUENCE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[ -/]*[0-~])")
"""What a terminal takes for a command: left out of what is shown."""


class End(StrEnum):
    """How a call came to its end."""

    ENDED = "ended"
    CANCELLED = "cancelled"
    TOO_LONG = "too long"
    TOO_MUCH = "wrote too much"
    NOT_STARTED = "not started"


class Ended(NamedTuple):
    """What is known of a call that has ended.

    Attributes:
        end: how.
        status: the exit code, which decides nothing; None if it never started.
        lines: the last lines of its output, made visible.
        seconds: how long it took.
        why: what there is to say of it, in words.
    """

    end: End
    status: int | None
    lines: tuple[str, ...]
    seconds: float
    why: str = ""

    @property
    def words(self) -> str:
        """How it ended, in words; the exit code is told to whoever looks for a reason."""
        code = f" with exit code {self.status}" if self.end is End.ENDED and self.status is not None else ""
        silent = "" if self.lines or self.end is End.NOT_STARTED else "; it printed nothing"
        return f"{self.why or f'{self.end}{code}'}{silent}"


class Output:
    """The output of a call as lines, made visible, of which the last are kept."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._begun = ""
        self.lines: deque[str] = deque(maxlen=KEPT_LINES)

    def take(self, data: bytes, *, last: bool = False) -> None:
        """Take some bytes; a line is told when it is whole. A line without an end is cut where it is too long."""
        text = self._begun + self._decoder.decode(data, last)
        *whole, self._begun = re.split(r"\r\n|\n|\r", text)
        if last and self._begun:
            whole, self._begun = [*whole, self._begun], ""
        self._begun = self._begun[: 2 * LONGEST_LINE]
        for line in whole:
            shown = visible(_SEQUENCE.sub("", line[: 2 * LONGEST_LINE]).replace("\t", "    ").rstrip())
            shown = shown if len(shown) <= LONGEST_LINE else f"{shown[: LONGEST_LINE - 1]}…"
            self.lines.append(shown)
            self._tell(shown)


def run(
    arguments: Sequence[str],
    folder: Path,
    environment: Mapping[str, str],
    out: Path,
    *,
    seconds: float,
    tell: Callable[[str], None] = lambda _: None,
    is_stopped: Callable[[], bool] = lambda: False,
) -> Ended:
    """Run a program to its end, and end whatever it leaves behind. This thread waits for it.

    Args:
        arguments: the path of the program and its arguments; there is no shell.
        folder: where it is run.
        environment: all of its environment.
        out: the folder that it writes into.
        seconds: after how long it is ended.
        tell: is given each line of its output.
        is_stopped: is asked often; once it says so the call is cancelled.
    """
    token = os.urandom(16).hex()
    began, output = time.monotonic(), Output(tell)
    try:
        with _usual_interrupts():
            process = subprocess.Popen(
                [*arguments],
                cwd=folder,
                env={**environment, MARK: token},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
    except (OSError, ValueError) as error:
        why = (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
        return Ended(End.NOT_STARTED, None, (), 0.0, f"it could not be started: {why}")
    end, processes = End.CANCELLED, _Processes(process.pid, token)
    try:
        end = _listened(process, output, out, began + seconds, is_stopped, processes=processes)
    finally:
        # An interrupt of this very program comes here too.
        left = processes.end(process, gently=end is not End.ENDED)
        if process.stdout is not None:
            process.stdout.close()
    output.take(b"", last=True)
    why = f"{left} of its processes could not be ended" if left else ""
    return Ended(end, process.returncode, tuple(output.lines), time.monotonic() - began, why)


def _listened(
    process: subprocess.Popen[bytes],
    output: Output,
    out: Path,
    until: float,
    is_stopped: Callable[[], bool],
    *,
    processes: _Processes,
) -> End:
    """Take the output of a process until it ends, or has to be ended."""
    assert process.stdout is not None
    descriptor = process.stdout.fileno()
    os.set_blocking(descriptor, False)
    weighed, gone_at, is_open = time.monotonic(), None, True
    with selectors.DefaultSelector() as selector:
        selector.register(descriptor, selectors.EVENT_READ)
        while True:
            if is_open and selector.select(_POLL_S):
                with suppress(BlockingIOError):
                    data = os.read(descriptor, 1 << 16)
                    output.take(data)
                    is_open = bool(data)
            elif not is_open:
                time.sleep(_POLL_S)
            now = time.monotonic()
            if is_stopped():
                return End.CANCELLED
            if process.poll() is not None:
                gone_at = gone_at or now
                # Others may hold its output open for ever.
                if not is_open or now - gone_at > _DRAIN_S:
                    return End.TOO_MUCH if _written(out) > MAX_RERUN_BYTES else End.ENDED
            if now > until:
                return End.TOO_LONG
            if now - weighed > _MEASURE_INTERVAL_S:
                weighed = now
                processes.look()
                if _written(out) > MAX_RERUN_BYTES:
                    return End.TOO_MUCH


def _written(folder: Path) -> int:
    return sum(size_of(base / name) for base, _, names in below(folder) for name in names)


@contextmanager
def _usual_interrupts() -> Iterator[None]:
    """Have a process that is started inside take SIGINT as usual, though this one may ignore it.

    A program that a script started in the background ignores it, and so would all that it starts.
    """
    ignored = signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    if ignored:
        with suppress(ValueError):  # only the main thread may change it
            signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        if ignored:
            with suppress(ValueError):
                signal.signal(signal.SIGINT, signal.SIG_IGN)


class _Process(NamedTuple):
    """What the system says of a process that has not ended."""

    state: bytes
    parent: int
    group: int
    session: int
    began: bytes


class _Processes:
    """The processes of one call.

    Only processes of the call are in a session that one of them is in, for a session is never entered from outside.
    """

    def __init__(self, leader: int, token: str) -> None:
        self._leader = leader
        self._sign = f"{MARK}={token}".encode()
        self._known: dict[int, _Process] = {}

    def end(self, process: subprocess.Popen[bytes], *, gently: bool) -> int:
        """End all of them, and return how many could not be: first by what they may answer to, then by force."""
        patience = _PATIENCE if gently else _PATIENCE[1:]
        try:
            for number, seconds in patience:
                if self._sent(number, seconds, process):
                    return 0
        except KeyboardInterrupt:
            self._sent(signal.SIGKILL, _PATIENCE[-1][1], process)
            raise
        return len(self._alive(process))

    def _sent(self, number: signal.Signals, seconds: float, process: subprocess.Popen[bytes]) -> bool:
        """Send a signal to those that are there, and to those that they start meanwhile; tell whether all ended."""
        until, signalled, unseen = time.monotonic() + seconds, set[int](), 0
        # One that is started while the list is gone through, by one that ends meanwhile, is in the next list.
        while unseen < _MAX_POLLS:
            alive = self._alive(process)
            unseen = 0 if alive else unseen + 1
            for pid in alive - signalled:
                self._send(pid, number)
            signalled |= alive
            if alive and time.monotonic() > until:
                return False
            time.sleep(_POLL_S if alive else _POLL_S / 10)
        return True

    def _send(self, pid: int, number: signal.Signals) -> None:
        found = self._known.get(pid)
        with suppress(ProcessLookupError, PermissionError):
            if number is signal.SIGKILL and found is not None:
                os.killpg(found.group, number)
            os.kill(pid, number)
            if found is not None and found.state == _STOPPED:
                os.kill(pid, signal.SIGCONT)

    def _alive(self, process: subprocess.Popen[bytes]) -> set[int]:
        """Return those that have not ended. The leader is asked first, so that nothing of it is left."""
        leader = {self._leader} if process.poll() is None else set[int]()
        if not is_folder("/proc/self"):
            return leader | self._group()
        self.look()
        return leader | (self._known.keys() - {self._leader})

    def _group(self) -> set[int]:
        """Return the group of the call, as a number below 0 that stands for all of it, if anyone is in it."""
        try:
            os.killpg(self._leader, 0)
        except ProcessLookupError:
            return set()
        except PermissionError:
            pass
        return {-self._leader}

    def look(self) -> None:
        """Look which of the processes that are there belong to the call."""
        if not is_folder("/proc/self"):
            return
        there = {pid: found for pid in _pids() if (found := _process(pid)) is not None}
        sessions = {self._leader, *(found.session for found in self._known.values())}
        own = {
            pid
            for pid, found in there.items()
            if self._was_known(pid, found) or found.session in sessions or self._sign in _environment_of(pid)
        }
        more = own
        while more := {pid for pid, found in there.items() if pid not in own and found.parent in more}:
            own |= more
        self._known = {pid: there[pid] for pid in own}

    def _was_known(self, pid: int, found: _Process) -> bool:
        known = self._known.get(pid)
        return known is not None and known.began == found.began


def _pids() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdecimal()]  # noqa: PTH208


def _process(pid: int) -> _Process | None:
    """Return what the system says of a process, None for one that has ended."""
    try:
        state, parent, group, session, *more = _read(pid, "stat").rpartition(b")")[2].split()
        found = _Process(state, int(parent), int(group), int(session), more[15])
    except (OSError, ValueError):
        return None
    return None if state in _ENDED else found


def _environment_of(pid: int) -> list[bytes]:
    try:
        return _read(pid, "environ").split(b"\0")
    except OSError:
        return []


def _read(pid: int, name: str) -> bytes:
    descriptor = os.open(f"/proc/{pid}/{name}", os.O_RDONLY)
    try:
        parts = []
        while part := os.read(descriptor, 1 << 16):
            parts.append(part)
        return b"".join(parts)
    finally:
        os.close(descriptor)
