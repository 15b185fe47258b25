"""Processes that save, decide, write steps down and remember settings, several at once, killed at any moment.

    python -m tests.torture.kills [--kills N] [--seed S]

Two processes at a time do the same in one folder without end, and are killed. Then every file has to be whole: a
deck as somebody saved it, a log with every decision that was shown as recorded, settings that read back. At the end
a last save and setting must leave nothing of the dead behind. The last line has the counts; the exit status is 1
when something did not hold.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import random
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from sampleui import open_deck
from sampleui.deck.history import UndoStep
from sampleui.deck.journal import Journal, recoverable
from sampleui.deck.load import load
from sampleui.deck.model import Change
from sampleui.errors import SaveError
from sampleui.formats.operations import Set
from sampleui.review.log.store import open_log
from sampleui.review.verdict import Decision, Verdict
from sampleui.settings.options import read_settings, user_file
from sampleui.settings.writing import remember
from sampleui.workspace.deck import deck_of

from .writings import PLACE, SAMPLE, drafts, settle

_LONGEST = 0.03
"""Seconds that a process is let work, at most."""


def save(folder: Path, name: str) -> None:
    """Save a deck of two files again and again, as a session does that writes its steps down."""
    path = folder / f"{name}.deck.md"
    for number in range(1_000_000):
        files = load(path)
        journal = Journal(files)
        for at in (1, 2):
            text = f"{name} {number} " + "x" * (number % 7 * 1000)
            step = UndoStep("set", (Change(at, files.sources[at].document.edit(0, Set(PLACE, text))),))
            journal.record(step)
            files = step.apply(files)
        journal.saving(files)
        try:
            deck_of(files).save()
        except SaveError as error:
            if "on disk" not in str(error):
                raise
        journal.restart(files)


def decide(folder: Path, name: str) -> None:
    """Decide again and again; every id that was recorded is noted beside the log."""
    log = open_log(folder / "run.reviews.jsonl")
    shown = os.open(folder / f"shown-{name}-{os.getpid()}", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    for number in range(1_000_000):
        made = Decision(
            reviewer=name, record="r", record_id="r", sample="s", verdict=Verdict.OK, comment="x" * (number % 900)
        )
        os.write(shown, f"{log.append(made).id}\n".encode())


def restyle(folder: Path, name: str) -> None:
    """Remember one setting after another, each process its own."""
    for number in range(1_000_000):
        remember("theme" if name == "ann" else "reviewer", f"{name} {number}")


WORK: Sequence[Callable[[Path, str], None]] = (save, decide, restyle)


@dataclass(slots=True)
class Worker:
    """A process that works without end until it is killed."""

    work: Callable[[Path, str], None]
    folder: Path
    name: str
    pid: int = 0

    def begin(self) -> None:
        """Start it."""
        self.pid = os.fork()
        if self.pid == 0:
            ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # to die with its parent
            try:
                self.work(self.folder, self.name)
            except BaseException as error:  # noqa: BLE001 (a fork must not go on as its parent)
                (self.folder / f"error-{os.getpid()}").write_text(repr(error))
            os._exit(1)

    def kill(self) -> str:
        """Kill it; say what it died of, if it was something else."""
        os.kill(self.pid, signal.SIGKILL)
        code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        if code == -signal.SIGKILL:
            return ""
        return (self.folder / f"error-{self.pid}").read_text()


def prepare(folder: Path) -> None:
    """Put something to work on into a folder."""
    user_file().parent.mkdir(parents=True)
    user_file().write_text("# mine\nfail_under = 0.5\n")
    for name in ("ann", "bob"):
        (folder / f"{name}.deck.md").write_text(f"![one]({name}.toml)\n![both](both.toml)\n")
        (folder / f"{name}.toml").write_text(SAMPLE.format(name))
    (folder / "both.toml").write_text(SAMPLE.format("both"))


def wrong(folder: Path) -> str:
    """Return what is not whole in a folder, empty when all is."""
    for name in ("ann", "bob", "both"):
        text = open_deck(folder / f"{name}.toml").samples[0].messages[0]["content"]
        if not isinstance(text, str) or not (text == "old" or text.split()[0] in ("ann", "bob")):
            return f"{name}.toml holds {text!r}"
    for name in ("ann", "bob"):
        found = recoverable(load(folder / f"{name}.deck.md"))
        # The other one saved the file of both: that it has changed is so.
        odd = [*found.notes, *(one.why for one in found.stale if "changed since" not in one.why)]
        if odd:
            return odd[0]
    if set(read_settings(user_file())) - {"theme", "reviewer", "fail_under"}:
        return "the settings are not whole"
    log = open_log(folder / "run.reviews.jsonl")
    shown = {one for file in folder.glob("shown-*") for one in file.read_text().split("\n")[:-1]}
    lost = shown - {one.id for one in log.decisions}
    return f"{len(lost)} decisions are lost, {log.unreadable} unreadable" if lost or log.unreadable else ""


def run(kills: int, seed: int) -> list[str]:
    """Kill so many times; return what did not hold."""
    chance, faults = random.Random(seed), []
    with tempfile.TemporaryDirectory() as home:
        settle(Path(home))
        folder = Path(home) / "work"
        folder.mkdir()
        prepare(folder)
        for number in range(0, kills, 2):
            workers = [Worker(WORK[number // 2 % len(WORK)], folder, name) for name in ("ann", "bob")]
            for worker in workers:
                worker.begin()
            time.sleep(chance.uniform(0, _LONGEST))
            faults += [said for said in (*[worker.kill() for worker in workers], wrong(folder)) if said]
        for name in ("ann", "bob"):
            open_deck(folder / f"{name}.deck.md").set(0, PLACE, "ann last").set(1, PLACE, f"{name} last").save()
        remember("theme", "last")
        faults += [said for said in (wrong(folder), drafts(Path(home))) if said]
    return faults


def main(arguments: Sequence[str] = ()) -> int:
    """Kill, and print the counts."""
    parser = argparse.ArgumentParser(prog="python -m tests.torture.kills", description=__doc__)
    parser.add_argument("--kills", type=int, default=300, help="how many")
    parser.add_argument("--seed", type=int, default=1, help="of the moments")
    given = parser.parse_args(arguments or sys.argv[1:])
    faults = run(given.kills, given.seed)
    for fault in faults:
        print(fault)
    print(f"{given.kills:,} kills, {len(faults):,} broke a promise")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
