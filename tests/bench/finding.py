"""Finding in 10,000 samples and replacing in 1,000 of them, beside ripgrep where that is installed."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median

from sampleui.deck import edit
from sampleui.formats.operations import Set
from sampleui.tui.author.session import Session
from sampleui.workspace.deck import Deck, open_deck
from sampleui.workspace.text_search import Query, hits_in, may_hold, replacements_in

RUNS = 5
EVERY = 10
"""One sample of so many holds what is looked for."""

_QUERY = Query("Needle")


def print_finding(path: Path) -> None:
    """Measure with a deck into which what is looked for is put, and print."""
    marked = path.with_stem("marked")
    parts = path.read_text().split('role = "user", content = "')
    marked.write_text("".join(_marked(at, part) for at, part in enumerate(parts)))
    deck = open_deck(marked)
    works: dict[str, Callable[[], object]] = {
        "sampleui: found in an open deck": partial(_found, deck),
        "sampleui: 1,000 replaced in it": partial(_replaced, deck),
        "sampleui replace --dry-run": partial(
            _run, [sys.executable, "-m", "sampleui", "replace", "Needle", "Thread", str(marked), "--dry-run"]
        ),
    }
    if shutil.which("rg"):
        works["rg: found"] = partial(_run, ["rg", "Needle", str(marked)])
        works["rg --replace --passthru"] = partial(
            _run, ["rg", "Needle", "--replace", "Thread", "--passthru", str(marked)]
        )
    print(f"\n{'1,000 hits in 10,000 samples':<36}{'median ms':>10}{'max':>8}")
    for name, work in works.items():
        times = [_timed(work) for _ in range(RUNS)]
        print(f"{name:<36}{median(times):>10.0f}{max(times):>8.0f}")


def _marked(at: int, part: str) -> str:
    needed = at % 2 and at // 2 % EVERY == 0
    return part if not at else f'role = "user", content = "{"Needle " if needed else ""}{part}'


def _timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * 1000


def _found(deck: Deck) -> int:
    held = [at for at in range(len(deck.samples)) if may_hold(deck.files, at, _QUERY)]
    return sum(len(hits_in(at, deck.sample_at(at).data, _QUERY)) for at in held)


def _replaced(deck: Deck) -> None:
    held = [at for at in range(len(deck.samples)) if may_hold(deck.files, at, _QUERY)]
    made = [one for at in held for one in replacements_in(at, deck.sample_at(at).data, _QUERY, "Thread")]
    edits = [partial(edit.apply, index=one.index, operation=Set(one.path, one.new)) for one in made]
    session = Session(deck)
    session.perform("replace", *edits)
    assert len(made) == len(deck.samples) // EVERY and session.unsaved
    session.journal.discard()


def _run(command: list[str]) -> None:
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
