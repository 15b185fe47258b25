from pathlib import Path

import pytest
from hypothesis import given

from sampleui.errors import PathError
from sampleui.trace.promote import new_sample, transcript
from sampleui.trace.reading.extract import extract_trace
from tests.trace.strategies import junk_records


def turns(record, prompt=()):
    return list(transcript(record, extract_trace(record, Path()), prompt))


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
        {"role": "assistant", "tool_calls": [{"tool": "a", "input": {}}]},
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


def test_a_sample_of_the_first_turns_under_the_keys_of_a_dialect():
    said = [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]
    assert new_sample(said, 1, "new", ("messages",)) == {"id": "new", "messages": said[:1]}
    assert new_sample(said, 2, "new", ("vars", "input")) == {"id": "new", "vars": {"input": said}}


@pytest.mark.parametrize(("count", "path"), [(0, ("messages",)), (2, ("messages",)), (1, ()), (1, ("a", 0))])
def test_what_cannot_be_promoted(count, path):
    with pytest.raises(PathError):
        new_sample([{"role": "user", "content": "a"}], count, "new", path)


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
