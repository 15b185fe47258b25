"""One conversation in the shapes of many providers and kits: the same words and the same calls in each."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sampleui.review.results.file import open_results
from sampleui.trace.events import ABSENT, EventType
from sampleui.trace.reading.extract import read_trace, untold
from sampleui.trace.reading.response import as_record
from sampleui.trace.report import text_lines


class Said(NamedTuple):
    role: str
    text: str


class Called(NamedTuple):
    id: str
    tool: str
    given: dict[str, Any]
    returned: str | None


Step = Said | Called
Talk = Sequence[Step]


def chat(talk: Talk) -> Iterator[Any]:
    for step in talk:
        if isinstance(step, Said):
            yield {"role": step.role, "content": step.text}
        else:
            function = {"name": step.tool, "arguments": json.dumps(step.given)}
            call = {"id": step.id, "type": "function", "function": function}
            yield {"role": "assistant", "content": None, "tool_calls": [call]}
            if step.returned is not None:
                yield {"role": "tool", "tool_call_id": step.id, "content": step.returned}


def blocks(talk: Talk) -> Iterator[Any]:
    for step in talk:
        if isinstance(step, Said):
            yield {"role": step.role, "content": [{"type": "text", "text": step.text}]}
        else:
            use = {"type": "tool_use", "id": step.id, "name": step.tool, "input": step.given}
            yield {"role": "assistant", "content": [use]}
            if step.returned is not None:
                result = {"type": "tool_result", "tool_use_id": step.id, "content": step.returned}
                yield {"role": "user", "content": [result]}


def items(talk: Talk) -> Iterator[Any]:
    for step in talk:
        if isinstance(step, Said):
            kind = "output_text" if step.role == "assistant" else "input_text"
            yield {"type": "message", "role": step.role, "content": [{"type": kind, "text": step.text}]}
        else:
            arguments = json.dumps(step.given)
            yield {"type": "function_call", "call_id": step.id, "name": step.tool, "arguments": arguments}
            if step.returned is not None:
                yield {"type": "function_call_output", "call_id": step.id, "output": step.returned}


def parts(talk: Talk) -> Iterator[Any]:
    for number, step in enumerate(talk):
        if isinstance(step, Said):
            part: Any = {"type": "text", "text": step.text}
            yield {"id": f"m{number}", "role": step.role, "parts": [{"type": "step-start"}, part]}
        else:
            part = {"type": f"tool-{step.tool}", "toolCallId": step.id, "input": step.given}
            part |= {"state": "output-available", "output": step.returned} if step.returned is not None else {}
            yield {"id": f"m{number}", "role": "assistant", "parts": [part]}


def kit(talk: Talk) -> Iterator[Any]:
    for step in talk:
        if isinstance(step, Said):
            yield {"role": step.role, "content": step.text}
        else:
            call = {"type": "tool-call", "toolCallId": step.id, "toolName": step.tool, "input": step.given}
            yield {"role": "assistant", "content": [call]}
            if step.returned is not None:
                output = {"type": "text", "value": step.returned}
                yield {
                    "role": "tool",
                    "content": [
                        {"type": "tool-result", "toolCallId": step.id, "toolName": step.tool, "output": output}
                    ],
                }


def session(talk: Talk) -> Iterator[Any]:
    for step in talk:
        if isinstance(step, Said):
            yield {"info": {"role": step.role, "id": "m"}, "parts": [{"type": "text", "text": step.text}]}
        else:
            state = {"input": step.given} | ({} if step.returned is None else {"output": step.returned})
            part = {"type": "tool", "callID": step.id, "tool": step.tool, "state": state}
            yield {"info": {"role": "assistant"}, "parts": [part, {"type": "step-finish"}]}


def models(talk: Talk) -> Iterator[Any]:
    for step in talk:
        if isinstance(step, Said):
            role = "model" if step.role == "assistant" else step.role
            yield {"role": role, "parts": [{"text": step.text}]}
        else:
            yield {"role": "model", "parts": [{"functionCall": {"name": step.tool, "args": step.given}}]}
            if step.returned is not None:
                response = {"name": step.tool, "response": step.returned}
                yield {"role": "user", "parts": [{"functionResponse": response}]}


def uses(talk: Talk) -> Iterator[Any]:
    for step in talk:
        if isinstance(step, Said):
            yield {"role": step.role, "content": [{"text": step.text}]}
        else:
            use = {"toolUseId": step.id, "name": step.tool, "input": step.given}
            yield {"role": "assistant", "content": [{"toolUse": use}]}
            if step.returned is not None:
                result = {"toolUseId": step.id, "content": [{"text": step.returned}]}
                yield {"role": "user", "content": [{"toolResult": result}]}


def typed(talk: Talk) -> Iterator[Any]:
    kinds = {"user": "human", "assistant": "ai", "system": "system"}
    for step in talk:
        if isinstance(step, Said):
            yield {"type": kinds[step.role], "content": step.text}
        else:
            call = {"name": step.tool, "args": step.given, "id": step.id, "type": "tool_call"}
            yield {"type": "ai", "content": "", "tool_calls": [call]}
            if step.returned is not None:
                yield {"type": "tool", "content": step.returned, "tool_call_id": step.id}


def dumped(talk: Talk) -> Iterator[Any]:
    for message in typed(talk):
        yield {"type": message.pop("type"), "data": message}


SHAPES: Mapping[str, Callable[[Talk], Iterator[Any]]] = {
    shape.__name__: shape for shape in (chat, blocks, items, parts, kit, session, models, uses, typed, dumped)
}
WORDS = st.text("abc ?.", min_size=1).filter(str.strip)
TALKS = st.lists(
    st.one_of(
        st.builds(Said, st.sampled_from(["user", "assistant", "system"]), WORDS),
        st.builds(
            Called,
            st.uuids().map(str),
            st.sampled_from(["search", "calc"]),
            st.dictionaries(st.sampled_from(["a", "b"]), st.integers() | WORDS, max_size=2),
            st.none() | WORDS,
        ),
    ),
    min_size=1,
    max_size=6,
)


@pytest.mark.parametrize("shape", SHAPES)
@given(talk=TALKS)
def test_a_conversation_has_the_same_words_and_calls_in_every_shape(shape: str, talk: list[Step]) -> None:
    record = as_record([*SHAPES[shape](talk)])
    assert record is not None
    trace = read_trace(record, ".")
    assert [note.rule for note in trace.diagnostics] == []
    said = [event.text for event in trace.events if event.type is EventType.MESSAGE]
    assert said == [step.text for step in talk if isinstance(step, Said)]
    called = [(event.name, event.input) for event in trace.events if event.type is EventType.TOOL_CALL]
    assert called == [(step.tool, step.given) for step in talk if isinstance(step, Called)]
    returned = [
        event.output
        for event in trace.events
        if event.type in (EventType.TOOL_CALL, EventType.TOOL_RESULT) and isinstance(event.output, str)
    ]
    assert returned == [step.returned for step in talk if isinstance(step, Called) and step.returned is not None]


@pytest.mark.parametrize(
    "result",
    [
        {
            "role": "user",
            "content": [{"type": "tool_result", "tool_use_id": "1", "content": "no", "is_error": True}],
        },
        {"role": "user", "content": [{"toolResult": {"toolUseId": "1", "content": [], "status": "error"}}]},
        {
            "role": "assistant",
            "parts": [{"type": "dynamic-tool", "toolName": "f", "toolCallId": "1", "errorText": "no"}],
        },
    ],
)
def test_a_call_that_failed_is_counted_as_failed(result: dict[str, Any]) -> None:
    assert read_trace({"output_messages": [result]}, ".").summary.failed_calls == 1


def test_of_messages_whose_shape_nobody_knows_nothing_is_counted() -> None:
    trace = read_trace({"output_messages": [{"speaker": "x", "tool": "f"}, {"speaker": "y"}]}, ".")
    assert "tool_names" not in trace.summary.to_data()
    assert "shape that is not known" in untold(trace)
    assert "tool calls not known" in "\n".join(text_lines(trace, "x"))


@pytest.mark.parametrize("key", ["messages", "conversation"])
def test_messages_beside_an_answer_whose_shape_nobody_knows_are_told_and_not_counted(key: str) -> None:
    trace = read_trace({"model_reply": "So it is.", key: [{"wer": "x", "was": "Hi"}, {"wer": "y"}]}, ".")
    assert "tool_calls_by_name" not in trace.summary.to_data()
    assert "shape that is not known" in untold(trace)
    known = read_trace({"model_reply": "So it is.", key: [{"role": "user", "content": "Hi"}]}, ".")
    assert untold(known) == "the record has no trace"


RESPONSES: Mapping[str, dict[str, Any]] = {
    "Anthropic": {
        "type": "message",
        "role": "assistant",
        "content": [
            {"type": "text", "text": "Yes."},
            {"type": "tool_use", "id": "1", "name": "f", "input": {"a": 1}},
        ],
    },
    "OpenAI chat": {
        "object": "chat.completion",
        "choices": [
            {
                "message": {
                    "role": "assistant",
                    "content": "Yes.",
                    "tool_calls": [{"id": "1", "function": {"name": "f", "arguments": '{"a": 1}'}}],
                }
            }
        ],
    },
    "Gemini": {
        "candidates": [
            {
                "content": {
                    "role": "model",
                    "parts": [{"text": "Yes."}, {"functionCall": {"name": "f", "args": {"a": 1}}}],
                }
            }
        ],
    },
    "OpenAI response": {
        "object": "response",
        "output": [
            {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Yes."}]},
            {"type": "function_call", "call_id": "1", "name": "f", "arguments": '{"a": 1}'},
        ],
    },
}


@pytest.mark.parametrize("provider", RESPONSES)
def test_a_whole_response_has_the_words_and_the_calls_in_it(provider: str, tmp_path: Path) -> None:
    response = {"id": "r1", **RESPONSES[provider]}
    run = tmp_path / "log.jsonl"
    run.write_text(json.dumps({"question": "Is it so?", "reply": response}) + "\n", "utf-8")
    in_a_row = read_trace(open_results(run).indexed().record(0).data, tmp_path)
    for trace in (read_trace(response, "."), in_a_row):
        assert [(event.type, event.text, event.name, event.input) for event in trace.events] == [
            (EventType.MESSAGE, "Yes.", None, ABSENT),
            (EventType.TOOL_CALL, None, "f", {"a": 1}),
        ]


def test_choices_of_a_question_are_no_response_of_a_provider() -> None:
    options: list[Any] = [{"label": "A", "message": "four"}, {"label": "B", "message": "five"}]
    assert read_trace({"id": "q1", "choices": options}, ".").source is None


@pytest.mark.parametrize(
    "unread",
    [{"wer": "x"}, {"type": "item_reference", "id": "x"}, {"role": "assistant", "tool_calls": [{"id": "1"}]}],
)
def test_where_one_of_many_messages_cannot_be_read_the_calls_are_not_counted(unread: dict[str, Any]) -> None:
    trace = read_trace({"output_messages": [{"role": "user", "content": "Hi"}, unread]}, ".")
    assert trace.summary.to_data() == {}
    assert "tool calls not known" in "\n".join(text_lines(trace, "x"))
