"""The filter: what is hidden is not acted on, and what is done is done to what is seen."""

from __future__ import annotations

import pytest

from .driver import opened, said


async def narrowed(app, words: str) -> None:
    await app.press("slash", *words)
    await app.rested()


def shown(app) -> list[str]:
    return [app.ids[at] for at in app.screen.sample_filter.shown if at >= 0]  # without what is beside


async def test_it_stays_open_when_it_is_emptied_and_escape_clears_it(hello):
    async with opened(hello) as app:
        await narrowed(app, "zz")
        assert shown(app) == []
        await app.press("backspace", "backspace")
        assert len(shown(app)) == 6 and app.screen.filter.has_focus and app.screen.filter.display
        await app.press(*"haiku", "escape")
        assert len(shown(app)) == 6 and not app.screen.filter.display
        assert app.screen.scope == "turns"


async def test_enter_in_an_empty_filter_closes_it(hello):
    async with opened(hello) as app:
        await app.press("slash", "enter")
        assert not app.screen.filter.display and app.screen.scope == "samples"


async def test_escape_in_the_list_clears_a_kept_filter(hello):
    async with opened(hello) as app:
        await narrowed(app, "haiku")
        await app.press("enter")
        assert shown(app) == ["haiku"] and "esc Clear" in app.keys
        await app.press("escape")
        assert len(shown(app)) == 6 and app.ids[app.screen.index] == "haiku"
        await app.press("escape")
        assert "no filter is set" in said(app.screen)


@pytest.mark.parametrize("words", ["arithmetic", "zzz"])
async def test_a_filter_that_ends_leaves_the_cursor_in_the_sample(hello, words):
    async with opened(hello) as app:
        await app.press("j")
        await app.rested()
        there = app.screen.here
        assert there.path
        await narrowed(app, words)
        await app.press("escape")
        assert app.screen.scope == "turns"
        assert app.screen.here == (there if words == "arithmetic" else (there.sample, app.screen.here.path))
        assert app.screen.conversation.items


@pytest.mark.parametrize("pane", ["samples", "turns"])
async def test_no_command_acts_on_a_sample_that_is_hidden(hello, pane):
    async with opened(hello) as app:
        await narrowed(app, "zoo")
        assert app.screen.sample is None and "No sample contains these words" in "".join(app.cards)
        await app.press("enter", *(["tab"] if pane == "turns" else []))
        for key in ("d", "D", "o", "r", "m", "J", "K", "enter", "e", "a", "M", "x", "y", "+"):
            await app.press(key)
            assert (app.text.encode(), app.steps) == (hello.read_bytes(), 0), key
            assert app.app.screen is app.screen and not app.screen.conversation.editing, key
            assert app.screen.sample is None, key


async def test_d_deletes_what_is_seen_and_goes_to_the_next_that_is_seen(hello):
    async with opened(hello) as app:
        await narrowed(app, "you are")
        before = shown(app)
        assert 2 <= len(before) < 6
        await app.press("enter", "d")
        assert shown(app) == before[1:]
        assert app.ids[app.screen.index] == before[1]
        for _ in before[1:]:
            await app.press("d")
        assert shown(app) == [] and app.screen.sample is None
        assert len(app.ids) == 6 - len(before)
        await app.press("d")
        assert len(app.ids) == 6 - len(before)
        while app.steps:
            await app.press("u")
        assert shown(app) == before and app.text.encode() == hello.read_bytes()


async def test_n_adds_a_sample_that_is_seen(hello):
    async with opened(hello) as app:
        await narrowed(app, "haiku")
        await app.press("enter", "n")
        await app.type("New")
        await app.press("escape")
        assert shown(app) == ["haiku", "new"] and app.turns == ["New"]
        assert app.ids.index("new") == app.ids.index("haiku") + 1


async def test_n_where_nothing_is_seen_adds_a_sample_at_the_end(hello):
    async with opened(hello) as app:
        await narrowed(app, "zoo")
        await app.press("enter", "n")
        await app.type("New")
        await app.press("escape")
        assert app.ids[-1] == "new" and app.turns == ["New"]


async def test_a_sample_moves_past_the_next_that_is_seen(hello):
    async with opened(hello) as app:
        await narrowed(app, "you are")
        before = shown(app)
        await app.press("enter", "J")
        assert shown(app)[:2] == [before[1], before[0]]


async def test_what_is_edited_stays_in_sight_until_the_words_change(hello):
    async with opened(hello) as app:
        await narrowed(app, "haiku")
        await app.press("enter", "enter", "enter")
        await app.write("changed")
        await app.press("escape")
        assert app.turns[0] == "changed" and "haiku" in shown(app)


async def test_the_cursor_stays_at_its_turn_while_the_list_is_narrowed(hello):
    async with opened(hello) as app:
        await app.press("j")
        await narrowed(app, "2+2")
        assert app.at == "assistant 2"
        await app.press("escape")
        assert app.at == "assistant 2"
        await narrowed(app, "haiku")
        assert shown(app) == ["haiku"] and app.screen.conversation.cursor == (0, 0)


async def test_escape_out_of_a_filter_returns_to_where_it_began(hello):
    async with opened(hello) as app:
        await app.press("]", "/", *"haiku")
        assert app.ids[app.screen.index] == "haiku"
        await app.press("escape")
        assert app.ids[app.screen.index] == "algebra-tutor" and len(shown(app)) == len(app.ids)


async def test_a_filter_that_is_kept_leaves_where_it_began_among_the_last_places(hello):
    async with opened(hello) as app:
        await app.press("]", "/", *"haiku", "enter", "escape")
        assert app.ids[app.screen.index] == "haiku"
        await app.press("'")
        assert "algebra-tutor" in app.dialog_text
        await app.press("enter")
        assert app.ids[app.screen.index] == "algebra-tutor"
