"""Leaving a text: kept, dropped, taken back whole, ended by Enter; and texts that cannot be kept trap no one."""

from __future__ import annotations

import pytest

from sampleui.deck.journal import journal_path, recoverable
from sampleui.tui.screens.dialogs import Confirm

from .driver import DECKS, opened, said


async def test_a_key_drops_what_was_typed_and_stands_in_the_footer(hello):
    before = hello.read_bytes()
    async with opened(hello) as app:
        await app.press("j", "enter")
        await app.type(" gone")
        assert "esc Done" in app.keys and "^g Discard" in app.keys
        await app.press("ctrl+g")
        assert not app.screen.conversation.editing and app.screen.conversation.has_focus
        assert (app.text.encode(), app.steps, app.at) == (before, 0, "assistant 2")
        assert "unsaved" not in app.title
        await app.press("ctrl+r")
        assert app.turns[1].endswith(" gone")


async def test_dropping_what_was_not_typed_makes_no_step(hello):
    async with opened(hello) as app:
        await app.press("enter", "ctrl+g")
        assert (app.text.encode(), app.steps) == (hello.read_bytes(), 0)
        await app.press("ctrl+r")
        assert "nothing to redo" in app.bar


async def test_a_new_turn_that_is_dropped_is_gone_with_its_text(hello):
    async with opened(hello) as app:
        await app.press("o")
        await app.type("gone")
        await app.press("ctrl+g")
        assert (app.text.encode(), app.at) == (hello.read_bytes(), "user 1")


@pytest.mark.parametrize("key", ["o", "O", "n"])
async def test_what_is_begun_and_left_empty_is_taken_back_whole(hello, key):
    before = hello.read_bytes()
    async with opened(hello) as app:
        await app.press("j")
        for typed in ([], ["x", "backspace"], ["space", "enter"]):
            await app.press("r", "u", key, *typed, "escape")
            assert (app.text.encode(), app.steps) == (before, 0), typed
            assert (app.screen.index, app.at) == (0, "assistant 2"), typed
            assert len(app.ids) == 6 and app.screen.samples.samples == 6, typed
            assert "unsaved" not in app.title, typed
            await app.press("ctrl+r")
            assert app.roles[1] == "tool", f"what was undone before can still be redone: {typed}"
            await app.press("u")
        await app.press("ctrl+r")
        assert not recoverable(app.screen.session.deck.files).left


async def test_what_was_taken_back_is_not_recovered_after_a_crash(hello):
    async with opened(hello) as app:
        await app.press("o")
        await app.type("x")
        await app.press("backspace", "escape")
        app.screen.session.journal.file.close()
    assert journal_path(hello).exists()
    async with opened(hello) as app:
        await app.rested()
        assert not isinstance(app.app.screen, Confirm)


async def test_leaving_an_old_turn_empty_keeps_it(hello):
    async with opened(hello) as app:
        await app.press("enter", "f7", "backspace", "escape")
        assert (app.turns[0], app.steps) == ("", 1)


async def test_undoing_an_added_turn_goes_back_to_where_it_was_added_from(hello):
    async with opened(hello) as app:
        await app.press("j", "O")
        await app.type("Between")
        await app.press("escape", "u")
        assert app.at == "assistant 2"


# What cannot be kept


@pytest.fixture
def numbers(hello):
    hello.write_text(hello.read_text().replace('tags = ["math", "short"]', "tags = [1, 2]"))
    return hello


async def test_a_text_that_is_no_json_can_be_dropped_by_a_key_in_sight(numbers):
    async with opened(numbers, size=(80, 24)) as app:
        await app.press("j", "j", "j", "j", "enter")
        await app.write("[1,")
        await app.press("escape")
        assert "not valid JSON yet" in app.bar and "line 1 column" in app.bar
        assert "esc Done" in app.keys and "^g Discard" in app.keys and "^q Quit" in app.keys
        assert app.screen.conversation.editing
        await app.press("ctrl+s")
        await app.until(lambda: "not saved" in app.bar)
        await app.press("ctrl+g")
        assert not app.screen.conversation.editing
        assert app.text.encode() == numbers.read_bytes()


async def test_escape_pressed_again_leaves_such_a_text_out_and_enter_goes_on_with_it(numbers):
    async with opened(numbers) as app:
        await app.press("j", "j", "j", "j", "enter")
        await app.write("[1,")
        await app.press("escape")
        assert app.screen.conversation.editing and "escape again leaves the value as it was" in app.bar
        await app.press("end")
        await app.type(" 2")
        await app.press("escape")
        assert not app.screen.conversation.editing and "enter goes on with the text" in app.bar
        assert app.text.encode() == numbers.read_bytes() and app.steps == 0
        await app.press("enter")
        assert app.screen.conversation.editor.value == "[1, 2"
        await app.press("escape", "escape", "j", "enter")
        assert app.screen.conversation.editor.value == "3"
        await app.press("escape", "k", "enter")
        await app.write("[1,")
        await app.press("escape")
        await app.press("end")
        await app.type(" 2")
        await app.press("escape", "enter")
        await app.write("[1, 2]")
        await app.press("escape", "u")
        assert app.text.encode() == numbers.read_bytes()
        await app.press("enter")  # what was kept is not left out
        assert app.screen.conversation.editor.value != "[1, 2"


async def test_a_value_begun_anew_that_cannot_be_kept_is_taken_back(hello):
    async with opened(hello) as app:
        await app.press("+", *"expected.score2", "enter")
        if app.app.screen is not app.screen:
            await app.dialog(*"number", "enter")
        await app.write("no number")
        await app.press("escape", "escape")
        assert not app.screen.conversation.editing and "nothing was added" in app.bar
        assert app.text.encode() == hello.read_bytes()


async def test_one_can_leave_the_app_from_a_text_that_is_no_json(numbers):
    async with opened(numbers) as app:
        await app.press("j", "j", "j", "j", "enter")
        await app.write("[1,")
        await app.press("ctrl+q")
        await app.dialog()
        assert "not valid JSON" in app.dialog_text and "Keep editing" in app.dialog_text
        await app.press("escape")
        assert app.screen.conversation.editing and app.screen.conversation.editor.value == "[1,"
        await app.press("ctrl+q")
        await app.dialog("d")
        await app.until(lambda: app.app._exit)


# One line


ITEMS = """\
samples:
  - id: one
    score: 3
    name: two
    notes: three
    messages:
      - {role: user, content: Hello}
"""


@pytest.mark.parametrize(("down", "typed", "expected"), [(1, "x", "onex"), (2, "1", 31), (3, "x", "twox")])
async def test_enter_ends_a_value_of_one_line(tmp_path, down, typed, expected):
    path = tmp_path / "deck.yaml"
    path.write_text(ITEMS)
    async with opened(path) as app:
        await app.press(*["j"] * down, "enter", typed)
        assert "⏎ Done" in app.keys
        await app.press("enter")
        assert not app.screen.conversation.editing
        key = app.at
        assert app.screen.sample.data[key] == expected
        assert app.steps == 1


async def test_enter_breaks_the_line_in_a_text_that_may_have_lines(tmp_path):
    path = tmp_path / "deck.yaml"
    path.write_text(ITEMS)
    async with opened(path) as app:
        await app.press("G", "enter", "enter", "x", "escape")
        assert app.screen.sample.data["notes"] == "three\nx"
        await app.press("k", "enter", "ctrl+j", "y", "escape")
        assert app.screen.sample.data["name"] == "two\ny"
        await app.press("enter", "enter", "z", "escape")  # it has lines now
        assert app.screen.sample.data["name"] == "two\ny\nz"


async def test_enter_ends_the_path_of_an_attached_file(tmp_path):
    path = tmp_path / "deck.toml"
    path.write_bytes((DECKS / "attachments.toml").read_bytes())
    async with opened(path) as app:
        await app.press("j", "l", "enter", "x", "enter")
        assert not app.screen.conversation.editing
        assert app.turns[1][1]["value"].endswith("x")


async def test_tab_goes_on_to_the_next_value_and_another_key_types_a_tab(hello):
    async with opened(hello) as app:
        await app.press("enter", "ctrl+b", "x", "tab", "!", "shift+tab", "?", "f6")
        assert app.turns[:2] == ["What is 2+2?\tx?", "2 + 2 = 4.!"]
        assert (app.screen.scope, app.steps) == ("preview", 3)


async def test_tab_ends_at_the_last_value(hello):
    async with opened(hello) as app:
        await app.press("G", "enter", "tab")
        assert "last value" in said(app.screen) and not app.screen.typing and app.steps == 0


@pytest.mark.parametrize(("empty", "typed", "wanted"), [("[]", "1", [1]), ("{}", '"a": 1', {"a": 1})])
async def test_the_cursor_starts_inside_an_empty_list_or_table(tmp_path, empty, typed, wanted):
    path = tmp_path / "deck.jsonl"
    path.write_text(f'{{"id": "a", "messages": [{{"role": "user", "content": "x"}}], "metadata": {empty}}}\n')
    async with opened(path) as app:
        await app.press("G", "enter")
        await app.type(typed)
        await app.press("tab")
        assert app.screen.sample.data["metadata"] == wanted
        assert "last value" in said(app.screen) and not app.screen.typing


@pytest.mark.parametrize("after", ["jjjj", "o", "]", "qqqqqqqqqqqq"])
async def test_what_is_typed_after_the_end_is_for_nobody(hello, after):
    async with opened(hello) as app:
        await app.press("ctrl+q", *after)
        assert not app.app.is_running
    assert app.app.return_code == 0
