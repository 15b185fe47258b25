"""The footer: what can be done where the cursor is and only that, never hidden; keys that do nothing say why."""

from __future__ import annotations

import pytest

from sampleui.runs.records import open_run
from sampleui.tui.commands import key_label
from sampleui.tui.screens import asking
from sampleui.tui.screens.command_boxes import TWENTY, CommandList

from .driver import DECKS, drawn_lines, opened, said
from .review_driver import RESULTS, reviewing
from .trace_driver import TRACES, shown


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
async def test_a_field_is_not_offered_what_only_turns_have(hello, size):
    async with opened(hello, size=size) as app:
        assert "r Role" in app.keys
        await app.press("G")
        assert "r Role" not in app.keys and "a Attach" not in app.keys and "m Merge" not in app.keys
        assert "⏎ Edit" in app.keys and "d Delete" in app.keys


async def test_a_pane_that_has_the_screen_is_not_offered_to_be_zoomed(hello):
    async with opened(hello, size=(200, 24)) as app:
        await app.press("3")
        assert "z Zoom" in app.keys
        await app.pilot.resize_terminal(80, 24)
        await app.until(lambda: "z Zoom" not in app.keys)
        await app.press("z")
        assert "already" in said(app.screen) and not app.screen.zoomed


KEYS = ("⏎ Edit", "o Add", "r Role", "d Delete", "a Attach", "! Next problem", "m Merge")


async def test_an_empty_deck_offers_only_what_it_can_do(tmp_path):
    path = tmp_path / "deck.toml"
    path.write_text("samples = []\n")
    async with opened(path, size=(200, 60)) as app:
        for key in KEYS:
            assert key not in app.keys, key
        assert "n New sample" in app.keys


async def test_undo_is_offered_when_there_is_something_to_undo(hello):
    async with opened(hello) as app:
        assert ("faint", " Undo  ") in app.screen.key_bar.row(app.screen.size.width)
        await app.press("D")
        assert "u Undo" in app.keys


async def test_the_footer_of_a_filter_has_its_keys_alone(hello):
    async with opened(hello) as app:
        await app.press("slash", "a")
        assert "⏎ Keep" in app.keys and "esc Clear" in app.keys
        for key in ("d Delete", "⏎ Open", "n New", "? Help"):
            assert key not in app.keys


@pytest.mark.parametrize(
    ("key", "there", "not_there"),
    [
        ("R", "⏎ Choose", "o Add"),
        ("?", "esc Close", "o Add"),
        ("ctrl+p", "⏎ Run", "o Add"),
        ("T", "esc Cancel", "o Add"),
    ],
)
async def test_a_box_over_the_screen_has_a_footer_of_its_own(hello, key, there, not_there):
    async with opened(hello) as app:
        await app.press(key)
        await app.until(lambda: app.app.screen is not app.screen)
        await app.rested()
        last = drawn_lines(app.app.screen)[-1]
        assert there in last and not_there not in last


@pytest.mark.parametrize("key", ["Q", "f9", "ctrl+y"])
async def test_a_key_that_does_nothing_says_so_once_and_hides_no_keys(hello, key):
    async with opened(hello) as app:
        before = app.keys
        await app.press(key)
        assert "does nothing here; ? lists the keys" in said(app.screen)
        assert app.keys == before
        await app.press("j")
        assert said(app.screen) == ""


async def test_a_command_that_can_do_nothing_says_why(hello):
    async with opened(hello) as app:
        for keys, why in (
            ("k", "this is the beginning"),
            ("K", "this is the first"),
            ("l", "one part"),
            ("[", "first sample"),
            ("u", "nothing to undo"),
            ("ctrl+r", "nothing to redo"),
            ("x", "no segments"),
            ("m", "turns of different roles"),
            ("Z", "nothing here to fold"),
            ("'", "this is the first place"),
            ("U", "nothing differs from"),
            ("M", "in today's form already"),
            ("G j", "this is the end"),
            ("home j J", "this is the last"),
            ("] ] ] ] ] ]", "last sample"),
            ("tab home", "this is the beginning"),
        ):
            await app.press(*keys.split())
            assert said(app.screen).startswith("– ") and why in said(app.screen), keys
            assert app.text.encode() == hello.read_bytes(), keys


async def test_a_key_that_is_no_answer_says_so(hello):
    async with opened(hello) as app:
        await app.press("?")
        await app.until(lambda: isinstance(app.app.screen, CommandList))
        await app.press("f7")
        assert "f7 does nothing here" in "\n".join(drawn_lines(app.app.screen))
        assert (key_label("space"), key_label(" ")) == ("space", "space")
        await app.press("escape")


async def test_enter_on_a_list_without_a_match_says_so_and_only_escape_is_offered(hello):
    async with opened(hello) as app:
        await app.press("ctrl+p", *"zzzz", "enter")
        lines = drawn_lines(app.app.screen)
        assert "nothing matches" in "\n".join(lines)
        assert "esc Close" in lines[-1] and "Run" not in lines[-1]
        await app.press("backspace", "backspace", "backspace", "backspace")
        assert "Run" in drawn_lines(app.app.screen)[-1]
        await app.press("escape")
        assert app.app.screen is app.screen


async def test_the_way_out_of_a_question_is_always_in_the_footer(hello):
    async with opened(hello, size=(40, 24)) as app:
        app.screen.run_worker(asking.confirm(app.screen, "Sure?", {key: f"Do {key} " * 4 for key in "abc"}))
        await app.dialog()
        assert "esc Cancel" in drawn_lines(app.app.screen)[-1]
        await app.press("escape")


async def test_a_long_message_takes_the_lines_it_needs(hello):
    async with opened(hello, size=(40, 12)) as app:
        app.screen.refuse("word " * 20)
        await app.rested()
        assert app.screen.message_line.size.height == 3
        await app.press("j")
        assert app.screen.message_line.size.height == 1


async def test_a_click_on_a_key_of_a_box_is_that_key(hello):
    async with opened(hello) as app:
        await app.press("R")
        await app.dialog()
        last = drawn_lines(app.app.screen)[-1]
        await app.pilot.click(offset=(last.index("Cancel"), 39))
        await app.until(lambda: app.app.screen is app.screen)


async def test_the_deck_of_problems_names_the_next_one():
    async with opened(DECKS / "problems.toml") as app:
        await app.until(lambda: app.screen.session.problems.complete)
        await app.press("j")
        assert "! Next problem" in app.keys


async def test_a_text_of_one_line_is_done_with_enter_and_its_footer_says_done_once(hello):
    async with opened(hello) as app:
        place = next(at for at, one in enumerate(app.screen.conversation.items) if one.label == "id")
        await app.press(*"j" * place, "enter")
        assert "⏎ Done" in app.keys and app.keys.count("Done") == 1
        await app.press("escape")


async def test_the_row_with_the_cursor_is_the_active_one_while_its_filter_has_the_focus(hello):
    async with opened(hello) as app:
        await app.press("shift+tab")
        active = app.screen.samples.render_line(0)
        await app.press("tab")
        assert app.screen.samples.render_line(0) != active
        await app.press("slash")
        assert app.screen.focused is app.screen.filter
        assert app.screen.samples.render_line(0) == active


IDLE_IN_A_TRACE = [
    (["semicolon"], "nothing is searched for", "Next match"),
    (["escape"], "every event is shown already", "Show all"),
    (["g"], "no golden trajectories", "Golden"),
    (["K"], "this is the top of the detail", ""),
    (["]", "!"], "nothing failed here", "Next error"),
    (["G", "j"], "this is the end", ""),
    (["]"] * 6 + ["t"], "no tool was called here", "Next call"),
    (["y"], "there is no event here", "Copy"),
    (["Z"], "there is no event here", "Fold"),
    (["p"], "there is one tab here", "Next tab"),
    (["]"] * 2, "this is the last record", ""),
]
"""Keys typed one row after the other, what is said of the last one, and a title that the footer then lacks."""


async def test_a_command_of_a_trace_that_can_do_nothing_says_why_and_is_not_offered():
    async with shown(open_run(TRACES), (300, 60)) as app:
        for keys, why, title in IDLE_IN_A_TRACE:
            await app.press(*keys[:-1])
            assert not title or title not in drawn_lines(app.screen)[-1], title
            await app.press(keys[-1])
            assert said(app.screen).startswith("– ") and why in said(app.screen), keys


@pytest.mark.parametrize(
    ("keys", "why"),
    [
        (["["], "this is the first record in the filter"),
        (["]"] * 6, "this is the last record in the filter"),
        (["u"], "nothing to undo"),
        (["f9"], "does nothing here"),
        ([*"1" * 6, "N"], "every record in the filter is decided"),
    ],
)
async def test_a_command_of_a_review_that_can_do_nothing_says_why(tmp_path, keys, why):
    results = tmp_path / "hello.results.jsonl"
    results.write_bytes((RESULTS / "hello.results.jsonl").read_bytes())
    async with reviewing(results) as app:
        await app.press(*keys)
        assert app.said.startswith("– ") and why in app.said


async def test_a_review_without_records_offers_nothing_that_needs_one(tmp_path):
    results = tmp_path / "none.results.jsonl"
    results.write_text("")
    async with reviewing(results, size=(300, 40)) as app:
        keys = drawn_lines(app.screen)[-1]
        for title in ("] Next", "N Next", "Comment", "Edit sample", "Take answer", "Read "):
            assert title not in keys, title
        for key in "]1cex":
            await app.press(key)
            assert app.said.startswith("– "), key


async def test_the_first_page_of_the_commands_is_the_twenty_keys_and_grey_ones_keep_their_place(hello):
    async with opened(hello, size=(80, 24)) as app:
        await app.press("?")
        await app.until(lambda: isinstance(app.app.screen, CommandList))
        lines = drawn_lines(app.app.screen)
        assert "Keys and commands" in lines[0] and lines[-1].startswith(" ⏎ Run")
        for line, item in zip(lines[2:22], TWENTY, strict=True):
            assert key_label(item.key) in line[:14].split(), (line, item.key)
        assert "– nothing to undo" in lines[2 + 7]
        assert lines[-2].strip().startswith("Edit the turn or field")
        await app.press("down")
        assert drawn_lines(app.app.screen)[-2].strip().startswith("Add a turn below")
        await app.pilot.resize_terminal(120, 40)
        await app.rested()
        assert "[turn.add-below]" in "\n".join(drawn_lines(app.app.screen))
        await app.press("escape", "1", "?")
        assert "[sample.open]" in "\n".join(drawn_lines(app.app.screen))
        assert app.app.screen.picked == "sample.open"
