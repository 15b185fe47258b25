"""Requests in the shape of each provider's API, made of the messages that the provider is sent.

The shapes are those of the providers' own clients: OpenAI `chat.completions.create` (openai 3.54), Anthropic
`MessageCreateParams` (anthropic 2.12: `system` stands beside `messages`, calls and results of tools are content
blocks), Gemini `GenerateContentRequest` (google-genai 3.4: `systemInstruction` beside `contents`, whose roles are
`user` and `model`). Model and sampling settings are the runner's and left out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence

from sampleui.formats.data import Plain, Table
from sampleui.prompt.parts import reference

_DATA_URL = re.compile(r"data:([\w.+-]+/[\w.+-]+);base64,(.*)", re.DOTALL)


def body_of(messages: Sequence[Table], provider: str) -> Table:
    """Return the body of a request with messages in OpenAI's form, in the shape of a provider's API.

    Args:
        messages: what `provider_messages` gives.
        provider: a provider; one that is none of Anthropic and Gemini takes messages as they are.
    """
    return _BODIES.get(provider, _openai)(messages)


def _openai(messages: Sequence[Table]) -> Table:
    return {"messages": [*messages]}


def _parted(messages: Sequence[Table]) -> tuple[str, Sequence[Table]]:
    """Return the text of the system message that comes first, and the other messages."""
    if messages and messages[0].get("role") == "system":
        return "\n".join(_texts(messages[0].get("content"))), messages[1:]
    return "", messages


def _anthropic(messages: Sequence[Table]) -> Table:
    system, rest = _parted(messages)
    sent: list[Plain] = [_anthropic_message(message) for message in rest]
    return {"system": system, "messages": sent} if system else {"messages": sent}


def _anthropic_message(message: Table) -> Table:
    role, content, calls = message.get("role"), message.get("content"), _calls(message)
    if role == "tool":
        result: Table = {"type": "tool_result", "tool_use_id": message.get("tool_call_id")}
        return {"role": "user", "content": [{**result, "content": content}]}
    blocks = [_anthropic_block(item) for item in content] if isinstance(content, list) else []
    if calls and isinstance(content, str) and content:
        blocks = [{"type": "text", "text": content}]
    uses: list[Plain] = [
        {"type": "tool_use", "id": ident, "name": name, "input": given} for ident, name, given in calls
    ]
    known = role if role in ("assistant", "system") else "user"
    return {"role": known, "content": [*blocks, *uses] if blocks or uses else content}


def _anthropic_block(item: Plain) -> Plain:
    kind, url = _medium(item)
    data = _DATA_URL.match(url)
    source: Table = (
        {"type": "base64", "media_type": data[1], "data": data[2]} if data else {"type": "url", "url": url}
    )
    if kind == "image_url":
        return {"type": "image", "source": source}
    if kind == "file_url":
        return {"type": "document", "source": source}
    return {"type": "text", "text": reference(url)} if url else item  # sounds and films have no block


def _gemini(messages: Sequence[Table]) -> Table:
    system, rest = _parted(messages)
    names = {ident: name for message in messages for ident, name, _ in _calls(message)}
    contents: list[Plain] = [_gemini_content(message, names) for message in rest]
    head: Table = {"systemInstruction": {"parts": [{"text": system}]}} if system else {}
    return {**head, "contents": contents}


def _gemini_content(message: Table, names: Mapping[str, str]) -> Table:
    content, ident = message.get("content"), str(message.get("tool_call_id") or "")
    if message.get("role") == "tool":
        name = str(message.get("name") or names.get(ident) or ident)
        response: Table = {"name": name, "response": {"result": content}}
        return {"role": "user", "parts": [{"functionResponse": response}]}
    items = content if isinstance(content, list) else [content] if content else []
    parts = [_gemini_part(item) for item in items]
    calls: list[Plain] = [{"functionCall": {"name": name, "args": given}} for _, name, given in _calls(message)]
    return {"role": "model" if message.get("role") == "assistant" else "user", "parts": [*parts, *calls]}


def _gemini_part(item: Plain) -> Plain:
    if isinstance(item, str):
        return {"text": item}
    _, url = _medium(item)
    if data := _DATA_URL.match(url):
        return {"inlineData": {"mimeType": data[1], "data": data[2]}}
    return {"fileData": {"fileUri": url}} if url else {"text": "\n".join(_texts([item]))}


def _medium(item: Plain) -> tuple[str, str]:
    """Return the kind and the URL of a segment of media; an empty URL for any other."""
    kind = item.get("type") if isinstance(item, dict) else None
    held = item.get(str(kind)) if isinstance(item, dict) else None
    url = held.get("url") if isinstance(held, dict) else held
    return str(kind), url if isinstance(url, str) and kind != "text" else ""


def _texts(content: Plain) -> list[str]:
    if isinstance(content, str):
        return [content]
    items = content if isinstance(content, list) else []
    return [str(item.get("text", "")) for item in items if isinstance(item, dict)]


def _calls(message: Table) -> list[tuple[str, str, Plain]]:
    """Return the id, the name and the arguments of each tool call; arguments that are no JSON as they are."""
    found: list[tuple[str, str, Plain]] = []
    calls = message.get("tool_calls")
    for call in calls if isinstance(calls, list) else []:
        function = call.get("function") if isinstance(call, dict) else None
        held = function if isinstance(function, dict) else call if isinstance(call, dict) else {}
        given = held.get("arguments", held.get("input"))
        name = str(held.get("name") or held.get("tool") or "")
        found.append((str(call.get("id", "")) if isinstance(call, dict) else "", name, _loaded(given)))
    return found


def _loaded(given: Plain) -> Plain:
    if not isinstance(given, str):
        return {} if given is None else given
    try:
        loaded: Plain = json.loads(given or "{}")
    except (ValueError, RecursionError):
        return {"arguments": given}
    return loaded if isinstance(loaded, dict) else {"arguments": loaded}


_BODIES: Mapping[str, Callable[[Sequence[Table]], Table]] = {"anthropic": _anthropic, "gemini": _gemini}
SHAPED = frozenset(_BODIES)
"""The providers whose requests are more than a list of messages in OpenAI's form."""
