"""Tool calls and their results, written by keys: a call by a tool's schema, its arguments, what answers it."""

from __future__ import annotations

import json

import pytest

from .driver import opened, said

WEATHER = {
    "type": "object",
    "properties": {
        "city": {"type": "string"},
        "days": {"type": "integer"},
        "unit": {"enum": ["C", "F"]},
        "note": {"type": "string"},
    },
    "required": ["city", "days", "unit"],
}
TOOLS = [
    {"type": "function", "function": {"name": "get_weather", "parameters": WEATHER}},
    {"type": "function", "function": {"name": "search", "parameters": {"type": "object", "properties": {"q": {}}}}},
]


def written(tmp_path, *messages, tools=TOOLS):
    path = tmp_path / "deck.json"
    sample = {"schema_version": "v1", "id": "a", "messages": [*messages], "references": ["x"], "tools": tools}
    path.write_text(json.dumps([sample], indent=2))
    return path


def messages(app):
    return json.loads(app.text)[0]["messages"]


ASKED = {"role": "user", "content": "Weather?"}


async def test_two_calls_and_their_results_are_written_by_keys(tmp_path):
    path = written(tmp_path, ASKED)
    async with opened(path) as app:
        await app.press("o", "ctrl+n")
        await app.answer("get_weather")
        await app.press(*"Rome", "tab", "3", "tab")
        await app.dialog("down", "enter")
        await app.press("i")
        await app.answer("search")
        await app.press(*"news", "escape", "o", *"sunny", "escape", "o", *"none", "escape", "o", *"Fine.", "escape")
        weather = {"name": "get_weather", "arguments": {"city": "Rome", "days": 3, "unit": "F"}}
        search = {"name": "search", "arguments": {"q": "news"}}
        calls = [("call_1", weather), ("call_2", search)]
        assert messages(app)[1:] == [
            {
                "role": "assistant",
                "content": "",
                "tool_calls": [{"id": name, "type": "function", "function": called} for name, called in calls],
            },
            {"role": "tool", "tool_call_id": "call_1", "content": "sunny"},
            {"role": "tool", "tool_call_id": "call_2", "content": "none"},
            {"role": "assistant", "content": "Fine."},
        ]
        await app.press("k", "i")  # a result calls nothing: the assistant does, below the last one
        await app.answer("search")
        await app.press("x", "escape")
        assert [message["role"] for message in messages(app)] == [
            "user",
            "assistant",
            "tool",
            "tool",
            *["assistant"] * 2,
        ]
        assert messages(app)[4]["tool_calls"][0]["function"]["arguments"] == {"q": "x"}
        await app.press(*"u" * app.steps)
        assert app.text == path.read_text()


def calling(arguments, call_id="c1"):
    function = {"name": "search", "arguments": arguments}
    calls = [{"id": call_id, "type": "function", "function": function}]
    return {"role": "assistant", "content": "", "tool_calls": calls}


@pytest.mark.parametrize("spaced", [True, False])
async def test_arguments_that_are_json_text_are_edited_as_values_and_stay_json_text(tmp_path, spaced):
    text = json.dumps({"q": "new", "n": 1, "all": True}, separators=None if spaced else (",", ":"))
    path = written(tmp_path, ASKED, calling(text))
    async with opened(path) as app:
        assert 'search(q="new", n=1, all=true)' in "".join(app.cards)
        await app.press("j", "enter", "s", "tab", "2", "tab", "tab")
        assert app.screen.typing  # the truth was passed over
        await app.press("shift+tab", "f", "escape")
        arguments = messages(app)[1]["tool_calls"][0]["function"]["arguments"]
        assert arguments == text.replace("new", "news").replace("1", "2").replace("true", "false")
        await app.press("u", "u", "u")
        assert app.text == path.read_text()


async def test_a_sample_without_tools_asks_for_the_name(tmp_path):
    async with opened(written(tmp_path, ASKED, {"role": "assistant", "content": "x"}, tools=[])) as app:
        await app.press("j", "i")
        await app.answer("look")
        assert messages(app)[1]["tool_calls"][0]["function"]["name"] == "look"


@pytest.mark.parametrize("as_text", [True, False])
async def test_arguments_of_a_tool_without_schema_are_written_as_lines(tmp_path, as_text):
    before = calling('{"q":1}' if as_text else {"q": 1})
    path = written(tmp_path, before, ASKED, {"role": "assistant", "content": "x"}, tools=[])
    async with opened(path) as app:
        await app.press("j", "j", "i")
        await app.answer("look")
        await app.press(*"city: Paris", "enter", *"days: 2", "escape")

        def arguments():
            given = messages(app)[2]["tool_calls"][0]["function"]["arguments"]
            assert isinstance(given, str) == as_text
            return json.loads(given) if as_text else given

        assert arguments() == {"city": "Paris", "days": 2}
        await app.press("+")
        await app.answer("sure: true")
        assert arguments() == {"city": "Paris", "days": 2, "sure": True}
        await app.press(*"u" * app.steps)
        assert app.text == path.read_text()


async def test_an_empty_table_and_the_field_box_take_lines_of_a_name_and_a_value(tmp_path):
    path = written(tmp_path, ASKED)
    async with opened(path) as app:
        await app.press("+")
        await app.answer("metadata")
        await app.press(*"web", "escape")
        assert "a line for each key" in said(app.screen)
        await app.press(*": 1.5", "enter", *"day: 2026-05-01", "enter", *"done: true", "escape")
        assert json.loads(app.text)[0]["metadata"] == {"web": 1.5, "day": "2026-05-01", "done": True}
        await app.press("+")
        await app.answer("metadata.where.url = http://a=b")
        assert json.loads(app.text)[0]["metadata"]["where"] == {"url": "http://a=b"}
        await app.press("u", "u")
        assert app.text == path.read_text()


async def test_calls_go_with_their_results(tmp_path):
    result = {"role": "tool", "tool_call_id": "c1", "content": "r"}
    end = {"role": "assistant", "content": "end"}
    path = written(tmp_path, ASKED, calling({"q": 1}), result, end)
    async with opened(path) as app:
        await app.press("j", "J")
        assert messages(app) == [ASKED, end, calling({"q": 1}), result]
        await app.press("u", "K")
        assert messages(app) == [calling({"q": 1}), result, ASKED, end]
        await app.press("u", "d")
        assert messages(app) == [ASKED, end]
        await app.press("u", "l", "x")
        assert messages(app) == [ASKED, {"role": "assistant", "content": ""}, end]
        await app.press("u", "K", "J", "home", "J")
        assert messages(app) == [calling({"q": 1}), result, ASKED, end] and app.at == "user 3"
        await app.press("K", "j", "j", "O", "X", "escape")
        assert [message["content"] for message in messages(app)] == ["Weather?", "X", "", "r", "end"]
        await app.press("u")
        assert app.text == path.read_text()


async def test_a_copy_of_a_call_has_its_results_and_ids_of_its_own(tmp_path):
    result = {"role": "tool", "tool_call_id": "call_1", "content": "sunny"}
    path = written(tmp_path, ASKED, calling({"q": "x"}, "call_1"), result)
    async with opened(path) as app:

        def ids():
            calls = [message.get("tool_calls", [{}])[0].get("id") for message in messages(app)]
            return [
                (call, message.get("tool_call_id")) for call, message in zip(calls, messages(app), strict=True)
            ][1:]

        pair, copied = [("call_1", None), (None, "call_1")], [("call_2", None), (None, "call_2")]
        await app.press("j", "D")
        assert ids() == pair + copied and app.at == "assistant 4" and not app.screen.marks.turns
        await app.press("u", "ctrl+x")
        assert messages(app) == [ASKED]
        await app.press("ctrl+v")
        await app.dialog("enter")
        assert ids() == pair
        await app.press("ctrl+v")
        await app.dialog("enter")
        assert ids() == pair + copied
        await app.press("u", "u", "u")
        assert app.text == path.read_text()
        await app.press("l", "X")
        calls = messages(app)[1]["tool_calls"]
        assert [call["id"] for call in calls] == ["call_1", "call_2"]


async def test_a_turn_above_the_first_of_the_user_is_the_system(tmp_path):
    async with opened(written(tmp_path, ASKED)) as app:
        await app.press("O", *"Be kind.", "escape")
        assert messages(app)[0] == {"role": "system", "content": "Be kind."}


async def test_an_id_without_its_partner_is_a_problem_with_a_fix(tmp_path):
    lost = {"role": "tool", "tool_call_id": "c9", "content": "r"}
    end = {"role": "assistant", "content": "end"}
    path = written(tmp_path, ASKED, calling({"q": 1}), lost, end)
    async with opened(path) as app:
        await app.rested()
        told = [problem.message for problem in app.screen.problem_list.items]
        assert any("c9" in one for one in told) and any("c1" in one for one in told)
        await app.press("j", "j", "F")
        assert messages(app)[2]["tool_call_id"] == "c1"
        await app.rested()
        assert not [one for one in app.screen.problem_list.items if "call" in one.message]
        assert "c1" in said(app.screen)


@pytest.mark.parametrize(
    ("dialect", "other", "arguments"),
    [
        ("openai", None, '{"q": "x"}'),
        ("gage", None, {"q": "x"}),
        ("gage", '{"a": 1}', '{"q": "x"}'),
        ("openai", {"a": 1}, {"q": "x"}),
    ],
)
async def test_arguments_are_spelled_as_those_of_other_calls_or_as_the_dialect_has_them(
    tmp_path, dialect, other, arguments
):
    sample = {"id": "a", "messages": [ASKED, {"role": "assistant", "content": "x"}], "tools": TOOLS[1:]}
    samples = [sample, {**sample, "id": "b", "messages": [ASKED, calling(other)]}] if other else [sample]
    path = tmp_path / "deck.jsonl"
    path.write_text("".join(f"{json.dumps(one)}\n" for one in samples))
    async with opened(path, dialect=dialect) as app:
        await app.press("j", "i", "x", "escape")
        first = json.loads(app.text.splitlines()[0])
    assert first["messages"][1]["tool_calls"][0]["function"]["arguments"] == arguments


ADDRESS = {"type": "object", "properties": {"city": {"type": "string"}, "zip": {"type": ["string", "null"]}}}
ITEM = {
    "type": "object",
    "properties": {"sku": {"type": "string"}, "qty": {"type": "integer", "minimum": 1, "maximum": 9}},
    "required": ["sku"],
}
ORDER = {
    "type": "object",
    "$defs": {"address": ADDRESS},
    "properties": {
        "to": {"$ref": "#/$defs/address"},
        "mode": {"const": "fast"},
        "items": {"type": "array", "items": ITEM},
        "tags": {"type": "array", "items": {"type": "string"}},
        "sure": {"type": ["boolean", "null"]},
    },
}


@pytest.mark.parametrize("as_text", [False, True])
async def test_tables_and_lists_of_tables_among_the_arguments_are_filled_in_like_a_form(tmp_path, as_text):
    tools = [{"type": "function", "function": {"name": "order", "parameters": ORDER}}]
    before = [calling("{}"), {"role": "tool", "tool_call_id": "c1", "content": "ok"}] if as_text else []
    path = written(tmp_path, ASKED, *before, {"role": "assistant", "content": ""}, tools=tools)
    async with opened(path) as app:
        app.screen.go_to(("messages", 1 + len(before)))
        await app.press("i", *"Oslo", "tab", *"0150", "tab")
        assert "items[0].sku" in "\n".join(app.cards), "its name is above what is edited"
        await app.press(*"A1", "tab", "r", "enter", "h", "tab", "t")
        called = messages(app)[-1]["tool_calls"][0]["function"]["arguments"]
        called = json.loads(called) if as_text else called
        assert called == {
            "to": {"city": "Oslo", "zip": "0150"},
            "mode": "fast",
            "items": [{"sku": "A1"}],
            "tags": ["r", "h"],
            "sure": True,
        }
        app.screen.go_to(("messages", 1 + len(before), "tool_calls", 0))
        await app.press("+")
        await app.answer("items[0].qty")
        await app.press("0", "tab")
        assert "a whole number from 1 to 9 is expected here" in said(app.screen)
        await app.press("backspace", "4", "escape", "+")
        await app.answer("items[1]")
        await app.press("B", "escape")
        called = messages(app)[-1]["tool_calls"][0]["function"]["arguments"]
        called = json.loads(called) if as_text else called
        assert called["items"] == [{"sku": "A1", "qty": 4}, {"sku": "B"}]
        await app.press(*"u" * app.steps)
        assert app.text == path.read_text()


async def test_a_call_is_a_turn_where_calls_are_turns(tmp_path):
    path = tmp_path / "deck.json"
    asked = [{"from": "human", "value": "Weather?"}]
    path.write_text(json.dumps([{"id": "a", "conversations": asked, "tools": json.dumps(TOOLS)}]))
    async with opened(path) as app:
        await app.press("i")
        await app.answer("search")
        await app.press("escape", "o", *"sunny", "escape", "o", *"Sun.", "escape")
        turns = json.loads(app.text)[0]["conversations"]
        assert [turn["from"] for turn in turns] == ["human", "function_call", "observation", "gpt"]
        assert json.loads(turns[1]["value"]) == {"name": "search", "arguments": {"q": ""}}
        assert app.steps == 3


FLAGS = {
    "deep": {"type": "boolean"},
    "unit": {"enum": ["C", "F"]},
    "tags": {"type": "array"},
    "n": {"type": "integer"},
}
LOOK = {"name": "look", "parameters": {"type": "object", "properties": FLAGS, "required": [*FLAGS]}}


@pytest.mark.parametrize(
    "keys",
    [(), ("t",), ("t", "tab"), ("t", "tab", "tab"), ("t", "tab", "tab", "3"), ("t", "tab", "tab", "3", "left")],
)
async def test_a_result_and_another_call_are_added_from_every_kind_of_argument(tmp_path, keys):
    path = written(tmp_path, ASKED, tools=[{"type": "function", "function": LOOK}])
    async with opened(path) as app:
        await app.press("i", *keys, "ctrl+t", *"warm", "escape")
        assert app.roles == ["user", "assistant", "tool"] and app.turns[2] == "warm"
        assert len(messages(app)[1]["tool_calls"]) == 1
    async with opened(path) as app:
        await app.press("i", *keys, "ctrl+n", "t", "escape")
        assert [len(turn["tool_calls"]) for turn in messages(app)[1:]] == [2]


@pytest.mark.parametrize("content", ['"content": null, ', ""])
async def test_a_call_made_by_a_form_has_no_content_where_its_neighbours_have_none(tmp_path, content):
    call = '{"type": "function", "id": "c", "function": {"arguments": "{}", "name": "f"}}'
    asked, path = '{"role": "user", "content": "a"}', tmp_path / "deck.jsonl"
    called = f'{{"role": "assistant", {content}"tool_calls": [{call}]}}'
    path.write_text(f'{{"messages": [{asked}, {called}]}}\n{{"messages": [{asked}]}}\n')
    async with opened(path) as app:
        await app.press("]", "i", "f", "enter", *"x: 2", "escape")
        arguments = call.replace("{}", '{\\"x\\":2}').replace('"c"', '"call_1"')
        assert app.text.splitlines()[1] == f'{{"messages": [{asked}, {called.replace(call, arguments)}]}}'


async def test_a_result_and_a_call_are_added_by_the_same_keys_when_the_text_was_left(tmp_path):
    path = written(tmp_path, ASKED)
    async with opened(path) as app:
        await app.press("ctrl+n", *"search", "enter", *"q", "escape", "ctrl+t", *"found", "escape")
        assert app.roles == ["user", "assistant", "tool"] and app.turns[2] == "found"
