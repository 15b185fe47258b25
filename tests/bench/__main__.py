"""Prints how long the app takes beside an empty Textual app and a lone text area: medians of interleaved runs."""

from __future__ import annotations

import compileall
import json
import random
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median, quantiles

import sampleui
from sampleui.deck import edit
from sampleui.deck.history import Focus
from sampleui.tui.author.preview.rows import Subject, chat
from sampleui.tui.author.session import Session
from tests.bench.finding import print_finding
from tests.bench.terminal import Terminal

STARTS = 9
KEYS = 60
EDITS = 40

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


def main() -> None:
    """Measure and print."""
    compileall.compile_dir(str(Path(sampleui.__file__).parent), quiet=2)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "empty.py").write_text(_EMPTY)
        (folder / "area.py").write_text(_TEXT_AREA)
        small, large = folder / "small.toml", folder / "large.toml"
        small.write_text(Path("examples/decks/hello.toml").read_text())
        large.write_text(toml_deck(10_000))
        lines = folder / "lines.jsonl"
        lines.write_text(jsonl_deck(100_000))
        app = [sys.executable, "-m", "sampleui"]
        _starts(
            {
                "empty Textual app": ([sys.executable, str(folder / "empty.py")], "READY"),
                "lone text area": ([sys.executable, str(folder / "area.py")], "READY"),
                "hello.toml": ([*app, str(small)], r"Preview(.|\n)*2 \+ 2"),
                f"10,000 samples, {large.stat().st_size >> 20} MB TOML": ([*app, str(large)], r"● user"),
                f"100,000 samples, {lines.stat().st_size >> 20} MB JSONL": ([*app, str(lines)], r"● user"),
            }
        )
        _typing(
            {
                "lone text area": ([sys.executable, str(folder / "area.py")], "READY", b""),
                "a turn of hello.toml": ([*app, str(small)], r"Preview(.|\n)*2 \+ 2", b"\r"),
            }
        )
        _edits(large)
        print_finding(large)


def _starts(programs: dict[str, tuple[list[str], str]]) -> None:
    taken: dict[str, list[float]] = {name: [] for name in programs}
    for turn in range(STARTS + 1):
        for name, (command, ready) in programs.items():
            terminal = Terminal(command)
            elapsed = terminal.wait_for(ready)
            terminal.close()
            if turn:
                taken[name].append(elapsed)
    base = median(taken["empty Textual app"])
    print(f"{'start to usable':<36}{'median ms':>10}{'ratio':>8}")
    for name, times in taken.items():
        print(f"{name:<36}{median(times):>10.0f}{median(times) / base:>8.2f}")


def _typing(programs: dict[str, tuple[list[str], str, bytes]]) -> None:
    base = 0.0
    print(f"\n{'typing, key to screen':<36}{'median ms':>10}{'p95':>8}{'ratio':>8}{'settled':>9}")
    for name, (command, ready, setup) in programs.items():
        terminal = Terminal(command)
        terminal.wait_for(ready)
        terminal.rest()
        if setup:
            terminal.key(setup)
            terminal.rest()
        times = [terminal.key(b"a") for _ in range(KEYS)][5:]
        terminal.close()
        first = [one for one, _ in times]
        base = base or median(first)
        settled = median(last for _, last in times)
        p95 = quantiles(first, n=20)[-1]
        print(f"{name:<36}{median(first):>10.1f}{p95:>8.1f}{median(first) / base:>8.2f}{settled:>9.1f}")


def _edits(path: Path) -> None:
    session = Session(sampleui.open_deck(path))
    while not session.problems.complete:
        session.problems.look(500)
    count = len(session.deck.samples)
    works: dict[str, Callable[[int], None]] = {
        "set a content": partial(_set, session),
        "the same, checked and previewed": partial(_set_and_show, session),
    }
    print(f"\n{'an edit of 10,000 samples':<36}{'median ms':>10}{'max':>8}")
    for name, work in works.items():
        times = []
        for turn in range(EDITS):
            index = turn * 251 % count
            start = time.perf_counter()
            work(index)
            times.append((time.perf_counter() - start) * 1000)
        print(f"{name:<36}{median(times):>10.2f}{max(times):>8.2f}")


def _set(session: Session, index: int) -> None:
    made = partial(edit.set_value, index=index, path=("messages", 1, "content"), value=f"edited at {time.time()}")
    session.perform("edit", made, before=Focus(index), after=Focus(index))


def _set_and_show(session: Session, index: int) -> None:
    _set(session, index)
    sample = session.deck.samples[index]
    chat(Subject(session.deck, sample, session.deck.render(sample)), 60)
    session.problems.placed()
    session.problems.counts()


_WORDS = ["the", "model", "should", "answer", "briefly", "and", "cite", "every", "source", "when", "asked", "about"]


def _texts(count: int) -> list[str]:
    chance = random.Random(7)
    return [" ".join(chance.choices(_WORDS, k=chance.randint(20, 44))).capitalize() + "." for _ in range(count)]


def toml_deck(samples: int) -> str:
    """Return a deck of about 1 KB a sample."""
    texts = _texts(512)
    parts = ["# a deck for measuring\n"]
    for number in range(samples):
        one, two, three, four = (texts[(number * 4 + offset) % 512] for offset in range(4))
        parts.append(
            f'\n# about {number}\n[[samples]]\nid = "sample-{number}"\nscore = 2  # graded\nmessages = [\n'
            f'  {{ role = "system", content = "{one}" }},\n  {{ role = "user", content = "{two}" }},\n'
            f'  {{ role = "assistant", content = """\n{three}\n- one\n- two""" }},\n'
            f'  {{ role = "user", content = "{four}" }},\n]\n'
        )
    return "".join(parts)


def jsonl_deck(samples: int) -> str:
    """Return a deck of about 1 KB a line."""
    texts = _texts(512)
    roles = ("system", "user", "assistant", "user")
    lines = []
    for number in range(samples):
        messages = [{"role": role, "content": texts[(number * 4 + at) % 512]} for at, role in enumerate(roles)]
        row = {"schema_version": "v1", "id": f"s-{number}", "messages": messages, "references": ["x"], "label": "x"}
        lines.append(json.dumps(row) + "\n")
    return "".join(lines)


if __name__ == "__main__":
    main()
