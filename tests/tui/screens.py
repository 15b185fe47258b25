"""The first screen of each face of the app, on the examples."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from textual.screen import Screen

from sampleui.review.queue import ReviewOptions
from sampleui.runs.records import open_run
from sampleui.settings.options import Settings
from sampleui.tui.opening import first_screen
from sampleui.tui.review.first_screen import review_screen
from sampleui.tui.trace.screen import TraceScreen
from sampleui.tui.workspace.screen import WorkspaceScreen
from sampleui.workspace.deck import open_deck

from .driver import DECKS, ROOT

RESULTS = ROOT / "examples" / "results"


def reviewed(settings: Settings) -> Callable[[], Screen[int]]:
    options = ReviewOptions(
        results=RESULTS / "hello.results.jsonl", reviewer="ada", decks=(DECKS / "hello.toml",), everything=True
    )
    return review_screen(options, settings)


def traced(settings: Settings) -> Callable[[], Screen[int]]:
    return lambda: TraceScreen(open_run(RESULTS / "traces.jsonl", open_deck(DECKS / "agents.yaml")), settings)


FIRST: dict[str, Callable[[Path, Settings], Callable[[], Screen[int]]]] = {
    "author": lambda deck, settings: first_screen(deck, settings, None),
    "review": lambda _, settings: reviewed(settings),
    "trace": lambda _, settings: traced(settings),
    "workspace": lambda _, settings: lambda: WorkspaceScreen([DECKS], settings),
}
"""By the name of a face, what opens it on a deck."""
