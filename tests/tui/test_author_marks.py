"""Marks: what acts on one sample or turn acts on all that are marked, as one step of undo."""

from __future__ import annotations

import pytest

from .decks import DECKS_BY_FORM, JSONL
from .driver import opened, said

_TURN = '{{"role": "{}", "content": "t{}"}}'
TURNS = ", ".join(_TURN.format(("assistant", "user")[n % 2], n) for n in range(1, 6))
_SAMPLE = '{{"id": "s{}", "messages": [{{"role": "user", "content": "q{}"}}]}}\n'


@pytest.fixture
def many(tmp_path):
    """Return a deck of eight samples."""
    path = tmp_path / "many.jsonl"
    path.write_text("".join(_SAMPLE.format(n, n) for n in range(8)))
    return path


@pytest.fixture
def five(tmp_path):
    """Return a deck of one sample of five turns."""
    path = tmp_path / "five.jsonl"
    path.write_text(f'{{"id": "a", "messages": [{TURNS}]}}\n')
    return path


async def test_marked_samples_are_deleted_and_come_back_at_once(many):
    async with opened(many) as app:
        await app.press("shift+tab", "space", "j", "space", "j", "j", "space")
        assert app.screen.marks.samples == {0, 2, 5} and "3 marked" in str(app.screen.sample_pane.border_subtitle)
        await app.press("k", "d")
        assert app.ids == ["s1", "s3", "s4", "s6", "s7"] and app.steps == 1
        assert not app.screen.marks.samples
        await app.press("u")
        assert app.text == many.read_text() and app.steps == 0


async def test_a_range_is_marked_from_the_last_mark_and_moves_as_a_block(many):
    async with opened(many) as app:
        await app.press("shift+tab", "j", "space", "j", "V")
        assert app.screen.marks.samples == {1, 2, 3}
        await app.press("J", "J")
        assert app.ids == ["s0", "s4", "s5", "s1", "s2", "s3", "s6", "s7"]
        assert app.screen.marks.samples == {3, 4, 5} and app.ids[app.screen.index] == "s3"
        await app.press("K", "u", "u", "u")
        assert app.text == many.read_text()


async def test_a_block_stops_as_a_whole_at_the_end(many):
    async with opened(many) as app:
        await app.press("shift+tab", "end", "space", "k", "k", "space", "J")
        assert app.steps == 0 and "last" in said(app.screen)


async def test_copies_of_marked_samples_have_ids_of_their_own_and_are_marked(many):
    async with opened(many) as app:
        await app.press("shift+tab", "space", "space", "D")
        assert app.ids[:5] == ["s0", "s1", "s0-2", "s1-2", "s2"] and app.screen.marks.samples == {2, 3}
        await app.press("u")
        assert app.text == many.read_text()


async def test_what_the_filter_hides_is_not_acted_on(many):
    async with opened(many) as app:
        await app.press("shift+tab", "space", "space", "/", *"q1", "enter", "d", "escape")
        assert app.ids == ["s0", *[f"s{n}" for n in range(2, 8)]]


async def test_all_are_marked_and_escape_takes_the_marks_away(many):
    async with opened(many) as app:
        await app.press("shift+tab", "*")
        assert len(app.screen.marks.samples) == 8
        await app.press("escape")
        assert not app.screen.marks.samples
        await app.press("*", "*")
        assert not app.screen.marks.samples


@pytest.mark.parametrize("form", DECKS_BY_FORM)
async def test_a_tag_is_added_to_all_and_taken_away_as_one_step_each(form, tmp_path):
    path = tmp_path / f"deck.{form}"
    path.write_text(DECKS_BY_FORM[form])
    async with opened(path) as app:
        await app.press("shift+tab", "*", "#", *"math", "enter")
        datas = [sample.data for sample in app.screen.session.deck.samples]
        tags = [data.get("tags") or data.get("metadata", {}).get("tags") for data in datas]
        assert tags == [["math"], ["math"]] and app.steps == 1
        await app.press("#", *"-math", "enter")
        assert "math" not in app.text.replace("mathematics", "") and app.steps == 2
        await app.press("u", "u")
        assert app.text == path.read_text()


async def test_where_samples_have_no_place_for_tags_none_is_asked_for(tmp_path):
    path = tmp_path / "chat.jsonl"
    path.write_text('{"messages": [{"role": "user", "content": "q"}, {"role": "assistant", "content": "a"}]}\n')
    async with opened(path) as app:
        await app.press("#")
        assert "samples of OpenAI have no tags" in app.bar and app.app.screen is app.screen


async def test_a_field_is_set_in_all_marked_and_deleted_again(many):
    async with opened(many) as app:
        await app.press("shift+tab", "space", "space", "S", *"metadata.source = web", "enter")
        deck = app.screen.session.deck
        assert [one.data.get("metadata") for one in deck.samples][:3] == [{"source": "web"}] * 2 + [None]
        await app.press("S", *"metadata.source = 3", "enter")
        assert app.screen.session.deck.samples[1].data["metadata"] == {"source": 3}
        await app.press("S", *"metadata =", "enter")
        assert app.text == many.read_text() and app.steps == 3


async def test_marked_turns_are_deleted_moved_copied_and_given_a_role(five):
    async with opened(five) as app:
        await app.press("space", "space", "J")
        assert app.turns == ["t3", "t1", "t2", "t4", "t5"] and app.steps == 1
        await app.press("r")
        assert app.roles == ["user", "user", "user", "assistant", "user"] or len(set(app.roles[1:3])) == 1
        await app.press("D")
        assert app.turns == ["t3", "t1", "t2", "t1", "t2", "t4", "t5"]
        await app.press("d")
        assert app.turns == ["t3", "t1", "t2", "t4", "t5"] and app.steps == 4
        await app.press("u", "u", "u", "u")
        assert app.text == five.read_text()


async def test_marks_are_seen_and_gone_in_the_next_sample(tmp_path):
    path = tmp_path / "deck.jsonl"
    path.write_text(JSONL)
    async with opened(path) as app:
        await app.press("space")
        assert any(line.lstrip("▌▎│ ").startswith("* ") for line in app.cards)
        await app.press("]", "[")
        assert not app.screen.marks.turns


async def test_marked_fields_are_deleted_but_have_no_role(tmp_path):
    path = tmp_path / "deck.jsonl"
    path.write_text('{"id": "a", "messages": [{"role": "user", "content": "q"}], "x": 1, "y": {"z": 2}}\n')
    async with opened(path) as app:
        await app.press("end", "k", "k", "space", "V", "r")
        assert app.steps == 0 and "turns" in said(app.screen)
        await app.press("*", "*", "k", "space", "j", "space", "j", "d")
        assert app.steps <= 1


async def test_the_cursor_stays_at_a_sample_that_is_not_deleted(many):
    async with opened(many) as app:
        await app.press("1", "space", "j", "j", "d")
        assert app.ids[app.screen.index] == "s3"


async def test_a_block_of_turns_stops_at_the_ends(five):
    async with opened(five) as app:
        await app.press("space", "space", "K")
        assert app.steps == 0 and "this is the first one" in said(app.screen)
        await app.press("*", "J")
        assert app.steps == 0 and "this is the last one" in said(app.screen)


async def test_a_cursor_that_is_not_in_a_list_stays_where_its_items_move(tmp_path):
    path = tmp_path / "deck.jsonl"
    path.write_text('{"id": "a", "messages": [], "tags": ["x", "y", "z"]}\n')
    async with opened(path) as app:
        await app.press("end", "Z", "j", "space", "k", "k", "J")
        assert app.at == "tags" and '["y", "x", "z"]' in app.text
        await app.press("k", "J")
        assert app.at == "id" and '["y", "z", "x"]' in app.text


async def test_steps_are_named_by_what_they_were_made_of(five):
    async with opened(five) as app:
        await app.press("*", "d", "u")
        assert "undid: delete 5 turns" in said(app.screen)
        await app.press("home", "space", "end", "space", "d", "u")
        assert "undid: delete 2 values" in said(app.screen)


async def test_after_marked_turns_are_deleted_the_cursor_is_where_the_first_was(five):
    async with opened(five) as app:
        await app.press("j", "space", "j", "space", "d")
        assert app.turns == ["t1", "t3", "t5"] and app.at == f"{app.roles[1]} 2"


async def test_a_turn_that_a_marked_one_passes_keeps_the_cursor(five):
    async with opened(five) as app:
        await app.press("space", "J")
        assert app.turns[:2] == ["t2", "t1"] and app.at.endswith(" 1")


async def test_what_is_marked_in_several_lists_or_tables_is_not_moved_or_copied_at_once(tmp_path):
    path = tmp_path / "deck.jsonl"
    path.write_text(
        '{"id": "a", "messages": [{"role": "user", "content": "q"}], "tags": ["x"], "y": {"a": 1, "b": 2}}\n'
    )
    async with opened(path) as app:
        for one, other, done in ((("messages", 0), ("tags", 0), "moved"), (("y", "a"), ("y", "b"), "duplicated")):
            for place in (one, other):
                app.screen.unfold(place)
                app.screen.go_to(place)
                await app.press("space")
            await app.press("J" if done == "moved" else "D")
            assert f"what is {done} at once has to be in one list" in said(app.screen) and app.steps == 0
            app.screen.marks.clear()


async def test_marks_of_samples_stay_as_long_as_every_sample_is_where_it_was(many):
    async with opened(many) as app:
        await app.press("1", "space", "2", "r", "u")
        assert app.screen.marks.samples == {0}
        await app.press("o", "escape")
        assert app.screen.marks.samples == {0}
        await app.press("o", *"more", "escape")
        assert app.screen.marks.samples == {0}
        await app.press("n", "escape")
        assert app.screen.marks.samples == frozenset()
        await app.press("1", "home", "space", "J", "u")
        assert app.screen.marks.samples == frozenset()


async def test_a_range_of_turns_does_not_begin_in_another_sample(tmp_path):
    path = tmp_path / "deck.jsonl"
    path.write_text(f'{{"id": "a", "messages": [{TURNS}]}}\n' * 2)
    async with opened(path) as app:
        await app.press("j", "j", "space", "]", "V")
        assert app.screen.marks.turns == {("messages", 0)}


async def test_a_range_does_not_begin_where_a_sample_was_before_an_edit_of_the_deck(many):
    async with opened(many) as app:
        await app.press("1", "end", "space", "d", "home", "V")
        assert app.screen.marks.samples == {0}
