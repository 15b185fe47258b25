"""What a row says was sent: the messages of a record's request, however it spells them, and what its graders got.

Some runs keep them in `input.md` (read into `input`), and older versions in `raw_request` and
`evaluator_raw_request`; others have the sample as it was sent in `sample`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile
from typing import NamedTuple

from sampleui.formats.data import Plain, Table, as_table, tables_in
from sampleui.review.results import fields
from sampleui.sample.message_shapes import role_of, usual_messages
from sampleui.sample.talk import talk_in

CHATS = ("chat_prompt", "chatPrompt", "messages", "input_messages", "inputMessages", "input")
TEXTS = ("question", "user_prompt", "userPrompt", "prompt", "text", "query", "input")
SYSTEMS = ("system_prompt", "systemPrompt", "system_message", "systemMessage", "system", "instructions")
_KEPT = ("role", "name", "content", "tool_calls", "tool_call_id")


def request_messages(request: Plain) -> tuple[Table, ...]:
    """Return the messages of a request: a text, a list of messages, or a table that names its parts."""
    if isinstance(request, str):
        return ({"role": "user", "content": request},) if request.strip() else ()
    if isinstance(request, list):
        return tuple(_message(table) for entry in tables_in(request) for table in _usual(entry))
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


def _usual(entry: Table) -> tuple[Table, ...]:
    """Return the messages that an entry stands for in which someone speaks."""
    if role_of(entry) is not None:
        return usual_messages(entry)
    return (entry,) if "role" in entry else ()


def _message(entry: Table) -> Table:
    """Return a message as it is shown: the texts of its segments as one text where it has nothing else."""
    message = {key: entry[key] for key in _KEPT if entry.get(key) is not None}
    message["role"] = str(entry["role"])
    content = message.get("content")
    segments = tables_in(content)
    if segments and isinstance(content, list) and len(segments) == len(content):
        texts = [segment.get("text", segment.get("value")) for segment in segments if segment.get("type") == "text"]
        if len(texts) == len(segments) and all(isinstance(text, str) for text in texts):
            message["content"] = "\n".join(map(str, texts))
    return message


ASKED = ("input_messages", "inputMessages", "messages", "input", "question", "prompt")
REQUESTS = ("raw_request", "rawRequest", "request")


class SentPrompt(NamedTuple):
    """What was asked of a model.

    Attributes:
        sent: the messages, as the run says; empty if it does not say.
        today: those that the deck renders now; empty without its sample, or where the run does not say.
        style: the prompt style they are rendered in, the one that is nearest to what was sent.
        apart: the places in `sent` of the messages that the deck renders otherwise or not at all.
        added: the places in `sent` of those that the run made, of a sample that has not changed since.
    """

    sent: tuple[Table, ...] = ()
    today: tuple[Table, ...] = ()
    style: str = ""
    apart: frozenset[int] = frozenset()
    added: frozenset[int] = frozenset()

    @property
    def differs(self) -> bool:
        """Whether the deck renders something else today."""
        return bool(self.today) and (bool(self.apart) or len(self.sent) != len(self.today))


UNKNOWN_PROMPT = SentPrompt()
"""Of what nobody says what was asked."""


def sent(data: Table) -> tuple[Table, ...]:
    """Return the messages that a record says were sent; empty if it does not say."""
    return next(filter(None, _asked_in(data)), ())


def graders_given(data: Table) -> Plain:
    """Return what a record says, beside its scores, that its graders were sent; None if it does not say."""
    named = fields.first(data, ("evaluator_raw_request", "evaluatorRawRequest"))
    return named if named is not None else as_table(data.get("requests")).get("evaluator")


def text_said(content: Plain) -> str:
    """Return the content of a message as one text."""
    if isinstance(content, str):
        return content
    messages = request_messages([{"role": "user", "content": content}])
    text = messages[0].get("content") if messages else None
    if isinstance(text, str):
        return text
    return "" if content is None else repr(content)


def _asked_in(data: Table) -> Iterator[tuple[Table, ...]]:
    """Yield what each part of a record says was sent, the surest first; of a transcript how it begins."""
    several = as_table(data.get("requests"))
    for request in (*(data.get(key) for key in REQUESTS), several.get("lm"), several.get("agent")):
        yield request_messages(request)
    for value in map(data.get, ASKED):
        yield request_messages([*talk_in(value)]) or request_messages(value)
    yield request_messages(as_table(data.get("sample")))
    transcript = data.get("transcript")
    listed = tables_in(transcript) or tables_in(as_table(transcript).get("messages"))
    yield request_messages(
        [*takewhile(lambda message: message.get("role") in ("system", "developer", "user"), listed)]
    )
