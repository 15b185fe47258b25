"""The rules that all dialects share, and those of calibrate and AgentV: exact messages and places."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sampleui.formats.data import Plain
from sampleui.sample.rules import Ids, duplicates
from sampleui.text.diagnostic import Severity

from .build import EXAMPLES, found, gage, said, sample_of, turn

MISSING = "Sample must have messages array"
EMPTY = "Messages array cannot be empty"
ROLE = "Each message must have a role string"
CONTENT = "Each message must have a content string"
SEGMENTS = "Content is a list of segments; calibrate itself reads text only"
CALL: Plain = {"id": "call_1", "type": "function", "function": {"name": "add", "arguments": "{}"}}


@pytest.mark.parametrize(
    "messages",
    [
        [turn()],
        [turn("critic"), turn("critic"), turn("system")],
        [{"role": "assistant", "tool_calls": [CALL]}],
        [{"role": "assistant", "content": None, "tool_calls": [CALL]}],
        [turn("user", "   ")],
    ],
)
def test_any_role_and_any_order_is_valid(messages: Plain) -> None:
    assert found("calibrate", {"id": "a", "messages": messages}) == []


@pytest.mark.parametrize(
    ("data", "node"),
    [
        ({}, ()),
        ({"messages": "Hi"}, ("messages",)),
        ({"messages": {}}, ("messages",)),
        ({"messages": None}, ()),
    ],
)
def test_a_sample_without_messages_is_an_error(data: dict[str, Plain], node: tuple[str, ...]) -> None:
    assert said("calibrate", data) == [("error", MISSING, node)]


def test_an_empty_list_of_messages_is_an_error() -> None:
    assert said("calibrate", {"messages": []}) == [("error", EMPTY, ("messages",))]
    assert said("agentv", {"id": "a", "vars": {"input": []}}) == [("error", EMPTY, ("vars", "input"))]


@pytest.mark.parametrize(
    ("message", "node"),
    [
        ({"content": "Hi"}, ("messages", 1)),
        ({"role": "", "content": "Hi"}, ("messages", 1, "role")),
        ({"role": 7, "content": "Hi"}, ("messages", 1, "role")),
        ("Hi", ("messages", 1)),
    ],
)
def test_a_message_without_a_role_is_an_error(message: Plain, node: tuple[str | int, ...]) -> None:
    assert said("calibrate", {"messages": [turn(), message]}) == [("error", ROLE, node)]


@pytest.mark.parametrize(
    ("message", "node"),
    [
        ({"role": "user"}, ("messages", 0)),
        ({"role": "user", "content": ""}, ("messages", 0, "content")),
        ({"role": "user", "content": 42}, ("messages", 0, "content")),
        ({"role": "user", "content": []}, ("messages", 0, "content")),
        ({"role": "user", "content": {"a": 1}}, ("messages", 0, "content")),
        ({"role": "user", "tool_calls": []}, ("messages", 0)),
    ],
)
@pytest.mark.parametrize("dialect", ["calibrate", "gage"])
def test_a_message_without_content_is_an_error(dialect: str, message: Plain, node: tuple[str | int, ...]) -> None:
    base = {} if dialect == "calibrate" else gage()
    assert said(dialect, {**base, "messages": [message]}) == [("error", CONTENT, node)]


def test_a_message_may_lack_both() -> None:
    assert said("calibrate", {"messages": [{}]}) == [
        ("error", ROLE, ("messages", 0)),
        ("error", CONTENT, ("messages", 0)),
    ]


def test_content_segments_is_a_hint_of_calibrate_alone() -> None:
    messages: Plain = [turn(), turn("user", [{"type": "text", "text": "Hi"}])]
    assert said("calibrate", {"messages": messages}) == [("hint", SEGMENTS, ("messages", 1, "content"))]
    assert found("agentv", {"id": "a", "input_messages": messages}) == []
    assert found("gage", gage(messages=messages)) == []


@pytest.mark.parametrize(
    ("item", "message"),
    [
        (3, "Each content segment must be a table with a type"),
        ({"value": "Hi"}, "Each content segment must have a type string"),
        ({"type": "text"}, 'A content segment of type "text" must have a value string'),
        ({"type": "file", "value": 3}, 'A content segment of type "file" must have a value string'),
        ({"type": "image_url", "url": "a.png"}, 'A content segment of type "image_url" must have image_url.url'),
    ],
)
@pytest.mark.parametrize(("dialect", "key"), [("calibrate", "messages"), ("agentv", "input_messages")])
def test_a_segment_that_is_none_is_an_error(dialect: str, key: str, item: Plain, message: str) -> None:
    data: dict[str, Plain] = {"id": "a", key: [turn("user", [{"type": "text", "value": "ok"}, item])]}
    assert said(dialect, data, "segment-invalid") == [("error", message, (key, 0, "content", 1))]


@pytest.mark.parametrize(
    ("dialect", "key", "types"),
    [
        ("calibrate", "messages", "text, file, image_url, audio_url, video_url or file_url"),
        ("agentv", "input_messages", "text or file"),
    ],
)
def test_a_segment_of_an_unknown_type_is_told_with_those_that_its_dialect_has(
    dialect: str, key: str, types: str
) -> None:
    data: dict[str, Plain] = {"id": "a", key: [turn("user", [{"type": "txt", "value": "Hi"}])]}
    message = f'Unknown content segment type "txt"; it must be {types}'
    assert said(dialect, data, "segment-invalid") == [("error", message, (key, 0, "content", 0))]


@pytest.mark.parametrize(
    ("dialect", "data", "key", "near", "node"),
    [
        ("calibrate", {"mesages": [turn()]}, "mesages", "messages", ("mesages",)),
        ("calibrate", {"expcted": 1}, "expcted", "expected", ("expcted",)),
        ("calibrate", {"messages": [{**turn(), "names": "A"}]}, "names", "name", ("messages", 0, "names")),
        ("promptfoo", {"assert": [], "asert": []}, "asert", "assert", ("asert",)),
        ("promptfoo", {"options": {"transfrm": "x"}}, "transfrm", "transform", ("options", "transfrm")),
        ("agentv", {"input_mesages": []}, "input_mesages", "input_messages", ("input_mesages",)),
        ("gage", {"refrences": []}, "refrences", "references", ("refrences",)),
        ("gage", {"sandbox": {"images": "x"}}, "images", "image", ("sandbox", "images")),
        ("gage", {"options": [{"id": "A", "contnt": "x"}]}, "contnt", "content", ("options", 0, "contnt")),
    ],
)
def test_a_misspelled_key_is_a_hint_with_the_key_that_is_near(
    dialect: str, data: dict[str, Plain], key: str, near: str, node: tuple[str | int, ...]
) -> None:
    message = f'Unknown key "{key}"; did you mean "{near}"?'
    assert said(dialect, data, "unknown-key") == [("hint", message, node)]


@pytest.mark.parametrize(
    "data",
    [
        {"reviewed_by": "me"},
        {"category": "x"},
        {"expected": 1, "expect": 2},
        {"expected": 1, "expected_2": 2},
        {"expected": 1, "expecteds": 2},
        {"messages": [{"custom_id": 1}]},
    ],
)
def test_keys_of_your_own_are_no_slips(data: dict[str, Plain]) -> None:
    assert found("calibrate", data, "unknown-key") == []


def test_agentv_cases_need_an_id() -> None:
    assert said("agentv", {"input": "Hi"}) == [("error", "Sample must have an id", ())]
    assert said("agentv", {"id": "", "input": "Hi"}) == [("error", "Sample must have an id", ("id",))]
    assert sample_of("agentv", {"input": "Hi"}, "named").id == "named"


def test_agentv_messages_may_come_from_prompts_beside_the_cases() -> None:
    data: dict[str, Plain] = {"id": "a", "vars": {"topic": "tea"}, "assert": ["Is about tea"]}
    assert found("agentv", data, context={"prompts": ["Write about {{ topic }}"]}) == []
    assert [finding.rule for finding in found("agentv", data)] == ["messages-missing"]


def test_agentv_structured_content_is_content() -> None:
    assert found("agentv", {"id": "a", "input_messages": [turn("user", {"row": 1})]}) == []


def test_several_expected_messages() -> None:
    data: dict[str, Plain] = {"id": "a", "input": "Hi", "expected_messages": [turn("assistant"), turn("assistant")]}
    message = "2 expected messages; AgentV compares the answer with the first"
    assert said("agentv", data) == [("warning", message, ("expected_messages",))]


def test_a_turn_of_a_tool_is_said_once_where_agentv_refuses_it() -> None:
    asking: Plain = {"role": "assistant", "tool_calls": [{"id": "a", "function": {"name": "f"}}, {"id": "b"}]}
    results: list[Plain] = [{**turn("tool"), "tool_call_id": name} for name in "ab"]
    data: dict[str, Plain] = {"id": "a", "input": [turn("user"), asking, *results]}
    told = [(severity, path) for severity, text, path in said("agentv", data) if "agentv validate" in text]
    assert told == [("info", ("input", 2, "role"))]


def test_expected_messages_with_tool_calls_are_one_run() -> None:
    run: Plain = [{"role": "assistant", "tool_calls": [{"tool": "search"}]}, turn("assistant")]
    assert found("agentv", {"id": "a", "input": "Hi", "expected_messages": run}) == []


def test_duplicates_are_told_of_every_sample_but_the_first() -> None:
    findings = duplicates(["a", "b", "a", None, "#5", "a", None, "#5"])
    assert [(index, finding.message) for index, finding in findings] == [
        (2, 'The id "a" is already that of sample 1'),
        (5, 'The id "a" is already that of sample 1'),
    ]
    assert {(finding.rule, finding.severity, finding.node) for _, finding in findings} == {
        ("duplicate-id", Severity.ERROR, ("id",))
    }


@given(st.lists(st.tuples(st.integers(0, 5), st.sampled_from(["a", "b", "#2", None]))))
def test_ids_taken_one_by_one_say_what_the_deck_says(
    changes: list[tuple[int, str | None]],
) -> None:
    ids = Ids()
    last = dict[int, str | None]()
    for index, name in changes:
        ids.put(index, name)
        last[index] = name
        held = [last.get(at) for at in range(6)]
        assert sorted(ids.findings().items()) == [*duplicates(held)]
        counted = [name for at, name in enumerate(held) if name not in (None, f"#{at + 1}")]
        assert len(ids.findings()) == len(counted) - len(set(counted))
    assert all((index in ids) == (index in last) for index in range(6))


def test_arguments_are_held_against_the_schema_of_their_tool() -> None:
    properties: Plain = {"city": {"type": "string"}, "days": {"type": "integer"}, "unit": {"enum": ["C", "F"]}}
    schema: Plain = {"type": "object", "properties": properties, "required": ["city", "days"]}
    tools: Plain = [{"type": "function", "function": {"name": "weather", "parameters": schema}}]

    def told(arguments: Plain, name: str = "weather") -> list[tuple[str, tuple[str | int, ...]]]:
        call: Plain = {"id": "c", "type": "function", "function": {"name": name, "arguments": arguments}}
        messages: Plain = [{"role": "assistant", "tool_calls": [call]}]
        findings = found("calibrate", {"id": "a", "messages": messages, "tools": tools})
        return [(finding.message, finding.node[4:]) for finding in findings if finding.rule == "argument-misfit"]

    assert told({"city": "Rome", "days": 2, "unit": "C", "more": None}) == []
    assert told('{"city": "Rome", "days": 2}') == told({"days": "2"}, "other") == []
    lacking = 'The call of weather lacks "city", a text, which its tool requires'
    assert told({"days": "2", "unit": "K"}) == [
        (lacking, ("function", "arguments")),
        ('The argument "days" of weather must be a whole number', ("function", "arguments", "days")),
        ('The argument "unit" of weather must be one of "C", "F"', ("function", "arguments", "unit")),
    ]
    assert told('{"days": 1}') == [(lacking, ("function", "arguments"))]


def test_samples_without_an_id_are_never_duplicates() -> None:
    assert duplicates(f"#{index + 1}" for index in range(10)) == ()


def test_the_problems_deck_has_every_calibrate_problem_of_a_sample() -> None:
    deck = tomllib.loads((EXAMPLES / "problems.toml").read_text("utf-8"))
    rules = {finding.rule for data in deck["samples"] for finding in found("calibrate", data)}
    wanted = {"messages-missing", "messages-empty", "role-missing", "content-missing", "content-segments"}
    assert rules == wanted | {"segment-invalid", "unknown-key", "legacy-record"}
    assert len(duplicates(data["id"] for data in deck["samples"])) == 1
