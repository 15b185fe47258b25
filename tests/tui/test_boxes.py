"""Boxes over a screen, and what is seen of the screen."""

from __future__ import annotations

import asyncio
import os
from itertools import pairwise
from typing import Any

import pytest
from textual._compositor import Compositor
from textual._context import visible_screen_stack
from textual.widgets import Input

from sampleui.settings.options import Settings
from sampleui.tui.drawing.rows import row_text
from sampleui.tui.screens.dialogs import Pick, likely_first, project_files
from sampleui.tui.widgets.bars import TabStrip

from .driver import Driver, opened

pytestmark = pytest.mark.painted


def seen(app: Driver) -> list[str]:
    """Return the lines of the terminal, a box with the screen below it."""
    screen = app.app.screen
    visible_screen_stack.set(app.app._background_screens)
    return [strip.text for strip in screen._compositor.render_strips(screen.size)]


async def test_the_screen_is_seen_below_a_box(hello):
    async with opened(hello) as app:
        before = seen(app)
        await app.press("t")
        lines = seen(app)
        assert any("becomes" in line for line in lines)
        assert lines[:4] == before[:4] and "What is 2+2?" in lines[3]


async def test_for_a_screen_reader_a_box_covers_nothing_and_shows_one_choice(hello):
    async with opened(hello, settings=Settings(plain=True)) as app:
        frames = [seen(app)]
        for keys in ("]", "R", "j", "us", "\b\b\b", "/to"):
            await app.press(*("backspace" if key == "\b" else key for key in keys))
            frames.append(seen(app))
        await app.press("escape")
        frames.append(seen(app))
        new = [
            [line.strip() for line, old in zip(lines, before, strict=True) if line != old and line.strip()]
            for before, lines in pairwise(frames[1:])
        ]
        assert new[0] == ["Role", "type to narrow, or a new one", "system  1 of 5"]
        assert new[1] == ["user  2 of 5"]
        assert new[2] == ["jus", "jus  as typed  1 of 1"]
        assert new[4:] == [["to", "tool  1 of 2"], []]
        await app.press("y", "j")
        (line,) = (line for line in seen(app) if " of 5" in line)
        assert line.split()[:4] == ["o", "Turn", "1", "as"] and line.rstrip().endswith("2 of 5")


async def test_below_a_box_only_what_changes_is_drawn(hello, monkeypatch):
    async with opened(hello) as app:
        await app.press("?")
        await app.settled()
        drawn: list[Any] = []
        update = Compositor.render_update

        def noted(compositor: Compositor, *given: Any, **named: Any) -> Any:
            drawn.extend(compositor._dirty_regions)
            return update(compositor, *given, **named)

        monkeypatch.setattr(Compositor, "render_update", noted)
        bar = app.screen.title_bar
        for place in ("first", "second"):
            bar.show(bar.title._replace(position=place))
            await app.rested()
            app.screen.call_later(lambda: None)  # a message, after which all was drawn
            await asyncio.sleep(0.1)
            assert place in seen(app)[0]
        assert {region.height for region in drawn} == {1}


def test_files_to_attach_are_regular_ones_and_likely_ones_come_first(tmp_path):
    for name in (".git", "deck.toml", "z.md", "run.py", "a.png"):
        (tmp_path / name).touch()
    os.mkfifo(tmp_path / "pipe.md")
    (tmp_path / "out.txt").symlink_to("/etc/passwd")
    (tmp_path / "in.txt").symlink_to("z.md")
    assert likely_first(project_files(tmp_path)) == ["a.png", "in.txt", "z.md", "deck.toml", "run.py"]


def test_tabs_that_are_not_in_view_are_counted():
    strip = TabStrip()
    strip.tabs = ("Chat", "Question", "Guidelines", "Grading")
    assert row_text(strip.row(20)) == "[Chat] Question ›2"
    assert row_text(strip.row(60)) == "[Chat] Question  Guidelines  Grading "


@pytest.mark.parametrize("size", [(120, 40), (80, 24)])
@pytest.mark.parametrize(("opens", "typed"), [("?", "search"), ("ctrl+p", "zz"), ("+", "expe"), ("T", "dark")])
async def test_the_line_one_types_in_stands_still_as_its_list_gets_shorter_and_longer(hello, size, opens, typed):
    async with opened(hello, size=size) as app:
        await app.press(opens)
        field = app.app.screen.query_one(Input)
        places = {field.region}
        for key in (*typed, *["backspace"] * len(typed)):
            await app.press(key)
            places.add(field.region)
        assert len(places) == 1


async def test_a_list_of_long_names_takes_the_width_that_there_is(hello):
    names = [f"{'the beginning of all of them ' * 3}{number} and the end of this one" for number in range(3)]
    async with opened(hello, size=(160, 40)) as app:
        app.app.push_screen(Pick("Which", names))
        await app.rested()
        assert all(name in app.dialog_text for name in names)


async def test_keys_that_scroll_a_trace_scroll_lists_and_the_last_row_is_told(hello):
    async with opened(hello, size=(120, 12)) as app:
        await app.press("1", "ctrl+d")
        assert app.screen.samples.cursor > 3
        await app.press("ctrl+u")
        assert app.screen.samples.cursor == 0
        await app.press("G")
        assert "this is the end" in app.bar and app.screen.samples.cursor == app.screen.samples.count() - 1


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("settings", "app.theme"),
        ("select all", "mark.all"),
        ("evaluator", "field.add"),
        ("search and replace", "find.replace"),
    ],
)
async def test_help_answers_to_the_words_that_others_use(hello, words, name):
    async with opened(hello) as app:
        await app.press("?")
        await app.type(words)
        assert f"[{name}]" in app.dialog_text
