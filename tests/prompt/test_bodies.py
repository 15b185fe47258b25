"""Requests in the shapes of the providers' APIs."""

from __future__ import annotations

from typing import Any

import pytest

from sampleui.formats.data import Plain
from sampleui.prompt.provider_request import body_of
from tests.inside import inside

SYSTEM = {"role": "system", "content": "Be kind."}
CALL = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": '{"at": 1}'}}
PNG = "data:image/png;base64,AA=="
TALK: list[Any] = [
    SYSTEM,
    {"role": "user", "content": "What is it?"},
    {"role": "assistant", "content": "Let me see.", "tool_calls": [CALL]},
    {"role": "tool", "tool_call_id": "c1", "content": "a cat"},
    {"role": "assistant", "content": "A cat."},
]


def segments(*urls: tuple[str, str]) -> list[Any]:
    return [{"role": "user", "content": [{"type": kind, kind: {"url": url}} for kind, url in urls]}]


def test_openai_takes_the_messages_as_they_are() -> None:
    assert body_of(TALK, "openai") == body_of(TALK, "azure") == {"messages": TALK}


def test_anthropic_takes_the_system_prompt_beside_the_messages() -> None:
    assert body_of(TALK, "anthropic") == {
        "system": "Be kind.",
        "messages": [
            {"role": "user", "content": "What is it?"},
            {
                "role": "assistant",
                "content": [
                    {"type": "text", "text": "Let me see."},
                    {"type": "tool_use", "id": "c1", "name": "look", "input": {"at": 1}},
                ],
            },
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "a cat"}]},
            {"role": "assistant", "content": "A cat."},
        ],
    }


def test_gemini_takes_contents_and_a_system_instruction() -> None:
    assert body_of(TALK, "gemini") == {
        "systemInstruction": {"parts": [{"text": "Be kind."}]},
        "contents": [
            {"role": "user", "parts": [{"text": "What is it?"}]},
            {
                "role": "model",
                "parts": [{"text": "Let me see."}, {"functionCall": {"name": "look", "args": {"at": 1}}}],
            },
            {
                "role": "user",
                "parts": [{"functionResponse": {"name": "look", "response": {"result": "a cat"}}}],
            },
            {"role": "model", "parts": [{"text": "A cat."}]},
        ],
    }


def test_media_are_blocks_and_parts() -> None:
    talk = segments(
        ("image_url", "https://x/a.png"), ("image_url", "data:image/png;base64,AA=="), ("file_url", "b.pdf")
    )
    (sent,) = inside(body_of(talk, "anthropic"), "messages")
    assert sent["content"] == [
        {"type": "image", "source": {"type": "url", "url": "https://x/a.png"}},
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AA=="}},
        {"type": "document", "source": {"type": "url", "url": "b.pdf"}},
    ]
    (sent,) = inside(body_of(talk, "gemini"), "contents")
    assert sent["parts"] == [
        {"fileData": {"mimeType": "image/png", "fileUri": "https://x/a.png"}},
        {"inlineData": {"mimeType": "image/png", "data": "AA=="}},
        {"fileData": {"mimeType": "application/pdf", "fileUri": "b.pdf"}},
    ]


def test_a_sound_is_named_to_a_provider_that_takes_none() -> None:
    (sent,) = inside(body_of(segments(("audio_url", "a.wav")), "anthropic"), "messages")
    assert sent["content"] == [{"type": "text", "text": "<Attached: a.wav>"}]


@pytest.mark.parametrize("arguments", ["not json", "[1]", 3])
def test_arguments_that_are_no_table_are_kept(arguments: Any) -> None:
    call: Plain = {"id": "c", "function": {"name": "f", "arguments": arguments}}
    body = body_of([{"role": "assistant", "content": None, "tool_calls": [call]}], "anthropic")
    (block,) = inside(body, "messages", 0, "content")
    assert str(arguments)[:3] in str(block["input"])


def test_a_role_of_ones_own_is_the_users() -> None:
    talk: list[Any] = [{"role": "judge", "content": "x"}]
    assert body_of(talk, "anthropic")["messages"] == [{"role": "user", "content": "x"}]
    assert body_of(talk, "gemini")["contents"] == [{"role": "user", "parts": [{"text": "x"}]}]


SCHEMA: Any = {"type": "object", "properties": {"at": {}}}
TOOLS: Any = [
    {
        "type": "function",
        "function": {
            "name": "look",
            "description": "Look.",
            "parameters": {"type": "object", "properties": {"at": {}}},
        },
    },
    {"type": "function", "function": {"name": "stop"}},
]
ONE: Any = {"type": "function", "function": {"name": "look"}}


@pytest.mark.parametrize(
    ("choice", "openai", "anthropic", "gemini"),
    [
        (None, None, None, None),
        ("auto", "auto", {"type": "auto"}, {"mode": "AUTO"}),
        ("none", "none", {"type": "none"}, {"mode": "NONE"}),
        ("required", "required", {"type": "any"}, {"mode": "ANY"}),
        (ONE, ONE, {"type": "tool", "name": "look"}, {"mode": "ANY", "allowedFunctionNames": ["look"]}),
    ],
)
def test_tools_and_their_choice_have_the_shape_of_each_provider(choice, openai, anthropic, gemini) -> None:
    sample: Any = {"tools": TOOLS, **({"tool_choice": choice} if choice else {})}
    talk: Any = [{"role": "user", "content": "x"}]
    schema = TOOLS[0]["function"]["parameters"]
    body = body_of(talk, "openai", sample)
    assert (body["tools"], body.get("tool_choice")) == (TOOLS, openai)
    body = body_of(talk, "anthropic", sample)
    assert body.get("tool_choice") == anthropic
    assert body["tools"] == [
        {"name": "look", "description": "Look.", "input_schema": schema},
        {"name": "stop", "input_schema": {"type": "object", "properties": {}}},
    ]
    body = body_of(talk, "gemini", sample)
    assert body.get("toolConfig") == (gemini and {"functionCallingConfig": gemini})
    assert body["tools"] == [
        {"functionDeclarations": [{"name": "look", "description": "Look.", "parameters": schema}, {"name": "stop"}]}
    ]


@pytest.mark.parametrize("provider", ["openai", "anthropic", "gemini"])
@pytest.mark.parametrize("broken", [{"tools": "x"}, {"tools": ["x", {"function": 1}]}, {"tool_choice": "auto"}])
def test_what_offers_no_tool_adds_nothing(provider: str, broken: Any) -> None:
    assert body_of(TALK, provider, broken) == body_of(TALK, provider)


@pytest.mark.parametrize(
    ("url", "mime"),
    [
        ("https://x/a.jpg?size=1", "image/jpeg"),
        ("gs://b/a.mp3#t=1", "audio/mpeg"),
        ("a.mp4", "video/mp4"),
        ("https://x/a.pdf", "application/pdf"),
    ],
)
def test_gemini_is_told_the_type_of_a_file(url: str, mime: str) -> None:
    body = body_of(segments(("file_url", url), ("file_url", "https://x/a")), "gemini")
    parts: Any = body["contents"][0]["parts"]  # type: ignore[index,call-overload]
    assert parts == [{"fileData": {"mimeType": mime, "fileUri": url}}, {"fileData": {"fileUri": "https://x/a"}}]
