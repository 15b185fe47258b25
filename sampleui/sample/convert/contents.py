"""Messages in the spelling of another dialect."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from sampleui.formats.data import Plain, Table, as_list, leaves, renamed_key
from sampleui.integrations.index import of_dialect
from sampleui.sample.dialects.dialect import Dialect
from sampleui.sample.message import MEDIA_TYPES, MediaSegment, TextSegment, segment
from sampleui.sample.message_shapes import usual_messages
from sampleui.sample.parse import json_text
from sampleui.text.wording import enumerated

if TYPE_CHECKING:
    from sampleui.integrations.integration import Converting

_DEVELOPER = "developer"
_REMOTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:|//")


_TEXTS = ("input_text", "output_text")
_THOUGHTS = ("thinking", "redacted_thinking", "reasoning")
"""Types of segments in the lists of providers: what is a text, and what a model thought before it answered."""


class Spelled(NamedTuple):
    """Messages as a dialect spells them, what it has beside them, and a line for each kind of change."""

    messages: list[Plain] | None
    beside: Table
    notes: list[str]


def conversation_for(messages: list[Plain] | None, target: Dialect) -> Spelled:
    """Return messages with contents and calls as a dialect spells them."""
    if messages is None:
        return Spelled(None, {}, [])
    notes: dict[str, None] = {}
    beside: Table = {}
    messages = [
        said for message in messages for usual in _usual(message, notes) for said in _said(usual, target, notes)
    ]
    if target.contents.media_marks and target.conversion.text_content:
        messages = [_with_marks(message, target.contents.media_marks, beside, notes) for message in messages]
    hooks = of_dialect(target).conversion(target)
    converted = [_message(message, target, hooks, notes) for message in hooks.write_turns(messages, notes)]
    return Spelled(converted, beside, [f"messages: {note}" for note in notes])


def _usual(message: Plain, notes: dict[str, None]) -> tuple[Plain, ...]:
    """Return what a message of a provider or its kit stands for in the usual form; note what has no place there."""
    usual = usual_messages(message) or (message,)
    if usual != (message,):
        kept = {repr(value) for _, value in leaves([*usual])}
        lost = [path for path, value in leaves(message) if value is not None and repr(value) not in kept]
        keys = (next((step for step in reversed(path) if isinstance(step, str)), "") for path in lost)
        notes.update({f"{key} is left out": None for key in keys if key not in ("type", "role")})
    return usual


def _said(message: Plain, target: Dialect, notes: dict[str, None]) -> Iterator[Plain]:
    """Yield a message with its texts called so, and without a model's thoughts; nothing if it has nothing else."""
    content = message.get("content") if isinstance(message, dict) else None
    if not isinstance(message, dict) or not isinstance(content, list):
        yield message
        return
    said: list[Plain] = []
    for item in content:
        kind = item.get("type") if isinstance(item, dict) else None
        if isinstance(item, dict) and kind in _TEXTS and kind not in target.contents.segments:
            said.append({**item, "type": "text"})
        elif kind in _THOUGHTS and kind not in target.contents.segments:
            notes["a model's thoughts are left out"] = None
        else:
            said.append(item)
    if said or not content or message.get("tool_calls"):
        yield {**message, "content": said}


def beside_text(segment: Plain) -> list[str]:
    """Return the keys of a text segment that are not its text."""
    text_keys = {"type", "value" if isinstance(segment, dict) and "value" in segment else "text"}
    return [key for key in segment if key not in text_keys] if isinstance(segment, dict) else []


def _message(message: Plain, target: Dialect, hooks: Converting, notes: dict[str, None]) -> Plain:
    if not isinstance(message, dict):
        return message
    message = _calling(message, target, notes)
    if "content" in message:
        message = {**message, "content": _content(message["content"], target, notes)}
    return hooks.write_message(message, notes)


def _content(content: Plain, target: Dialect, notes: dict[str, None]) -> Plain:
    if target.conversion.text_content and not isinstance(content, str):
        return _one_text(content, notes)
    if isinstance(content, dict) and not target.contents.tables:
        notes["structured content is written as JSON text"] = None
        return json_text(content)
    if isinstance(content, list):
        return _spelling(target)(content, target, notes)
    return content


def _calling(message: Table, target: Dialect, notes: dict[str, None]) -> Table:
    """Return a message with its calls as a dialect has them."""
    if "function_call" not in target.contents.call_keys:
        call, name = message.get("function_call"), message.get("name")
        if isinstance(call, dict) and not message.get("tool_calls"):
            notes["function_call is written as tool_calls, the name as its id"] = None
            message = {key: value for key, value in message.items() if key != "function_call"}
            message["tool_calls"] = [{"id": call.get("name"), "type": "function", "function": call}]
        if message.get("role") == "function" and isinstance(name, str):
            notes["the role function is written as tool"] = None
            message = {**message, "role": "tool", "tool_call_id": message.get("tool_call_id", name)}
    if message.get("role") == _DEVELOPER and "system" in target.conversion.turn_roles:
        notes["the role developer is written as system"] = None
        message = {**message, "role": "system"}
    if target.conversion.turn_roles and message.get("role") not in target.conversion.turn_roles:
        notes[f"{target.title} itself takes turns of {enumerated(target.conversion.turn_roles, 'and')} alone"] = (
            None
        )
    return message


def _one_text(content: Plain, notes: dict[str, None]) -> str:
    """Return content as the one text that it has to be: segments joined if they are texts, all else as JSON."""
    if content is None:
        return ""
    items = as_list(content)
    parts = [segment(item) for item in items]
    if parts and all(isinstance(part, TextSegment) for part in parts):
        notes.update({f"{key} of a text segment is dropped": None for item in items for key in beside_text(item)})
        return "\n".join(part.text for part in parts if isinstance(part, TextSegment))
    notes["content that is no text is written as JSON text"] = None
    return json_text(content)


def _plain_text(content: list[Plain], target: Dialect, notes: dict[str, None]) -> Plain:
    """Return texts as one text, joined as rendering joins them; a list that holds anything else as it is."""
    parts = [segment(item) for item in content]
    if parts and all(isinstance(part, TextSegment) for part in parts):
        texts = [part.text for part in parts if isinstance(part, TextSegment) and part.text.strip()]
        if len(texts) < len(parts):
            notes["blank segments are dropped"] = None
        notes.update({f"{key} of a text segment is dropped": None for item in content for key in beside_text(item)})
        return "\n".join(texts)
    notes[f"lists of segments are kept; {target.title} itself reads text only"] = None
    return content


def _values(content: list[Plain], target: Dialect, notes: dict[str, None]) -> Plain:
    """Return segments whose texts and files have a `value`."""
    spelled: list[Plain] = []
    for item in content:
        if isinstance(item, dict) and item.get("type") == "text" and "text" in item and "value" not in item:
            item = renamed_key(item, "text", "value")
        elif isinstance(item, dict) and item.get("type") == "file_url" and (url := _local(item)):
            notes["file_url segments are written as files, which are sent as text"] = None
            item = {
                **{key: value for key, value in item.items() if key != "file_url"},
                "type": "file",
                "value": url,
            }
        elif isinstance(item, dict) and str(item.get("type")).endswith("_url"):
            notes[f"media segments are kept; {target.title} itself reads text and files"] = None
        spelled.append(item)
    return spelled


def _texts(content: list[Plain], notes: dict[str, None]) -> list[Plain]:
    """Return segments as OpenAI spells them: a text has a `text`, a file is a `file_url`."""
    spelled: list[Plain] = []
    for item in content:
        if isinstance(item, dict) and item.get("type") == "text" and "value" in item and "text" not in item:
            item = renamed_key(item, "value", "text")
        elif isinstance(item, dict) and item.get("type") == "file" and isinstance(item.get("value"), str):
            notes["files are written as file_url segments"] = None
            others = {key: value for key, value in item.items() if key != "value"}
            item = {**others, "type": "file_url", "file_url": {"url": item["value"]}}
        spelled.append(item)
    return spelled


def _local(item: Table) -> str | None:
    """Return the path of a `file_url` segment that names a file here; a remote address is not a file."""
    file_url = item.get("file_url")
    url = file_url.get("url") if isinstance(file_url, dict) and len(file_url) == 1 else None
    return url if isinstance(url, str) and url and not _REMOTE.match(url) else None


def _own_media(content: list[Plain], target: Dialect, notes: dict[str, None]) -> list[Plain]:
    """Return segments with media as the types that a dialect has of its own for them."""
    types = reversed([*target.contents.own.items()])
    media_types = {usual: (kind, key) for kind, (usual, key) in types if kind not in MEDIA_TYPES}
    spelled: list[Plain] = []
    for item in content:
        medium = segment(item)
        if isinstance(medium, MediaSegment) and isinstance(item, dict) and medium.kind in media_types:
            kind, key = media_types[medium.kind]
            item_url = item.get(medium.kind)
            inner = item_url.items() if isinstance(item_url, dict) else ()
            beside = {name: value for name, value in inner if name != "url"}
            others = {name: value for name, value in item.items() if name not in ("type", medium.kind)}
            item = {"type": kind, **beside, **others, key: medium.url}
        spelled.append(item)
    return spelled


def _in_segments(content: list[Plain], target: Dialect, notes: dict[str, None]) -> list[Plain]:
    """Return segments as OpenAI spells them, or a dialect with media of its own; what it does not read is kept."""
    spelled = _own_media(_texts(content, notes), target, notes)
    kinds = (item.get("type") for item in spelled if isinstance(item, dict))
    unread = dict.fromkeys(
        kind for kind in kinds if target.contents.segments and kind not in target.contents.segments
    )
    notes.update({f"{kind} segments are kept; {target.title} itself does not read them": None for kind in unread})
    return spelled


def _spelling(target: Dialect) -> Callable[[list[Plain], Dialect, dict[str, None]], Plain]:
    """Return what spells segments for a dialect, by what it has segments for."""
    if target.contents.text_key == "value":
        return _values if target.contents.segments else _plain_text
    if target.conversion.text_only:
        return _plain_text
    return _in_segments


def _with_marks(
    message: Plain, marks: Mapping[str, tuple[str, str]], beside: Table, notes: dict[str, None]
) -> Plain:
    """Return a message with a mark in its text for each of its media, whose URLs are put beside the messages.

    Args:
        message: the message, as OpenAI spells it.
        marks: for the type of a segment, the mark and the key of the list of URLs.
        beside: where the URLs are put.
        notes: where a line is put for what changes.
    """
    content = message.get("content") if isinstance(message, dict) else None
    if not isinstance(message, dict) or not isinstance(content, list):
        return message
    marked: list[Plain] = []
    for item in content:
        medium = segment(item)
        if not isinstance(medium, MediaSegment) or medium.kind not in marks:
            marked.append(item)
            continue
        mark, key = marks[medium.kind]
        urls = beside.setdefault(key, [])
        assert isinstance(urls, list)
        urls.append(medium.url)
        marked.append({"type": "text", "text": mark})
        notes.update(dict.fromkeys(f"{name} of a segment is dropped" for name in _beside_url(item, medium.kind)))
        notes[f"{medium.kind} segments are written as {mark}, with their URL under {key}"] = None
    return {**message, "content": marked}


def _beside_url(item: Plain, kind: str) -> Iterator[str]:
    if isinstance(item, dict):
        beside = item.get(kind)
        yield from (key for key in item if key not in ("type", kind))
        yield from (key for key in beside if key != "url") if isinstance(beside, dict) else ()
