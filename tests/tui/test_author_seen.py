"""What is seen while one types: the cursor, the turn in the preview, panes that stay where they are."""

from __future__ import annotations

import pytest

from sampleui.settings.options import Settings
from sampleui.tui.drawing.rows import row_text

from .driver import DECKS, drawn_lines, opened

LINES = "\\n".join(f"line {number} of it" for number in range(1, 61))
LONG = f"""\
[[samples]]
id = "long"
messages = [
  {{ role = "system", content = "{LINES}" }},
  {{ role = "user", content = "short" }},
  {{ role = "assistant", content = "{LINES.replace("of it", "of the answer")}" }},
]
"""


@pytest.fixture
def long(tmp_path):
    path = tmp_path / "long.toml"
    path.write_text(LONG)
    return path


def cursor_in_view(app) -> bool:
    conversation = app.screen.conversation
    return conversation.content_region.contains_point(conversation.editor.cursor_screen_offset)


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
async def test_the_cursor_of_the_text_is_always_in_view(long, size):
    async with opened(long, size=size) as app:
        await app.press("enter")
        await app.rested()
        await app.until(lambda: cursor_in_view(app))
        editor = app.screen.conversation.editor
        moves = ("ctrl+home", "pagedown", "pagedown", "down", "pageup", "ctrl+end", "up", "ctrl+home", "end")
        for key in moves:
            await app.press(key)
            await app.until(lambda: cursor_in_view(app))
        await app.press("ctrl+home", "pagedown")
        assert 0 < editor.cursor_location[0] < size[1]


async def test_the_twelfth_line_of_a_new_turn_is_in_view(hello):
    async with opened(hello, size=(80, 24)) as app:
        await app.press("]", "o")
        for number in range(30):
            await app.press(*f"l{number}", "enter")
            await app.until(lambda: cursor_in_view(app))
        assert "l29" in "\n".join(drawn_lines(app.app.screen))


TABS = ("Chat", "Question", "Grading", "Request", "Source")


@pytest.mark.parametrize("tab", TABS)
async def test_the_preview_shows_what_is_edited(long, tab):
    async with opened(long, size=(120, 24), settings=Settings(whole_preview=True)) as app:
        while app.screen.preview.tab != tab:
            await app.press("p")
        await app.press("j", "j", "enter")
        await app.settled()
        view = app.screen.preview.view

        def seen() -> str:
            top, height = round(view.scroll_y), view.size.height
            return "".join("".join(row_text(row).split()) for row in view.rows[top : top + height])

        for key, line in (("ctrl+end", "line60oftheanswer"), ("ctrl+home", "line1oftheanswer")):
            await app.press(key)
            await app.until(lambda line=line: line in seen())


@pytest.mark.parametrize("last", [(), ("p",), ("r",), ("u",)])
async def test_the_preview_shows_what_was_edited_however_quickly(long, last):
    seen = []
    for quickly in (True, False):
        async with opened(long, size=(120, 24)) as app:
            keys = ("j", "j", "enter", "ctrl+end", "x", "escape", *last)
            for some in [keys] if quickly else [(key,) for key in keys]:
                await app.press(*some)
                await app.settled()
            view = app.screen.preview.view
            top = round(view.scroll_y)
            seen.append([row_text(row) for row in view.rows[top : top + view.size.height]])
    assert seen[0] == seen[1]
    assert any("line 1 of the answer" in line for line in seen[0])


async def test_the_diff_shows_what_is_edited(long):
    async with opened(long, size=(120, 24)) as app:
        while app.screen.preview.tab != "Diff":
            await app.press("p")
        await app.press("G", "k", "enter", "x")
        view = app.screen.preview.view

        def seen() -> list[str]:
            top = round(view.scroll_y)
            return [row[0][0] for row in view.rows[top : top + view.size.height]]

        await app.until(lambda: "added" in seen())


async def test_nothing_is_said_of_a_text_that_is_being_typed(hello):
    async with opened(hello) as app:
        await app.press("o")
        await app.settled()
        assert "not sent" not in "".join(app.cards) and "no problems" in app.title
        await app.type("x")
        assert "not sent" not in "".join(app.cards)
        await app.press("backspace", "escape")
        await app.press("enter", "f7", "backspace")
        await app.settled()
        assert "not sent" not in "".join(app.cards)
        await app.press("escape")
        assert "not sent: it is empty" in "".join(app.cards)


@pytest.mark.parametrize("keys", ["o", "n"])
async def test_an_empty_turn_that_is_being_written_is_no_problem_yet(hello, keys):
    async with opened(hello) as app:
        conversation = app.screen.conversation
        before = conversation.region
        await app.press(*keys)
        await app.until(lambda: app.screen.session.problems.complete)
        await app.settled()
        assert "no problems" in app.title and conversation.region == before
        assert "✖" not in "\n".join(drawn_lines(app.app.screen)) and "Not sent" not in app.preview
        await app.press("x", "backspace")
        await app.settled()
        assert "Not sent" not in app.preview and conversation.region == before


async def test_the_conversation_keeps_its_place_and_size_as_turns_are_begun(hello):
    async with opened(hello) as app:
        conversation = app.screen.conversation
        before = conversation.region
        for _ in range(3):
            await app.press("o")
            await app.settled()
            assert conversation.region == before
            await app.press("escape")
            await app.rested()
            assert conversation.region == before


async def test_the_problem_of_what_the_cursor_is_on_is_told():
    async with opened(DECKS / "problems.toml") as app:
        await app.until(lambda: app.screen.session.problems.complete)
        while app.screen.sample is None or app.screen.sample.id != "no-role":
            await app.press("g")
        line = app.screen.message_line
        await app.until(lambda: "must have a role" in line.status[1] and "so far" not in line.status[1])
        await app.press("enter", "x")
        await app.until(lambda: "so far" in line.status[1])
        await app.press("ctrl+g")
        await app.until(lambda: "so far" not in line.status[1])
