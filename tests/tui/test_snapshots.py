"""Pictures of the author screen: what it looks like as a whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from sampleui.settings.options import Settings
from sampleui.tui.app import SampleUI
from sampleui.tui.opening import first_screen

from .decks import TOML

ODD = """
[[samples]]
id = "two"
expcted = "an id that is taken, and a key that is nearly known"
messages = [
  { role = "system", content = "You are terse." },
  { role = "user", content = "Tabs\\tand [markup] and \\u001b[31m codes, 漢字 too." },
  { role = "assistant", content = "" },
  { role = "critic", content = [{ type = "text", value = "Look:" }, { type = "file", value = "gone.txt" }] },
]
"""


@pytest.fixture
def deck(tmp_path: Path) -> Path:
    path = tmp_path / "deck.toml"
    path.write_text(TOML + ODD)
    return path


def app_on(path: Path, theme: str | None = None) -> SampleUI:
    settings = Settings(theme=theme)
    return SampleUI(first_screen(path, settings, None), settings)


@pytest.mark.parametrize(
    ("size", "theme"),
    [((80, 24), "sampleui-dark"), ((120, 40), "sampleui-light"), ((200, 60), "sampleui-contrast")],
    ids=["narrow", "wide", "tall"],
)
def test_the_author_screen(snap_compare, deck, size, theme):
    assert snap_compare(app_on(deck, theme), terminal_size=size, press=["]", "]", "j"])


def test_a_turn_being_edited(snap_compare, deck):
    async def still(pilot) -> None:
        await pilot.press("]", "j", "enter")
        pilot.app.screen.conversation.editor.cursor_blink = False
        await pilot.press(*"x", "backspace")
        await pilot.pause(0.1)

    assert snap_compare(app_on(deck), terminal_size=(100, 30), run_before=still)
