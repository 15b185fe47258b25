"""Random lists of messages in every shape: what was called, what failed and what was said is counted right.

The lists are made from a talk of which the counts are known before any of it is written down.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import pytest

from sampleui import extract_trace
from sampleui.sample.convert import convert
from sampleui.sample.dialects.shipped import DIALECTS
from sampleui.sample.message_shapes import is_chat
from sampleui.trace.events import THOUGHT, EventType
from sampleui.trace.reading.extract import read_trace
from sampleui.trace.reading.response import as_record
from sampleui.trace.timeline import role_of

LISTS = 60
"""How many lists of each shape."""


class Said(NamedTuple):
    role: str
    text: str
    has_image: bool
    thought: str


class Call(NamedTuple):
    """A call, and what became of it: a text or a table that it returned, how it failed, or nothing yet."""

    id: str
    tool: str
    given: dict[str, Any]
    returned: Any = None
    failure: str = ""


Talk = Sequence[Said | Sequence[Call]]


def talk_of(random_state: random.Random) -> Talk:
    """Return a random talk: what is said, and batches of calls."""
    ids = iter(range(1_000))
    steps: list[Said | Sequence[Call]] = [Said("user", "Please.", random_state.random() < 0.3, "")]
    for _ in range(random_state.randint(0, 6)):
        if random_state.random() < 0.5:
            role = random_state.choice(["user", "assistant", "assistant", "system"])
            thought = f"hm {len(steps)}" if role == "assistant" and random_state.random() < 0.5 else ""
            steps.append(Said(role, f"words {next(ids)}", role == "user" and random_state.random() < 0.3, thought))
            continue
        calls = []
        for _ in range(random_state.randint(1, 3)):
            tool = random_state.choice(["read", "write", "tool_use", "error"])
            given: Any = random_state.choice(
                [{}, {"a": 1}, {"type": "tool_use", "name": "x"}, {"deep": [{"b": None}]}]
            )
            returned = random_state.choice(["ok", "ok", {"rows": [1, 2]}, ["x", "y"], None, None])
            failure = "it broke" if returned is None and random_state.random() < 0.6 else ""
            calls.append(Call(f"c{next(ids)}", tool, given, returned, failure))
        steps.append(calls)
    return steps


IMAGE = "QUJD" * 40


def chat(talk: Talk) -> Iterator[Any]:
    for step in talk:
        if isinstance(step, Said):
            picture = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{IMAGE}"}}
            parts = [{"type": "text", "text": step.text}, picture]
            yield {"role": step.role, "content": parts if step.has_image else step.text}
            continue
        functions = [(call.id, {"name": call.tool, "arguments": json.dumps(call.given)}) for call in step]
        calls = [{"id": name, "type": "function", "function": function} for name, function in functions]
        yield {"role": "assistant", "content": None, "tool_calls": calls}
        for call in step:
            if call.failure:
                yield {"role": "tool", "tool_call_id": call.id, "content": call.failure, "is_error": True}
            elif call.returned is not None:
                yield {"role": "tool", "tool_call_id": call.id, "content": call.returned}


def blocks(talk: Talk) -> Iterator[Any]:
    for step in talk:
        if isinstance(step, Said):
            thought = [{"type": "thinking", "thinking": step.thought, "signature": "s"}] if step.thought else []
            source = {"type": "base64", "media_type": "image/png", "data": IMAGE}
            image = [{"type": "image", "source": source}] if step.has_image else []
            yield {"role": step.role, "content": [*thought, {"type": "text", "text": step.text}, *image]}
            continue
        uses = [{"type": "tool_use", "id": call.id, "name": call.tool, "input": call.given} for call in step]
        yield {"role": "assistant", "content": uses}
        results = []
        for call in step:
            text = call.failure or (call.returned if isinstance(call.returned, str) else json.dumps(call.returned))
            if call.failure or call.returned is not None:
                wrong = {"is_error": True} if call.failure else {}
                results.append(
                    {
                        "type": "tool_result",
                        "tool_use_id": call.id,
                        "content": [{"type": "text", "text": text}],
                        **wrong,
                    }
                )
        if results:
            yield {"role": "user", "content": results}


def items(talk: Talk) -> Iterator[Any]:
    for step in talk:
        if isinstance(step, Said):
            if step.thought:
                yield {"type": "reasoning", "id": "rs", "summary": [{"type": "summary_text", "text": step.thought}]}
            kind = "output_text" if step.role == "assistant" else "input_text"
            image = (
                [{"type": "input_image", "image_url": f"data:image/png;base64,{IMAGE}"}] if step.has_image else []
            )
            yield {"type": "message", "role": step.role, "content": [{"type": kind, "text": step.text}, *image]}
            continue
        for call in step:
            yield {
                "type": "function_call",
                "call_id": call.id,
                "name": call.tool,
                "arguments": json.dumps(call.given),
            }
        for call in step:
            if call.failure or call.returned is not None:
                wrong = {"status": "failed"} if call.failure else {}
                yield {
                    "type": "function_call_output",
                    "call_id": call.id,
                    "output": call.failure or call.returned,
                    **wrong,
                }


def parts(talk: Talk) -> Iterator[Any]:
    for step in talk:
        if isinstance(step, Said):
            thought = [{"type": "reasoning", "text": step.thought}] if step.thought else []
            image = [{"type": "file", "mediaType": "image/png", "url": f"data:image/png;base64,{IMAGE}"}]
            text = {"type": "text", "text": step.text}
            yield {
                "id": "m",
                "role": step.role,
                "parts": [{"type": "step-start"}, *thought, text, *image[: step.has_image]],
            }
            continue
        tools: list[Any] = []
        for number, call in enumerate(step):
            named = {"type": f"tool-{call.tool}"} if number % 2 else {"type": "dynamic-tool", "toolName": call.tool}
            state: dict[str, Any] = {"state": "input-available"}
            if call.failure:
                state = {"state": "output-error", "errorText": call.failure}
            elif call.returned is not None:
                state = {"state": "output-available", "output": call.returned}
            tools.append({**named, "toolCallId": call.id, "input": call.given, **state})
        yield {"id": "m", "role": "assistant", "parts": tools}


def kit(talk: Talk) -> Iterator[Any]:
    for step in talk:
        if isinstance(step, Said):
            thought = [{"type": "reasoning", "text": step.thought}] if step.thought else []
            image = [{"type": "image", "image": IMAGE, "mediaType": "image/png"}]
            yield {
                "role": step.role,
                "content": [*thought, {"type": "text", "text": step.text}, *image[: step.has_image]],
            }
            continue
        used = [("tool-call", call.id, call.tool, call.given) for call in step]
        yield {
            "role": "assistant",
            "content": [
                {"type": kind, "toolCallId": i, "toolName": name, "input": given} for kind, i, name, given in used
            ],
        }
        results = []
        for call in step:
            output = (
                {"type": "error-text", "value": call.failure}
                if call.failure
                else {"type": "json", "value": call.returned}
            )
            if call.failure or call.returned is not None:
                results.append(
                    {"type": "tool-result", "toolCallId": call.id, "toolName": call.tool, "output": output}
                )
        if results:
            yield {"role": "tool", "content": results}


def session(talk: Talk) -> Iterator[Any]:
    for step in talk:
        if isinstance(step, Said):
            thought = [{"type": "reasoning", "text": step.thought}] if step.thought else []
            image = [{"type": "file", "mime": "image/png", "url": f"data:image/png;base64,{IMAGE}"}]
            text = {"type": "text", "text": step.text}
            yield {"info": {"role": step.role, "id": "m"}, "parts": [*thought, text, *image[: step.has_image]]}
            continue
        tools = []
        for call in step:
            state: dict[str, Any] = {"status": "running"}
            if call.failure:
                state = {"status": "error", "error": call.failure}
            elif call.returned is not None:
                state = {"status": "completed", "output": call.returned}
            tools.append(
                {"type": "tool", "callID": call.id, "tool": call.tool, "state": {**state, "input": call.given}}
            )
        yield {"info": {"role": "assistant"}, "parts": [*tools, {"type": "step-finish"}]}


def uses(talk: Talk) -> Iterator[Any]:
    for step in talk:
        if isinstance(step, Said):
            thought = [{"reasoningContent": {"reasoningText": {"text": step.thought}}}] if step.thought else []
            image = [{"image": {"format": "png", "source": {"bytes": IMAGE}}}]
            yield {"role": step.role, "content": [*thought, {"text": step.text}, *image[: step.has_image]]}
            continue
        called = [{"toolUseId": call.id, "name": call.tool, "input": call.given} for call in step]
        yield {"role": "assistant", "content": [{"toolUse": use} for use in called]}
        results = []
        for call in step:
            content = [{"text": call.failure}] if call.failure else [{"json": call.returned}]
            if call.failure or call.returned is not None:
                status = "error" if call.failure else "success"
                results.append({"toolResult": {"toolUseId": call.id, "content": content, "status": status}})
        if results:
            yield {"role": "user", "content": results}


def typed(talk: Talk) -> Iterator[Any]:
    kinds = {"user": "human", "assistant": "ai", "system": "system"}
    for step in talk:
        if isinstance(step, Said):
            image = [{"type": "image", "source_type": "base64", "mime_type": "image/png", "data": IMAGE}]
            content: Any = [{"type": "text", "text": step.text}, *image] if step.has_image else step.text
            yield {"type": kinds[step.role], "content": content}
            continue
        called = [{"name": call.tool, "args": call.given, "id": call.id, "type": "tool_call"} for call in step]
        yield {"type": "ai", "content": "", "tool_calls": called}
        for call in step:
            if call.failure or call.returned is not None:
                wrong = {"status": "error"} if call.failure else {}
                yield {"type": "tool", "content": call.failure or call.returned, "tool_call_id": call.id, **wrong}


def mixed(talk: Talk) -> Iterator[Any]:
    """Yield each step in another shape, as logs that were merged have them."""
    shapes = (chat, blocks, parts, kit, session, uses, typed, items)
    for number, step in enumerate(talk):
        yield from shapes[number % len(shapes)]([step])


SHAPES: Mapping[str, Callable[[Talk], Iterator[Any]]] = {
    shape.__name__: shape for shape in (chat, blocks, items, parts, kit, session, uses, typed, mixed)
}


def thoughts_in(talk: Talk) -> list[str]:
    return [step.thought for step in talk if isinstance(step, Said) and step.thought]


@pytest.mark.parametrize("shape", SHAPES)
def test_the_counts_are_those_of_the_talk(shape: str) -> None:
    for seed in range(LISTS):
        talk = talk_of(random.Random(f"{shape} {seed}"))
        calls = [call for step in talk if not isinstance(step, Said) for call in step]
        messages = [*SHAPES[shape](talk)]
        assert is_chat(messages)
        record = as_record(messages)
        assert record is not None
        trace = read_trace(record, ".")
        assert trace.diagnostics == ()
        assert dict(trace.summary.tool_calls_by_name) == dict(Counter(call.tool for call in calls)), (
            seed,
            messages,
        )
        assert trace.summary.failed_calls == sum(bool(call.failure) for call in calls), (seed, messages)
        made = [(event.id, event.input) for event in trace.events if event.type is EventType.TOOL_CALL]
        assert made == [(call.id, call.given) for call in calls], (seed, messages)
        texts = [event for event in trace.events if event.type is EventType.MESSAGE and event.text]
        said = [event.text for event in texts if role_of(event) != THOUGHT]
        assert said == [step.text for step in talk if isinstance(step, Said)], (seed, messages)
        thoughts = [event.text for event in texts if role_of(event) == THOUGHT]
        assert thoughts == [thought for thought in thoughts_in(talk) if thought in str(messages)], (seed, messages)
        told = [
            event["error"]
            for event in extract_trace(record, ".").events
            if event["type"] == "tool_call" and "error" in event
        ]
        assert told == [call.failure for call in calls if call.failure], (seed, messages)


@pytest.mark.parametrize("shape", [name for name in SHAPES if name != "items"])
def test_one_message_that_nobody_knows_makes_the_counts_unknown(shape: str) -> None:
    messages = [*SHAPES[shape](talk_of(random.Random(shape))), {"wer": "x", "was": "y"}]
    assert "tool_calls_by_name" not in extract_trace({"output_messages": messages}, ".").summary


CALLED: Any = {"role": "assistant", "tool_calls": [{"id": "c1", "function": {"name": "f", "arguments": "{}"}}]}
RESULT: Any = {"role": "tool", "tool_call_id": "c1", "content": "ok"}


@pytest.mark.parametrize(
    ("messages", "calls", "failed"),
    [
        ([RESULT, CALLED], 1, 0),
        ([RESULT], 0, 0),
        ([CALLED, CALLED, RESULT, RESULT], 2, 0),
        ([CALLED, RESULT, RESULT], 1, 0),
        ([CALLED, {**RESULT, "is_error": True}, {**RESULT, "is_error": True}], 1, 1),
        ([{**CALLED, "tool_calls": CALLED["tool_calls"] * 3}, RESULT], 3, 0),
        ([{"info": {"role": "assistant", "id": "m1", "parentID": "m1"}, "parts": []}], 0, 0),
        ([{"role": "assistant", "parts": [{"type": "subtask", "agent": "m1", "sessionID": "m1"}]}], 0, 0),
    ],
)
def test_results_without_calls_before_them_or_twice_are_read_as_they_stand(
    messages: list[Any], calls: int, failed: int
) -> None:
    trace = read_trace({"output_messages": messages}, ".")
    assert sum(trace.summary.tool_calls_by_name.values()) == calls
    assert trace.summary.failed_calls == failed


def nested(depth: int, inner: Any) -> Any:
    for number in range(depth):
        inner = [inner] if number % 2 else {"content": inner, "type": "tool_result", "tool_use_id": "x"}
    return inner


@pytest.mark.parametrize("depth", [900, 10_000])
@pytest.mark.parametrize("key", ["content", "parts", "tool_calls", "input", "output"])
def test_nesting_of_any_depth_is_read(depth: int, key: str) -> None:
    message: Any = {"role": "assistant", "content": "x", key: nested(depth, "deepest")}
    trace = read_trace({"output_messages": [message, {"role": "user", "content": nested(depth, "y")}]}, ".")
    assert trace.source is not None


def test_texts_and_files_of_megabytes_are_read_at_once() -> None:
    data, text = "A" * 5_000_000, "word " * 1_000_000
    source = {"type": "base64", "media_type": "image/png", "data": data}
    message: Any = {
        "role": "user",
        "content": [{"type": "text", "text": text}, {"type": "image", "source": source}],
    }
    result: Any = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "1", "content": text}]}
    trace = read_trace({"output_messages": [message, result] * 5}, ".")
    assert len(trace.events) == 10


JUNK = [None, 7, "x", [], {}, [["x"]], {"type": ["text"]}, {"type": {"a": 1}}, {"type": 5, "source": []}, True]


@pytest.mark.parametrize("junk", JUNK, ids=repr)
def test_values_of_the_wrong_type_anywhere_are_read_and_converted(junk: Any) -> None:
    use = {"type": "tool_use", "id": junk, "name": junk, "input": junk}
    for key in ("role", "content", "parts", "tool_calls", "toolInvocations", "info", "type", "kwargs", "id"):
        message: Any = {"role": "user", "content": "x", key: junk}
        used: Any = {"role": "user", "content": [use, {**use, key: junk}]}
        listed: list[list[Any]] = [[message], [{**message, key: [junk]}], [used]]
        for messages in listed:
            read_trace({"output_messages": messages}, ".")
            for target in ("agentv", "sharegpt"):
                convert({"id": "a", "messages": messages}, DIALECTS["calibrate"], DIALECTS[target])
    for key in ("source", "image_url", "file", "text", "data", "inlineData", "toolUse", "functionCall", "state"):
        parts_of = [{"type": "image", key: junk}, {key: junk}, {"type": "tool", key: junk}]
        shown: Any = {"role": "user", "content": parts_of}
        read_trace({"output_messages": [shown]}, ".")
        convert({"id": "a", "messages": [shown]}, DIALECTS["calibrate"], DIALECTS["openai"])
