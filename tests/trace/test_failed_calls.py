"""In every kind of trace that says so, a call that failed has `error`, a text, in what scripts are given."""

from __future__ import annotations

from typing import Any

import pytest

from sampleui.trace.public import extract_trace

CALL: dict[str, Any] = {
    "role": "assistant",
    "tool_calls": [{"id": "1", "function": {"name": "pay", "arguments": "{}"}}],
}

SAID: dict[str, list[Any]] = {
    "a runner's call": [{"role": "assistant", "tool_calls": [{"id": "1", "tool": "pay", "error": "refused"}]}],
    "a runner's table": [
        {"role": "assistant", "tool_calls": [{"id": "1", "tool": "pay", "error": {"message": "refused"}}]}
    ],
    "OpenAI's message of a tool": [
        CALL,
        {"role": "tool", "tool_call_id": "1", "content": "refused", "is_error": True},
    ],
    "OpenAI's Responses": [
        {"type": "mcp_call", "id": "1", "name": "pay", "arguments": "{}", "error": "refused", "output": None}
    ],
    "Anthropic": [
        {"role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": "pay", "input": {}}]},
        {
            "role": "user",
            "content": [{"type": "tool_result", "tool_use_id": "1", "is_error": True, "content": "refused"}],
        },
    ],
    "Anthropic's blocks in a result": [
        {"role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": "pay", "input": {}}]},
        {
            "role": "user",
            "content": [
                {
                    "type": "tool_result",
                    "tool_use_id": "1",
                    "is_error": True,
                    "content": [{"type": "text", "text": "refused"}],
                }
            ],
        },
    ],
    "Bedrock": [
        {"role": "assistant", "content": [{"toolUse": {"toolUseId": "1", "name": "pay", "input": {}}}]},
        {
            "role": "user",
            "content": [{"toolResult": {"toolUseId": "1", "status": "error", "content": [{"text": "refused"}]}}],
        },
    ],
    "Gemini": [
        {"role": "model", "parts": [{"functionCall": {"name": "pay", "args": {}}}]},
        {"role": "user", "parts": [{"functionResponse": {"name": "pay", "response": {"error": "refused"}}}]},
    ],
    "the AI SDK's parts": [
        {
            "role": "assistant",
            "parts": [
                {
                    "type": "tool-pay",
                    "toolCallId": "1",
                    "state": "output-error",
                    "input": {},
                    "errorText": "refused",
                }
            ],
        }
    ],
    "the AI SDK's model messages": [
        {
            "role": "assistant",
            "content": [{"type": "tool-call", "toolCallId": "1", "toolName": "pay", "input": {}}],
        },
        {
            "role": "tool",
            "content": [
                {
                    "type": "tool-result",
                    "toolCallId": "1",
                    "toolName": "pay",
                    "output": {"type": "error-text", "value": "refused"},
                }
            ],
        },
    ],
    "LangChain": [
        {"type": "ai", "content": "", "tool_calls": [{"id": "1", "name": "pay", "args": {}}]},
        {"type": "tool", "tool_call_id": "1", "content": "refused", "status": "error"},
    ],
    "OpenCode": [
        {
            "info": {"role": "assistant", "id": "m"},
            "parts": [
                {
                    "type": "tool",
                    "tool": "pay",
                    "callID": "1",
                    "state": {"status": "error", "input": {}, "error": "refused"},
                }
            ],
        }
    ],
}


@pytest.mark.parametrize("kind", SAID)
def test_a_failed_call_has_an_error_that_is_a_text(kind: str) -> None:
    trace = extract_trace({"output_messages": SAID[kind]}, ".")
    assert [event["error"] for event in trace.events if event["type"] == "tool_call"] == ["refused"]


@pytest.mark.parametrize(
    ("told", "words"),
    [({"is_error": True}, "failed"), ({"status": "timeout"}, "timeout"), ({"error": {"code": 5}}, '{"code": 5}')],
)
def test_a_failure_without_a_text_has_what_is_said_of_it(told: dict[str, Any], words: str) -> None:
    event = {"type": "tool_call", "name": "pay", **told}
    assert extract_trace({"trace": [event]}, ".").events[0]["error"] == words


def test_a_call_that_did_not_fail_has_no_error() -> None:
    messages: list[Any] = [CALL, {"role": "tool", "tool_call_id": "1", "content": "refused to fail"}]
    assert all("error" not in event for event in extract_trace({"output_messages": messages}, ".").events)


def test_the_result_of_another_call_fails_no_call() -> None:
    calls: list[Any] = [
        {"type": "tool_call", "name": "a", "id": "1"},
        {"type": "tool_call", "name": "b", "id": "2"},
    ]
    results: list[Any] = [
        {"type": "tool_result", "id": "2", "output": "no", "is_error": True},
        {"type": "tool_result", "id": "1", "output": "yes"},
    ]
    events = extract_trace({"trace": [*calls, *results]}, ".").events
    assert [event.get("error") for event in events] == [None, "no", "no", None]
