"""What the start of the app loads before and after its first frame, and that it loads no more."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from sampleui.integrations import index

from .driver import DECKS

SCRIPT = """
import asyncio, json, sys
from pathlib import Path
from sampleui.settings.options import Settings
from sampleui.tui.app import SampleUI
from sampleui.tui.author.screen import AuthorScreen
import sampleui.tui.opening
from sampleui.workspace.opening import open_path

class First(AuthorScreen):
    modules = ()

    def on_first_drawn(self):
        assert self.conversation.lines()
        self.modules = sorted(sys.modules)
        super().on_first_drawn()

async def main():
    deck = open_path(Path(sys.argv[1]), Settings())
    app = SampleUI(lambda: First(deck, Settings()), Settings())
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        print(json.dumps([app.screen.modules, sorted(sys.modules)]))

asyncio.run(main())
"""
REVIEW = """
import asyncio, json, sys
from pathlib import Path
from sampleui.review.queue import ReviewOptions
from sampleui.settings.options import Settings
from sampleui.tui.app import SampleUI
import sampleui.tui.review.first_screen
from sampleui.tui.review.session import open_review
from sampleui.tui.review.screen import ReviewScreen

class First(ReviewScreen):
    modules = ()

    def on_first_drawn(self):
        assert self.queue.items and self.answer.view.rows and self.scores.rows
        assert not self.review.decks
        self.modules = sorted(sys.modules)
        super().on_first_drawn()

async def main():
    review = open_review(ReviewOptions(results=Path(sys.argv[1]), reviewer="ada"), Settings())
    app = SampleUI(lambda: First(review, Settings()), Settings())
    async with app.run_test(size=(120, 40)) as pilot:
        while "sampleui.tui.review.actions" not in sys.modules:
            await pilot.pause()
        assert app.screen.review.decks and app.screen.conversation.lines()
        print(json.dumps([app.screen.modules, sorted(sys.modules)]))

asyncio.run(main())
"""
WITHOUT_OPTIONS = """
import sys
from sampleui.cli import app, output
output.interactive = lambda: True
app.show_review = app.show_trace = lambda *_: print("click" in sys.modules) or 0
from sampleui.__main__ import main
main()
"""
OTHER_SCREENS = """
import sys
import sampleui.tui.trace.screen
import sampleui.tui.workspace.actions
import sampleui.tui.workspace.screen
print(*sys.modules)
"""
SLOW = ["pydantic", "pygments", "markdown_it", "tree_sitter", "wcmatch", "tomlkit", "jinja2", "click"]
LATER = ["sampleui.integrations.gage.older", "sampleui.formats.yaml.writing.edits"]
"""What older records and the first edit load."""
AFTER_THE_FIRST_FRAME = [
    "sampleui.deck.journal",
    "sampleui.deck.save",
    "sampleui.formats.single_sample",
    "sampleui.formats.toml.writing.edits",
    "sampleui.formats.toml.writing.tree",
    "sampleui.prompt",
    "sampleui.sample.rules",
    "sampleui.tui.author.actions",
    "sampleui.tui.author.editing",
    "sampleui.tui.author.preview",
    "sampleui.tui.widgets.filter_input",
    "sampleui.workspace.filtering",
]
AFTER_THE_FIRST_FRAME_OF_A_REVIEW = [
    "_hashlib",
    "sampleui.deck",
    "sampleui.integrations.calibrate.dialect",
    "sampleui.prompt",
    "sampleui.review.reports",
    "sampleui.review.samples.comparing",
    "sampleui.runs",
    "sampleui.sample.parse",
    "sampleui.trace",
    "sampleui.tui.author",
    "sampleui.tui.review.actions",
    "sampleui.tui.review.feed",
    "sampleui.tui.trace",
    "sampleui.tui.widgets.conversation",
    "sampleui.workspace",
]
AFTER_THE_FIRST_FRAMES_OF_OTHERS = [
    "sampleui.tui.author.screen",
    "sampleui.tui.author.actions",
    "sampleui.tui.widgets.turn_editor",
    "sampleui.tui.screens.dialogs",
    "sampleui.tui.screens.finding",
    "sampleui.tui.workspace.found",
    "sampleui.workspace.text_search",
    "sampleui.workspace.unknown_files",
    "textual.widgets.input",
]
MOST = 98
"""Modules of our own that may be loaded when the first frame is drawn. Each delays it by half a millisecond:
what it does without is imported where it is called."""

MAX_A_REVIEW = 110


def own(modules: set[str]) -> list[str]:
    """Return our own modules but for the entries of integrations, each of which takes a tenth of a millisecond."""
    rooms = [f"sampleui.integrations.{room}" for room in index.ROOMS]
    entries = {*rooms, *(f"{room}.fields" for room in rooms)}
    return [name for name in modules if name.startswith("sampleui") and name not in entries]


def loaded(deck: str, script: str = SCRIPT) -> tuple[set[str], set[str]]:
    """Return the modules that are loaded when the first frame is drawn, and those a little later."""
    done = subprocess.run(
        [sys.executable, "-c", script, str(DECKS / deck)], capture_output=True, check=True, text=True
    )
    drawn, settled = json.loads(done.stdout)
    return set(drawn), set(settled)


@pytest.mark.parametrize(
    ("deck", "unwanted"),
    [
        ("hello.toml", [*SLOW, *LATER, "yaml"]),
        (
            "agentv.yaml",
            [*LATER, "pygments", "markdown_it", "tree_sitter", "tomlkit", "click", "sampleui.formats.toml"],
        ),
        (
            "problems.jsonl",
            ["pygments", "markdown_it", "tree_sitter", "tomlkit", "click", "yaml", "sampleui.formats.toml"],
        ),
    ],
)
def test_the_first_screen_loads_nothing_slow_that_it_does_not_need(deck, unwanted):
    _, modules = loaded(deck)
    assert [name for name in unwanted if name in modules] == []
    assert "textual" in modules


def test_the_review_and_the_trace_load_only_when_they_are_asked_for():
    _, modules = loaded("hello.toml")
    assert [name for name in modules if name.startswith(("sampleui.review", "sampleui.trace"))] == []
    assert "sampleui.tui.widgets.turn_editor" not in modules
    assert "sampleui.integrations.agentv.prompts_4" not in modules


def test_the_first_frame_waits_for_nothing_that_is_not_on_it():
    drawn, settled = loaded("hello.toml")
    assert [name for name in AFTER_THE_FIRST_FRAME if name in drawn] == []
    assert len(own(drawn)) <= MOST
    assert "sampleui.tui.author.actions" in settled


def test_the_first_frame_of_a_review_shows_its_queue_and_record_without_its_deck_and_trace():
    drawn, settled = loaded("../results/hello.results.jsonl", REVIEW)
    assert [name for name in [*AFTER_THE_FIRST_FRAME_OF_A_REVIEW, *SLOW, "yaml"] if name in drawn] == []
    assert len(own(drawn)) <= MAX_A_REVIEW
    assert {"sampleui.tui.review.actions", "sampleui.tui.trace", "sampleui.deck"} <= settled


def test_the_list_of_a_folder_and_a_trace_are_drawn_without_fields_boxes_and_decks_to_edit():
    done = subprocess.run([sys.executable, "-c", OTHER_SCREENS], capture_output=True, check=True, text=True)
    modules = done.stdout.split()
    assert "sampleui.tui.workspace.screen" in modules
    assert [name for name in [*AFTER_THE_FIRST_FRAMES_OF_OTHERS, *SLOW] if name in modules] == []


@pytest.mark.parametrize("name", ["review", "trace"])
def test_a_command_without_options_starts_without_click(name):
    results = DECKS.parent / "results" / "hello.results.jsonl"
    command = [sys.executable, "-c", WITHOUT_OPTIONS, name, str(results)]
    done = subprocess.run(command, capture_output=True, check=True, text=True)
    assert done.stdout == "False\n"
