"""One conversation as providers and their kits write it: the same words, files, calls and results in each."""

from __future__ import annotations

import json
from typing import Any

PNG, PDF = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ", "JVBERi0xLjQK"
ASKED, THOUGHT, SAID, DONE = "Look at these.", "I should look.", "I look.", "All done."
READ, WRITE = {"path": "a.txt"}, {"path": "b.txt"}
RESULT, FAILURE = "It is a.", "denied by rule"
TEXTS = (ASKED, SAID, DONE)
CALLS = (("read", READ), ("write", WRITE))
RESULTS = (RESULT, FAILURE)


def _function(name: str, given: dict[str, str]) -> dict[str, str]:
    return {"name": name, "arguments": json.dumps(given)}


CONVERSATIONS: dict[str, list[Any]] = {
    "openai chat": [
        {
            "role": "user",
            "content": [
                {"type": "text", "text": ASKED},
                {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}"}},
                {"type": "file", "file": {"filename": "a.pdf", "file_data": f"data:application/pdf;base64,{PDF}"}},
            ],
        },
        {
            "role": "assistant",
            "content": SAID,
            "tool_calls": [
                {"id": "c1", "type": "function", "function": _function("read", READ)},
                {"id": "c2", "type": "function", "function": _function("write", WRITE)},
            ],
        },
        {"role": "tool", "tool_call_id": "c1", "content": [{"type": "text", "text": RESULT}]},
        {"role": "tool", "tool_call_id": "c2", "content": FAILURE},
        {"role": "assistant", "content": DONE},
    ],
    "responses": [
        {
            "type": "message",
            "role": "user",
            "content": [
                {"type": "input_text", "text": ASKED},
                {"type": "input_image", "image_url": f"data:image/png;base64,{PNG}"},
                {"type": "input_file", "filename": "a.pdf", "file_data": f"data:application/pdf;base64,{PDF}"},
            ],
        },
        {"type": "reasoning", "id": "rs1", "summary": [{"type": "summary_text", "text": THOUGHT}]},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": SAID}]},
        {"type": "function_call", "call_id": "c1", **_function("read", READ), "status": "completed"},
        {"type": "function_call", "call_id": "c2", **_function("write", WRITE)},
        {"type": "function_call_output", "call_id": "c1", "output": [{"type": "input_text", "text": RESULT}]},
        {"type": "function_call_output", "call_id": "c2", "output": FAILURE},
        {"type": "web_search_call", "id": "ws1", "status": "completed", "action": {"type": "search", "query": "a"}},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": DONE}]},
    ],
    "anthropic": [
        {
            "role": "user",
            "content": [
                {"type": "text", "text": ASKED},
                {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}},
                {
                    "type": "document",
                    "title": "a.pdf",
                    "source": {"type": "base64", "media_type": "application/pdf", "data": PDF},
                },
            ],
        },
        {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": THOUGHT, "signature": "sig"},
                {"type": "redacted_thinking", "data": "hidden"},
                {"type": "text", "text": SAID},
                {
                    "type": "tool_use",
                    "id": "c1",
                    "name": "read",
                    "input": READ,
                    "cache_control": {"type": "ephemeral"},
                },
                {"type": "tool_use", "id": "c2", "name": "write", "input": WRITE},
            ],
        },
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "c1", "content": [{"type": "text", "text": RESULT}]},
                {"type": "tool_result", "tool_use_id": "c2", "content": FAILURE, "is_error": True},
            ],
        },
        {"role": "assistant", "content": DONE},
    ],
    "ai sdk": [
        {
            "id": "m1",
            "role": "user",
            "parts": [
                {"type": "text", "text": ASKED},
                {"type": "file", "mediaType": "image/png", "url": f"data:image/png;base64,{PNG}"},
                {
                    "type": "file",
                    "mediaType": "application/pdf",
                    "filename": "a.pdf",
                    "url": f"data:application/pdf;base64,{PDF}",
                },
            ],
        },
        {
            "id": "m2",
            "role": "assistant",
            "parts": [
                {"type": "step-start"},
                {"type": "reasoning", "text": THOUGHT, "state": "done"},
                {"type": "text", "text": SAID, "providerMetadata": {"p": {"itemId": "i"}}},
                {
                    "type": "tool-read",
                    "toolCallId": "c1",
                    "state": "output-available",
                    "input": READ,
                    "output": RESULT,
                },
                {
                    "type": "dynamic-tool",
                    "toolName": "write",
                    "toolCallId": "c2",
                    "state": "output-error",
                    "input": WRITE,
                    "errorText": FAILURE,
                },
                {"type": "text", "text": DONE},
            ],
        },
    ],
    "ai sdk model messages": [
        {
            "role": "user",
            "content": [
                {"type": "text", "text": ASKED},
                {"type": "image", "image": PNG * 2, "mediaType": "image/png"},
                {"type": "file", "data": PDF, "mediaType": "application/pdf", "filename": "a.pdf"},
            ],
        },
        {
            "role": "assistant",
            "content": [
                {"type": "reasoning", "text": THOUGHT},
                {"type": "text", "text": SAID},
                {"type": "tool-call", "toolCallId": "c1", "toolName": "read", "input": READ},
                {"type": "tool-call", "toolCallId": "c2", "toolName": "write", "input": WRITE},
            ],
        },
        {
            "role": "tool",
            "content": [
                {
                    "type": "tool-result",
                    "toolCallId": "c1",
                    "toolName": "read",
                    "output": {"type": "text", "value": RESULT},
                },
                {
                    "type": "tool-result",
                    "toolCallId": "c2",
                    "toolName": "write",
                    "output": {"type": "error-text", "value": FAILURE},
                },
            ],
        },
        {"role": "assistant", "content": [{"type": "text", "text": DONE}]},
    ],
    "opencode": [
        {
            "info": {"id": "msg1", "role": "user", "time": {"created": 1}},
            "parts": [
                {"id": "p1", "type": "text", "text": ASKED},
                {"id": "p2", "type": "file", "mime": "image/png", "url": f"data:image/png;base64,{PNG}"},
                {
                    "id": "p3",
                    "type": "file",
                    "mime": "application/pdf",
                    "filename": "a.pdf",
                    "url": f"data:application/pdf;base64,{PDF}",
                },
            ],
        },
        {
            "info": {"id": "msg2", "role": "assistant", "cost": 0.25},
            "parts": [
                {"type": "step-start"},
                {"type": "reasoning", "text": THOUGHT, "time": {"start": 1}},
                {"type": "text", "text": SAID},
                {
                    "type": "tool",
                    "callID": "c1",
                    "tool": "read",
                    "state": {"status": "completed", "input": READ, "output": RESULT, "title": "a title"},
                },
                {
                    "type": "tool",
                    "callID": "c2",
                    "tool": "write",
                    "state": {"status": "error", "input": WRITE, "error": FAILURE},
                },
                {"type": "step-finish", "cost": 0.5},
                {"type": "text", "text": DONE},
            ],
        },
    ],
    "gemini": [
        {
            "role": "user",
            "parts": [
                {"text": ASKED},
                {"inlineData": {"mimeType": "image/png", "data": PNG}},
                {"fileData": {"mimeType": "application/pdf", "fileUri": "gs://bucket/a.pdf"}},
            ],
        },
        {
            "role": "model",
            "parts": [
                {"text": THOUGHT, "thought": True},
                {"text": SAID},
                {"functionCall": {"name": "read", "args": READ}},
                {"functionCall": {"name": "write", "args": WRITE}},
            ],
        },
        {
            "role": "user",
            "parts": [
                {"functionResponse": {"name": "read", "response": {"result": RESULT}}},
                {"functionResponse": {"name": "write", "response": {"error": FAILURE}}},
            ],
        },
        {"role": "model", "parts": [{"text": DONE}]},
    ],
    "bedrock": [
        {
            "role": "user",
            "content": [
                {"text": ASKED},
                {"image": {"format": "png", "source": {"bytes": PNG}}},
                {"document": {"format": "pdf", "name": "a", "source": {"bytes": PDF}}},
            ],
        },
        {
            "role": "assistant",
            "content": [
                {"reasoningContent": {"reasoningText": {"text": THOUGHT, "signature": "sig"}}},
                {"text": SAID},
                {"toolUse": {"toolUseId": "c1", "name": "read", "input": READ}},
                {"toolUse": {"toolUseId": "c2", "name": "write", "input": WRITE}},
            ],
        },
        {
            "role": "user",
            "content": [
                {"toolResult": {"toolUseId": "c1", "content": [{"text": RESULT}], "status": "success"}},
                {"toolResult": {"toolUseId": "c2", "content": [{"text": FAILURE}], "status": "error"}},
            ],
        },
        {"role": "assistant", "content": [{"text": DONE}]},
    ],
    "langchain": [
        {
            "type": "human",
            "content": [
                {"type": "text", "text": ASKED},
                {"type": "image", "source_type": "base64", "mime_type": "image/png", "data": PNG},
                {"type": "file", "source_type": "base64", "mime_type": "application/pdf", "data": PDF},
            ],
        },
        {
            "type": "ai",
            "content": SAID,
            "tool_calls": [
                {"name": "read", "args": READ, "id": "c1", "type": "tool_call"},
                {"name": "write", "args": WRITE, "id": "c2", "type": "tool_call"},
            ],
        },
        {"type": "tool", "content": RESULT, "tool_call_id": "c1"},
        {"type": "tool", "content": FAILURE, "tool_call_id": "c2", "status": "error"},
        {"type": "ai", "content": DONE},
    ],
}
