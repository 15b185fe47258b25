"""Samples and turns cut, copied and pasted: by the clipboard as JSON, and from what others write."""

from __future__ import annotations

import json

import pytest
from textual import events

from .decks import DECKS_BY_FORM, JSONL, TOML, YAML
from .driver import opened, said


@pytest.fixture(params=DECKS_BY_FORM)
def deck(request, tmp_path):
    path = tmp_path / f"deck.{request.param}"
    path.write_text(DECKS_BY_FORM[request.param])
    return path


async def test_turns_are_copied_as_json_and_pasted_into_another_sample(deck, system):
    async with opened(deck) as app:
        await app.press("space", "space", "ctrl+c", "o")
        assert [one["role"] for one in json.loads(system[0])] == ["user", "assistant"]
        await app.press("]", "ctrl+v")
        assert "Paste 2 turns into two" in app.dialog_text and "First" in app.dialog_text
        await app.press("enter")
        assert app.turns[1:] == ["First", "Second"] and app.steps == 1
        assert len(app.screen.marks.turns) == 2
        await app.press("u")
        assert app.text == deck.read_text()
        await app.press("ctrl+v", "escape")
        assert app.steps == 0, "a cancelled paste"


async def test_items_are_pasted_into_the_same_list_of_another_sample_below_the_cursor_or_at_its_end(
    tmp_path, system
):
    path = tmp_path / "deck.json"
    turns = [{"role": "user", "content": "x"}]
    named = [[{"id": name, "content": name * 2} for name in names] for names in ("ABC", "DE")]
    samples = [{"id": str(index), "messages": turns, "options": one} for index, one in enumerate(named)]
    path.write_text(json.dumps([*samples, {"id": "2", "messages": turns}]))
    async with opened(path) as app:
        await app.press(
            "home", "j", "j", "j", "space", "space", "ctrl+x", "]", "home", "j", "j", "j", "ctrl+v", "enter"
        )
        assert [option["id"] for option in json.loads(app.text)[1]["options"]] == [*"DABE"] and app.steps == 2
        await app.press("u", "]", "ctrl+v", "enter")
        options = [sample["options"] for sample in json.loads(app.text)]
        assert [[option["id"] for option in listed] for listed in options] == [["C"], ["D", "E"], ["A", "B"]]
        await app.press("u", "u")
        assert app.text == path.read_text()
        await app.press("+")
        await app.answer("metadata.from.page: 3")
        await app.press("ctrl+c", "o", "]", "ctrl+v", "enter")
        assert [sample.get("metadata") for sample in json.loads(app.text)].count({"from": {"page": 3}}) == 2


async def test_cut_samples_are_pasted_elsewhere_under_their_ids(deck, system):
    async with opened(deck) as app:
        await app.press("shift+tab", "ctrl+x")
        assert app.ids == ["two"] and json.loads(system[0])["id"] == "one"
        await app.press("ctrl+v", "enter")
        assert app.ids == ["two", "one"]
        await app.press("ctrl+v", "enter")
        assert app.ids == ["two", "one", "one-2"]


async def test_samples_cross_dialects(tmp_path, system):
    other = tmp_path / "other.yaml"
    other.write_text(YAML)
    path = tmp_path / "deck.toml"
    path.write_text(TOML)
    async with opened(other) as app:
        await app.press("shift+tab", "*", "ctrl+c", "o")
    async with opened(path) as app:
        await app.press("shift+tab", "ctrl+v", "enter")
        assert app.ids == ["one", "one-2", "two-2", "two"]
        assert app.screen.session.deck.samples[1].data["messages"][0] == {"role": "user", "content": "First"}


WRITTEN_BY_OTHERS = [
    ("User: Hi\nthere\n\nAssistant: **Yo**: you\n", ["user", "assistant"], ["Hi\nthere", "**Yo**: you"]),
    ("**Human:** a\n**AI:** b", ["user", "assistant"], ["a", "b"]),
    ("### System:\nBe kind.\n### User:\nHi", ["system", "user"], ["Be kind.", "Hi"]),
    ('{"role": "tool", "content": "4"}', ["tool"], ["4"]),
    (
        '{"role": "user", "content": "a"}\n{"role": "assistant", "content": "b"}',
        ["user", "assistant"],
        ["a", "b"],
    ),
    (
        "  - role: user\n    content: a\n  - role: assistant\n    content: |\n      b\n",
        ["user", "assistant"],
        ["a", "b\n"],
    ),
    ("- id: x\n  input: What?\n  criteria: c\n", ["user"], ["What?"]),
    ('[[samples]]\nid = "x"\nmessages = [{role = "user", content = "T"}]\n', ["user"], ["T"]),
    (
        '{"conversations": [{"from": "human", "value": "a"}, {"from": "gpt", "value": "b"}]}',
        ["user", "assistant"],
        ["a", "b"],
    ),
    ("Just words", ["user"], ["Just words"]),
    ("[1, 2]", ["user"], ["[1, 2]"]),
]


async def test_what_others_write_becomes_turns(tmp_path, system):
    path = tmp_path / "deck.jsonl"
    path.write_text(JSONL)
    async with opened(path) as app:
        await app.press("j")
        for text, roles, turns in WRITTEN_BY_OTHERS:
            system[0] = text
            await app.press("ctrl+v", "enter")
            assert (app.roles[2:], app.turns[2:]) == (roles, turns), text
            await app.press("u")
            assert app.text == JSONL and app.at == "assistant 2", text


async def test_samples_that_stand_without_messages_are_pasted_as_samples(tmp_path, system):
    path = tmp_path / "promptfooconfig.yaml"
    path.write_text("prompts: ['{{q}}']\nproviders: [echo]\ntests:\n  - vars: {q: a}\n  - vars: {q: b}\n")
    async with opened(path) as app:
        await app.press("shift+tab", "ctrl+c", "o")
        assert json.loads(system[0]) == {"vars": {"q": "a"}}
        await app.press("ctrl+v", "enter")
        assert [one.data["vars"]["q"] for one in app.screen.session.deck.samples] == ["a", "a", "b"]


async def test_a_clipboard_without_turns_and_turns_marked_beside_fields_are_refused(tmp_path, system):
    path = tmp_path / "deck.jsonl"
    path.write_text(JSONL)
    async with opened(path) as app:
        await app.press("ctrl+v")
        assert "empty" in said(app.screen)
        system[0] = '{"id": "x", "messages": []}'
        await app.press("j", "ctrl+v")
        assert "no turns" in said(app.screen) and app.steps == 0
        system[0] = ""
        await app.press("home", "space", "end", "space", "ctrl+c")
        assert "turns and fields are marked" in said(app.screen) and not system[0]


async def test_a_paste_of_the_terminal_is_shown_and_taken(tmp_path):
    path = tmp_path / "deck.jsonl"
    path.write_text(JSONL)
    async with opened(path) as app:
        app.app.post_message(events.Paste("User: a\rAssistant: b"))
        await app.press("enter")
        assert app.turns == ["First", "a", "b", "Second"]


async def test_fields_are_copied_and_pasted_by_their_keys(tmp_path, system):
    path = tmp_path / "deck.toml"
    path.write_text(TOML)
    async with opened(path) as app:
        await app.press("end", "ctrl+c", "o")
        assert json.loads(system[0]) == {"score": 3}
        await app.press("]", "ctrl+v", "enter")
        assert app.screen.session.deck.samples[1].data["score"] == 3


CHAT = "User: 2 + 2?\n\nAssistant: 4"
TALK = {"conversations": [{"from": "human", "value": "2 + 2?"}, {"from": "gpt", "value": "4"}]}
ALPACA = {"instruction": "2 + 2?", "output": "4"}
FINE_TUNING = {
    "messages": [{"role": "user", "content": "2 + 2?"}, {"role": "assistant", "content": "4"}],
}
CASE = {"id": "sum", "input": "2 + 2?", "target": "4", "files": {"a": "b.txt"}}


NO_PLACE = "files: dropped, ShareGPT has no place"


@pytest.mark.parametrize(
    ("row", "pastes"),
    [
        (TALK, [(CHAT, TALK, ""), (json.dumps(FINE_TUNING), TALK, "")]),
        (TALK | {"id": "a"}, [(json.dumps(CASE), {"id": "sum"} | TALK, NO_PLACE)]),
        (
            ALPACA,
            [
                (CHAT, ALPACA, ""),
                (json.dumps(TALK), TALK, ""),
                (json.dumps(CASE), {"id": "sum"} | ALPACA, NO_PLACE),
            ],
        ),
        (
            FINE_TUNING,
            [
                (CHAT, FINE_TUNING, ""),
                (json.dumps(ALPACA), FINE_TUNING, ""),
                (json.dumps(CASE), FINE_TUNING, "id: dropped, OpenAI has no place"),
            ],
        ),
        ({"question_id": 1, "turns": ["Hi"]}, [(CHAT, {"id": "sample"} | TALK, "")]),
    ],
)
async def test_samples_and_turns_become_samples_as_the_deck_has_them(tmp_path, system, row, pastes):
    path = tmp_path / "deck.jsonl"
    path.write_text(json.dumps(row) + "\n")
    async with opened(path) as app:
        await app.press("shift+tab")
        for text, added, told in pastes:
            system[0] = text
            await app.press("ctrl+v")
            assert told in " ".join(app.dialog_text.split()), text
            await app.press("enter")
            assert [one.data for one in app.screen.session.deck.samples[1:]] == [added], text
            await app.press("u")


async def test_cut_turns_are_gone_and_pasted_where_the_cursor_is(tmp_path, system):
    path = tmp_path / "deck.jsonl"
    path.write_text(JSONL)
    async with opened(path) as app:
        await app.press("j", "ctrl+x")
        assert (app.turns, json.loads(system[0])) == (["First"], [{"role": "assistant", "content": "Second"}])
        await app.press("ctrl+v", "enter", "home", "ctrl+v", "enter")
        assert app.turns == ["First", "Second", "Second"] and app.at == "assistant 2"
        await app.press("end", "ctrl+v", "enter")
        assert app.turns == ["First", "Second", "Second", "Second"] and app.at == "assistant 4"


async def test_turns_become_pairs_where_a_sample_has_its_earlier_turns_as_pairs(tmp_path, system):
    path = tmp_path / "deck.jsonl"
    path.write_text(json.dumps(ALPACA | {"history": [["a", "b"]]}) + "\n")
    system[0] = CHAT
    async with opened(path) as app:
        await app.press("ctrl+v", "enter")
        assert json.loads(app.text)["history"] == [["a", "b"], ["2 + 2?", "4"]]


async def test_of_pairs_that_are_deleted_the_next_has_the_cursor(tmp_path):
    path = tmp_path / "deck.jsonl"
    path.write_text(json.dumps(ALPACA | {"history": [["a", "b"], ["c", "d"], ["e", "f"]]}) + "\n")
    async with opened(path) as app:
        app.screen.go_to(("history", 1, 1))
        await app.press("d")
        assert json.loads(app.text)["history"] == [["a", "b"], ["e", "f"]]
        assert app.screen.here.path == ("history", 1, 0)


async def test_turns_of_the_user_become_texts_among_texts(tmp_path, system):
    path = tmp_path / "deck.jsonl"
    path.write_text(json.dumps({"question_id": 1, "turns": ["Hi", "Bye"]}) + "\n")
    system[0] = '[{"role": "user", "content": "Well"}]'
    async with opened(path) as app:
        await app.press("ctrl+v", "enter")
        assert json.loads(app.text)["turns"] == ["Hi", "Well", "Bye"]


async def test_where_the_messages_are_no_list_no_turn_is_pasted(tmp_path, system):
    path = tmp_path / "deck.jsonl"
    path.write_text('{"id": "a", "messages": {"role": "user"}}\n')
    system[0] = CHAT
    async with opened(path) as app:
        await app.press("ctrl+v", "enter")
        assert "not a list; turns cannot be added" in said(app.screen) and app.text == path.read_text()


async def test_turns_cross_spellings_both_ways(tmp_path, system):
    talk, chat = tmp_path / "talk.jsonl", tmp_path / "chat.jsonl"
    talk.write_text(json.dumps(TALK) + "\n")
    chat.write_text(json.dumps(FINE_TUNING) + "\n")
    async with opened(talk) as app:
        await app.press("space", "space", "ctrl+c", "o", "ctrl+v", "enter")
        assert app.screen.session.deck.samples[0].data["conversations"] == TALK["conversations"] * 2
    async with opened(chat) as app:
        await app.press("j", "ctrl+v", "enter")
        assert app.screen.session.deck.samples[0].data["messages"] == FINE_TUNING["messages"] * 2
        await app.press("space", "k", "space", "ctrl+c", "o")
    async with opened(talk) as app:
        await app.press("j", "ctrl+v", "enter")
        spoken = app.screen.session.deck.samples[0].data["conversations"]
        assert len(spoken) == 4 and all(one.keys() == {"from", "value"} for one in spoken)


@pytest.mark.parametrize("form", ["jsonl", "yaml"])
async def test_dates_are_pasted_as_texts_where_there_are_none_and_that_is_told(tmp_path, system, form):
    path = tmp_path / f"deck.{form}"
    path.write_text(DECKS_BY_FORM[form])
    held = 'id = "dated"\nwhen = 2024-01-02\nmetadata = {seen = [2024-01-02T03:04:05+02:00]}'
    system[0] = f'[[samples]]\n{held}\nmessages = [{{role = "user", content = "Hi"}}]\n'
    async with opened(path) as app:
        await app.press("shift+tab", "ctrl+v")
        assert "when: a date or time is written as text" in app.dialog_text
        assert "metadata.seen: a date or time is written as text" in app.dialog_text
        await app.press("enter")
        assert "2024-01-02T03:04:05+02:00" in app.text and app.ids == ["one", "dated", "two"]


async def test_dates_that_are_copied_as_texts_are_told(tmp_path, system):
    path = tmp_path / "deck.toml"
    path.write_text(TOML.replace("score = 3", "score = 2024-01-02"))
    async with opened(path) as app:
        await app.press("shift+tab", "ctrl+c", "o")
        assert said(app.screen) == "✓ copied sample 1 as JSON; dates and times are texts in it"
        assert json.loads(system[0])["score"] == "2024-01-02"


LONGER = "User: What is 2+2?\nAssistant: 4\nUser: Sure?\nAssistant: Yes"


async def paste(app, text):
    app.app.post_message(events.Paste(text))
    await app.settled()


async def test_a_chat_that_is_pasted_into_a_new_turn_or_sample_is_split_as_one_step(deck):
    async with opened(deck) as app:
        await app.press("o")
        await paste(app, LONGER)
        assert "4 turns" in app.dialog_text and "Split" in app.dialog_text
        await app.press("enter")
        assert app.turns == ["First", "What is 2+2?", "4", "Sure?", "Yes", "Second"] and app.steps == 1
        assert not app.screen.typing
        await app.press("u")
        assert app.text == deck.read_text()
        await app.press("n")
        await paste(app, f"System: Be brief.\n{LONGER}")
        await app.press("enter")
        assert app.turns == ["Be brief.", "What is 2+2?", "4", "Sure?", "Yes"] and app.steps == 1
        assert app.screen.sample.id == "what-is-2-2"
        await app.press("u")
        assert app.text == deck.read_text()


async def test_a_chat_kept_as_one_text_or_within_a_text_and_any_other_text_is_pasted_as_it_is(tmp_path):
    path = tmp_path / "deck.jsonl"
    path.write_text(JSONL)
    async with opened(path) as app:
        await app.press("o")
        await paste(app, LONGER)
        await app.press("escape", "!")
        assert app.screen.conversation.editor.value == f"{LONGER}!"
        await app.press("escape", "u", "o", "x")
        await paste(app, LONGER)
        assert app.screen.conversation.editor.value == f"x{LONGER}"
        for text in ("one line", "two\nlines", '{"a": 1}', "User: one turn alone", "user: a log\nuser: goes on"):
            await app.press("escape", "u", "o")
            await paste(app, text)
            await app.press("!")
            assert app.screen.conversation.editor.value == f"{text}!"


NULL_CONTENT = [
    {"role": "user", "content": "Weather?"},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}],
    },
    {"role": "tool", "tool_call_id": "c1", "content": "ok"},
]


async def test_turns_that_call_without_content_are_pasted_into_toml(tmp_path, system):
    path = tmp_path / "deck.toml"
    path.write_text(TOML)
    system[0] = json.dumps(NULL_CONTENT)
    async with opened(path) as app:
        await app.press("ctrl+v", "enter")
        assert "Weather?" in app.turns and app.steps == 1


async def test_any_other_null_is_told_with_its_place_before_anything_is_pasted(tmp_path, system):
    path = tmp_path / "deck.toml"
    path.write_text(TOML)
    system[0] = json.dumps([*NULL_CONTENT, {"role": "user", "content": "x", "name": None}])
    async with opened(path) as app:
        await app.press("ctrl+v")
        assert "leave out name of turn 4; nothing was pasted" in said(app.screen)
        assert app.steps == 0
