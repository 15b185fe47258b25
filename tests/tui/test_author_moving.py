"""Moving about: what has the focus, what each key moves, and what the footer and the help say."""

from __future__ import annotations

import pytest

from sampleui.settings.options import Settings
from sampleui.tui.author.actions import AUTHOR, turns
from sampleui.tui.commands import ScreenKind, key_label
from sampleui.tui.drawing.rows import row_text
from sampleui.tui.screens.command_boxes import SYNONYMS
from sampleui.tui.widgets.virtual_list import RowList

from .driver import DECKS, Driver, drawn_lines, opened

WHOLE = Settings(whole_preview=True)


def focus(app: Driver) -> str:
    return app.screen.scope


async def test_the_first_turn_of_the_first_sample_has_the_focus(hello):
    async with opened(hello) as app:
        assert focus(app) == "turns"
        assert (app.screen.index, app.at) == (0, "user 1")
        assert "What is 2+2?" in app.cards[1]


async def test_tab_goes_through_the_panes_and_back(hello):
    async with opened(hello) as app:
        seen = []
        for _ in range(3):
            await app.press("tab")
            seen.append(focus(app))
        for _ in range(3):
            await app.press("shift+tab")
            seen.append(focus(app))
        assert seen == ["preview", "samples", "turns", "samples", "preview", "turns"]


async def test_tab_goes_to_the_problems_only_where_there_are_some():
    async with opened(DECKS / "problems.toml") as app:
        await app.until(lambda: app.screen.session.problems.complete)
        await app.press("tab", "tab")
        assert focus(app) == "problems"


@pytest.mark.parametrize(("width", "pane"), [(80, "preview"), (120, "turns")])
async def test_a_tab_of_the_preview_that_is_stepped_to_is_seen(hello, width, pane):
    async with opened(hello, size=(width, 24)) as app:
        await app.press(*"pp"[width > 100 :])
        assert app.screen.preview.tab == "Question"
        assert focus(app) == pane
        await app.until(lambda: "[Assistant]:" in "\n".join(drawn_lines(app.screen)))
        await app.press("p")
        assert app.screen.preview.tab == "Guidelines"


async def test_brackets_step_through_the_samples_and_stop_at_the_ends(hello):
    async with opened(hello) as app:
        await app.press("[")
        assert app.screen.index == 0
        seen = []
        for _ in range(6):
            await app.press("]")
            seen.append(app.screen.index)
        assert seen == [1, 2, 3, 4, 5, 5]
        assert focus(app) == "turns"
        assert "5 miles" in "".join(app.cards) and "5 miles" in app.preview
        assert "unit-conversion" in app.title and "6/6" in app.title
        await app.press("[")
        assert app.screen.index == 4


async def test_a_new_sample_begins_at_its_first_turn(hello):
    async with opened(hello) as app:
        await app.press("j", "j", "j", "]")
        assert app.at == "system 1"


@pytest.mark.parametrize(("down", "up"), [("j", "k"), ("down", "up")])
async def test_down_and_up_go_from_turn_to_turn_and_on_to_the_fields(hello, down, up):
    async with opened(hello) as app:
        seen = [app.at]
        for _ in range(3):
            await app.press(down)
            seen.append(app.at)
        assert seen == ["user 1", "assistant 2", "id", "description"]
        for _ in range(9):
            await app.press(up)
        assert app.at == "user 1"


async def test_end_and_home_go_to_the_last_and_the_first(hello):
    async with opened(hello) as app:
        await app.press("G")
        assert app.at == "expected.reason"
        await app.press("home")
        assert app.at == "user 1"


@pytest.mark.parametrize(("down", "up"), [("j", "k"), ("down", "up")])
async def test_down_and_up_go_through_the_samples_in_their_pane(hello, down, up):
    async with opened(hello) as app:
        await app.press("shift+tab", down, down)
        assert (app.screen.index, focus(app)) == (2, "samples")
        assert "Lyon" in "".join(app.cards)
        await app.press(up)
        assert app.screen.index == 1
        await app.press("enter")
        assert (app.at, focus(app)) == ("system 1", "turns")


async def test_down_and_up_scroll_the_preview(hello):
    async with opened(hello, size=(120, 14), settings=WHOLE) as app:
        await app.press("]", "]", "]", "tab", "j", "j")
        assert app.screen.preview.view.scroll_y == 2
        await app.press("k")
        assert app.screen.preview.view.scroll_y == 1
        await app.press("home")
        assert app.screen.preview.view.scroll_y == 0


async def test_what_the_cursor_is_on_is_in_view(hello):
    async with opened(hello, size=(120, 12)) as app:
        await app.press("]")
        for _ in range(len(app.screen.conversation.items)):
            item = app.screen.conversation.current
            assert item is not None
            shown = "\n".join(drawn_lines(app.app.screen))
            assert (item.label in shown) and app.screen.conversation.has_focus
            await app.press("j")


async def test_p_turns_the_preview_from_any_pane(hello):
    async with opened(hello) as app:
        seen = [app.screen.preview.tab]
        for _ in app.screen.preview.tabs:
            await app.press("p")
            seen.append(app.screen.preview.tab)
        assert seen == ["Chat", "Question", "Guidelines", "Grading", "Request", "Source", "Diff", "Chat"]
        await app.press("tab", "P")
        assert app.screen.preview.tab == "Diff"


async def test_every_tab_shows_what_it_is_about(hello):
    async with opened(hello, settings=WHOLE) as app:
        await app.press("]", "]", "]")
        seen = {}
        for _ in app.screen.preview.tabs:
            seen[app.screen.preview.tab] = app.preview
            await app.press("p")
    assert seen["Chat"].startswith("prompt style sampleui") and "◆ system" in seen["Chat"]
    assert "│ You answer for the Larkspur" in seen["Chat"]
    assert "[System]:" in seen["Question"] and "[Assistant]:" in seen["Question"]
    assert "No guideline is attached" in seen["Guidelines"]
    assert '"fullConversation"' in seen["Grading"] and '"expected"' in seen["Grading"]
    assert seen["Request"].startswith("prompt style sampleui  provider openai")
    line = hello.read_text().split("\n").index('id = "refund-policy"') + 1
    assert f"{line} id = " in seen["Source"]
    assert "Nothing has changed" in seen["Diff"]


async def test_question_mark_lists_every_command_with_its_keys(hello):
    async with opened(hello) as app:
        await app.press("?")
        await app.dialog()
        listed = app.app.screen.query_one(RowList)
        text = "\n".join(row_text(listed.row(index, 300)) for index in range(listed.count()))
        for command in AUTHOR:
            if command.id not in ("app.help", "app.palette"):
                assert key_label(next(iter(command.keys), "")) in text
                assert command.title in text
        await app.press("escape")
        assert app.app.screen is app.screen


async def test_the_list_of_commands_begins_with_those_that_are_used_most_where_the_cursor_is(hello):
    async with opened(hello, size=(80, 24)) as app:
        await app.press("?")
        await app.dialog()
        assert app.app.screen.picked == "turn.edit"
        shown = app.dialog_text
        for title in ("Edit", "Add", "Role", "Attach", "Field", "Delete", "Undo", "Save"):
            assert title in shown
        await app.press("escape", "1", "?")
        assert app.app.screen.picked == "sample.open"


FOUND_FIRST = {
    "raw": "sample.source",
    "source": "sample.source",
    "validate": "problem.next",
    "question": "preview.tab-question",
    "yaml": "sample.source",
    "request": "preview.tab-request",
    "undo": "deck.undo",
    "save": "deck.save",
    "exit": "app.quit",
    "delete part": "turn.delete-part",
    "delete": "turn.delete",
    "^s": "deck.save",
    "ctrl+s": "deck.save",
    "tab": "pane.next",
    "W": "preview.system-prompt",
    "]": "sample.next",
}


async def test_a_command_is_found_by_its_name_another_word_for_it_or_its_key(hello):
    async with opened(hello) as app:
        found = {}
        for typed in FOUND_FIRST:
            await app.press("?")
            await app.dialog()
            await app.type(typed)
            found[typed] = app.app.screen.picked
            await app.press("escape")
            await app.until(lambda: app.app.screen is app.screen)
        assert found == FOUND_FIRST


async def test_every_tab_of_the_preview_can_be_gone_to_by_its_name(hello):
    async with opened(hello) as app:
        for tab in app.screen.preview.tabs:
            await app.command(f"{tab} preview")
            assert app.screen.preview.tab == tab


async def test_undo_without_anything_to_undo_keeps_its_place_and_says_so(hello):
    async with opened(hello) as app:
        await app.press("?")
        await app.dialog()
        await app.type("undo")
        assert "nothing to undo" in app.dialog_text
        await app.press("enter")
        assert app.app.screen.picked == "deck.undo" and app.text.encode() == hello.read_bytes()
        await app.press("escape")
        assert "u Undo" in app.keys


def test_other_words_are_of_commands_that_exist():
    known = {command.id for kind in ScreenKind for command in kind.registry}
    assert set(SYNONYMS) <= known


async def test_the_palette_finds_a_command_and_runs_it(hello):
    async with opened(hello) as app:
        await app.command("turns: duplicate")
        assert app.roles == ["user", "user", "assistant"]


async def test_the_footer_shows_the_keys_of_the_pane(hello):
    async with opened(hello) as app:
        assert app.keys.startswith(" ⏎ Edit  o Add") and app.keys.rstrip().endswith("? Help  ^q Quit")
        await app.press("enter")
        assert app.keys.startswith(" esc Done  tab Next value  ^g Discard") and "Delete" not in app.keys
        await app.press("escape", "shift+tab")
        assert app.keys.startswith(" ⏎ Open")


async def test_the_footer_and_the_tabs_can_be_clicked(hello):
    async with opened(hello) as app:
        await app.pilot.click("KeyBar", offset=(app.bar.index("Role"), 0))
        await app.rested()
        assert app.roles[0] == "assistant"
        await app.pilot.click("Preview TabStrip", offset=(8, 0))
        await app.rested()
        assert app.screen.preview.tab == "Question"


async def test_a_click_moves_the_cursor_and_a_second_one_edits(hello):
    async with opened(hello) as app:
        await app.pilot.click("#above", offset=(6, 4))
        await app.rested()
        assert app.at == "assistant 2"
        await app.pilot.click("#above", offset=(6, 4), times=2)
        await app.until(lambda: app.screen.conversation.editing)
        assert app.screen.conversation.editor.value == "2 + 2 = 4."


async def test_rebound_keys_take_the_place_of_the_default_ones(hello):
    settings = Settings(keys={"sample.next": ("f6", "="), "turn.delete": ()})
    async with opened(hello, settings=settings) as app:
        assert "Delete" not in app.bar
        await app.press("]", "d")
        assert (app.screen.index, len(app.turns)) == (0, 2)
        await app.press("f6", "=")
        assert app.screen.index == 2


async def test_filter_shows_the_samples_that_hold_the_words(hello):
    async with opened(hello) as app:
        await app.press("slash")
        await app.press(*"shop")
        await app.until(lambda: app.screen.samples.samples == 1)
        await app.until(lambda: app.screen.index == 3)
        await app.press("enter")
        assert focus(app) == "samples"
        assert "Larkspur" in "".join(app.cards)
        await app.press("slash", "escape")
        assert (app.screen.samples.samples, app.screen.index) == (6, 3)


async def test_keys_that_move_in_a_field_stay_in_the_filter(hello):
    async with opened(hello) as app:
        await app.press("slash", "b", "home", "a", "end", "c", "left", "left", "right", "x")
        assert app.screen.filter.value == "abxc"


async def test_a_filter_that_nothing_passes_says_so_and_edits_nothing(hello):
    async with opened(hello) as app:
        await app.press("slash")
        await app.press(*"zzzz")
        await app.until(lambda: app.screen.samples.samples == 0)
        await app.press("enter", "j", "k", "enter", "home", "end")
        assert app.text == hello.read_text()


async def test_where_all_that_is_marked_would_move_is_not_looked_for_at_each_key(monkeypatch):
    async with opened(DECKS / "hello.toml") as app:
        await app.press("2", "*")
        assert app.screen.marks.turns
        looked = []
        monkeypatch.setattr(turns, "moved_turns", lambda *given: looked.append(given))
        await app.press("j", "k")
        assert not looked, "with thousands of turns it takes seconds"
