"""Turns: every key that changes one, one step of undo for each, and nothing else touched in the file."""

from __future__ import annotations

import json

import pytest

from sampleui.tui.author.actions import AUTHOR

from .driver import changed_lines, drawn_lines, opened, said


async def test_enter_edits_and_escape_takes_what_was_typed_as_one_step(hello):
    before = hello.read_bytes()
    async with opened(hello) as app:
        await app.press("enter")
        assert app.screen.conversation.editor.value == "What is 2+2?"
        await app.type(" Or 3")
        assert "What is 2+2? Or 3" in app.preview
        assert "unsaved" in app.title
        await app.press("escape")
        assert not app.screen.conversation.editing and app.screen.conversation.has_focus
        assert app.at == "user 1"
        assert app.turns[0] == "What is 2+2? Or 3"
        assert (app.steps, app.disk) == (1, before)
        await app.press("u")
        assert (app.turns[0], app.text.encode()) == ("What is 2+2?", before)
        assert "unsaved" not in app.title
        await app.press("ctrl+r")
        assert app.turns[0] == "What is 2+2? Or 3"


async def test_an_edit_that_changes_nothing_is_no_step(hello):
    async with opened(hello) as app:
        await app.press("enter", "x", "backspace", "escape", "enter", "escape")
        assert (app.steps, app.text.encode()) == (0, hello.read_bytes())
        await app.press("u")
        assert "nothing to undo" in app.bar


async def test_letters_are_text_while_editing(hello):
    async with opened(hello) as app:
        await app.press("enter")
        await app.type("dDJKrmauogpn/?[]jk")
        await app.press("escape")
        assert app.turns == ["What is 2+2?dDJKrmauogpn/?[]jk", "2 + 2 = 4."]
        assert app.steps == 1


async def test_enter_breaks_the_line_while_editing(hello):
    async with opened(hello) as app:
        await app.press("enter")
        await app.type("\nNow.\n")
        await app.press("escape")
        assert app.turns[0] == "What is 2+2?\nNow.\n"


async def leave_by_f6(app):
    await app.press("f6")


async def leave_by_shift_f6(app):
    await app.press("shift+f6")


async def leave_by_save(app):
    await app.press("ctrl+s")
    await app.until(lambda: b"typed" in app.disk)


async def leave_by_clicking_a_sample(app):
    await app.pilot.click("#samples", offset=(4, 3))
    await app.rested()
    assert app.screen.index == 3
    await app.press("shift+tab", "[", "[", "[")


async def leave_by_clicking_the_preview(app):
    await app.pilot.click("#preview-text", offset=(4, 3))


async def leave_by_clicking_a_turn(app):
    await app.pilot.click("#below", offset=(6, 2))
    await app.rested()
    assert app.at == "assistant 2"


@pytest.mark.parametrize(
    "leave",
    [
        leave_by_f6,
        leave_by_shift_f6,
        leave_by_save,
        leave_by_clicking_a_sample,
        leave_by_clicking_the_preview,
        leave_by_clicking_a_turn,
    ],
)
async def test_leaving_takes_what_was_typed(hello, leave):
    async with opened(hello) as app:
        await app.press("enter")
        await app.press(*"typed")
        await leave(app)
        await app.until(lambda: not app.screen.conversation.editing)
        assert app.turns[0] == "What is 2+2?typed"
        assert app.steps == 1


async def test_going_to_another_sample_by_the_palette_takes_what_was_typed(hello):
    async with opened(hello) as app:
        await app.press("enter", "x")
        await app.command("next sample")
        assert app.screen.index == 1
        await app.press("[")
        assert (app.turns[0], app.steps) == ("What is 2+2?x", 1)


async def test_a_command_of_the_palette_first_takes_what_is_being_typed(hello):
    async with opened(hello) as app:
        for words in ("turns: delete", "deck: undo", "move down", "turns: duplicate", "choose role"):
            await app.press("home", "enter", "x")
            await app.command(words)
            await app.press("escape")
            assert not app.screen.conversation.editing, words
            await app.press(*"u" * app.steps)
            assert app.text.encode() == hello.read_bytes(), words


async def test_a_command_for_texts_is_grey_and_refused_when_none_is_edited(hello):
    async with opened(hello) as app:
        await app.press("ctrl+p", *"split", "enter")
        assert "enter edits one" in app.dialog_text
        await app.press("escape")
        app.screen.run_command(AUTHOR["edit.split"])
        assert "enter edits one" in app.bar
        assert app.text.encode() == hello.read_bytes()


async def test_o_adds_a_turn_below_and_writes_it_as_one_step(hello):
    before = hello.read_bytes()
    async with opened(hello) as app:
        await app.press("o")
        await app.type("Four.")
        assert "Four." in app.preview
        await app.press("escape")
        assert app.roles == ["user", "assistant", "assistant"]
        assert (app.turns[1], app.at, app.steps) == ("Four.", "assistant 2", 1)
        removed, added = changed_lines(before, app.text.encode())
        assert (removed, len(added)) == ([], 1)
        await app.press("u")
        assert app.text.encode() == before


async def test_capital_o_adds_a_turn_above(hello):
    async with opened(hello) as app:
        await app.press("j", "O")
        await app.type("Between")
        await app.press("escape")
        assert app.turns == ["What is 2+2?", "Between", "2 + 2 = 4."]
        assert app.at.endswith("2")


async def test_o_on_a_field_adds_a_turn_at_the_end(hello):
    async with opened(hello) as app:
        await app.press("G", "o")
        await app.type("Last")
        await app.press("escape")
        assert app.turns[-1] == "Last"


async def test_d_deletes_the_turn_and_its_comment_stays_with_it(hello):
    before = hello.read_bytes()
    async with opened(hello) as app:
        await app.press("j", "d")
        assert app.roles == ["user"]
        assert app.at == "user 1" or app.at == "id"
        removed, added = changed_lines(before, app.text.encode())
        assert len(removed) == 1 and b"no lecture" in removed[0] and added == []
        await app.press("u")
        assert app.text.encode() == before
        assert app.at == "assistant 2"


async def test_capital_d_duplicates_the_turn(hello):
    async with opened(hello) as app:
        await app.press("D")
        assert app.turns == ["What is 2+2?", "What is 2+2?", "2 + 2 = 4."]
        assert app.at == "user 2"


async def test_capital_j_and_k_move_the_turn_and_stop_at_the_ends(hello):
    before = hello.read_bytes()
    async with opened(hello) as app:
        await app.press("J")
        assert (app.roles, app.at) == (["assistant", "user"], "user 2")
        await app.press("J")
        assert (app.roles, app.steps) == (["assistant", "user"], 1)
        await app.press("K", "K")
        assert (app.roles, app.at, app.steps) == (["user", "assistant"], "user 1", 2)
        assert app.text.encode() == before


async def test_r_goes_through_the_roles(hello):
    async with opened(hello) as app:
        seen = []
        for _ in range(4):
            await app.press("r")
            seen.append(app.roles[0])
        assert seen == ["assistant", "tool", "system", "user"]
        assert app.text.encode() == hello.read_bytes()
        assert app.steps == 4


async def test_after_a_role_of_ones_own_comes_the_first(hello):
    async with opened(hello) as app:
        await app.press("R", *"critic", "enter", "r")
        assert app.roles[0] == "system"


async def test_capital_r_picks_a_role_from_the_list(hello):
    async with opened(hello) as app:
        await app.press("R")
        await app.dialog("s", "y", "enter")
        await app.until(lambda: app.roles[0] == "system")


async def test_capital_r_takes_any_other_role_too(hello):
    async with opened(hello) as app:
        await app.press("R")
        await app.dialog(*"critic", "enter")
        await app.until(lambda: app.roles[0] == "critic")
        assert "○ critic" in app.cards[0]


async def test_j_and_k_move_in_a_list_until_a_word_is_typed(hello):
    named = {"⏎": "enter", "←": "backspace", "↓": "down", "⎋": "escape"}
    roles = {
        "jj⏎": "assistant",
        "jkk⏎": "system",
        "judge⏎": "judge",
        "jo←←jj⏎": "assistant",
        "/k⏎": "k",
        "us⏎": "user",
        "us↓⏎": "us",
        "↓⎋": "us",
    }
    async with opened(hello) as app:
        for keys, role in roles.items():
            await app.press("R", *(named.get(key, key) for key in keys))
            assert app.roles[0] == role, keys


async def test_m_merges_with_the_next_turn(hello):
    before = hello.read_bytes()
    async with opened(hello) as app:
        await app.press("m")
        assert "different roles are not merged (user and assistant)" in app.bar
        assert app.text.encode() == before
        await app.press("r", "m")
        assert app.turns == ["What is 2+2?\n\n2 + 2 = 4."]
        assert app.steps == 2
        await app.press("u", "u")
        assert app.text.encode() == before
        await app.press("j", "m")
        assert "no next turn" in app.bar
        assert app.steps == 0


async def test_m_takes_the_keys_of_the_next_turn_along(tmp_path):
    path = tmp_path / "deck.jsonl"
    one, other = {"role": "user", "content": "a"}, {"role": "user", "content": "b", "name": "bob"}
    path.write_text(json.dumps({"messages": [one, other, "c"]}) + "\n")
    async with opened(path, dialect="calibrate") as app:
        await app.press("m")
        merged = {"role": "user", "content": "a\n\nb", "name": "bob"}
        assert json.loads(app.text) == {"messages": [merged, "c"]}
        await app.press("m")
        assert "one of these turns is not a message" in said(app.screen) and app.steps == 1


async def test_ctrl_t_splits_the_turn_at_the_cursor(hello):
    async with opened(hello) as app:
        await app.press("enter", *["left"] * 4, "ctrl+t")
        assert app.turns == ["What is ", "2+2?", "2 + 2 = 4."] or app.turns == ["What is", "2+2?", "2 + 2 = 4."]
        assert (app.roles, app.at) == (["user", "user", "assistant"], "user 2")
        assert not app.screen.conversation.editing
        while app.steps:
            await app.press("u")
        assert app.text.encode() == hello.read_bytes()


async def test_ctrl_t_in_a_tool_call_adds_its_result_and_splits_nothing(tmp_path):
    path = tmp_path / "deck.jsonl"
    path.write_text('{"messages": [{"role": "assistant", "content": null, "tool_calls": [{"id": "c"}]}]}\n')
    async with opened(path) as app:
        await app.press("enter", "left", "ctrl+t")
        assert app.roles == ["assistant", "tool"] and app.screen.typing
        await app.press("escape")
        assert app.text == path.read_text()


async def test_ctrl_t_at_the_end_of_a_text_writes_the_next_turn_and_of_an_option_the_next_option(tmp_path):
    path = tmp_path / "deck.json"
    path.write_text("[]")
    async with opened(path, dialect="gage") as app:
        await app.press(*"nHi", "ctrl+t", *"Ho", "ctrl+t", *"On", "ctrl+t", "ctrl+s")
        sample = json.loads(app.text)[0]
        assert [message["content"] for message in sample["messages"]] == ["Hi", "Ho", "On"]
        assert app.roles == ["user", "assistant", "user"]
        await app.press("escape", "+")
        await app.answer("options")
        await app.press("A", "tab", *"Whale", "ctrl+t", *"Shark", "ctrl+t", *"Ray", "escape")
        named = [(option["id"], option["content"]) for option in json.loads(app.text)[0]["options"]]
        assert named == [("A", "Whale"), ("B", "Shark"), ("C", "Ray")]
        await app.press("u")
        assert len(json.loads(app.text)[0]["options"]) == 2


async def test_ctrl_t_is_one_step_with_what_was_typed(hello):
    async with opened(hello) as app:
        await app.press("enter")
        await app.type("!!")
        await app.press("left", "ctrl+t")
        assert app.turns[:2] == ["What is 2+2?!", "!"]


async def test_merging_what_was_split_gives_the_text_again_with_a_blank_line(hello):
    async with opened(hello) as app:
        await app.press("enter", *["left"] * 4, "ctrl+t", "k", "m")
        assert app.turns[0].split() == ["What", "is", "2+2?"]


async def test_a_attaches_a_file_of_the_project(repository):
    (repository.parent / "notes").mkdir()
    (repository.parent / "notes" / "rules.txt").write_text("Be brief.")
    async with opened(repository) as app:
        await app.press("a")
        await app.dialog(*"rules", "enter")
        await app.until(lambda: app.steps)
        assert app.turns[0] == [
            {"type": "text", "value": "What is 2+2?"},
            {"type": "file", "value": "notes/rules.txt"},
        ]
        assert any("▤ file notes/rules.txt" in line for line in app.cards)
        assert "=== notes/rules.txt ===" in app.preview and "Be brief." in app.preview
        await app.press("u")
        assert app.text.encode() == app.disk


async def test_the_files_of_git_and_hidden_ones_are_not_offered(repository):
    async with opened(repository) as app:
        await app.press("a")
        await app.dialog()
        assert "hello.toml" in app.dialog_text and "HEAD" not in app.dialog_text
        await app.press("escape")
        assert app.steps == 0


async def test_undo_goes_where_the_edit_was_made(hello):
    async with opened(hello) as app:
        await app.press("j", "D", "]", "]", "u")
        assert (app.screen.index, app.at) == (0, "assistant 2")
        assert "undid: duplicate turn 2" in app.bar
        await app.press("]", "ctrl+r")
        assert (app.screen.index, app.at) == (0, "assistant 3")


async def test_undo_has_no_limit_and_ends_at_the_file(hello):
    before = hello.read_bytes()
    async with opened(hello) as app:
        await app.press(*["D", *"rrr", "d"] * 11)
        assert app.steps == 55
        await app.press(*["u"] * 55)
        assert app.text.encode() == before
        for _ in range(55):
            app.screen.run_command(AUTHOR["deck.redo"])
        assert app.steps == 55


async def test_a_turn_with_a_problem_is_marked_and_unmarked_as_it_is_written(hello):
    async with opened(hello) as app:
        await app.press("enter", "ctrl+a")
        await app.write("")
        await app.press("escape")
        assert "not sent" in app.cards[0]
        await app.press("enter", "x", "escape")
        assert "not sent" not in app.cards[0]


async def test_the_turns_around_the_one_being_edited_stay_in_sight(hello):
    async with opened(hello) as app:
        await app.press("]", "j", "enter")
        shown = "\n".join(drawn_lines(app.app.screen))
        assert "You are a patient algebra tutor" in shown
        assert "I have to solve 3x + 5 = 20" in shown
        assert "Let's get x alone" in shown


@pytest.mark.parametrize("key", ["tools", "functions"])
async def test_a_file_with_tools_and_no_answer_is_read_as_what_it_stays_after_an_edit(tmp_path, key):
    path = tmp_path / "deck.jsonl"
    path.write_text(f'{{"messages": [{{"role": "user", "content": "Weather?"}}], "{key}": []}}\n')
    async with opened(path) as app:
        assert app.screen.session.deck.kind.title == "OpenAI"
        await app.press("o", *"Fine.", "escape")
        assert app.screen.session.deck.kind.title == "OpenAI" and "read as" not in app.bar


async def test_tab_indents_in_a_block_of_code_and_goes_on_elsewhere(tmp_path):
    path = tmp_path / "deck.jsonl"
    text = "Fix:\n```py\ndef f():\nreturn 1\n```\nplease"
    path.write_text(json.dumps({"messages": [{"role": "user", "content": text}], "note": "x"}) + "\n")
    async with opened(path) as app:
        await app.press("enter")
        await app.settled()
        assert "tab Next value" in app.keys
        await app.press("up", "up", "home")
        await app.settled()
        assert "tab Indent" in app.keys and "esc Done" in app.keys
        await app.press("tab", "escape")
        assert app.turns == [text.replace("return", "    return")]
        await app.press("enter", "up", "up", "shift+tab", "shift+up", "tab", "escape")
        assert app.turns == [text.replace("def", "    def").replace("return", "    return")]
        await app.press("enter", "tab")
        assert app.at == "note" and app.screen.typing
