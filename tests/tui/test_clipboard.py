"""The clipboard: the system's where there is one, and what is pasted where no text is edited."""

from __future__ import annotations

import json

import pyperclip
from textual import events

from sampleui import open_deck
from sampleui.runs.records import open_run
from sampleui.tui.author.preview import TABS

from .driver import opened, said
from .trace_driver import TRACES, shown


async def test_a_text_is_copied_cut_and_pasted_by_the_system_s_clipboard(hello, system):
    async with opened(hello) as app:
        await app.press("enter", "f7", "ctrl+c")
        assert system == ["What is 2+2?"]
        await app.press("ctrl+x")
        assert app.screen.conversation.editor.value == ""
        system[0] = "From\r\nelsewhere"
        await app.press("ctrl+v")
        await app.press("escape")
        assert app.turns[0] == "From\nelsewhere"


async def test_what_a_text_area_cannot_hold_is_copied_and_cut_as_it_is(tmp_path, system):
    path = tmp_path / "deck.jsonl"
    path.write_text('{"id": "a", "messages": [{"role": "user", "content": "a\\u2028b\\u202ec"}]}\n')
    async with opened(path) as app:
        await app.press("enter", "f7", "ctrl+c")
        assert system == ["a\u2028b\u202ec"]
        system[0] = ""
        await app.press("ctrl+x")
        assert system == ["a\u2028b\u202ec"]
        await app.press("ctrl+v", "escape")
        assert app.turns == ["a\u2028b\u202ec"] and app.steps == 0


async def test_a_clipboard_that_takes_nothing_is_not_trusted(hello, monkeypatch):
    monkeypatch.setattr(pyperclip, "copy", lambda text: None)
    monkeypatch.setattr(pyperclip, "paste", lambda: "")
    async with opened(hello) as app:
        await app.press("y", "enter")
        assert app.app.clipboard == "What is 2+2?"


async def test_half_of_a_character_is_copied_as_a_replacement(tmp_path, system):
    path = tmp_path / "deck.jsonl"
    path.write_text('{"id": "a", "messages": [{"role": "user", "content": "\\ud800x"}]}\n')
    async with opened(path) as app:
        await app.press("y", "enter")
        assert system == ["?x"]


async def test_y_in_the_preview_copies_what_each_tab_shows(hello, system):
    async with opened(hello) as app:
        await app.press("j", "tab")
        seen = {}
        for _ in TABS:
            system[0] = ""
            await app.press("y", "enter")
            seen[app.screen.preview.tab] = system[0]
            await app.press("p")
    assert [message["content"] for message in json.loads(seen["Chat"])] == ["What is 2+2?", "2 + 2 = 4."]
    assert seen["Question"] == "[User]:\nWhat is 2+2?\n\n[Assistant]:\n2 + 2 = 4."
    assert seen["Source"] in open_deck(hello).text and "[[samples]]" in seen["Source"]


async def test_a_paste_outside_a_text_says_what_it_would_do_and_inside_goes_in(hello):
    async with opened(hello) as app:
        app.app.post_message(events.Paste("pasted"))
        await app.dialog("escape")
        assert app.steps == 0
        await app.press("3")
        app.app.post_message(events.Paste("pasted"))
        await app.until(lambda: "goes into a text that is edited" in said(app.screen))
        await app.press("2")
        await app.press("enter", "f7")
        app.app.post_message(events.Paste("pasted"))
        await app.until(lambda: app.screen.conversation.editor.value == "pasted")
        await app.press("escape")
        assert app.turns[0] == "pasted"


async def test_the_key_that_copies_takes_the_first_choice_when_it_is_pressed_again_on_every_screen(hello, system):
    async with opened(hello) as app:
        await app.press("ctrl+c")
        assert "The text under the cursor" in app.dialog_text and "turn 1 as JSON" in app.dialog_text.replace(
            "T", "t"
        )
        await app.press("ctrl+c")
        assert system == ["What is 2+2?"]
        await app.press("y", "y", "space", "y", "y")
        assert json.loads(system[0]) == [{"role": "user", "content": "What is 2+2?"}], "what is marked comes first"
        await app.press("ctrl+c", "escape")
    async with shown(open_run(TRACES)) as app:
        await app.press("ctrl+c", "ctrl+c")
        assert "copied the event as JSON" in said(app.screen)
