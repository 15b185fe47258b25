from pathlib import Path

import pytest
from hypothesis import given

from sampleui.formats.data import Plain, Table
from sampleui.sample.tool_calls import calls_in
from sampleui.trace.reading.extract import read_trace
from sampleui.trace.transcript import transcript
from tests.sample.conversations import CALLS, CONVERSATIONS, RESULTS
from tests.trace.strategies import junk_records


def turns(record, prompt=()):
    return list(transcript(record, read_trace(record, Path()), prompt).messages)


def test_messages_are_taken_without_what_only_the_run_knows():
    record = {
        "input": [{"role": "user", "content": [{"type": "text", "text": "Hi"}]}],
        "outputMessages": [
            {
                "role": "assistant",
                "durationMs": 5,
                "timestamp": "2026-01-01T00:00:00Z",
                "toolCalls": [{"tool": "a", "input": {}, "durationMs": 1}],
            },
            {"role": "assistant", "content": "Bye", "token_usage": {"input": 1}},
        ],
    }
    assert turns(record) == [
        {"role": "user", "content": "Hi"},
        {"role": "assistant", "tool_calls": [{"type": "function", "function": {"name": "a", "arguments": "{}"}}]},
        {"role": "assistant", "content": "Bye"},
    ]


def test_the_messages_of_the_sample_stand_in_for_the_input():
    prompt = [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "Hi"}]
    assert turns({"input": "other", "text": "Hello"}, prompt) == [
        *prompt,
        {"role": "assistant", "content": "Hello"},
    ]


@pytest.mark.parametrize("repeated", [0, 1, 2])
def test_what_a_run_repeats_of_its_question_is_not_asked_twice(repeated):
    prompt = [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "Hi"}]
    answer = {"role": "assistant", "content": "Hello"}
    said = [*prompt[2 - repeated :], answer]
    events = [{"type": "message", "text": one["content"], "metadata": {"role": one["role"]}} for one in said]
    for record in ({"trace": events}, {"output_messages": said}):
        assert turns(record, prompt) == [*prompt, answer]
    assert turns({"trace": events[:1]}, prompt) == (prompt if repeated else [*prompt, answer])


def test_an_answer_like_that_of_an_example_is_kept():
    prompt = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}]
    assert turns({"text": "Hello"}, prompt) == [*prompt, prompt[1]]


def test_an_explicit_trace_becomes_messages():
    record = {
        "question": "Sum?",
        "trace": [
            {"type": "message", "text": "Let me see.", "metadata": {"role": "assistant"}},
            {"type": "tool_call", "name": "add", "input": {"a": 1}},
            {"type": "tool_call", "id": "x", "name": "log", "input": "raw"},
            {"type": "tool_result", "name": "add", "output": {"sum": 2}},
            {"type": "tool_result", "id": "x", "output": "ok"},
            {"type": "tool_call", "name": "done", "output": 1},
            {"type": "error", "text": "not a turn"},
            {"type": "message", "text": "Thanks", "metadata": {"role": "user"}},
            {"type": "model_step", "text": "It is 2."},
        ],
    }
    call = lambda name, given, at: {"id": at, "type": "function", "function": {"name": name, "arguments": given}}  # noqa: E731
    assert turns(record) == [
        {"role": "user", "content": "Sum?"},
        {
            "role": "assistant",
            "content": "Let me see.",
            "tool_calls": [call("add", '{"a": 1}', "call_1"), call("log", "raw", "x")],
        },
        {"role": "tool", "tool_call_id": "call_1", "content": '{\n  "sum": 2\n}'},
        {"role": "tool", "tool_call_id": "x", "content": "ok"},
        {"role": "assistant", "tool_calls": [call("done", "{}", "call_3")]},
        {"role": "tool", "tool_call_id": "call_3", "content": "1"},
        {"role": "user", "content": "Thanks"},
        {"role": "assistant", "content": "It is 2."},
    ]


@given(junk_records)
def test_every_turn_is_a_message(record):
    for turn in turns(record):
        assert isinstance(turn["role"], str)


def test_white_space_that_the_input_file_of_a_run_drops_does_not_ask_twice():
    asked = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hi"}]
    transcribed = [{"role": "system", "content": "Be brief.\n"}, {"role": "user", "content": "Hi  "}]
    answer = {"role": "assistant", "content": "Hello"}
    found = turns({"input": asked, "outputMessages": [*transcribed, answer]})
    assert found == [*asked, answer]


@pytest.mark.parametrize(
    ("role", "told"), [("user", "user"), ("", "assistant"), (7, "assistant"), (None, "assistant")]
)
def test_a_message_without_a_role_that_is_a_word_is_the_assistants(role, told):
    events = [{"type": "message", "text": "Hi", "metadata": {"role": role}}]
    found = turns({"trace": {"schema_version": "1.0", "events": events}})
    assert [one["role"] for one in found] == [role if role == "user" else "assistant"]


def test_what_calls_hold_becomes_a_turn_of_its_own_after_all_calls_of_their_turn():
    calls: list[Plain] = [
        {"tool": "read", "input": {"path": "a"}, "output": {"size": 2}, "status": "ok"},
        {"tool": "grep", "id": "g", "input": {"q": "x"}, "output": ""},
    ]
    said = [{"role": "assistant", "content": "I look.", "tool_calls": calls, "reasoning_content": "hm"}]
    record = {"input": "Look", "output_messages": [*said, {"role": "assistant", "content": ""}]}
    told = transcript(record, read_trace(record, Path()))
    function = lambda name, given: {"type": "function", "function": {"name": name, "arguments": given}}  # noqa: E731
    assert list(told.messages) == [
        {"role": "user", "content": "Look"},
        {
            "role": "assistant",
            "content": "I look.",
            "tool_calls": [
                {"id": "call_1", **function("read", '{"path": "a"}')},
                {"id": "g", **function("grep", '{"q": "x"}')},
            ],
        },
        {"role": "tool", "tool_call_id": "call_1", "content": '{\n  "size": 2\n}'},
        {"role": "tool", "tool_call_id": "g", "content": ""},
    ]
    assert told.left_out == ("reasoning_content",)
    assert [told.until(event) for event in range(4)] == [2, 2, 4, 4]


def test_what_a_model_thought_is_in_its_trace_and_not_in_the_sample_that_is_made_of_it():
    thought: Plain = {"type": "thinking", "thinking": "hm", "signature": "s"}
    said: list[Plain] = [
        {"role": "assistant", "content": [thought, {"type": "text", "text": "Yes."}]},
        {"role": "assistant", "content": [thought]},
    ]
    record: Table = {"input": "Well?", "output_messages": said}
    trace = read_trace(record, Path())
    told = transcript(record, trace)
    asked: Table = {"role": "user", "content": "Well?"}
    assert list(told.messages) == [asked, {"role": "assistant", "content": "Yes."}]
    assert told.left_out == ("thinking",)
    assert "hm" in str(trace.events)


@pytest.mark.parametrize(
    "row",
    [
        {"output_messages": [{"role": "assistant", "content": "<think>hm</think>Yes."}]},
        {"output": "<think>hm</think>Yes."},
        {
            "output_messages": [
                {"role": "assistant", "content": "<think>hm"},
                {"role": "assistant", "content": "Yes."},
            ]
        },
    ],
)
def test_what_a_model_thought_in_a_text_is_in_its_trace_and_not_in_the_sample_that_is_made_of_it(
    row: Table,
) -> None:
    record: Table = {"input": "Well?", **row}
    trace = read_trace(record, Path())
    told = transcript(record, trace)
    assert list(told.messages) == [{"role": "user", "content": "Well?"}, {"role": "assistant", "content": "Yes."}]
    assert told.left_out == ("thinking",)
    assert "hm" in str((trace.events, trace.response))


def test_calls_between_two_steps_are_of_one_turn_and_an_error_is_what_its_call_returned():
    step, call = {"type": "model_step"}, {"type": "tool_call", "name": "read"}
    calls: list[Plain] = [{**call, "id": "a", "output": "x"}, {**call, "id": "b", "output": "", "error": "gone"}]
    answer = {"type": "message", "text": "Done."}
    stepwise, without = (
        {"input": "Look", "trace": [*first, *calls, *then, answer]} for first, then in (([step], [step]), ([], []))
    )
    results = [
        {"role": "tool", "tool_call_id": "a", "content": "x"},
        {"role": "tool", "tool_call_id": "b", "content": "gone"},
    ]
    assert [turn["role"] for turn in turns(stepwise)] == ["user", "assistant", "tool", "tool", "assistant"]
    assert turns(stepwise)[2:4] == results
    assert [turn["role"] for turn in turns(without)] == [
        "user",
        "assistant",
        "tool",
        "assistant",
        "tool",
        "assistant",
    ]


def test_results_without_an_id_answer_the_calls_in_order():
    called = {"role": "assistant", "tool_calls": [{"function": {"name": name, "arguments": "{}"}} for name in "ab"]}
    answers = [{"role": "tool", "content": content} for content in ("1", "2")]
    found = turns({"input": "x", "output_messages": [called, *answers]})
    ids = [call["id"] for call in found[1]["tool_calls"]]
    assert [turn["tool_call_id"] for turn in found[2:]] == ids == ["call_1", "call_2"]


@pytest.mark.parametrize("kind", CONVERSATIONS)
def test_of_messages_of_any_provider_each_call_has_its_result_also_one_that_failed(kind: str) -> None:
    record: Table = {"output_messages": CONVERSATIONS[kind]}
    messages = transcript(record, read_trace(record, ".")).messages
    results = [str(message["content"]) for message in messages if message["role"] == "tool"]
    assert len(results) == 2
    assert all(text in result for text, result in zip(RESULTS, results, strict=True))
    made = [call.name for message in messages for call in calls_in(message) if call.name != "web_search"]
    assert made == [name for name, _ in CALLS]
