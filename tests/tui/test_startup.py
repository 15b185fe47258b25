"""What the start of the app loads, and that it loads no more."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from .driver import DECKS

SCRIPT = """
import asyncio, json, sys
from pathlib import Path
from sampleui.settings.options import Settings
from sampleui.tui.app import SampleUI
from sampleui.tui.opening import first_screen

async def main():
    before = set(sys.modules)
    app = SampleUI(first_screen(Path(sys.argv[1]), Settings(), None), Settings())
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        assert app.screen.conversation.lines()
        print(json.dumps(sorted(sys.modules)))

asyncio.run(main())
"""
SLOW = ["pydantic", "pygments", "markdown_it", "tree_sitter", "wcmatch", "tomlkit", "jinja2", "click"]
LATER = [
    "sampleui.workspace.text_search",
    "sampleui.sample.convert",
    "sampleui.integrations.gage.older",
    "sampleui.formats.yaml.writing.changes",
]
"""What searching, copying, older records and the first edit load."""


def loaded(deck: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(DECKS / deck)], capture_output=True, check=True, text=True
    )
    return set(json.loads(done.stdout))


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
    modules = loaded(deck)
    assert [name for name in unwanted if name in modules] == []
    assert "textual" in modules


def test_the_review_and_the_trace_load_only_when_they_are_asked_for():
    modules = loaded("hello.toml")
    assert [name for name in modules if name.startswith(("sampleui.review", "sampleui.trace"))] == []
    assert "sampleui.tui.widgets.turn_editor" not in modules
    assert "sampleui.integrations.agentv.prompts" not in modules
