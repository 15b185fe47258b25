"""Every system call of a save, a decision, a journal and a setting fails: once, for ever, by half, or kills.

    python -m tests.torture.faults [--errors EIO,ENOSPC,…] [--every N]

The calls of each deed are counted first; then, in a process of its own for each call and each way to fail, the deed
is done again. What must hold: nothing but the project's own errors, the old file or the new one whole, a message
that tells which, nothing left behind but by a kill, and a second try that works. The last line has the counts; the
exit status is 1 when something did not hold. Needs gcc and Linux: the calls are caught by a preloaded library.
"""

from __future__ import annotations

import argparse
import ctypes
import errno
import os
import resource
import subprocess
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from .writings import DEEDS, Deed, fresh

ROOT = Path(__file__).parents[2]
SOURCE = Path(__file__).with_suffix(".c")
COUNT, ONCE, EVER, SHORT, ALWAYS_SHORT, KILL = range(1, 7)
WAYS = {ONCE: "once", EVER: "for ever", SHORT: "by half", ALWAYS_SHORT: "by half always", KILL: "killed"}
LONGEST = 20
"""Seconds of the processor after which a deed is taken to go on for ever."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A way for a call to fail, which call of the deed it is (from 1), and with which error."""

    way: int
    call: int
    error: int = 0

    def __str__(self) -> str:
        return f"call {self.call}, {WAYS[self.way]}, {errno.errorcode.get(self.error, '-')}"


class Shim:
    """The preloaded library, in this process."""

    def __init__(self) -> None:
        self._calls = ctypes.CDLL(None)
        self._calls.fault_name.restype = ctypes.c_char_p

    def arm(self, fault: Fault) -> None:
        """Let a call fail from now on."""
        self._calls.fault_arm(fault.way, fault.call, fault.error)

    def disarm(self) -> int:
        """Let all calls be; return how many there were."""
        count: int = self._calls.fault_disarm()
        return count

    @property
    def name(self) -> str:
        """The name of the call that failed."""
        return str(self._calls.fault_name().decode())


_LOOKUPS = frozenset({"open", "openat", "stat", "lstat"})
"""Calls that take a name: where one answers that there is no such file, that is so."""


def in_child(work: Callable[[], str]) -> tuple[int, str]:
    """Return how a fork of this process that does some work ended, and what it has to say."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_CPU, (LONGEST, LONGEST))
        try:
            said = work()
        except BaseException:  # noqa: BLE001
            said = traceback.format_exc()
        os.write(writer, said.encode("utf-8", "replace")[:60_000])
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as file:
        said = file.read().decode()
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), said


def warmed(deed: Deed) -> None:
    """Do a deed once, for what is imported when it is first done."""
    deed.begin()
    deed.do()
    deed.judged(None)


def calls_of(shim: Shim, deed: Deed) -> int:
    """Return how many calls a deed takes."""

    def work() -> str:
        deed.begin()
        shim.arm(Fault(COUNT, 0))
        deed.do()
        return str(shim.disarm())

    return int(in_child(work)[1])


def tried(shim: Shim, deed: Deed, fault: Fault) -> tuple[str, str]:
    """Do a deed with a fault; return the name of the call and what did not hold, empty when all did."""

    def work() -> str:
        deed.begin()
        error: BaseException | None = None
        shim.arm(fault)
        try:
            deed.do()
        except BaseException as raised:  # noqa: BLE001 (whatever it is, it is judged)
            error = raised
        shim.disarm()
        deed.absent = fault.error == errno.ENOENT
        if deed.absent and shim.name not in _LOOKUPS:
            return f"{shim.name}\n"  # no such call answers that there is no file
        return f"{shim.name}\n{deed.judged(error)}"

    code, said = in_child(work)
    if fault.way == KILL:
        return "kill", in_child(deed.mourned)[1] if code == -9 else f"it was not killed: {said}"
    name, _, wrong = said.partition("\n")
    return name, wrong if code == 0 else f"it ended with {code}, so it went on for ever, or crashed"


def faults(calls: int, errors: Sequence[int]) -> Iterator[Fault]:
    """Yield every way in which every call can fail.

    A call that is interrupted for ever is none: Python itself tries again until it is not (PEP 475).
    """
    lasting = [error for error in errors if error != errno.EINTR]
    for call in range(1, calls + 1):
        yield from (Fault(ONCE, call, error) for error in errors)
        yield from (Fault(EVER, call, error) for error in lasting)
        yield from (Fault(way, call) for way in (SHORT, ALWAYS_SHORT, KILL))


def worked(errors: Sequence[int], every: int) -> int:
    """Try the faults of all deeds, or every n-th of them, in this process, which has the library preloaded."""
    shim, wrong, injected = Shim(), 0, Counter[str]()
    with tempfile.TemporaryDirectory() as home:
        for name, deed in DEEDS.items():
            warmed(deed(fresh(Path(home))))
            calls = calls_of(shim, deed(fresh(Path(home))))
            for fault in islice(faults(calls, errors), sum(injected.values()) % every, None, every):
                call, said = tried(shim, deed(fresh(Path(home))), fault)
                injected[name] += 1
                if said:
                    wrong += 1
                    print(f"{name}: {call}, {fault}: {said}", flush=True)
    print(", ".join(f"{deed} {count:,}" for deed, count in injected.items()))
    print(f"{sum(injected.values()):,} injected faults, {wrong:,} broke a promise")
    return int(wrong > 0)


def main(arguments: Sequence[str] = ()) -> int:
    """Build the library and run this program under it."""
    parser = argparse.ArgumentParser(prog="python -m tests.torture.faults", description=__doc__)
    parser.add_argument(
        "--errors", default="EIO,ENOSPC,EACCES,EPERM,ENOENT,EINTR", help="names, with commas between"
    )
    parser.add_argument("--every", type=int, default=1, help="try every N-th fault only")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args(arguments or sys.argv[1:])
    if given.worker:
        return worked([getattr(errno, name) for name in given.errors.split(",")], given.every)
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "faults.so"
        subprocess.run(["gcc", "-shared", "-fPIC", "-O1", "-o", library, SOURCE, "-ldl"], check=True)
        command = [
            sys.executable,
            "-m",
            "tests.torture.faults",
            "--worker",
            "--errors",
            given.errors,
            "--every",
            str(given.every),
        ]
        return subprocess.run(
            command, cwd=ROOT, env={**os.environ, "LD_PRELOAD": str(library)}, check=False
        ).returncode


if __name__ == "__main__":
    sys.exit(main())
