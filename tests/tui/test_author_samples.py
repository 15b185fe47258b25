"""Samples and fields: added, copied, moved, deleted, edited, each in the list of samples or beside the turns."""

from __future__ import annotations

import json
from contextlib import nullcontext
from types import SimpleNamespace

import pytest

from sampleui import open_deck
from sampleui.tui.author.actions.samples import Naming
from sampleui.tui.commands import UNBOUND_S
from sampleui.tui.drawing.rows import row_text
from sampleui.tui.screens import base

from .driver import DECKS, changed_lines, opened, said


async def test_n_adds_a_sample_after_this_one_and_writes_its_first_turn(hello):
    before = hello.read_bytes()
    async with opened(hello) as app:
        await app.press("n")
        assert app.screen.conversation.editing
        await app.type("Who wrote Faust?")
        await app.press("escape")
        assert app.ids[:3] == ["arithmetic", "who-wrote-faust", "algebra-tutor"]
        assert (app.screen.index, app.turns, app.roles) == (1, ["Who wrote Faust?"], ["user"])
        assert changed_lines(before, app.text.encode())[0] == []
        await app.press("ctrl+s")
        assert open_deck(hello).samples[1].messages == [{"role": "user", "content": "Who wrote Faust?"}]
        while app.steps:
            await app.press("u")
        assert app.text.encode() == before


async def test_capital_d_copies_a_sample_under_an_id_of_its_own(hello):
    async with opened(hello) as app:
        await app.press("shift+tab", "D", "D")
        assert app.ids[:3] == ["arithmetic", "arithmetic-2", "arithmetic-3"]
        assert app.screen.index == 2
        assert app.turns == ["What is 2+2?", "2 + 2 = 4."]
        assert "duplicate" not in "\n".join(one.rule for one in app.screen.problem_list.items)


async def test_d_deletes_the_sample_and_undo_brings_it_back_where_it_was(hello):
    before = hello.read_bytes()
    async with opened(hello) as app:
        await app.press("]", "]", "shift+tab", "d")
        assert app.ids == ["arithmetic", "algebra-tutor", "refund-policy", "haiku", "unit-conversion"]
        assert "refund-policy" in app.title
        await app.press("u")
        assert (app.screen.index, app.text.encode()) == (2, before)


async def test_a_deck_can_be_emptied_and_begun_anew(hello):
    before = hello.read_bytes()
    async with opened(hello) as app:
        await app.press("shift+tab", *"dddddd")
        assert app.ids == []
        assert "no samples" in "".join(app.cards).lower()
        for key in ("d", "D", "J", "K", "enter", "o", "r", "m", "d", "a", "y", "e", "+", "p", "g", "j", "]", "M"):
            await app.press(key)
        assert app.ids == []
        await app.press("escape", "n")
        await app.type("Again")
        await app.press("escape")
        assert app.turns == ["Again"]
        while app.steps:
            await app.press("u")
        assert app.text.encode() == before


async def test_capital_j_and_k_move_the_sample_and_stop_at_the_ends(hello):
    before = hello.read_bytes()
    async with opened(hello) as app:
        await app.press("shift+tab", "K")
        assert app.steps == 0
        await app.press("J", "J")
        assert app.ids[:3] == ["algebra-tutor", "capital-of-france", "arithmetic"]
        assert app.screen.index == 2
        await app.press("K", "K")
        assert app.text.encode() == before


async def test_a_text_field_is_edited_in_place(hello):
    async with opened(hello) as app:
        await app.press("j", "j", "j", "enter")
        await app.write("Short")
        await app.press("escape")
        assert app.at == "description"
        assert changed_lines(hello.read_bytes(), app.text.encode()) == (
            [b'description = "A one-line question deserves a one-line answer"'],
            [b'description = "Short"'],
        )


async def test_a_list_of_texts_is_edited_a_line_each_or_as_json(hello):
    async with opened(hello) as app:
        await app.press("j", "j", "j", "j", "enter")
        assert app.screen.conversation.editor.value.split() == ["math", "short"]
        await app.write('["math", "easy", 7]')
        await app.press("escape")
        assert b'tags = ["math", "easy", 7]' in changed_lines(hello.read_bytes(), app.text.encode())[1]


@pytest.mark.parametrize(
    "wrong",
    ["[", "", "nope", '{"a": }', pytest.param("[" * 100_000, id="deep"), pytest.param("9" * 5000, id="long")],
)
async def test_json_that_is_none_keeps_the_field_open_and_says_why(hello, wrong):
    async with opened(hello) as app:
        await app.press("G", "k", "enter")
        await app.write(wrong)
        await app.press("escape")
        assert app.screen.conversation.editing and app.screen.conversation.editor.has_focus
        assert "a number, such as 0.5, is expected here" in app.bar
        assert (app.text.encode(), app.steps) == (hello.read_bytes(), 0)
        await app.write("2")
        await app.press("escape")
        assert not app.screen.conversation.editing
        assert "score = 2" in app.text


@pytest.mark.parametrize("key", ["tab", "ctrl+s"])
async def test_json_that_is_none_is_not_left_by_any_other_key(hello, key):
    async with opened(hello) as app:
        await app.press("G", "k", "enter")
        await app.write("[")
        await app.press(key)
        assert app.screen.conversation.editing and app.app.is_running
        assert "is expected here" in app.bar
        assert app.disk == hello.read_bytes()


async def test_json_that_is_none_is_not_left_by_a_click_on_another_sample(hello):
    async with opened(hello) as app:
        await app.press("G", "k", "enter")
        await app.write("[")
        await app.pilot.click("#samples", offset=(4, 3))
        await app.rested()
        assert app.screen.conversation.editing
        assert (app.screen.index, app.screen.samples.cursor) == (0, 0)


async def test_a_value_that_the_form_cannot_hold_keeps_the_field_open_and_says_why(hello):
    async with opened(hello) as app:
        await app.press("G", "k", "enter")
        await app.write("null")
        await app.press("escape")
        assert app.screen.conversation.editing
        assert "✖" in app.bar and app.text.encode() == hello.read_bytes()


async def test_d_on_a_field_deletes_it_alone(hello):
    async with opened(hello) as app:
        await app.press("j", "j", "j", "d")
        assert changed_lines(hello.read_bytes(), app.text.encode()) == (
            [b'description = "A one-line question deserves a one-line answer"'],
            [],
        )


async def test_plus_adds_a_field(hello):
    async with opened(hello) as app:
        await app.press("+")
        await app.dialog(*"reviewer", "enter")
        await app.until(lambda: "Type of the new value" in app.dialog_text)
        await app.press("enter")
        await app.until(lambda: app.screen.conversation.editing)
        await app.type("Ada")
        await app.press("escape")
        assert 'reviewer = "Ada"' in app.text
        assert (app.at, app.steps) == ("reviewer", 1)
        await app.press("u")
        assert app.text.encode() == hello.read_bytes()


@pytest.mark.parametrize("key", ["r", "R", "m", "J", "K", "a"])
async def test_commands_on_turns_are_refused_on_a_field(hello, key):
    async with opened(hello) as app:
        await app.press("G", key)
        assert ("have no order" if key in "JK" else "the cursor is on a field") in app.bar
        assert app.steps == 0


async def test_segments_are_parts_that_are_gone_through_and_edited(tmp_path):
    path = tmp_path / "deck.toml"
    path.write_bytes((DECKS / "attachments.toml").read_bytes())
    async with opened(path) as app:
        await app.press("j", "l")
        assert app.screen.conversation.cursor == (1, 1)
        await app.press("enter")
        assert app.screen.conversation.editor.value == "files/login.py"
        await app.write("files/logout.py")
        await app.press("escape")
        assert changed_lines(path.read_bytes(), app.text.encode()) == (
            [b'    { type = "file", value = "files/login.py" },'],
            [b'    { type = "file", value = "files/logout.py" },'],
        )
        await app.press("x")
        assert len(app.turns[1]) == 2
        await app.press("h", "h", "x")
        assert app.turns[1] == [{"type": "file", "value": "files/security.instructions.md"}]


async def test_split_and_merge_keep_the_segments_of_a_turn(tmp_path):
    path = tmp_path / "deck.toml"
    path.write_bytes((DECKS / "attachments.toml").read_bytes())
    async with opened(path) as app:
        whole = app.turns[1]
        await app.press("j", "enter", *["left"] * 9, "ctrl+t")
        assert app.turns[1] == [{"type": "text", "value": "What is wrong with this "}]
        assert app.turns[2] == [{"type": "text", "value": "function?"}, *whole[1:]]
        await app.press("k", "m")
        assert app.turns[1] == [{"type": "text", "value": "What is wrong with this "}, *app.turns[1][1:]]
        assert app.turns[1][2:] == whole[1:]


async def test_a_deck_of_the_web_form_attaches_another_segment(tmp_path):
    path = tmp_path / "deck.jsonl"
    path.write_bytes((DECKS / "gage.jsonl").read_bytes())
    (tmp_path / "notes.txt").write_text("n")
    async with opened(path) as app:
        await app.press("a")
        await app.dialog(*"notes", "enter")
        await app.until(lambda: app.steps)
        assert app.turns[0][-1] == {"type": "file_url", "file_url": {"url": "notes.txt"}}
        assert len(changed_lines(path.read_bytes(), app.text.encode())[1]) == 1


async def test_the_editor_of_the_user_edits_a_turn(hello, monkeypatch, tmp_path):
    script = tmp_path / "editor"
    script.write_text("#!/bin/sh\nprintf 'From outside' > \"$1\"\n")
    script.chmod(0o755)
    monkeypatch.setenv("EDITOR", str(script))
    async with opened(hello) as app:
        monkeypatch.setattr(app.app, "suspend", nullcontext)
        await app.press("ctrl+e")
        await app.until(lambda: app.steps or "✖" in app.bar)
        assert app.turns[0] == "From outside"


@pytest.mark.parametrize("editor", ["/no/such/editor", "false", "'unclosed"])
async def test_an_editor_that_fails_changes_nothing_and_says_so(hello, monkeypatch, editor):
    monkeypatch.setenv("EDITOR", editor)
    async with opened(hello) as app:
        monkeypatch.setattr(app.app, "suspend", nullcontext)
        await app.press("ctrl+e")
        await app.until(lambda: "✖" in app.bar)
        assert app.text.encode() == hello.read_bytes()


async def test_half_of_a_character_is_not_handed_to_an_editor(tmp_path, monkeypatch):
    path = tmp_path / "deck.jsonl"
    path.write_text('{"id": "a", "messages": [{"role": "user", "content": "\\ud800"}]}\n')
    async with opened(path) as app:
        monkeypatch.setattr(app.app, "suspend", nullcontext)
        await app.press("ctrl+e")
        await app.until(lambda: "half of a character" in app.bar)
        await app.press("enter", "x", "escape")
        assert app.turns == ["\ud800x"]


def test_a_sample_that_goes_among_those_named_by_their_keys_keeps_its_id_as_its_name():
    source = SimpleNamespace(document=SimpleNamespace(keyed=True))
    kind = SimpleNamespace(id_paths=(("name",),), fields={})
    deck = SimpleNamespace(samples=[], kind=kind, files=SimpleNamespace(sources=[source]))
    naming = Naming(deck)
    assert naming.with_own_id({"a": 1, "name": "x"}) == {"a": 1, "id": "x"}
    assert naming.with_own_id({"a": 1, "name": "x"}) == {"a": 1, "id": "x-2"}
    assert naming.with_own_id({"id": "y", "name": "z"}) == {"id": "y", "name": "z"}


async def test_the_list_is_as_wide_as_its_ids_and_has_words_where_there_is_room(tmp_path):
    path, index = tmp_path / "a.jsonl", tmp_path / "deck.md"
    path.write_text('{"id": "abcd", "messages": [{"role": "user", "content": "what is there"}]}\n')
    path.with_stem("b").write_text(path.read_text().replace("abcd", "x" * 90))
    index.write_text("![](a.jsonl)\n\n![](b.jsonl)\n")
    around = 8
    for deck, wanted in ((path, 4 + around), (path.with_stem("b"), 44), (index, 44)):
        async with opened(deck) as app:
            assert app.screen.samples.wanted() == wanted
            if deck == path:
                rows = [row_text(app.screen.samples.row(0, 3 + 4 + 2 + room)).split(maxsplit=1) for room in (6, 7)]
                assert rows == [["abcd"], ["abcd", "what i…"]]
    path.with_stem("b").write_text(path.read_text())
    async with opened(index) as app:
        assert app.screen.samples.wanted() == 4 + around + 14


async def test_a_click_on_the_sample_with_the_cursor_goes_to_its_turns(hello):
    async with opened(hello) as app:
        for scope in ("samples", "turns"):
            await app.pilot.click("#samples", offset=(4, 1))
            await app.rested()
            assert (app.screen.scope, app.screen.index) == (scope, 1)


async def test_a_sample_is_renamed_where_it_has_its_name(tmp_path):
    path = tmp_path / "tests.csv"
    path.write_text("q,__description\n2?,two\n3?,three\n")
    async with opened(path, dialect="promptfoo") as app:
        await app.press("1", "N", *"new", "enter")
        assert app.text == "q,__description\n2?,new\n3?,three\n"


async def test_no_field_is_offered_or_taken_that_a_table_has_no_column_for(tmp_path):
    path = tmp_path / "tests.csv"
    path.write_text("q,__expected\n2?,two\n")
    async with opened(path, dialect="promptfoo") as app:
        await app.press("+")
        assert "provider" in app.dialog_text and "What is expected" not in app.dialog_text
        await app.type("assert")
        await app.press("down", "enter")
        assert app.steps == 0 and "tests.csv is a table, in which assert is no column" in app.bar


async def test_after_the_last_sample_is_deleted_the_first_is_shown(tmp_path):
    path = tmp_path / "deck.jsonl"
    path.write_text('{"id": "a", "messages": []}\n{"id": "b", "messages": []}\n')
    async with opened(path) as app:
        await app.press("1", "end", "d")
        assert (app.ids, app.screen.index) == (["a"], 0) and "a" in app.title


async def test_a_new_sample_has_the_version_and_the_order_of_the_one_before(tmp_path):
    path = tmp_path / "deck.jsonl"
    path.write_text('{"id": "a", "references": ["x"], "messages": [], "schema_version": "v7"}\n')
    async with opened(path, dialect="gage") as app:
        await app.press("n", *"Hi", "escape")
        added = json.loads(app.text.splitlines()[1])
        assert [*added] == ["id", "references", "messages", "schema_version"] and added["schema_version"] == "v7"
        await app.press("u")
        assert "undid: add sample 2" in app.bar


async def test_v_goes_beside_the_samples_of_the_file_with_the_cursor(hello):
    async with opened(hello) as app:
        await app.press("]", "0")
        assert app.screen.index < 0 and "beside" in app.title
        await app.press("0", "/", *"no such words", "enter", "0")
        assert app.screen.index < 0


async def test_a_new_sample_is_named_by_its_first_words_and_by_n_otherwise(hello):
    before = hello.read_text()
    async with opened(hello) as app:
        await app.press("n")
        await app.type("Who wrote Faust?")
        await app.press("escape")
        assert "named who-wrote-faust; N renames it" in said(app.screen)
        await app.press("n")
        await app.type("Who wrote: Faust!")
        await app.press("escape", "N")
        await app.answer("faust")
        assert app.ids[1:3] == ["who-wrote-faust", "faust"]
        await app.press("u")
        assert app.ids[2] == "who-wrote-faust-2"
        await app.press("u", "u")
        assert app.text == before


async def test_enter_gives_the_first_answer_and_j_and_k_move(hello):
    async with opened(hello) as app:
        await app.press("enter", "x", "escape", "ctrl+q", "j", "j", "enter")
        assert app.app.is_running and app.app.screen is app.screen
        await app.press("ctrl+q", "k", "enter")
        assert app.app.is_running and app.app.screen is app.screen
        await app.press("ctrl+q", "enter")
        assert not app.app.is_running
    assert b"x" in hello.read_bytes()


@pytest.mark.parametrize("keys", [["ctrl+t"], ["escape", "o"]])
async def test_the_empty_turn_that_a_new_sample_begins_with_is_written_next(tmp_path, keys):
    path = tmp_path / "deck.jsonl"
    path.write_text("")
    async with opened(path, dialect="openai") as app:
        await app.press(*"nHi", *keys, *"Ho", "ctrl+t", *"On", "escape")
        assert app.turns == ["Hi", "Ho", "On"] and app.roles == ["user", "assistant", "user"]


async def test_tab_goes_on_from_the_first_turn_of_the_first_sample(tmp_path):
    path = tmp_path / "deck.jsonl"
    path.write_text("")
    async with opened(path, dialect="openai") as app:
        await app.press(*"nHi", "tab", *"Ho", "escape")
        assert app.turns == ["Hi", "Ho"]


async def test_what_is_typed_after_a_key_that_opened_no_text_runs_no_command(hello):
    async with opened(hello) as app:
        await app.press("shift+tab", *"dddddd", "u", "tab", "/", *"nothing has this", "enter", "2")
        before, steps = app.ids, app.steps
        assert app.screen.sample is None
        await app.press("e", *"unduly typed", "escape")
        assert app.ids == before and "runs no command" not in app.bar
        await app.press("e", "u")
        assert app.steps == steps and "u runs no command right after a key that did nothing" in app.bar
        app.screen.last_key -= base.REFUSED_S  # as after a pause
        await app.press("u")
        assert app.steps == steps - 1


@pytest.mark.parametrize(("pane", "word"), [("2", "fold"), ("2", "suddenly"), ("1", "road"), ("3", "hint")])
async def test_a_word_whose_first_letter_does_nothing_runs_no_command(hello, pane, word):
    before = hello.read_bytes()
    async with opened(hello) as app:
        await app.press(pane, *word)
        assert app.steps == 0 and not app.screen.editing.active
        assert "runs no command" in app.bar or "does nothing here" in app.bar
        await app.press("escape", "2", "o", *"Now", "escape", "ctrl+s")
        assert "Now" in app.turns[1]
    assert hello.read_bytes() != before


async def test_a_key_that_does_nothing_stops_neither_moves_nor_what_comes_after_a_pause(hello):
    async with opened(hello) as app:
        await app.press("2", "f", "j")
        assert app.screen.conversation.cursor == (1, 0)
        app.screen.last_key -= UNBOUND_S  # as after a pause
        await app.press("o", *"Now", "escape")
        assert app.turns[2] == "Now"


async def test_a_text_typed_into_a_question_answers_nothing(tmp_path):
    path = tmp_path / "shared.eval.yaml"
    path.write_text(
        "x-policy: &policy Be kind.\ntests:\n"
        + "".join(f"  - id: {name}\n    input:\n      - {{role: user, content: *policy}}\n" for name in "ab")
    )
    async with opened(path) as app:
        await app.press("e", *" More and also")
        assert "for all 2" in app.dialog_text and app.steps == 0
        await app.press("enter", *"!", "escape")
        assert app.turns[0].endswith("!") and "&policy Be kind.!" in app.text


async def test_a_command_that_opens_no_text_and_cannot_act_holds_up_no_key(hello):
    async with opened(hello) as app:
        await app.press("u", "o", *"at once", "escape", "d")
        assert "at once" not in app.turns and app.steps == 2
