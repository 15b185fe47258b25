"""What a run says it sent: the messages of a record's request, and those of the requests to its graders.

AgentV keeps them in `input.md` (read into `input`), before that in `raw_request` and `evaluator_raw_request`;
gage-eval's runs have the sample as it was sent in `sample`.
"""

from __future__ import annotations

from collections.abc import Callable

from sampleui.formats.data import Plain, Table
from sampleui.review.adapters import fields

ASKED = ("input_messages", "inputMessages", "messages", "input", "question", "prompt")
CHATS = ("chat_prompt", "chatPrompt", "messages", "input_messages", "inputMessages", "input")
TEXTS = ("question", "user_prompt", "userPrompt", "prompt", "text", "query", "input")
SYSTEMS = ("system_prompt", "systemPrompt", "system_message", "systemMessage", "system", "instructions")
REQUESTS = ("raw_request", "rawRequest", "request")
_KEPT = ("role", "name", "content", "tool_calls", "tool_call_id")


def sent(data: Table) -> tuple[Table, ...]:
    """Return the messages that a record says were sent; empty where it does not say."""
    return next((found for read in _READERS if (found := read(data))), ())


def graders_given(data: Table) -> Plain:
    """Return what a record says, beside its scores, that its graders were sent; None where it does not say."""
    own = fields.first(data, ("evaluator_raw_request", "evaluatorRawRequest"))
    return own if own is not None else fields.table(data.get("requests")).get("evaluator")


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


def _of_requests(data: Table) -> tuple[Table, ...]:
    several = fields.table(data.get("requests"))
    held = (*(data.get(key) for key in REQUESTS), several.get("lm"), several.get("agent"))
    return next((found for one in held if (found := request_messages(one))), ())


def _of_input(data: Table) -> tuple[Table, ...]:
    held = (data[key] for key in ASKED if isinstance(data.get(key), str | list))
    return next((found for one in held if (found := request_messages(one))), ())


def _of_sample(data: Table) -> tuple[Table, ...]:
    return request_messages(data.get("sample")) if isinstance(data.get("sample"), dict) else ()


def _of_transcript(data: Table) -> tuple[Table, ...]:
    """Return how a transcript begins, up to the first answer."""
    held = data.get("transcript")
    listed = fields.tables(held) or fields.tables(fields.table(held).get("messages"))
    answers = (at for at, one in enumerate(listed) if one.get("role") not in ("system", "developer", "user"))
    return request_messages(list(listed[: next(answers, len(listed))]))


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


_READERS: tuple[Callable[[Table], tuple[Table, ...]], ...] = (_of_requests, _of_input, _of_sample, _of_transcript)
