"""What a conversion writes as the program of the target loads it, and what it says where that would not."""

from __future__ import annotations

import pytest

from sampleui.formats.data import Plain, Table
from sampleui.sample.convert import convert, unasked
from sampleui.sample.convert.rows import as_row, from_row, misread
from sampleui.sample.dialects.shipped import DIALECTS

from .build import turn

INSPECT, DEEPEVAL, PROMPTFOO = DIALECTS["inspect"], DIALECTS["deepeval"], DIALECTS["promptfoo"]
OPENAI, SHAREGPT, AGENTV, GAGE = DIALECTS["openai"], DIALECTS["sharegpt"], DIALECTS["agentv"], DIALECTS["gage"]
CALL: Table = {"id": "call_1", "type": "function", "function": {"name": "clock", "arguments": '{"zone": "utc"}'}}
CALLING: list[Plain] = [
    turn("user", "When?"),
    {"role": "assistant", "content": None, "tool_calls": [CALL]},
    {"role": "tool", "tool_call_id": "call_1", "content": "noon"},
    turn("assistant", "Noon."),
]
IMAGE: Plain = {"type": "image_url", "image_url": {"url": "https://a/b.png", "detail": "low"}}
UNANSWERED = "messages: LLaMA-Factory leaves a conversation out in which a turn is not answered"


def test_a_field_that_the_target_would_read_as_messages_is_no_field_of_it() -> None:
    data: Table = {"input": {"messages": [turn()], "tools": []}, "preferred_output": [turn("assistant", "yes")]}
    made = convert(data, OPENAI, AGENTV, ("input",)).data
    assert made["input"] == [turn()]
    assert made["metadata"] == {"input": {"tools": []}}


def test_an_empty_input_of_alpaca_is_nothing() -> None:
    made = convert({"instruction": "Name one.", "input": "", "output": "7"}, SHAREGPT, AGENTV, ("input",))
    assert made.data == {"input": [turn("user", "Name one.")], "expected_output": "7"}
    assert not any("input" in line for line in made.report)


def test_a_developer_is_the_system_where_only_that_is_known() -> None:
    made = convert(
        {"messages": [{"role": "developer", "content": "Be"}, turn(), turn("assistant")]}, OPENAI, INSPECT
    )
    said = made.data["input"]
    assert isinstance(said, list) and said[0] == {"role": "system", "content": "Be"}
    assert made.report == ("messages: the role developer is written as system",)


def test_calls_are_turns_of_their_own_in_sharegpt_and_come_back() -> None:
    made = convert({"messages": CALLING}, OPENAI, SHAREGPT)
    assert made.data["conversations"] == [
        {"from": "human", "value": "When?"},
        {"from": "function_call", "value": '{"name": "clock", "arguments": {"zone": "utc"}}'},
        {"from": "observation", "value": "noon"},
        {"from": "gpt", "value": "Noon."},
    ]
    assert made.report == (
        "messages: tool_calls are written as turns of function_call, without their id and type",
        "messages: tool_call_id is left out, for the calls have no ids",
    )
    back = convert(made.data, SHAREGPT, OPENAI)
    assert back.data == {"messages": CALLING}
    assert back.report == ("messages: the value of function_call is read as tool_calls",)


def test_several_calls_are_one_turn_and_each_answer_names_its_own() -> None:
    text = '[{"name": "a", "arguments": {}}, {"name": "b", "arguments": "x"}]'
    said: list[Plain] = [
        {"from": "human", "value": "Do"},
        {"from": "function_call", "value": text},
        {"from": "observation", "value": "1"},
        {"from": "observation", "value": "2"},
        {"from": "function_call", "value": "no JSON"},
    ]
    made = convert({"conversations": said}, SHAREGPT, DIALECTS["calibrate"]).data["messages"]
    assert isinstance(made, list) and isinstance(made[1], dict)
    calls = made[1]["tool_calls"]
    assert isinstance(calls, list) and [one["id"] for one in calls if isinstance(one, dict)] == ["call_1", "call_2"]
    assert [one.get("tool_call_id") for one in made if isinstance(one, dict)] == [
        None,
        None,
        "call_1",
        "call_2",
        None,
    ]
    assert made[4] == turn("assistant", "no JSON")


def test_media_are_marks_in_the_texts_of_sharegpt_and_their_urls_are_beside() -> None:
    asked: Table = {"role": "user", "content": [IMAGE, {"type": "text", "text": "What is it?"}]}
    made = convert({"messages": [asked, turn("assistant", "A cat")]}, OPENAI, SHAREGPT)
    assert made.data["conversations"] == [
        {"from": "human", "value": "<image>\nWhat is it?"},
        {"from": "gpt", "value": "A cat"},
    ]
    assert made.data["images"] == ["https://a/b.png"]
    assert made.report == (
        "messages: image_url segments are written as <image>, with their URL under images",
        "messages[0].content[0].image_url.detail: dropped, ShareGPT has no place for it",
    )


@pytest.mark.parametrize(
    ("roles", "told"),
    [
        ("user assistant", False),
        ("system user assistant user assistant", False),
        ("user", True),
        ("user user assistant", True),
        ("user assistant system assistant", True),
        ("assistant user", True),
        ("system", True),
    ],
)
def test_llama_factory_takes_conversations_in_which_each_turn_is_answered(roles: str, told: bool) -> None:
    made = convert({"messages": [turn(role) for role in roles.split()]}, GAGE, SHAREGPT)
    assert (UNANSWERED in made.report) is told


def test_what_is_asked_and_not_answered_is_no_training_data_of_openai() -> None:
    assert convert({"messages": [turn()]}, GAGE, OPENAI).data == {"input": [turn()]}
    whole: list[Plain] = [turn(), turn("assistant")]
    assert convert({"messages": whole}, GAGE, OPENAI).data == {"messages": whole}


def test_segments_that_openai_does_not_read_are_told() -> None:
    sound: Plain = {"type": "audio_url", "audio_url": {"url": "a.wav"}}
    made = convert({"messages": [{"role": "user", "content": [sound, IMAGE]}]}, GAGE, OPENAI)
    assert made.report == ("messages: audio_url segments are kept; OpenAI itself does not read them",)


def test_a_turn_of_deepeval_is_a_text_and_its_scenario_too() -> None:
    asked: Table = {"role": "user", "content": [{"type": "text", "text": "Look"}, IMAGE]}
    made = convert({"messages": [asked, {"role": "assistant", "content": None}]}, GAGE, DEEPEVAL)
    said = made.data["turns"]
    assert made.data["scenario"] == "Look"
    assert isinstance(said, list) and all(isinstance(one, dict) and isinstance(one["content"], str) for one in said)
    assert "messages[0].content[1]: dropped, DeepEval has no place for [image https://a/b.png]" in made.report


@pytest.mark.parametrize(
    ("variables", "asked", "rest"),
    [
        ({"question": "Why?", "tone": "dry"}, "Why?", {"tone": "dry"}),
        ({"topic": "birds"}, "birds", None),
        ({"a": "x", "b": "y"}, None, {"a": "x", "b": "y"}),
        ({"topic": ["x"]}, None, {"topic": ["x"]}),
    ],
)
def test_the_variable_of_a_test_is_what_is_asked(variables: Table, asked: str | None, rest: Plain) -> None:
    made = convert({"vars": variables}, PROMPTFOO, INSPECT)
    assert made.data.get("input") == asked
    metadata = made.data.get("metadata", {})
    assert isinstance(metadata, dict) and metadata.get("vars") == rest
    assert unasked(made.data, INSPECT) == ("" if asked else "input")


def test_the_one_value_that_an_answer_must_equal_is_the_answer() -> None:
    test: Table = {"vars": {"question": "2 + 2?"}, "assert": [{"type": "equals", "value": "4"}]}
    made = convert(test, PROMPTFOO, INSPECT)
    assert made.data == {"input": "2 + 2?", "target": "4"}
    assert convert(made.data, INSPECT, PROMPTFOO).data == test
    for others in (
        [{"type": "contains", "value": "4"}],
        [{"type": "equals", "value": "4", "weight": 2}],
        [{"type": "equals", "value": "4"}, {"type": "equals", "value": "5"}],
    ):
        kept = convert({"vars": {"question": "2 + 2?"}, "assert": [*others]}, PROMPTFOO, INSPECT)
        assert kept.data == {"input": "2 + 2?", "metadata": {"assert": others}}


def test_the_cells_of_inspect_are_not_empty_where_it_fails_on_them() -> None:
    row, notes = as_row(
        {"input": "a", "choices": ["x y", "z"]}, INSPECT, {"metadata", "files", "sandbox", "choices"}
    )
    assert row == {"input": "a", "choices": "x y,z", "metadata": {}, "files": {}}
    assert notes == ["sandbox: Inspect does not take an empty cell for none"]
    assert as_row({"input": "a"}, INSPECT, {"input"}) == ({"input": "a"}, [])


@pytest.mark.parametrize("choices", [["a, b", "c"], ["a b"], [" a", "b"], ["", "b"], [1, 2]])
def test_choices_that_a_cell_of_inspect_would_divide_otherwise_are_told(choices: list[Plain]) -> None:
    row, notes = as_row({"input": "a", "choices": choices}, INSPECT, ())
    assert row["choices"] == choices
    assert notes == ["choices: Inspect divides a cell at each , and reads other items"]


def test_lists_that_inspect_reads_as_one_text_in_a_table_are_told() -> None:
    row, notes = as_row({"input": [turn()], "target": ["4", "four"], "metadata": {"a": 1}}, INSPECT, ())
    assert row == {"input": [turn()], "target": ["4", "four"], "metadata": {"a": 1}}
    assert notes == [
        f"{key}: Inspect reads a cell as one text, with the list or table in it" for key in ("input", "target")
    ]


def test_the_context_of_deepeval_is_one_text_in_a_cell_and_a_list_elsewhere() -> None:
    data: Table = {"input": "a", "context": ["b c", "d"], "expected_output": "None"}
    row, notes = as_row(data, DEEPEVAL, ())
    assert row == {"input": "a", "context": "b c|d", "expected_output": "None"}
    assert notes == ["expected_output: DeepEval takes the cell None for an empty one"]
    assert from_row(row, DEEPEVAL) == data
    assert from_row({"input": "a", "choices": "x,y"}, INSPECT)["choices"] == ["x", "y"]
    assert from_row({"input": "a", "choices": "x y"}, INSPECT)["choices"] == "x y"


@pytest.mark.parametrize(
    ("names", "told"),
    [(["1", "2.5"], True), (["1", "None"], True), (["true", "False"], True), (["1", "x"], False), (["1_0"], False)],
)
def test_a_column_of_numbers_is_one_of_numbers_to_deepeval(names: list[str], told: bool) -> None:
    rows: list[Table] = [{"input": "a", "name": name} for name in names]
    said = "name: DeepEval takes a column of nothing but numbers for numbers, and refuses them"
    assert [*misread(rows, DEEPEVAL)] == [said] * told
    assert not [*misread(rows, INSPECT)]


def test_a_question_of_mt_bench_has_its_own_key_for_the_id() -> None:
    data: Table = {"id": "q1", "messages": [turn()]}
    beside = convert(data, GAGE, SHAREGPT, ("turns",)).data
    assert beside == {"question_id": "q1", "turns": [turn()["content"]]}
    assert "id" in convert(data, GAGE, SHAREGPT, ("conversations",)).data


def test_what_agentv_runs_and_its_check_refuses_is_told() -> None:
    asked: list[Plain] = [{"role": "developer", "content": "Be"}, *CALLING]
    made = convert({"messages": asked}, OPENAI, AGENTV, ("input",))
    said = made.data["input"]
    assert isinstance(said, list) and said[0] == turn("system", "Be")
    assert said[2] == {"role": "assistant", "tool_calls": [CALL]}
    assert made.report[:3] == (
        "messages: the role developer is written as system",
        "messages: tool_calls are kept; AgentV itself does not send them",
        "messages: turns of tool are kept; the runs of AgentV take them, and its check refuses them",
    )
    named: list[Plain] = [{"role": "assistant", "content": "", "tool_calls": [CALL]}]
    assert convert({"messages": named}, OPENAI, AGENTV, ("input",)).data["input"] == named


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("5F8c1a52-0b1e-4d53-9a53-0c9f1f0a7b11", []),
        ("capital", ["id: kept; LangSmith itself takes UUIDs alone"]),
        (7, ["id: the number is written as text", "id: kept; LangSmith itself takes UUIDs alone"]),
    ],
)
def test_ids_that_langsmith_refuses_are_told(name: Plain, told: list[str]) -> None:
    made = convert({"id": name, "input": "Hm"}, INSPECT, DIALECTS["langsmith"])
    assert made.data == {"id": str(name), "inputs": {"question": "Hm"}}
    assert [*made.report] == told
    assert not convert({"input": "Hm"}, INSPECT, DIALECTS["langsmith"]).report


def test_the_messages_that_agentv_expects_are_spelled_as_those_it_sends() -> None:
    asked: Table = {"prompt": [turn()], "completion": CALLING[1:3]}
    made = convert(asked, OPENAI, AGENTV, ("input",))
    assert made.data["expected_output"] == [{"role": "assistant", "tool_calls": [CALL]}, CALLING[2]]
    assert [line for line in made.report if line.startswith("expected")] == [
        "expected messages: turns of tool are kept; the runs of AgentV take them, and its check refuses them",
    ]
