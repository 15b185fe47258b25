"""Prints how long sampleui takes beside what it is held against: medians of interleaved runs.

    make bench
    make bench BESIDE=/path/to/another/checkout RUNS=15 PARTS="start instructions keys work modules"
    make bench PARTS="edits finding figures large intervals"

Every program runs with compiled bytecode, a state folder of its own, and the code of its checkout found in the same
way. Wall time is what a user waits. The processor's time says much the same on a machine that others use as well;
the instructions to the first drawn sample, counted if valgrind is installed, say it exactly.
"""

from __future__ import annotations

import argparse
import compileall
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from statistics import median, quantiles
from typing import Any, NamedTuple

import sampleui
from sampleui.deck import edit
from sampleui.deck.history import Focus
from sampleui.formats.operations import Set
from sampleui.tui.author.preview import Subject, chat
from sampleui.tui.author.session import Session
from tests.statistics.coverage import table

from .decks import jsonl_deck, toml_deck, yaml_deck
from .figures import print_figures
from .finding import print_finding
from .large import print_large
from .terminal import Spent, Terminal

ROOT = Path(sampleui.__file__).parents[1]
HERE = Path(__file__).parent
KEYS = 60
EDITS = 40
WIDTH = 40
PARTS = ["start", "instructions", "keys", "work", "modules", "edits", "finding", "figures", "large", "intervals"]

EMPTY = "empty Textual app"
_EMPTY = """
from textual.app import App
from textual.widgets import Static
class Empty(App):
    def compose(self):
        yield Static("READY")
Empty().run()
"""
_TEXT_AREA = """
from textual.app import App
from textual.widgets import TextArea
class Lone(App):
    def compose(self):
        yield TextArea("READY " + "some words to type behind " * 20)
Lone().run()
"""
_START = "import sys\nfrom sampleui.__main__ import main\nsys.exit(main())\n"  # as pip writes the command


class Program(NamedTuple):
    """What is started.

    Attributes:
        arguments: the script, and what it is given.
        ready: what the screen shows when what the user came for is drawn.
        checkout: whose code it runs; None for a program that is not ours.
        complete: what it shows when all is drawn, if that is later.
        setup: keys before any is measured.
    """

    arguments: Sequence[Path | str]
    ready: str
    checkout: Path | None = None
    complete: str = ""
    setup: bytes = b""

    def started(self, by: Sequence[str] = ()) -> Terminal:
        """Start it, by another program if one is given."""
        return Terminal([*by, sys.executable, *map(str, self.arguments)], _environment(self.checkout))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("parts", nargs="*", default=PARTS)
    parser.add_argument("--beside", type=Path, help="another checkout, measured in turn with this one")
    parser.add_argument("--runs", type=int, default=15)
    options = parser.parse_args()
    checkouts = {"now": ROOT}
    if options.beside:
        checkouts["beside"] = options.beside.resolve()
    for checkout in checkouts.values():
        compileall.compile_dir(str(checkout / "sampleui"), quiet=2)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.chdir(folder)
        for part in options.parts:
            match part:
                case "start":
                    _starts(folder, checkouts, options.runs)
                case "instructions":
                    _instructions(folder, checkouts)
                case "keys":
                    _keys(folder, checkouts, options.runs)
                case "work":
                    _works(folder, checkouts, options.runs)
                case "modules":
                    _modules(folder, checkouts)
                case "edits":
                    _edits(_written(folder / "large.toml", toml_deck(10_000)))
                case "finding":
                    print_finding(_written(folder / "large.toml", toml_deck(10_000)))
                case "figures":
                    print_figures(folder, checkouts, options.runs)
                case "large":
                    print_large(folder, checkouts, options.runs)
                case "intervals":
                    print(*table(), sep="\n")
                case _:
                    parser.error(f"there is no part {part}")


def _environment(checkout: Path | None) -> dict[str, str]:
    path = str(checkout) if checkout else ""
    return {"PYTHONDONTWRITEBYTECODE": "", "PYTHONHASHSEED": "0", "PYTHONPATH": path}


def _written(path: Path, text: str) -> Path:
    if not path.exists():
        path.write_text(text)
    return path


def _hello(folder: Path) -> tuple[Path, Path]:
    """Return a small deck and a run of it, in a folder of their own."""
    deck, results = folder / "hello" / "hello.toml", folder / "hello" / "hello.results.jsonl"
    deck.parent.mkdir(exist_ok=True)
    _written(deck, (ROOT / "examples/decks/hello.toml").read_text())
    _written(results, (ROOT / "examples/results/hello.results.jsonl").read_text())
    return deck, results


# Starts, and keys


def _starts(folder: Path, checkouts: dict[str, Path], runs: int) -> None:
    programs = _first_screens(folder, checkouts)
    taken: dict[str, list[Spent]] = {name: [] for name in programs}
    completed: dict[str, list[float]] = {name: [] for name in programs}
    for turn in range(runs + 1):
        for name, program in programs.items():
            terminal = program.started()
            spent = terminal.wait_for(program.ready)
            complete = terminal.wait_for(program.complete).wall if program.complete else spent.wall
            terminal.close()
            if turn:
                taken[name].append(spent)
                completed[name].append(complete)
    base = _medians(taken[EMPTY])
    print(f"{'ms to the first drawn sample':<{WIDTH}}{'wall':>8}{'ratio':>7}{'cpu':>8}{'ratio':>7}{'complete':>10}")
    for name, times in taken.items():
        wall, cpu = _medians(times)
        ratios = f"{wall:>8.0f}{wall / base.wall:>7.2f}{cpu:>8.0f}{cpu / base.cpu:>7.2f}"
        print(f"{name:<{WIDTH}}{ratios}{median(completed[name]):>10.0f}")
    print()


def _first_screens(folder: Path, checkouts: dict[str, Path]) -> dict[str, Program]:
    deck, results = _hello(folder)
    start = _written(folder / "start.py", _START)
    few, many = (_written(folder / f"{count}.jsonl", jsonl_deck(count)) for count in (100, 100_000))
    large = _written(folder / "large.toml", toml_deck(10_000))
    programs = {
        EMPTY: Program([_written(folder / "empty.py", _EMPTY)], "READY"),
        "lone text area": Program([_written(folder / "area.py", _TEXT_AREA)], "READY"),
    }
    for name, checkout in checkouts.items():
        own = {
            "hello.toml": Program([start, deck], "2 + 2 = 4", checkout, "all 2 sent as written"),
            "review": Program([start, "review", results], "did not answer", checkout, "Quit"),
            "trace": Program([start, "trace", results], "14 tokens in", checkout, "Quit"),
            "a folder": Program([start, deck.parent], "6 samples", checkout),
            "100 samples of JSON Lines": Program([start, few], "● user", checkout),
            "100,000 samples of JSON Lines": Program([start, many], "● user", checkout),
            "10,000 samples of TOML": Program([start, large], "● user", checkout),
        }
        programs |= {f"{label} ({name})": program for label, program in own.items()}
    return programs


def _instructions(folder: Path, checkouts: dict[str, Path]) -> None:
    if not shutil.which("valgrind"):
        return
    base = 0
    print(f"{'instructions to the first drawn sample':<{WIDTH}}{'million':>8}{'ratio':>7}")
    for name, program in _first_screens(folder, checkouts).items():
        if "00 samples" in name:
            continue
        log = folder / "valgrind.log"
        count = [
            *("valgrind", "--tool=cachegrind", "--cache-sim=no", f"--log-file={log}"),
            "--cachegrind-out-file=/dev/null",
        ]
        watched = program._replace(arguments=[HERE / "until.py", program.ready, *program.arguments])
        terminal = watched.started(count)
        terminal.wait_for_end()
        terminal.close()
        counted = re.search(r"I\s+refs:\s+([\d,]+)", log.read_text())
        million = int(counted[1].replace(",", "")) // 10**6 if counted else 0
        base = base or million
        print(f"{name:<{WIDTH}}{million:>8}{million / base:>7.2f}")
    print()


def _medians(times: Sequence[Spent]) -> Spent:
    return Spent(median(spent.wall for spent in times), median(spent.cpu for spent in times))


def _keys(folder: Path, checkouts: dict[str, Path], runs: int) -> None:
    deck, _ = _hello(folder)
    start = _written(folder / "start.py", _START)
    programs = {"lone text area": Program([_written(folder / "area.py", _TEXT_AREA)], "READY")}
    for name, checkout in checkouts.items():
        programs[f"a turn of hello.toml ({name})"] = Program([start, deck], "2 + 2 = 4", checkout, setup=b"\r")
    first: dict[str, list[float]] = {name: [] for name in programs}
    last: dict[str, list[float]] = {name: [] for name in programs}
    for _ in range(max(1, runs // 5)):
        for name, program in programs.items():
            terminal = program.started()
            terminal.wait_for(program.ready)
            terminal.rest()
            if program.setup:
                terminal.key(program.setup)
                terminal.rest()
            times = [terminal.key(b"a") for _ in range(KEYS)][5:]
            terminal.close()
            first[name] += [time for time, _ in times]
            last[name] += [time for _, time in times]
    base = median(first["lone text area"])
    print(f"{'a typed key, ms to the screen':<{WIDTH}}{'median':>8}{'p95':>8}{'ratio':>7}{'settled':>9}")
    for name, keys in first.items():
        p95 = quantiles(keys, n=20)[-1]
        print(
            f"{name:<{WIDTH}}{median(keys):>8.1f}{p95:>8.1f}{median(keys) / base:>7.2f}{median(last[name]):>9.1f}"
        )
    print()


# Work on 10,000 samples, without a terminal


def _works(folder: Path, checkouts: dict[str, Path], runs: int) -> None:
    toml = _written(folder / "large.toml", toml_deck(10_000))
    yaml = _written(folder / "large.yaml", yaml_deck(10_000))
    works: dict[str, tuple[str, Path, Path | None]] = {"tomli parses it": ("parse", toml, None)}
    for name, checkout in checkouts.items():
        works[f"TOML is opened ({name})"] = "open", toml, checkout
        works[f"YAML is opened ({name})"] = "open", yaml, checkout
    works["the file is written"] = "write", toml, None
    for name, checkout in checkouts.items():
        works[f"one edit is saved ({name})"] = "save", toml, checkout
    taken: dict[str, list[Spent]] = {name: [] for name in works}
    for turn in range(runs + 1):
        for name, (work, deck, whose) in works.items():
            command = [sys.executable, str(HERE / "work.py"), work, str(deck)]
            environment = {**os.environ, **_environment(whose)}
            done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
            if turn:
                taken[name].append(Spent(*json.loads(done.stdout)))
    base = Spent(1, 1)
    print(f"{'a deck of 10,000 samples, ms':<{WIDTH}}{'wall':>8}{'ratio':>7}{'cpu':>8}{'ratio':>7}")
    for name, times in taken.items():
        wall, cpu = _medians(times)
        base = Spent(wall, cpu) if works[name][2] is None else base
        print(f"{name:<{WIDTH}}{wall:>8.0f}{wall / base.wall:>7.2f}{cpu:>8.0f}{cpu / base.cpu:>7.2f}")
    print()


def _edits(path: Path) -> None:
    session = Session(sampleui.open_deck(path))
    while not session.problems.complete:
        session.problems.look(500)
    count = len(session.deck.samples)
    works: dict[str, Callable[[int], None]] = {
        "set a content": partial(_set, session),
        "the same, checked and previewed": partial(_set_and_show, session),
    }
    print(f"{'an edit of 10,000 samples, ms':<{WIDTH}}{'median':>8}{'max':>8}")
    for name, work in works.items():
        times = []
        for turn in range(EDITS):
            index = turn * 251 % count
            start = time.perf_counter()
            work(index)
            times.append((time.perf_counter() - start) * 1000)
        print(f"{name:<{WIDTH}}{median(times):>8.2f}{max(times):>8.2f}")
    session.journal.discard()
    print()


def _set(session: Session, index: int) -> None:
    made = partial(edit.apply, index=index, operation=Set(("messages", 1, "content"), f"edited at {time.time()}"))
    session.perform("edit", made, before=Focus(index), after=Focus(index))


def _set_and_show(session: Session, index: int) -> None:
    _set(session, index)
    sample = session.deck.samples[index]
    chat(Subject(session.deck, sample, session.deck.render(sample)), 60)
    session.problems.placed()
    session.problems.counts()


# Modules


def _modules(folder: Path, checkouts: dict[str, Path]) -> None:
    deck, results = _hello(folder)
    note = folder / "note.json"
    print(f"{'our modules that run':<{WIDTH}}{'run':>8}{'imported':>10}{'functions':>11}")
    for name, checkout in checkouts.items():
        opened = Program([HERE / "counted.py", note, deck], "all 2 sent as written", checkout).started()
        opened.wait_for("all 2 sent as written")
        opened.rest()
        _print_counts(f"hello.toml, opened and drawn ({name})", _noted(opened, note))
        for key in (b"\r", b"a"):  # the first key loads what the ones after it only use
            opened.key(key)
            opened.rest()
        _noted(opened, note)
        opened.key(b"a")
        opened.rest()
        _print_counts(f"a key in a turn ({name})", _noted(opened, note))
        opened.close()
        opened = Program([HERE / "counted.py", note, "review", results], "Quit", checkout).started()
        opened.wait_for("Quit")
        opened.rest()
        _print_counts(f"a review, opened and drawn ({name})", _noted(opened, note))
        opened.close()
    print()


def _print_counts(label: str, counts: dict[str, Any]) -> None:
    figures = f"{len(counts['run']):>8}{len(counts['imported']):>10}{counts['functions']:>11}"
    print(f"{label:<{WIDTH}}{figures}")


def _noted(terminal: Terminal, note: Path) -> dict[str, Any]:
    note.unlink(missing_ok=True)
    os.kill(terminal.pid, signal.SIGUSR1)
    until = time.monotonic() + 10
    while not note.exists():
        if time.monotonic() > until:
            raise TimeoutError("the count was not written")
        terminal.rest(0.05)
    counts: dict[str, Any] = json.loads(note.read_text())
    return counts


if __name__ == "__main__":
    main()
