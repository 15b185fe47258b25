"""The conversation that a value holds, whatever holds it: tables around a list of messages, turns, a text of JSON.

Beside messages in shapes that are known (`message_shapes.py`), products keep what was said as an exchange a turn
(`{"user": …, "assistant": …}`), as pairs of texts, as messages under names of their own (`sender`, `text`), and as
one text with who speaks before each part (`Human: …`). These are conversations only where a name or a person says
so: an answer may well be a list of questions and answers.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence

from sampleui.formats.data import Plain, Table, as_table, json_or_text
from sampleui.sample.message_shapes import chat, is_chat, is_message, responded, usual_messages
from sampleui.text.limits import MAX_PROSE

_DEEPEST = 4
"""Tables, lists and texts of JSON that may be around a list of messages."""

_SPEAKERS: Mapping[str, str] = {
    **dict.fromkeys(("user", "human", "customer", "client", "caller", "visitor", "student", "patient"), "user"),
    **dict.fromkeys(("question", "query", "prompt", "input", "request", "asked", "q"), "user"),
    **dict.fromkeys(("assistant", "ai", "bot", "chatbot", "agent", "model", "llm", "gpt", "support"), "assistant"),
    **dict.fromkeys(("answer", "reply", "response", "output", "completion", "answered", "a"), "assistant"),
    **dict.fromkeys(("system", "developer", "instructions"), "system"),
    **dict.fromkeys(("tool", "function", "observation"), "tool"),
}
"""Who speaks by each name."""

_WHO = (
    "role",
    "sender",
    "author",
    "speaker",
    "from",
    "who",
    "actor",
    "participant",
    "event",
    "source",
    "type",
    "name",
)
_SAID = ("content", "text", "message", "body", "utterance", "value", "said", "says", "msg")
_SPOKEN = re.compile(
    r"^(?:#+ *|\*\*|\[)?(Human|User|Customer|Assistant|AI|Bot|Agent|System)(?:\*\*|\])?: *", re.MULTILINE
)


_DIALOGUE = re.compile(r"\s*Human:.*\n\nAssistant:", re.DOTALL)
"""A text of which nobody needs to say that it is a conversation."""

_MESSAGE = re.compile(r"""["\']role\\?["\']""")
"""What stands in a text beside others that holds messages."""

_FLAT = "message.role"
"""The key of a message whose keys have the path to them in front."""


def talk_in(value: Plain, *, loosely: bool = False) -> tuple[Table, ...]:
    """Return the messages of the conversation that a value holds, in the usual form; none if it holds none.

    Args:
        value: what may hold one: a list, a table around it, or the text of such as JSON.
        loosely: whether it is known for one, so that exchanges, pairs and other names of roles count as well.
    """
    return (*_talk(value, loosely, _DEEPEST),)


def _talk(value: Plain, loosely: bool, deepest: int) -> Sequence[Table]:
    if deepest < 0:
        return ()
    if isinstance(value, str):
        decoded = _decoded(value)
        if decoded is not None:
            return _talk(decoded, loosely, deepest - 1)
        return (*_by_speakers(value),) if loosely or _DIALOGUE.match(value) else ()
    if isinstance(value, dict):
        responds = _says(value) and responded(value)
        return chat(value) if responds else _in_table(value, loosely, deepest - 1)
    if not isinstance(value, list) or not value:
        return ()
    if is_chat(value):
        return [*map(_with_usual_role, chat(value))] if loosely else chat(value)
    turns = [_turn(item, loosely, deepest - 1) for item in value]
    return [message for turn in turns for message in turn] if all(turns) else ()


def _with_usual_role(message: Table) -> Table:
    role = str(message["role"])
    usual = _SPEAKERS.get(role.lower(), role)
    return message if usual == role else {"name": role, **message, "role": usual}


def _says(table: Table) -> bool:
    """Tell whether a table that has a role has something said too; a provider's response has none itself."""
    return "role" not in table or not {"content", "parts", "tool_calls"}.isdisjoint(table)


def _decoded(text: str) -> Plain:
    """Return the list or the table that a text is, as JSON or as Python writes it; None for any other."""
    if not text or len(text) > MAX_PROSE or text.lstrip()[:1] not in ("[", "{") or text.rstrip()[-1:] not in "]}":
        return None
    value = json_or_text(text)
    return _written_by_python(text) if isinstance(value, str) else value


def _written_by_python(text: str) -> Plain:
    """Return the value of a text in which a table of Python's was written with its messages; None for any other."""
    if "'role'" not in text and "'content'" not in text:
        return None
    try:
        value: Plain = ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return None
    return value


def _in_table(table: Table, loosely: bool, deepest: int) -> Sequence[Table]:
    """Return the conversation in a table: of several the longest, or one that goes on where another ends."""
    nodes = [node for node in table.values() if isinstance(node, dict) and node.get("message")]
    if len(nodes) > 1 and (talk := _talk([*nodes], loosely, deepest)):
        return talk  # a tree of messages by their ids
    talk = ()
    for value in table.values():
        holds = isinstance(value, list | dict) or (isinstance(value, str) and _MESSAGE.search(value))
        other = _talk(value, loosely and not isinstance(value, str), deepest) if holds else ()
        if talk and other and other[0]["role"] == "assistant" != talk[-1]["role"]:
            talk = [*talk, *other]
        elif len(other) > len(talk):
            talk = other
    return talk


def _turn(item: Plain, loosely: bool, deepest: int) -> Sequence[Table]:
    if isinstance(item, dict) and _FLAT in item:
        item = {key.removeprefix("message."): value for key, value in item.items()}
    if is_message(item) and _says(as_table(item)):
        return usual_messages(item)
    if isinstance(item, dict):
        inner = item.get("message")
        named = (*_named(item, loosely),) or (_turn(inner, loosely, deepest) if isinstance(inner, dict) else ())
        return named or _in_table(item, loosely, deepest)
    if loosely and isinstance(item, list) and len(item) == 2 and isinstance(item[0], str):
        roles = zip(("user", "assistant"), item, strict=True)
        return [{"role": role, "content": text} for role, text in roles if isinstance(text, str)]
    return _talk(item, loosely, deepest) if isinstance(item, list) else ()


def _named(item: Table, loosely: bool) -> Iterator[Table]:
    """Yield the messages of a table with names of its own: one that says who speaks, or an exchange."""
    said = next((key for key in _SAID if isinstance(item.get(key), str | dict)), None)
    who = next((key for key in _WHO if key != said and _role_in(item.get(key))), None)
    words = "" if said is None else _words(item[said])
    if who is not None and words and (loosely or isinstance(item[who], dict)):
        yield {"role": _role_in(item[who]), "content": words}
    elif loosely:
        for key, value in item.items():
            role = _SPEAKERS.get(key.lower().removesuffix("_message"))
            if role is not None and (words := _words(value)):
                yield {"role": role, "content": words}


def _words(value: Plain) -> str:
    """Return the words of a text, or of a table that has them under a usual name, or in its parts."""
    if isinstance(value, dict):
        parts = value.get("parts")
        texts = parts if isinstance(parts, list) else [value.get(key) for key in _SAID]
        return "\n".join(text for text in texts if isinstance(text, str) and text)
    return value if isinstance(value, str) else ""


def _role_in(value: Plain) -> str:
    if isinstance(value, dict):
        value = value.get("role") or value.get("name") or value.get("type")
    return _SPEAKERS.get(value.lower(), "") if isinstance(value, str) else ""


def _by_speakers(text: str) -> Iterator[Table]:
    """Yield what a text has said by several, each behind its name; nothing of any other text."""
    found = [*_SPOKEN.finditer(text)] if len(text) <= MAX_PROSE else []
    if len(found) < 2 or text[: found[0].start()].strip():
        return
    for match, following in zip(found, [*found[1:], None], strict=True):
        said = text[match.end() : following.start() if following else None].strip()
        yield {"role": _SPEAKERS[match[1].lower()], "content": said}
