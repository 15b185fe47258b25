"""Finding text in turns and fields, stepping through it, replacing it."""

from __future__ import annotations

import json
from unittest.mock import Mock

import pytest

from sampleui.deck.history import Focus
from sampleui.tui.author import search as seeking

from .decks import DECKS_BY_FORM
from .driver import marked_texts, opened, said

SAMPLES = [
    {"id": f"s{n}", "messages": [{"role": "user", "content": f"a cat, {n} Cats\ncat"}], "note": "catalog"}
    for n in range(4)
]


@pytest.fixture
def deck(tmp_path):
    path = tmp_path / "deck.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in SAMPLES))
    return path


def told(app) -> tuple[str, str, str]:
    return app.screen.seeking.summary


async def test_hits_are_counted_stepped_through_and_marked(deck):
    async with opened(deck) as app:
        await app.press("]", "ctrl+f", *"cat", "enter")
        await app.until(lambda: app.screen.seeking.complete)
        assert told(app) == ("cat", "", "5 of 16") and "; Next" in app.keys
        assert app.screen.index == 1 and app.screen.scope == "found"
        await app.press("semicolon", "semicolon", "semicolon")
        assert app.at == "note" and told(app)[2] == "8 of 16"
        await app.press("semicolon")
        assert app.screen.index == 2
        await app.press("comma", "comma")
        assert app.screen.index == 1
        assert marked_texts(app.screen.conversation) == ["cat", "Cat", "cat", "cat"]
        await app.press("escape")
        assert app.screen.scope == "turns" and not app.screen.seeking.bar.display
        assert marked_texts(app.screen.conversation) == []


async def test_hits_are_counted_while_the_text_is_typed_and_when_it_is_to_be_replaced(deck):
    async with opened(deck) as app:
        await app.press("ctrl+f", *"cat")
        await app.until(lambda: "16 hits ─" in app.dialog_text)
        await app.press("s")
        await app.until(lambda: "4 hits ─" in app.dialog_text)
        await app.press("f5")
        await app.until(lambda: "1 hit ─" in app.dialog_text)
        await app.press("f5", "f4", "(")
        await app.until(lambda: "the regular expression is not understood" in app.dialog_text)
        await app.press("backspace", "enter", "r")
        assert "Replace cats by; 4 hits" in app.dialog_text


@pytest.mark.parametrize(
    ("ways", "text", "found"),
    [
        (["f2"], "cat", 12),
        (["f3"], "cat", 8),
        (["f3", "f2"], "Cats", 4),
        (["f4"], "c.t|log", 20),
        (["f5"], "cat", 4),
    ],
)
async def test_case_whole_words_patterns_and_one_sample(deck, ways, text, found):
    async with opened(deck) as app:
        await app.press("ctrl+f", *ways, *text, "enter")
        await app.until(lambda: app.screen.seeking.complete)
        assert len(app.screen.seeking.hits) == found


async def test_a_pattern_that_is_none_is_said_in_the_box(deck):
    async with opened(deck) as app:
        await app.press("ctrl+f", "f4", "(", "enter")
        assert "not understood" in app.dialog_text
        await app.press("escape")
        assert app.screen.scope == "turns"


async def test_a_pattern_without_end_is_stopped(tmp_path):
    path = tmp_path / "deck.jsonl"
    path.write_text('{"id": "a", "messages": [{"role": "user", "content": "%s!"}]}\n' % ("a" * 60))
    async with opened(path) as app:
        await app.press("ctrl+f", "f4", *"(a+)+$", "enter")
        await app.until(lambda: app.screen.seeking.complete)
        assert "too long" in told(app)[2]


async def test_what_is_found_is_replaced_as_one_step_but_for_what_is_taken_out(deck):
    before = deck.read_text()
    async with opened(deck) as app:
        await app.press("ctrl+f", "f2", *"cat", "enter", "r", *"dog", "enter")
        assert "- a cat, 0 Cats" in app.dialog_text and "+ a dog, 0 Cats" in app.dialog_text
        await app.press("j", "space", "enter")
        data = [one.data for one in app.screen.session.deck.samples]
        assert data[0]["messages"][0]["content"] == "a dog, 0 Cats\ndog"
        assert [one["note"] for one in data] == ["catalog", "dogalog", "dogalog", "dogalog"]
        assert app.steps == 1 and "7 values" in said(app.screen) and deck.read_text() == before
        await app.press("u")
        assert app.text == before


async def test_groups_are_named_and_unknown_ones_refused(deck):
    async with opened(deck) as app:
        await app.press("ctrl+f", "f4", *"(c)at", "enter", "r", *r"\1ow", "enter", "enter")
        assert app.turns[0] == "a cow, 0 cows\ncow" or "cow" in app.turns[0]
        await app.press("ctrl+f", "enter", "ctrl+f", *"cow", "enter", "r", *r"\9", "enter")
        assert "not understood" in said(app.screen) and app.steps == 1


async def test_nothing_for_something_is_a_replacement_and_escape_is_none(deck):
    async with opened(deck) as app:
        await app.press("ctrl+f", *"alog", "enter", "r", "escape")
        assert app.steps == 0
        await app.press("r", "enter", "enter")
        assert app.screen.session.deck.samples[3].data["note"] == "cat"


@pytest.mark.parametrize("form", DECKS_BY_FORM)
async def test_every_form_is_replaced_in(form, tmp_path):
    path = tmp_path / f"deck.{form}"
    path.write_text(DECKS_BY_FORM[form])
    async with opened(path) as app:
        await app.press("ctrl+f", *"first", "enter", "r", *"1st", "enter", "enter", "ctrl+s")
        assert path.read_text() == DECKS_BY_FORM[form].replace("First", "1st")


@pytest.mark.parametrize(
    ("keys", "text", "found"),
    [("] end", "cat", "8 of 16"), ("end home end", "Cats", "2 of 4"), ("] ] ] end", "a cat", "1 of 4")],
)
async def test_the_first_hit_is_at_the_cursor_or_after_it(deck, keys, text, found, monkeypatch):
    monkeypatch.setattr(seeking, "SLICE_S", -1.0)  # one sample at a time
    async with opened(deck) as app:
        await app.press(*keys.split(), "ctrl+f", *["f2"] * (text != "cat"), *text, "enter")
        await app.until(lambda: app.screen.seeking.complete)
        assert told(app)[2] == found


async def test_who_was_led_to_another_sample_can_go_back(deck):
    async with opened(deck) as app:
        await app.press("ctrl+f", *"Cats", "enter", "escape", "'")
        assert "this is the first place" in said(app.screen)
        await app.press("ctrl+f", *"Cats", "enter", "semicolon", "semicolon", "escape")
        assert app.screen.index == 2
        await app.press("'", "enter")
        assert app.screen.index == 1


async def test_a_search_that_goes_on_leaves_one_where_one_went(deck, monkeypatch):
    monkeypatch.setattr(seeking, "SLICE_S", -1.0)
    async with opened(deck) as app:
        monkeypatch.setattr(app.screen, "set_interval", lambda *_: Mock())
        await app.press("]", "ctrl+f", *"cat", "enter")
        assert (app.screen.index, app.screen.seeking.hit_index) == (1, 0)
        app.screen.refresh_all(Focus(3))
        while not app.screen.seeking.complete:
            app.screen.seeking.look_on()
        assert app.screen.index == 3 and told(app)[2] == "5 of 16"


async def test_what_the_filter_hides_is_not_found(deck):
    async with opened(deck) as app:
        await app.press("/", *"id:s1", "enter", "ctrl+f", *"cat", "enter")
        await app.until(lambda: app.screen.seeking.complete)
        assert {hit.index for hit in app.screen.seeking.hits} == {1}
        await app.press("ctrl+f", *"nowhere", "enter")
        await app.until(lambda: app.screen.seeking.complete)
        assert app.screen.seeking.summary[2] == "nothing found in the samples shown"
