"""Every size of terminal: each line as wide as it, nothing over another, nothing that matters cut off."""

from __future__ import annotations

import re
from itertools import combinations, product
from unittest.mock import patch

import pytest
from rich.cells import cell_len
from textual.geometry import Region
from textual.widget import Widget

from sampleui.tui.author.preview import TABS
from sampleui.tui.drawing.rows import row_text
from sampleui.tui.widgets.bars import TabStrip

from .driver import DECKS, Driver, drawn_lines, opened, shown_widgets, widget_lines

pytestmark = pytest.mark.painted

SIZES = [(80, 24), (120, 40), (200, 60), (40, 12)]


def check_lines(app: Driver) -> list[str]:
    """Return what is drawn, after a look at every widget's lines and the places of all of them."""
    screen = app.app.screen
    for widget in shown_widgets(screen):
        assert {cell_len(line) for line in widget_lines(widget)} <= {widget.outer_size.width}, widget
    lines = drawn_lines(screen)
    assert {cell_len(line) for line in lines} == {screen.size.width}
    assert len(lines) == screen.size.height
    leaves = [(_seen(one), one) for one in shown_widgets(screen) if not one.children and one.is_on_screen]
    for (region, one), (region_of_other, other) in combinations(leaves, 2):
        assert not region.overlaps(region_of_other), (one, other)
    return lines


def _seen(widget: Widget) -> Region:
    region = widget.region
    for parent in widget.ancestors:
        if isinstance(parent, Widget):
            region = region.intersection(parent.region)
    return region


@pytest.mark.parametrize("size", SIZES)
async def test_every_pane_fits(size):
    async with opened(DECKS / "problems.toml", size=size) as app:
        await app.until(lambda: app.screen.session.problems.complete)
        await app.press("]", "]", "]")
        for _ in range(4):  # samples, turns, preview, problems
            lines = check_lines(app)
            assert "problems.toml" in lines[0] and "12 errors" in lines[0]
            for key in ("^s Save", "? Help", "^q Quit"):
                assert key in lines[-1], (size, lines[-1])
            assert app.keys.rstrip() in lines[-1]
            await app.press("tab")


async def test_save_help_and_quit_are_in_the_footer_of_every_line_at_80_columns():
    async with opened(DECKS / "agents.yaml", size=(80, 24)) as app:
        await app.press("home")
        for title in ("Edit", "Add", "Role", "Attach", "Field", "Delete", "Undo", "Save", "Help", "Quit"):
            assert f" {title}" in app.keys, app.keys
        kinds = set()
        for _ in app.ids:
            for _ in app.screen.conversation.items:
                kinds.add(app.at.split(" ")[0])
                assert "u Undo" in app.keys and "? Help" in app.keys and app.keys.endswith("^q Quit"), app.keys
                assert "^s Save" in app.keys, app.keys
                await app.press("j")
            await app.press("home", "space")
            assert "esc Unmark" in app.keys and "^s Save" in app.keys and app.keys.endswith("^q Quit"), app.keys
            await app.press("]", "home")
        assert len(kinds) > 5
        await app.press("home", "enter")
        for key in ("esc Done", "^s Save", "^p Palette", "^q Quit"):
            assert key in app.keys


def test_tabs_that_are_out_of_view_are_counted_on_both_sides():
    strip = TabStrip()
    strip.tabs = (*TABS,)
    with patch.object(TabStrip, "is_plain", new=False):
        for width, current in product(range(18, 201), range(len(strip.tabs))):
            strip.current = current
            line = row_text(strip.row(width))
            before, after = re.match(r"‹(\d+)", line), re.search(r"›(\d+)$", line)
            hidden = int(before[1]) if before else 0, int(after[1]) if after else 0
            assert f"[{strip.tabs[current]}]" in line and cell_len(line) <= width
            assert len(strip.placed(width)) + sum(hidden) == len(strip.tabs)
            assert strip.placed(width)[0][0] == hidden[0]


@pytest.mark.parametrize("size", SIZES)
async def test_editing_and_questions_fit(hello, size):
    async with opened(hello, size=size) as app:
        await app.press("enter")
        await app.write("x" * 130)
        lines = check_lines(app)
        assert "xxxxxxxxx" in "\n".join(lines)
        assert "esc Done" in lines[-1]
        y = app.screen.conversation.editor.cursor_screen_offset.y
        assert 0 <= y < size[1] - 1
        await app.press("escape")
        check_lines(app)
        await app.press("D", "ctrl+q")
        await app.dialog()
        shown = "\n".join(check_lines(app))
        for word in ("unsaved", "Save", "Discard", "Keep editing"):
            assert word in shown
        await app.press("escape", "R")
        await app.dialog()
        assert "assistant" in "\n".join(check_lines(app))
        await app.press("escape", "?")
        await app.dialog()
        assert "Edit the turn" in "\n".join(check_lines(app))


@pytest.mark.parametrize("size", SIZES)
async def test_every_tab_of_the_preview_fits(size):
    async with opened(DECKS / "attachments.toml", size=size) as app:
        await app.press("tab")
        for _ in app.screen.preview.tabs:
            lines = check_lines(app)
            assert f"[{app.screen.preview.tab}]" in "\n".join(lines)
            await app.press("p")


async def test_a_narrow_terminal_shows_one_pane_under_tabs(hello):
    async with opened(hello, size=(80, 24)) as app:
        assert "[Conversation]" in drawn_lines(app.app.screen)[1]
        assert "What is 2+2?" in drawn_lines(app.app.screen)[3]
        assert not app.screen.preview.is_on_screen
        await app.press("tab")
        assert "[Preview]" in drawn_lines(app.app.screen)[1]
        assert app.screen.preview.is_on_screen and not app.screen.conversation.is_on_screen
        await app.pilot.click("#tabs", offset=(3, 0))
        await app.rested()
        assert "[Samples]" in drawn_lines(app.app.screen)[1]
        await app.press("slash", "h")
        assert "[Samples]" in drawn_lines(app.app.screen)[1] and app.screen.filter.is_on_screen


async def test_a_terminal_can_be_resized_at_any_time(hello):
    async with opened(hello, size=(120, 40)) as app:
        await app.press("]", "j", "enter")
        await app.type("typed")
        for size in ((80, 24), (40, 12), (20, 5), (200, 60), (99, 30), (100, 30)):
            await app.pilot.resize_terminal(*size)
            await app.rested()
            check_lines(app)
        assert app.screen.conversation.editing
        await app.press("escape")
        assert app.turns[1].endswith("typed")
        check_lines(app)


async def test_the_cursor_stays_in_view_when_the_terminal_shrinks(hello):
    async with opened(hello, size=(120, 40)) as app:
        await app.press("]", "G")
        await app.pilot.resize_terminal(120, 14)
        await app.rested()
        assert "expected.reason" in "\n".join(drawn_lines(app.app.screen))


async def test_a_long_name_never_hides_that_edits_are_unsaved(tmp_path):
    path = tmp_path / f"{'long-' * 30}.toml"
    path.write_bytes((DECKS / "hello.toml").read_bytes())
    async with opened(path, size=(80, 24)) as app:
        await app.press("D")
        assert "… ● unsaved" in app.title and "1/6" in app.title and "no problems" in app.title


async def test_a_tall_terminal_shows_the_question_too(hello):
    async with opened(hello, size=(200, 60)) as app:
        await app.press("]")
        assert "[System]:" in "\n".join(drawn_lines(app.app.screen))
