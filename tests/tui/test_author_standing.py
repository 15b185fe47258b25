"""Where the conversation stands: as far scrolled as the keys ask for, whatever frames are drawn on the way."""

from __future__ import annotations

from pathlib import Path

import pytest

from sampleui.tui.widgets.conversation import Conversation

from .driver import Driver, drawn_lines, opened

SIZE = (120, 24)
FIELDS = "".join(f'field_{number} = "{number}"\n' for number in range(40))
TURN = '[[samples.messages]]\nrole = "{}"\ncontent = "{}"\n'
HEAD = '[[samples]]\nid = "one"\n'
LINES = "".join(f"line {number} {'of words ' * 7}\\n" for number in range(20))


@pytest.fixture(params=["once it is laid out", "before"])
def scrolls(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have views scroll as late as they do, and as early as a frame could let them."""
    if request.param == "before":
        monkeypatch.setattr(Conversation, "call_after_refresh", lambda _, callback: callback())


def deck(folder: Path, text: str) -> Path:
    path = folder / "deck.toml"
    path.write_text(text)
    return path


def drawn(app: Driver, text: str) -> int | None:
    """Return the line of the conversation's pane that shows a text, None if none does."""
    view = app.screen.conversation.content_region
    lines = [line[view.x : view.right] for line in drawn_lines(app.app.screen)[view.y : view.bottom]]
    return next((at for at, line in enumerate(lines) if text in line), None)


def rows(app: Driver) -> int:
    """Return how many lines the conversation's pane has."""
    return app.screen.conversation.content_region.height


@pytest.mark.usefixtures("scrolls")
async def test_a_field_added_below_the_view_is_in_sight(tmp_path: Path) -> None:
    async with opened(deck(tmp_path, HEAD + FIELDS + TURN.format("user", "Hi")), (80, 24)) as app:
        await app.press("G", "D")
        await app.answer("last_of_all")
        assert drawn(app, "last_of_all") == rows(app) - 1


@pytest.mark.usefixtures("scrolls")
async def test_a_pane_that_closes_leaves_the_view_where_it_would_be_without_it(tmp_path: Path) -> None:
    turns = "".join(TURN.format("user", f"Turn {number}") for number in range(12))
    async with opened(deck(tmp_path, HEAD + turns + TURN.format("assistant", "")), SIZE) as app:
        assert app.screen.problem_list.region.height
        await app.press("end", "k", "enter", *"Yes", "escape", "u", "home", "ctrl+r")
        assert not app.screen.problem_list.region.height
        assert "Yes" in app.cards[-4]
        assert drawn(app, "Yes") == rows(app) - 1


@pytest.mark.parametrize("lines", [8, 14])
async def test_after_escape_the_line_that_was_edited_is_where_it_was(tmp_path: Path, lines: int) -> None:
    turns = TURN.format("user", LINES * 3) + TURN.format("user", "Hi")
    async with opened(deck(tmp_path, HEAD + turns), SIZE) as app:
        await app.press("enter", "ctrl+home", *["pagedown"] * 2, *["up"] * lines, *"Here")
        before = drawn(app, "Here")
        await app.press("escape")
        assert drawn(app, "Here") == before
        await app.press("?", "escape", "tab", "shift+tab")
        assert drawn(app, "Here") == before
        await app.press("u")
        await app.press("ctrl+r")
        assert drawn(app, "Here") == before


async def test_after_escape_the_line_of_a_field_that_was_edited_is_in_sight(tmp_path: Path) -> None:
    notes = f'notes = "{LINES}"\n'
    async with opened(deck(tmp_path, HEAD + notes + TURN.format("user", "Hi")), (80, 24)) as app:
        await app.press("G", "enter", "ctrl+home", *["down"] * 12, *"Here")
        before = drawn(app, "Here")
        assert before is not None
        await app.press("escape")
        assert drawn(app, "Here") in range(before - 2, before + 3)


async def test_a_long_turn_that_one_goes_to_is_shown_from_its_first_line(tmp_path: Path) -> None:
    turns = "".join(TURN.format(role, LINES * 3) for role in ("user", "assistant"))
    async with opened(deck(tmp_path, HEAD + turns + HEAD + turns), SIZE) as app:
        await app.press("j")
        assert drawn(app, "▲ assistant") == 0
        await app.press("pagedown", "k")
        assert drawn(app, "● user") == 0
        await app.press("pagedown", "]")
        assert drawn(app, "● user") == 0
