"""Going to samples, panes, problems and former places, and making the last edit again."""

from __future__ import annotations

import json

import pytest

from .driver import opened, said

_SAMPLE = '{{"id": "case-{}", "messages": [{{"role": "user", "content": "q{}"}}]}}\n'


@pytest.fixture
def many(tmp_path):
    path = tmp_path / "many.jsonl"
    path.write_text("".join(_SAMPLE.format(n, n) for n in range(12)))
    return path


async def test_colon_goes_by_number_id_and_what_is_like_it(many):
    async with opened(many) as app:
        for typed, index in (("12", 11), ("1", 0), ("case-3", 3), ("#2", 1), ("ca10", 10)):
            await app.press(":", *typed, "enter")
            assert app.screen.index == index
        await app.press(":", *"99", "enter")
        assert "the last one is 12" in said(app.screen) and app.screen.index == 10
        await app.press(":", *"zzz", "enter")
        assert "like zzz" in said(app.screen)
        await app.press(":", "escape")
        assert app.screen.index == 10


async def test_last_places_are_listed_the_last_one_first(many):
    async with opened(many) as app:
        await app.press("'")
        assert "first place" in said(app.screen)
        await app.press(":", "5", "enter", ":", "9", "enter", "'")
        assert app.dialog_text.index("case-4") < app.dialog_text.index("case-0")
        await app.press("enter")
        assert app.screen.index == 4
        await app.press("'", "enter")
        assert app.screen.index == 8


async def test_what_was_left_in_the_list_is_a_last_place(many):
    async with opened(many) as app:
        await app.press("1", "j", "'", "enter")
        assert app.screen.index == 0


async def test_digits_go_to_panes(hello):
    async with opened(hello) as app:
        for key, scope in (("1", "samples"), ("3", "preview"), ("2", "turns")):
            await app.press(key)
            assert app.screen.scope == scope


async def test_b_goes_to_problems_the_other_way_round(tmp_path):
    path = tmp_path / "deck.jsonl"
    path.write_text("".join(f'{{"id": "s{n}", "messages": [{{"content": "x"}}]}}\n' for n in range(3)))
    async with opened(path) as app:
        await app.until(lambda: app.screen.session.problems.complete)
        await app.press("]", "b")
        assert app.screen.index == 0
        await app.press("b")
        assert app.screen.index == 2


async def test_the_last_edit_is_made_again_with_its_answers_and_its_text(many):
    async with opened(many) as app:
        await app.press(".")
        assert "no edit" in said(app.screen)
        await app.press("R", *"critic", "enter", "]", ".")
        assert app.roles == ["critic"] and app.steps == 2
        await app.press("enter", "end", *"!!", "escape", "]", "j", "k", ".")
        assert app.turns == ["q1!!"] and app.screen.index == 2
        await app.press("o", *"more", "escape", "]", ".")
        assert app.turns == ["q3", "more"]
        await app.press("u", ".")
        assert app.turns == ["q3", "more"]
        await app.press("1", "#", *"math", "enter", "j", ".", "ctrl+s", "j", ".")
        tags = [one.data.get("tags") for one in app.screen.session.deck.samples]
        assert tags[3:7] == [["math"]] * 3 + [None]


async def test_an_edit_is_not_made_again_where_it_cannot_be(many):
    async with opened(many) as app:
        await app.press("1", "J", "end", ".")
        assert "last" in said(app.screen) and app.steps == 1
        await app.press("2", ".")
        assert "the last edit, Move down, is one of samples" in said(app.screen) and app.steps == 1


async def test_a_role_is_not_given_again_to_a_field(many):
    async with opened(many) as app:
        await app.press("r", "end", ".")
        assert "this acts on turns" in said(app.screen) and app.steps == 1


@pytest.mark.parametrize(("ids", "typed", "index"), [("321", "1", 2), (["za--c", "ac1"], "ac", 1)])
async def test_an_id_is_gone_to_before_a_number_and_the_nearest_before_others(tmp_path, ids, typed, index):
    path = tmp_path / "deck.jsonl"
    path.write_text("".join(json.dumps({"id": name, "messages": []}) + "\n" for name in ids))
    async with opened(path) as app:
        await app.press(":", *typed, "enter")
        assert app.screen.index == index
