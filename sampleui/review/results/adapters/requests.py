"""Messages that rows say were sent, however they spell them."""

from __future__ import annotations

from sampleui.formats.data import Plain, Table
from sampleui.review.results.adapters import fields

CHATS = ("chat_prompt", "chatPrompt", "messages", "input_messages", "inputMessages", "input")
TEXTS = ("question", "user_prompt", "userPrompt", "prompt", "text", "query", "input")
SYSTEMS = ("system_prompt", "systemPrompt", "system_message", "systemMessage", "system", "instructions")
_KEPT = ("role", "name", "content", "tool_calls", "tool_call_id")


def request_messages(request: Plain) -> tuple[Table, ...]:
    """Return the messages of a request: a text, a list of messages, or a table that names its parts."""
    if isinstance(request, str):
        return ({"role": "user", "content": request},) if request.strip() else ()
    if isinstance(request, list):
        return tuple(_message(one) for one in fields.tables(request) if "role" in one)
    if not isinstance(request, dict):
        return ()
    lists = (request[key] for key in CHATS if isinstance(request.get(key), list))
    chat = next((found for one in lists if (found := request_messages(one))), ())
    if chat:
        return chat if any(one["role"] == "system" for one in chat) else (*_system(request), *chat)
    said = fields.first(request, TEXTS)
    asked = request_messages(said) if isinstance(said, str) else ()
    return (*_system(request), *asked) if asked else ()


def _system(request: Table) -> tuple[Table, ...]:
    said = (fields.text(fields.first(request, SYSTEMS)), fields.text(request.get("guidelines")))
    return tuple({"role": "system", "content": one} for one in said if one and one.strip())


def _message(entry: Table) -> Table:
    """Return a message as it is shown: the texts of its segments as one text where it has nothing else."""
    kept = {key: entry[key] for key in _KEPT if entry.get(key) is not None}
    kept["role"] = str(entry["role"])
    content = kept.get("content")
    segments = fields.tables(content)
    if segments and isinstance(content, list) and len(segments) == len(content):
        texts = [one.get("text", one.get("value")) for one in segments if one.get("type") == "text"]
        if len(texts) == len(segments) and all(isinstance(one, str) for one in texts):
            kept["content"] = "\n".join(map(str, texts))
    return kept
