"""What is changed is marked, shown against git too, and taken back."""

from __future__ import annotations

import pytest

from sampleui import open_deck
from sampleui.deck.base import Base
from sampleui.tui.author.comparing import Comparing
from sampleui.tui.drawing.rows import row_text

from ..deck.test_gitbase import DECK, committed
from .driver import opened, said


@pytest.fixture
def deck(tmp_path):
    return committed(tmp_path)


def marked(app) -> list[bool]:
    shown = app.screen.samples
    return ["~" in row_text(shown.row(at, 40)) for at in range(shown.count())]


async def test_changes_are_marked_against_the_disk_and_git_and_one_is_taken_back(deck):
    async with opened(deck, size=(140, 40)) as app:
        assert marked(app) == [False] * 4
        await app.press("U")
        assert "nothing differs from the file on disk" in said(app.screen)
        await app.press("]", "]", "r")
        assert marked(app) == [False, False, True, False]
        assert "~" in app.cards[0] and not any("~" in line for line in app.cards if "score" in line)
        await app.press("c", *"last", "enter")
        assert "2 samples changed since the last commit" in said(app.screen)
        assert marked(app) == [False, True, True, False]
        await app.press("P")
        assert (
            "since the last commit" in app.preview
            and '+messages = [{ role = "user", content = "one" }]' in app.preview
        )
        await app.press("U", *"one", "enter")
        assert marked(app) == [False, False, True, False] and app.steps == 2 and app.screen.index == 1
        await app.press("U", "enter")
        assert app.text == DECK and app.preview.endswith("Nothing has changed.")
        await app.press("u")
        assert marked(app) == [False, False, True, False]


async def test_a_base_is_given_up_where_other_files_belong_to_the_deck(deck):
    files = [open_deck(deck).files]
    comparing = Comparing(lambda: files[0])
    await comparing.choose(Base.HEAD)
    assert comparing.olds is not None
    more = deck.with_name("more.toml")
    more.write_text(DECK)
    index = deck.with_name("index.md")
    index.write_text(f"![]({deck.name})\n\n![]({more.name})\n")
    files[0] = open_deck(index).files
    assert (comparing.olds, comparing.base) == (None, Base.DISK)
