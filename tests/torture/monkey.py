"""Random keys, mouse events, pastes and resizes over every screen, in pseudo-terminals, as fast as they are read.

    python -m tests.torture.monkey [--events N] [--seed S] [--jobs J]

A session is one folder with a deck and results; the app is opened there several times, left by its keys or killed.
After every burst the terminal grows by a line, and the app has to draw that line: one that does not within two
seconds hangs. A crash or a hang is printed with what came last, and its keys are kept to be played again with
`--play FILE`. The last line has the counts; the exit status is 1 when there was a crash, a hang, or a deck that no
longer reads.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from . import hostile
from .program import Program

ROOT = Path(__file__).parents[2]
COMMAND = (sys.executable, "-m", "sampleui")
SIZES = ((80, 24), (120, 40), (200, 60), (40, 12), (100, 30))
SLOW = 2.0
"""Seconds after which an app that has not drawn is said to hang."""

_PATIENCE = 20.0
_RUNS = 4
_BURST = 24
_ESCAPES = re.compile(rb"\x1b\[[0-9;?<>=]*[ -/]*[@-~]|\x1b[P\]^_][^\x07\x1b]*(?:\x1b\\|\x07)|\x1b.")

PRINTABLE = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 !?/+-.,[]{}\"'#äß漢"
COMMANDS = "jjjkko]][[nNdDJKrRmaxyeuuppPg/?+vzhlfFc123456TGo*V=SB"
NAMED = {
    "enter": "\r", "escape": "\x1b", "tab": "\t", "backtab": "\x1b[Z", "backspace": "\x7f", "delete": "\x1b[3~",
    "up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D", "home": "\x1b[H", "end": "\x1b[F",
    "pageup": "\x1b[5~", "pagedown": "\x1b[6~",
    "f1": "\x1bOP", "shift+left": "\x1b[1;2D", "ctrl+right": "\x1b[1;5C",
    "alt+j": "\x1bj", "ctrl+shift+enter": "\x1b[13;6u",
}  # fmt: skip
CONTROLS = "abcdefghiklmnoprstuvwxyz"  # not j, which is a line feed, nor q, which comes on purpose
PASTES = ("pasted", "two\nlines", "a\r\nb\r", "\t" * 5, "x" * 2000, "line\n" * 300, *hostile.TEXTS)


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happens to a terminal: bytes that are typed, or another size."""

    kind: str
    data: str = ""
    size: tuple[int, int] | None = None


@dataclass(slots=True)
class Tally:
    """What was done, and what came of it."""

    events: Counter[str] = field(default_factory=Counter)
    runs: int = 0
    slowest: float = 0.0
    faults: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Count another one in."""
        self.events += other.events
        self.runs += other.runs
        self.slowest = max(self.slowest, other.slowest)
        self.faults += other.faults


def events(chance: random.Random) -> Iterator[Event]:
    """Yield what happens, without end."""
    while True:
        yield _event(chance)


def _event(chance: random.Random) -> Event:
    roll = chance.random()
    if roll < 0.34:
        return Event("keys", chance.choice(COMMANDS))
    if roll < 0.50:
        return Event("keys", chance.choice(PRINTABLE))
    if roll < 0.74:
        return Event("keys", chance.choice(list(NAMED.values())))
    if roll < 0.79:
        return Event("keys", chr(ord(chance.choice(CONTROLS)) & 31))
    if roll < 0.795:
        return Event("keys", "\x11")
    if roll < 0.96:
        return Event("mouse events", _mouse(chance))
    if roll < 0.98:
        return Event("pastes", f"\x1b[200~{_pasted(chance)}\x1b[201~")
    return Event("resizes", size=chance.choice(SIZES))


def _mouse(chance: random.Random) -> str:
    x, y = chance.randint(1, chance.choice((80, 120, 200))), chance.randint(1, chance.choice((24, 40, 60)))
    kind = chance.choice(("click", "click", "double", "wheel", "drag", "move"))
    if kind == "wheel":
        return f"\x1b[<{chance.choice((64, 65))};{x};{y}M" * chance.randint(1, 5)
    if kind == "move":
        return f"\x1b[<35;{x};{y}M"
    if kind == "drag":
        return f"\x1b[<0;{x};{y}M\x1b[<32;{x + 3};{y + 1}M\x1b[<0;{x + 3};{y + 1}m"
    return f"\x1b[<0;{x};{y}M\x1b[<0;{x};{y}m" * (2 if kind == "double" else 1)


def _pasted(chance: random.Random) -> str:
    # A terminal takes what would end the paste out of it.
    return chance.choice(PASTES).replace("\x1b", "")


# A session


def _folder(chance: random.Random, folder: Path) -> list[list[str]]:
    """Fill a folder, and return the command lines to open it with."""
    decks, records = ROOT / "examples" / "decks", ROOT / "examples" / "results"
    shutil.copytree(decks, folder, dirs_exist_ok=True)
    shutil.copytree(records, folder, dirs_exist_ok=True)
    (folder / "home").mkdir()
    hostile.deck(folder / "hostile.jsonl")
    hostile.results(folder / "hostile.results.jsonl")
    (folder / "empty.toml").write_text("")
    (folder / "broken.toml").write_text("[[samples]\n")
    names = [one.name for one in decks.iterdir() if one.is_file()]
    kind = chance.choice(("author", "author", "author", "workspace", "review", "trace"))
    if kind == "workspace":
        return [["."]]
    if kind == "author":
        odd = ["hostile.jsonl", "hostile.jsonl", "empty.toml", "broken.toml", "new.yaml"]
        return [[chance.choice([*names, *odd])]]
    run = chance.choice(
        [["hello.results.jsonl", "--deck", "hello.toml"], ["hostile.results.jsonl", "--deck", "hostile.jsonl"]]
    )
    return [[kind, *run], ["trace", "traces.jsonl"]] if kind == "trace" else [[kind, *run]]


def _environment(chance: random.Random, folder: Path) -> dict[str, str]:
    home = str(folder / "home")
    return {
        "PATH": os.environ["PATH"], "LANG": "C.UTF-8", "PYTHONPATH": str(ROOT), "TERM": "xterm-256color",
        "HOME": home, "XDG_STATE_HOME": home, "XDG_CONFIG_HOME": home,
        "COLORTERM": chance.choice(("truecolor", "")),
        "EDITOR": chance.choice(("true", "false", "no-such-editor")),
    }  # fmt: skip


def session(seed: int, most: int, runs: int = _RUNS) -> Tally:
    """Torture the app over one folder with so many events."""
    chance = random.Random(seed)
    tally = Tally()
    with tempfile.TemporaryDirectory(prefix="monkey-") as name:
        folder = Path(name)
        lines = _folder(chance, folder)
        environment = _environment(chance, folder)
        while sum(tally.events.values()) < most and not tally.faults:
            left = min(most // runs + 1, most - sum(tally.events.values()))
            planned = [one for _, one in zip(range(left), events(chance), strict=False)]
            bursts = list(_bursts(chance, planned))
            play(chance.choice(lines), folder, environment, bursts, tally, seed)
        unread = _unread(folder, environment)
        if unread and not tally.faults:
            tally.faults.append(f"seed {seed}: {unread}")
    return tally


def _bursts(chance: random.Random, planned: Sequence[Event]) -> Iterator[list[Event]]:
    at = 0
    while at < len(planned):
        size = chance.randint(1, _BURST)
        yield list(planned[at : at + size])
        at += size


def play(
    line: list[str],
    folder: Path,
    environment: dict[str, str],
    bursts: Sequence[Sequence[Event]],
    tally: Tally,
    seed: int,
) -> None:
    """Run the app once under bursts of events, until they are over or the app is left."""
    tally.runs += 1
    program = Program([*COMMAND, *line], folder, environment, SIZES[seed % 3])
    played: list[Sequence[Event]] = []
    try:
        if program.answered(b"\x1b[?25l", 0, _PATIENCE) is None:
            tally.faults += _fault(program, seed, line, played, "did not start")
            return
        for burst in bursts:
            played.append(burst)
            tally.events.update(one.kind for one in burst)
            taken = _send(program, burst)
            took = _answer(program) if taken else None
            if not program.runs():
                break
            if took is None or took > SLOW:
                told = "does not answer" if took is None else f"answered after {took:.1f} s"
                tally.faults += _fault(program, seed, line, played, told)
                return
            tally.slowest = max(tally.slowest, took)
        if not program.runs() and (program.status or b"Traceback" in program.output):
            tally.faults += _fault(program, seed, line, played, f"ended with {program.status}")
    finally:
        program.end()


def _send(program: Program, burst: Sequence[Event]) -> bool:
    """Send a burst in as few writes as it can be: a new size comes between two."""
    data = ""
    for event in burst:
        if event.size is not None:
            if not program.write(data.encode("utf-8", "replace"), _PATIENCE):
                return False
            data = ""
            program.resize(event.size)
        data += event.data
    return program.write(data.encode("utf-8", "replace"), _PATIENCE)


def _answer(program: Program) -> float | None:
    """Make the terminal a line higher and return how long the app took to draw that line, None where it did not."""
    columns, lines = program.size
    since = program.mark()
    program.resize((columns, lines + 1))
    took = program.answered(b"\x1b[%d;" % (lines + 1), since, _PATIENCE)
    if lines > 62:
        program.resize((columns, 24))
    return took


def _fault(program: Program, seed: int, line: list[str], played: Sequence[Sequence[Event]], what: str) -> list[str]:
    kept = Path(tempfile.gettempdir()) / f"monkey-{seed}.json"
    kept.write_text(json.dumps([line, [[[one.kind, one.data, one.size] for one in burst] for burst in played]]))
    last = _ESCAPES.sub(b" ", program.output).decode("utf-8", "replace")
    words = " ".join(last.split())[-600:] if program.status is not None else ""
    return [f"seed {seed}: sampleui {' '.join(line)} {what}; its keys are in {kept}\n  {words}"]


def _unread(folder: Path, environment: dict[str, str]) -> str:
    """Return what is said of decks that were whole and do not read any more; empty when all do."""
    decks = sorted(path.name for path in folder.iterdir() if path.suffix in (".toml", ".yaml"))
    command = [*COMMAND, "check", *(name for name in decks if name != "broken.toml")]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False)
    return "" if done.returncode in (0, 1) else f"a deck does not read any more: {done.stderr.decode()}"


# The program


def torture(count: int, seed: int, jobs: int, each: int = 1000) -> Tally:
    """Torture the app with so many events in sessions of their own, some at a time."""
    total = Tally()
    seeds = range(seed, seed + -(-count // each))
    with ThreadPoolExecutor(jobs) as pool:
        for at, tally in enumerate(pool.map(lambda one: session(one, min(each, count)), seeds), 1):
            total.add(tally)
            for fault in tally.faults:
                print(fault, flush=True)
            if at % 10 == 0:
                print(f"… {told(total)}", flush=True)
    return total


def told(tally: Tally) -> str:
    """Return a tally in words."""
    kinds = ", ".join(f"{number:,} {kind}" for kind, number in sorted(tally.events.items()))
    return (
        f"{sum(tally.events.values()):,} events ({kinds}) in {tally.runs:,} runs, "
        f"slowest answer {tally.slowest:.2f} s, {len(tally.faults)} faults"
    )


def replay(path: Path) -> Tally:
    """Play what was kept of a fault again."""
    line, bursts = json.loads(path.read_text())
    made = [[Event(kind, data, tuple(size) if size else None) for kind, data, size in burst] for burst in bursts]
    tally = Tally()
    with tempfile.TemporaryDirectory(prefix="monkey-") as name:
        chance = random.Random(0)
        _folder(chance, Path(name))
        play(line, Path(name), _environment(chance, Path(name)), made, tally, 0)
    return tally


def main() -> int:
    """Run the program and return its exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--events", type=int, default=60_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--play", type=Path)
    chosen = parser.parse_args()
    begun = time.monotonic()
    if chosen.play:
        tally = replay(chosen.play)
        print(*tally.faults, sep="\n")
    else:
        tally = torture(chosen.events, chosen.seed, chosen.jobs)
    print(f"{told(tally)}, in {time.monotonic() - begun:.0f} s")
    return int(bool(tally.faults))


if __name__ == "__main__":
    sys.exit(main())
