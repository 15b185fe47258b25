"""Fields of every type: added, changed, moved, renamed, folded, and read back by another reader."""

from __future__ import annotations

import datetime as dt
import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from .driver import DECKS, keys_of, opened, said

HELLO = DECKS / "hello.toml"


def toml(app: Any, index: int = 0) -> dict[str, Any]:
    found: dict[str, Any] = tomllib.loads(app.text)["samples"][index]
    return found


def line(app: Any, index: int = 0) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(app.text.splitlines()[index])
    return found


async def add(app: Any, name: str) -> None:
    await app.press("+")
    await app.answer(name)
    await app.until(lambda: app.app.screen is app.screen)
    await app.settled()


@pytest.fixture
def deck(tmp_path: Path):
    def written(name: str, text: str) -> Path:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return written


MINIMAL = '[[samples]]\nmessages = [{ role = "user", content = "Hi" }]\n'
BESIDE = MINIMAL + 'expected = { score = 1, reason = "x" }\n'


async def test_a_number_is_a_number(deck):
    async with opened(deck("a.toml", MINIMAL)) as app:
        await add(app, "score")
        await app.type("3")
        await app.press("escape")
        assert toml(app)["score"] == 3
        assert "#  3" in "\n".join(app.cards)


async def test_where_the_dialect_is_silent_the_deck_tells_the_type(deck):
    async with opened(deck("a.toml", MINIMAL + "\n" + BESIDE)) as app:
        await add(app, "expected")
        await app.type('{"score": 1}')
        await app.press("escape")
        assert toml(app)["expected"] == {"score": 1}
        await add(app, "expected.reason")
        await app.type("because")
        await app.press("escape")
        assert toml(app)["expected"] == {"score": 1, "reason": "because"}


async def test_where_nothing_tells_the_type_the_author_chooses(deck):
    async with opened(deck("a.toml", MINIMAL)) as app:
        await app.press("+")
        await app.answer("expected.score")
        await app.answer("number")
        await app.until(lambda: app.screen.conversation.editing)
        await app.type("-1.5")
        await app.press("escape")
        assert toml(app)["expected"] == {"score": -1.5}


async def test_required_references_become_a_list_and_take_items(deck):
    text = '{"schema_version": "v1", "id": "a", "messages": [{"role": "user", "content": "Hi"}]}\n'
    async with opened(deck("a.jsonl", text), dialect="gage") as app:
        await add(app, "references")
        await app.press("escape")
        assert app.text == text, "nothing was written of it"
        await add(app, "references")
        await app.type("Paris")
        await app.press("escape", "o")
        await app.until(lambda: app.screen.conversation.editing)
        await app.type("Rome")
        await app.press("escape")
        assert line(app)["references"] == ["Paris", "Rome"]
        await app.press("K", "D")
        await app.settled()
        assert line(app)["references"] == ["Rome", "Rome", "Paris"]
        await app.press("d", "u", "u", "u")
        assert line(app)["references"] == ["Paris", "Rome"]


async def test_an_option_is_added_with_its_fields(deck):
    async with opened(deck("a.jsonl", (DECKS / "gage.jsonl").read_text(encoding="utf-8"))) as app:
        await app.press("]", "j")
        await app.settled()
        count = len(line(app, 1)["options"])
        await add(app, f"options[{count}].content")
        await app.type("Whale")
        await app.press("escape")
        assert line(app, 1)["options"][count] == {"content": "Whale"}


async def test_the_type_of_a_value_changes_and_keeps_what_it_can(deck):
    async with opened(deck("a.toml", MINIMAL + 'score = "3"\n')) as app:
        await app.press("j", "t")
        await app.answer("number")
        await app.settled()
        assert toml(app)["score"] == 3
        await app.press("t")
        assert "true/false" in app.dialog_text and "nothing" not in app.dialog_text, "TOML has no null"
        await app.press("escape")
        assert toml(app)["score"] == 3


async def test_a_text_of_a_message_becomes_segments_and_any_other_text_an_item(deck):
    async with opened(deck("a.toml", MINIMAL + 'odd = "x"\n')) as app:
        await app.press("t", *"list", "enter")
        assert toml(app)["messages"][0]["content"] == [{"type": "text", "value": "Hi"}]
        await app.press("G", "t", *"list", "enter")
        assert toml(app)["odd"] == ["x"]


async def test_a_value_of_nothing_becomes_a_value_of_another_type(deck):
    async with opened(deck("a.jsonl", '{"messages": [{"role": "user", "content": "Hi"}], "odd": null}\n')) as app:
        await app.press("G", "t", *"list", "enter")
        assert line(app)["odd"] == []


async def test_a_new_value_of_nothing_is_not_opened(deck):
    async with opened(deck("a.jsonl", '{"messages": [{"role": "user", "content": "Hi"}]}\n')) as app:
        await app.press("+", *"new", "enter", *"nothing", "enter")
        assert (line(app)["new"], app.at, app.screen.typing) == (None, "new", False)


async def test_a_field_that_is_there_is_gone_to_and_opened(deck):
    async with opened(deck("a.toml", BESIDE)) as app:
        await app.press("end", "Z")
        assert "expected.reason" not in "".join(app.cards)
        await add(app, "expected.reason")
        assert "expected.reason is there already" in app.bar and app.at == "expected.reason" and app.steps == 0


async def test_an_item_of_a_type_that_is_not_chosen_is_not_added(deck):
    async with opened(deck("a.jsonl", '{"messages": [], "odd": []}\n')) as app:
        await app.press("end", "o", "escape")
        assert app.steps == 0 and app.bar.startswith("\n")


async def test_a_text_that_is_no_number_stays(deck):
    text = MINIMAL + 'score = "three"\n'
    async with opened(deck("a.toml", text)) as app:
        await app.press("j", "t")
        await app.answer("number")
        await app.settled()
        assert "says no number" in app.bar
        assert app.text == text


async def test_a_key_is_renamed(deck):
    async with opened(deck("a.toml", MINIMAL + "scor = 3 # mine\n")) as app:
        await app.press("j", "N")
        await app.answer("score")
        await app.settled()
        assert app.text == MINIMAL + "score = 3 # mine\n"


async def test_the_keys_of_a_turn_are_renamed_and_that_of_its_tool_calls_for_all_of_them(deck):
    turn = {"role": "assistant", "content": "Hi", "name": "bob", "tool_calls": CALLS}
    async with opened(deck("a.jsonl", json.dumps({"id": "a", "messages": [turn]}) + "\n")) as app:
        await app.press("l", "l", "l", "N", *["backspace"] * 20, *"calls", "enter")
        assert line(app)["messages"][0]["calls"] == CALLS
        app.screen.go_to(("messages", 0, "name"))
        await app.press("N", *["backspace"] * 20, *"called", "enter")
        assert line(app)["messages"][0]["called"] == "bob"


async def test_messages_inside_fields_are_turns(deck):
    text = json.dumps(
        {
            "schema_version": "v1",
            "id": "a",
            "messages": [{"role": "user", "content": "Hi"}],
            "references": [],
            "few_shot_examples": [{"messages": [{"role": "user", "content": "1+1"}], "references": ["2"]}],
            "golden_trajectories": [[{"role": "assistant", "content": "Hello"}]],
        }
    )
    async with opened(deck("a.jsonl", text + "\n")) as app:
        shots = ("few_shot_examples", 0, "messages", 0)
        app.screen.go_to(shots)
        await app.settled()
        assert app.at == "user 1"
        await app.press("r")
        assert line(app)["few_shot_examples"][0]["messages"][0]["role"] == "assistant"
        await app.press("u", "o")
        await app.until(lambda: app.screen.conversation.editing)
        await app.type("2")
        await app.press("escape")
        assert line(app)["few_shot_examples"][0]["messages"] == [
            {"role": "user", "content": "1+1"},
            {"role": "assistant", "content": "2"},
        ]
        app.screen.go_to(("golden_trajectories", 0, 0))
        await app.settled()
        await app.press("D", "J")
        await app.settled()
        assert len(line(app)["golden_trajectories"][0]) == 2


async def test_a_name_of_a_message_is_added_and_deleted(deck):
    async with opened(deck("a.toml", MINIMAL)) as app:
        await add(app, "messages[0].name")
        await app.type("bob")
        await app.press("escape")
        assert toml(app)["messages"][0] == {"role": "user", "content": "Hi", "name": "bob"}
        await app.press("x")
        await app.settled()
        assert toml(app)["messages"][0] == {"role": "user", "content": "Hi"}


CALLS = [{"id": name, "type": "function", "function": {"name": name, "arguments": "{}"}} for name in "abc"]
SEGMENTS = [{"type": "text", "text": name} for name in "abc"]


def names(items: list[dict[str, Any]]) -> str:
    return "".join(one.get("id") or one["text"] for one in items)


@pytest.mark.parametrize(("key", "held"), [("tool_calls", CALLS), ("content", SEGMENTS)])
async def test_segments_and_tool_calls_move_double_and_go_one_by_one(deck, key, held):
    turns = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": None, key: held}]
    text = json.dumps({"schema_version": "v1", "id": "a", "messages": turns, "references": ["x"]}) + "\n"
    async with opened(deck("a.jsonl", text), dialect="gage") as app:

        async def after(*keys: str) -> str:
            await app.press(*keys)
            await app.settled()
            assert [one["role"] for one in line(app)["messages"]] == ["user", "assistant"]
            return names(line(app)["messages"][1].get(key, []))

        assert await after("j", "<") == "abc"
        assert "first" in app.bar
        assert await after(">") == "bac"
        assert await after(">") == "bca"
        assert await after(">") == "bca"
        assert "last" in app.bar
        assert await after("<") == "bac"
        assert await after("X") == ("baac" if key == "content" else "bacall_1c")  # two calls share no id
        assert await after("x", "x") == "ba"
        assert await after("x") == "b"
        assert await after("x") == ""
        assert key == "content" or "tool_calls" not in line(app)["messages"][1]
        for _ in range(9):
            await app.press("u")
        assert app.text == text


async def test_one_tool_call_is_edited_and_leaves_the_others_as_they_are(deck):
    turns = [{"role": "assistant", "content": "", "tool_calls": CALLS}]
    text = json.dumps({"schema_version": "v1", "id": "a", "messages": turns, "references": ["x"]}) + "\n"
    async with opened(deck("a.jsonl", text), dialect="gage") as app:
        await app.press("l", "Z", "enter")
        await app.write('{"id": "z"}')
        await app.press("escape")
        assert line(app)["messages"][0]["tool_calls"] == [CALLS[0], {"id": "z"}, CALLS[2]]
        assert text.replace(json.dumps(CALLS[1]), '{"id": "z"}') == app.text


async def test_large_values_are_folded_until_asked(deck):
    rows = ", ".join(f"{{ n = {at}, what = 'row number {at}' }}" for at in range(50))
    async with opened(deck("a.toml", MINIMAL + f"table = [{rows}]\n")) as app:
        await app.press("j")
        assert not any("table[3]" in card for card in app.cards)
        assert any("▸ table" in card and "50 items" in card for card in app.cards)
        await app.press("Z")
        assert any("table[3]" in card for card in app.cards)
        await app.press("j", "j", "Z", "Z")
        assert any("▸ table[0]" in card for card in app.cards) or app.at == "table[0]"


@pytest.mark.parametrize(
    ("text", "attached"),
    [
        (
            '{"schema_version": "v1", "references": [], "id": "a", "messages": []}',
            {"x.png": "image_url", "x.mp3": "audio_url", "x.mp4": "video_url", "x.pdf": "file_url"},
        ),
        (
            '{"id": "a", "input_messages": []}',
            {"x.pdf": "file", "https://example.com/x.png?v=1": "image_url"},
        ),
    ],
)
async def test_what_is_attached_is_spelled_as_the_dialect_has_it(deck, text, attached):
    text = text.replace("[]}", '[{"role": "user", "content": "Look"}]}') + "\n"
    async with opened(deck("a.jsonl", text)) as app:
        for target, wanted in attached.items():
            await app.press("a", *keys_of(target), "enter")
            data = line(app)
            first, second = (data.get("messages") or data["input_messages"])[0]["content"]
            assert first["type"] == "text"
            value = (
                {"type": "file", "value": target} if wanted == "file" else {"type": wanted, wanted: {"url": target}}
            )
            assert second == value
            await app.press("u")
            assert app.text == text, target


async def test_a_new_gage_sample_has_what_is_required(deck):
    text = (DECKS / "gage.jsonl").read_text(encoding="utf-8").splitlines()[0]
    async with opened(deck("a.jsonl", text + "\n")) as app:
        await app.press("n")
        await app.until(lambda: app.screen.conversation.editing)
        await app.type("Which?")
        await app.press("escape")
        new = line(app, 1)
        assert (new["schema_version"], new["references"]) == ("v1", [])
        assert list(new)[:2] == ["schema_version", "id"]
        assert not [found for found in app.screen.session.problems.of(1) if found.severity == "error"]


async def test_a_keyed_deck_asks_for_names(deck):
    async with opened(deck("a.toml", (DECKS / "keyed.toml").read_text(encoding="utf-8"))) as app:
        await app.press("n")
        await app.answer("says-nothing")
        await app.until(lambda: app.screen.conversation.editing)
        await app.type("Hello?")
        await app.press("escape", "shift+tab")
        assert tomllib.loads(app.text)["samples"]["says-nothing"]["messages"][0]["content"] == "Hello?"
        await app.press("N")
        await app.answer("other")
        await app.settled()
        assert "says-nothing" not in app.text
        assert [*tomllib.loads(app.text)["samples"]][1] == "other"


async def test_a_name_that_is_typed_inside_a_table_may_be_a_key_of_it(deck):
    async with opened(deck("a.toml", BESIDE)) as app:
        await app.press("end", "+")
        await app.dialog()
        await app.type("owner")
        assert "expected.owner" in app.dialog_text
        await app.press("enter")
        await app.dialog()
        await app.press("enter")
        await app.until(lambda: app.app.screen is app.screen)
        await app.type("me")
        await app.press("escape")
        assert toml(app)["expected"] == {"score": 1, "reason": "x", "owner": "me"}


async def test_help_on_fields_is_told_whole_where_there_is_room(deck):
    async with opened(deck("a.jsonl", (DECKS / "gage.jsonl").read_text(encoding="utf-8"))) as app:
        await app.press("+")
        await app.dialog()
        assert "Reference trajectories" in app.dialog_text


async def test_names_of_fields_are_told_whole_in_a_narrow_terminal(hello):
    async with opened(hello, size=(80, 24)) as app:
        await app.press("+")
        assert "messages[0].tool_call_id  text " in app.dialog_text


async def test_the_cursor_stays_at_its_place_when_a_field_or_an_item_is_deleted(deck):
    fields = MINIMAL + 'id = "a"\nscore = 1\n\n[samples.expected]\nx = [1, 2, 3]\n'
    async with opened(deck("a.toml", fields)) as app:
        await app.press("j", "d")
        assert (app.at, toml(app).get("id")) == ("score", None)
        await app.press("end", "d")
        assert app.at == "expected"
        await app.press("d")
        assert app.at == "score"
        await app.press("d")
        assert toml(app) == {"messages": [{"role": "user", "content": "Hi"}]}


OPTIONS = (
    '{"schema_version": "v1", "id": "a", "messages": [%s], "references": [], "options": [%s], "tools": [%s]}\n'
)
TEXT = '{"role": "user", "content": [{"type": "text", "text": "Hi"}]}'
TOOL = '{"type": "function", "function": {"name": "f"}}'


async def test_the_cursor_goes_to_the_item_before_the_last_one_that_is_deleted(deck):
    options = ", ".join(f'{{"id": "{name}", "content": "x"}}' for name in "ABC")
    async with opened(deck("a.jsonl", OPTIONS % (TEXT, options, TOOL))) as app:
        await app.until(lambda: app.screen.conversation.items)
        app.screen.go_to(("options", 2))
        await app.settled()
        await app.press("d", "d")
        assert [one["id"] for one in line(app)["options"]] == ["A"]


async def test_new_turns_and_samples_have_segments_where_the_others_have(deck):
    text = [{"type": "text", "text": "typed"}]
    async with opened(deck("a.jsonl", OPTIONS % (TEXT, "", TOOL))) as app:
        await app.press("o")
        await app.type("typed")
        await app.press("escape", "n")
        await app.type("typed")
        await app.press("escape")
        assert line(app)["messages"][1] == {"role": "assistant", "content": text}
        assert line(app, 1)["messages"] == [{"role": "user", "content": text}]


async def test_of_a_new_tool_the_name_is_written_first(deck):
    async with opened(deck("a.jsonl", OPTIONS % (TEXT, "", TOOL))) as app:
        app.screen.go_to(("tools", 0))
        await app.press("o")
        await app.type("book")
        await app.press("escape")
        assert line(app)["tools"][1] == {"type": "function", "function": {"name": "book"}}


async def test_a_typed_text_is_quoted_as_the_other_texts_of_the_deck(deck):
    plain = "tests:\n  - id: a\n    input_messages:\n      - role: user\n        content: Hi there\n"
    async with opened(deck("a.yaml", plain)) as app:
        await app.press("o")
        await app.type("two\nlines")
        await app.press("escape", "n")
        await app.type("Typed")
        await app.press("escape")
        assert "content: |-\n          two\n          lines\n" in app.text
        assert "content: Typed\n" in app.text


async def test_what_is_typed_for_a_key_inside_a_tool_call_is_its_value(deck):
    text = OPTIONS % (TEXT, "", TOOL)
    async with opened(deck("a.jsonl", text)) as app:
        for name, typed, call in (
            ("tool_calls[0].function.name", "look", {"function": {"name": "look"}}),
            ("tool_calls[0]", "c", {"id": "c", "type": "function", "function": {"name": "", "arguments": {}}}),
        ):
            await app.press("+", *keys_of(f"messages[0].{name}"), "enter")
            if app.app.screen is not app.screen:
                assert "Type of the new value" in app.dialog_text
                await app.press("enter")
            await app.type(typed)
            await app.press("escape")
            assert line(app)["messages"][0]["tool_calls"] == [call]
            await app.press(*"u" * app.steps)
            assert app.text == text, name


async def test_a_copy_of_a_key_and_what_is_moved_from_inside_stay_where_they_are(deck):
    options = [{"content": name} for name in "abc"]
    text = json.dumps({"messages": [], "options": options, "expected": {"score": 1}}) + "\n"
    async with opened(deck("a.jsonl", text)) as app:
        app.screen.unfold(("options", 0, "content"))
        app.screen.go_to(("options", 0, "content"))
        await app.press("J", "J")
        assert [one["content"] for one in line(app)["options"]] == ["b", "c", "a"]
        assert app.at == "options[2].content"
        await app.press("u")
        assert "undid: move item 2" in app.bar
        app.screen.unfold(("expected", "score"))
        app.screen.go_to(("expected", "score"))
        await app.press("D", *"second", "enter")
        assert line(app)["expected"] == {"score": 1, "second": 1} and app.at == "expected.second"


async def test_the_first_turn_of_a_sample_without_any_begins_its_list(deck):
    async with opened(deck("a.jsonl", '{"id": "a"}\n'), dialect="calibrate") as app:
        await app.press("o")
        await app.type("Hi")
        await app.press("escape")
        assert line(app) == {"id": "a", "messages": [{"role": "user", "content": "Hi"}]}


async def test_a_field_is_folded_from_inside_and_from_nowhere_else(deck):
    async with opened(deck("a.jsonl", '{"messages": [], "y": {"a": 1}, "z": 2}\n')) as app:
        await app.press("end", "Z")
        assert "nothing here to fold" in app.bar and len(app.screen.conversation.items) == 3
        await app.press("k", "Z")
        assert app.at == "y" and len(app.screen.conversation.items) == 2


async def test_what_is_attached_comes_after_what_is_there(deck):
    contents: list[Any] = ["", "Hi", SEGMENTS[:2]]
    rows = [json.dumps({"messages": [{"role": "user", "content": content}]}) + "\n" for content in contents]
    async with opened(deck("a.jsonl", "".join(rows)), dialect="calibrate") as app:
        for index, content in enumerate(contents):
            await app.press("a", *keys_of("http://h/x.png"), "enter")
            held = line(app, index)["messages"][0]["content"]
            there = content if isinstance(content, list) else [{"type": "text", "value": content}] * bool(content)
            assert held[:-1] == there and "http://h/x.png" in str(held[-1])
            await app.press("u", "]")


ENTERED: list[tuple[str, list[str], Any]] = [
    ('tags = ["math"]', ["enter", "enter", *"logic", "enter", "escape"], ["math", "logic"]),
    ('tags = ["math", "b"]', ["enter", "backspace", "backspace", "escape"], ["math"]),
    ("tags = []", ["enter", *"math", "escape"], ["math"]),
    ("done = true", ["enter", "enter"], False),
    ("done = true", ["enter", "f"], False),
    ("done = false", ["enter", "t"], True),
    ("done = true", ["enter", "escape"], True),
    ("score = 1", ["enter", "backspace", *"0.5", "enter"], 0.5),
    ("day = 2026-05-01", ["enter", "backspace", "9", "enter"], dt.date(2026, 5, 9)),
    (
        "at = 2026-05-01T10:00:00Z",
        ["enter", "home", "delete", "1", "enter"],
        dt.datetime(1026, 5, 1, 10, tzinfo=dt.UTC),
    ),
]


def deck_of_fields(path: Path, *fields: str) -> Path:
    """Write a deck with a sample for each field."""
    turn = '{ role = "user", content = "x" }'
    path.write_text("\n".join(f'[[samples]]\nid = "{n}"\nmessages = [{turn}]\n{f}\n' for n, f in enumerate(fields)))
    return path


async def test_values_are_entered_as_what_they_are(tmp_path):
    path = deck_of_fields(tmp_path / "deck.toml", *(field for field, _, _ in ENTERED))
    async with opened(path) as app:
        for field, keys, wanted in ENTERED:
            await app.press("G", *keys)
            assert app.screen.sample.data[field.split()[0]] == wanted, (field, keys)
            assert not app.screen.typing, (field, keys)
            await app.press(*"u" * app.steps, "]")
            assert app.text == path.read_text(), (field, keys)


async def test_a_value_that_does_not_fit_says_what_is_wanted(tmp_path):
    path = deck_of_fields(tmp_path / "deck.toml", "score = 1", "day = 2026-05-01")
    async with opened(path) as app:
        for told in ("a number, such as 0.5, is expected", "a date or time, such as 2026-05-01, is expected"):
            await app.press("G", "enter", "x", "enter")
            assert f"{told} here" in said(app.screen) and app.screen.typing
            await app.press("escape", "escape", "]")
            assert app.text == path.read_text()


async def test_tab_goes_on_from_a_value_that_was_chosen(tmp_path):
    path = tmp_path / "deck.json"
    path.write_text('[{"id": "a", "messages": [{"role": "user", "content": "x"}], "done": true, "note": "n"}]')
    async with opened(path) as app:
        await app.press("j", "enter", "tab", "f", "!", "escape")
        assert (app.screen.sample.data["done"], app.screen.sample.data["note"]) == (False, "n!")


async def test_an_empty_table_is_written_as_lines_of_keys_and_the_arguments_of_a_tool_as_names(deck):
    parameters = {"type": "object", "properties": {}}
    tool = {"type": "function", "function": {"name": "f", "parameters": parameters}}
    sample = {
        "schema_version": "v1",
        "id": "a",
        "messages": [{"role": "user", "content": "x"}],
        "references": ["x"],
    }
    path = deck("d.jsonl", json.dumps({**sample, "metadata": {}, "tools": [tool]}) + "\n")
    async with opened(path, dialect="gage") as app:
        app.screen.go_to(("metadata",))
        await app.press("enter")
        await app.type('{"a": 1, "a": 2}')
        await app.press("escape")
        assert "a is there twice" in app.bar
        await app.press("ctrl+g", "enter")
        await app.type("source")
        await app.press("escape")
        assert "write a line for each key, such as source: web" in app.bar
        await app.type(": web, mostly")
        await app.press("enter")
        await app.type("score: 0.5")
        await app.press("enter")
        await app.type("ok: true")
        await app.press("enter")
        await app.type("from.city")
        await app.press("ctrl+s")
        assert "line 4: write a line for each key" in app.bar
        await app.type(": Rome")
        await app.press("enter")
        await app.type('from."a.b": 1')
        await app.press("escape")
        there = {"city": "Rome", "a.b": 1}
        assert line(app)["metadata"] == {"source": "web, mostly", "score": 0.5, "ok": True, "from": there}
        app.screen.go_to(("tools", 0, "function", "parameters", "properties"))
        await app.press("enter")
        await app.type("city, days: intege")
        await app.press("escape")
        assert "days can be of the type string, number, integer" in app.bar
        await app.type("r")
        await app.press("escape")
        properties = line(app)["tools"][0]["function"]["parameters"]["properties"]
        assert properties == {"city": {"type": "string"}, "days": {"type": "integer"}}
        await app.press("u", "u")
        assert line(app)["metadata"] == {} and app.steps == 0


@pytest.mark.parametrize(("key", "truth"), [("t", True), ("f", False)])
async def test_a_new_sample_leads_by_tab_through_what_is_required_and_what_all_others_have(tmp_path, key, truth):
    path = tmp_path / "triggers.json"
    path.write_text(
        '[\n  {"query": "one", "should_trigger": true, "note": "x"},\n'
        '  {"query": "two", "should_trigger": false, "note": "y"}\n]\n'
    )
    async with opened(path) as app:
        await app.press("n", *"hi", "tab", key, *"why", "escape")
        assert json.loads(app.text)[1] == {"query": "hi", "should_trigger": truth, "note": "why"}
        await app.press("n", *"ho", "tab", "tab", "tab")
        assert "this is the last value of the sample" in app.bar
        assert json.loads(app.text)[2] == {"query": "ho"}


async def test_a_new_sample_asks_as_its_neighbours_do(tmp_path):
    path = tmp_path / "promptfooconfig.yaml"
    tests = "".join(f"  - vars: {{topic: {name}, lang: en}}\n" for name in ("cats", "dogs"))
    path.write_text(f"prompts: ['{{{{topic}}}} in {{{{lang}}}}']\nproviders: [echo]\ntests:\n{tests}")
    async with opened(path) as app:
        await app.press("n", *"birds", "tab", *"fr", "escape")
        assert "  - vars: {topic: birds, lang: fr}\n" in app.text


@pytest.mark.parametrize(("key", "truth"), [("t", "true"), ("f", "false")])
async def test_a_truth_is_written_by_its_letter_where_it_is_added(tmp_path, key, truth):
    path = tmp_path / "triggers.json"
    path.write_text('[\n  {"query": "one", "should_trigger": true},\n  {"query": "two"}\n]\n')
    async with opened(path) as app:
        await app.press("]", "+", *"should", "enter", key)
        assert f'{{"query": "two", "should_trigger": {truth}}}' in app.text and app.steps == 1
        await app.press("u", "+", *"should", "enter", "escape")
        assert app.text == path.read_text()


async def test_no_type_is_offered_that_the_file_cannot_hold(tmp_path):
    path = tmp_path / "deck.csv"
    path.write_text('id,messages,note\na,"[{""role"": ""user"", ""content"": ""hi""}]",text\n')
    async with opened(path) as app:
        await app.press("end", "t")
        assert "the file can hold nothing but text here" in app.bar
    path = tmp_path / "deck.toml"
    path.write_text('[[samples]]\nnote = "x"\nmessages = [{ role = "user", content = "hi" }]\n')
    async with opened(path) as app:
        await app.press("end", "t")
        assert "number" in app.dialog_text and "nothing" not in app.dialog_text
