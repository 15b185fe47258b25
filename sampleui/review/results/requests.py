"""The messages that a row says were sent to a model, however it spells them."""

from __future__ import annotations

from sampleui.formats.data import Plain, Table
from sampleui.review.results import fields

CHATS = ("chat_prompt", "chatPrompt", "messages", "input_messages", "inputMessages", "input")
TEXTS = ("question", "user_prompt", "userPrompt", "prompt", "text", "query", "input")
SYSTEMS = ("system_prompt", "systemPrompt", "system_message", "systemMessage", "system", "instructions")
_KEPT = ("role", "name", "content", "tool_calls", "tool_call_id")


def request_messages(request: Plain) -> tuple[Table, ...]:
    """Return the messages of a request: a text, a list of messages, or a table that names its parts."""
    if isinstance(request, str):
        return ({"role": "user", "content": request},) if request.strip() else ()
    if isinstance(request, list):
        return tuple(_message(table) for table in fields.tables(request) if "role" in table)
    if not isinstance(request, dict):
        return ()
    lists = (request[key] for key in CHATS if isinstance(request.get(key), list))
    chat = next((messages for listed in lists if (messages := request_messages(listed))), ())
    if chat:
        return chat if any(message["role"] == "system" for message in chat) else (*_system(request), *chat)
    texts = fields.first(request, TEXTS)
    asked = request_messages(texts) if isinstance(texts, str) else ()
    return (*_system(request), *asked) if asked else ()


def _system(request: Table) -> tuple[Table, ...]:
    instructions = (fields.text(fields.first(request, SYSTEMS)), fields.text(request.get("guidelines")))
    return tuple({"role": "system", "content": text} for text in instructions if text and text.strip())


def _message(entry: Table) -> Table:
    """Return a message as it is shown: the texts of its segments as one text where it has nothing else."""
    kept = {key: entry[key] for key in _KEPT if entry.get(key) is not None}
    kept["role"] = str(entry["role"])
    content = kept.get("content")
    segments = fields.tables(content)
    if segments and isinstance(content, list) and len(segments) == len(content):
        texts = [segment.get("text", segment.get("value")) for segment in segments if segment.get("type") == "text"]
        if len(texts) == len(segments) and all(isinstance(text, str) for text in texts):
            kept["content"] = "\n".join(map(str, texts))
    return kept
