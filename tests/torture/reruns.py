"""Reruns by the real tools, cancelled at random moments: nothing they started stays, and nothing is half written.

    python -m tests.torture.reruns [CANCELS] [--seed N] [--tool NAME]

The tools are looked for on PATH, and one that is not there is passed over. A call takes a few seconds; it is
cancelled after a random part of that, as the app does it or by a signal to the command.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

from sampleui.review.results.file import open_results
from sampleui.runs.decks import decks_of_run
from sampleui.runs.rerun.engine import prepared, run_again
from sampleui.settings.options import Settings
from sampleui.text.temporary import temporary_folder
from tests.cli.test_rerun_tools import (
    agentv,
    deepeval,
    hashes,
    inspect_ai,
    lm_eval,
    promptfoo,
    pydantic_evals,
    python_with,
)


class Tool(NamedTuple):
    """A tool.

    Attributes:
        run: makes a run in a folder, and returns its results.
        is_there: tells whether the tool is.
        longest: seconds that a call takes at the most, by far.
    """

    run: Callable[[Path, list[str]], Path]
    is_there: Callable[[], object]
    longest: float


TOOLS = {
    "promptfoo": Tool(promptfoo, partial(shutil.which, "promptfoo"), 6.0),
    "inspect": Tool(inspect_ai, partial(shutil.which, "inspect"), 10.0),
    "agentv": Tool(agentv, partial(shutil.which, "agentv"), 4.0),
    "deepeval": Tool(deepeval, partial(shutil.which, "deepeval"), 8.0),
    "pydantic_evals": Tool(pydantic_evals, partial(python_with, "pydantic_evals"), 8.0),
    "lm_eval": Tool(lm_eval, partial(shutil.which, "lm_eval"), 40.0),
}


def left_in(root: Path) -> list[str]:
    """Return the processes that work below a folder, or whose environment names it."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal() and int(folder.name) != os.getpid():
            try:
                is_here = (folder / "cwd").readlink().is_relative_to(root)
                if is_here or str(root).encode() in (folder / "environ").read_bytes():
                    found.append((folder / "cmdline").read_bytes().replace(b"\0", b" ").decode())
            except OSError:
                continue
    return found


def by_the_engine(results: Path, seconds: float) -> str:
    """Run a sample again, cancel it after some time as the app does, and return what became of it."""
    run = open_results(results).indexed()
    until = time.monotonic() + seconds
    with temporary_folder("sampleui-rerun-") as out:
        plan = prepared(run, run.entries[:1], decks_of_run(run, (), Settings()), out, Settings(), times=2)
        ran = run_again(plan, is_stopped=lambda: time.monotonic() > until)
    return ran.reruns[0].why or "answered"


def by_a_signal(results: Path, seconds: float, number: signal.Signals) -> str:
    """Run a sample again by the command, send it a signal after some time, and return what became of it."""
    command = [sys.executable, "-m", "sampleui", "rerun", str(results), "--id", "#1", "--n", "2", "--yes"]
    running = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        _, errors = running.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        running.send_signal(number)
        _, errors = running.communicate(timeout=60)
    code = running.returncode
    if code == 130 and b"nothing is kept" not in errors:  # too late for a call, as what it answered was printed
        return "answered"
    # Before a call begins and after all are done, the command takes a signal as any program does.
    codes = {130: "cancelled", 0: "answered", 1: "answered", -15: "no call", -2: "no call"}
    return codes.get(code, f"exit {code}")


def tortured(tool: str, cancels: int, maker: random.Random, root: Path) -> tuple[Counter[str], list[str]]:
    """Cancel reruns of a tool, and return what became of them, and what was wrong."""
    results = TOOLS[tool].run(root, ["sum"])
    before, done, wrong = hashes(results), Counter[str](), list[str]()
    home = results.parent
    for number in range(cancels):
        seconds = maker.uniform(0, TOOLS[tool].longest)
        kept = len([*home.glob("*.reruns/*")])
        way = number % 4
        if way < 2:
            outcome = by_the_engine(results, seconds)
        else:
            outcome = by_a_signal(results, seconds, signal.SIGINT if way == 2 else signal.SIGTERM)
        done[outcome] += 1
        told = f"{tool} cancelled after {seconds:.2f} s ({outcome})"
        if left := left_in(root):
            wrong.append(f"{told}: {left} stay")
        if hashes(results) != before:
            wrong.append(f"{told}: the run was written")
        if half := [*home.rglob(".sampleui-*")]:
            wrong.append(f"{told}: {half} stay")
        if outcome == "cancelled" and len([*home.glob("*.reruns/*")]) != kept:
            wrong.append(f"{told}: something was kept")
        if outcome not in ("cancelled", "answered", "no call"):
            wrong.append(told)
    return done, wrong


def main() -> int:
    """Cancel as many reruns of each tool as asked for, and print what was wrong."""
    parser = argparse.ArgumentParser()
    parser.add_argument("cancels", type=int, nargs="?", default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tool", choices=TOOLS)
    asked = parser.parse_args()
    wrong = []
    for tool in [asked.tool] if asked.tool else TOOLS:
        if not TOOLS[tool].is_there():
            print(f"{tool} is not there")
            continue
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
            for variable in ("XDG_STATE_HOME", "XDG_CONFIG_HOME"):
                os.environ[variable] = f"{name}/home"
            root = Path(name).resolve() / "project"
            (root / ".git").mkdir(parents=True)
            done, found = tortured(tool, asked.cancels, random.Random(asked.seed), root)
        wrong += found
        print(f"{tool}: {dict(done)}, {len(found)} wrong", flush=True)
    print(*wrong, sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
