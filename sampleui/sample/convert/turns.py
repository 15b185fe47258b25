"""Calls and media where a conversation has nothing but texts: ShareGPT's way, as LLaMA-Factory reads it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from sampleui.formats.data import Plain, Table
from sampleui.sample.content import segment
from sampleui.sample.message import MediaSegment, loaded
from sampleui.sample.plaintext import iso

_CALL = {"name", "arguments"}


def as_turns(messages: Sequence[Plain], role: str, notes: dict[str, None]) -> list[Plain]:
    """Return messages with their calls as turns of their own, each of which is the JSON of what it calls.

    Args:
        messages: the messages, as OpenAI spells them.
        role: the role of a turn that calls.
        notes: where a line is put for what changes.
    """
    turned: list[Plain] = []
    for message in messages:
        calls = message.get("tool_calls") if isinstance(message, dict) else None
        listed = calls if isinstance(calls, list) else []
        functions: list[Plain] = [function for call in listed if (function := _called(call)) is not None]
        if not isinstance(message, dict) or not functions or len(functions) < len(listed):
            turned.append(message)
            continue
        rest = {key: value for key, value in message.items() if key != "tool_calls"}
        turned += [rest] if rest.get("content") or rest.keys() - {"role", "content"} else []
        turned.append({"role": role, "content": _as_json(functions[0] if len(functions) == 1 else functions)})
        notes[f"tool_calls are written as turns of {role}, without their id and type"] = None
    return turned


def _called(call: Plain) -> Table | None:
    """Return the name and the arguments of a call that is nothing else."""
    function = call.get("function") if isinstance(call, dict) else None
    if not isinstance(call, dict) or not isinstance(function, dict) or not isinstance(function.get("name"), str):
        return None
    if call.keys() - {"id", "type", "function"} or function.keys() - _CALL:
        return None
    return {"name": function["name"], "arguments": loaded(function.get("arguments"))}


def with_calls(messages: Sequence[Plain], calling: Sequence[bool]) -> list[Plain]:
    """Return turns that are the JSON of calls as messages that call, with ids, which the tools' answers name.

    Args:
        messages: the messages, as OpenAI spells them.
        calling: for each of them whether it is such a turn.
    """
    turned: list[Plain] = []
    open_calls: list[str] = []
    count = 0
    for message, calls in zip(messages, calling, strict=True):
        functions = _calls_in(message.get("content")) if calls and isinstance(message, dict) else []
        if functions and isinstance(message, dict):
            open_calls = [f"call_{count + index + 1}" for index in range(len(functions))]
            count += len(functions)
            called: list[Plain] = [
                {"id": name, "type": "function", "function": function}
                for name, function in zip(open_calls, functions, strict=True)
            ]
            message = {**message, "content": None, "tool_calls": called}
        elif isinstance(message, dict) and message.get("role") == "tool" and open_calls:
            message = {"tool_call_id": open_calls.pop(0), **message}
        turned.append(message)
    return turned


def _calls_in(text: Plain) -> list[Table]:
    """Return the functions that the JSON of a text calls; none if it is anything else."""
    try:
        parsed = json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        return []
    items: list[Plain] = parsed if isinstance(parsed, list) else [parsed]
    calls = [
        item for item in items if isinstance(item, dict) and item.keys() == _CALL and isinstance(item["name"], str)
    ]
    if len(calls) < len(items):
        return []
    return [{"name": call["name"], "arguments": _as_json(call["arguments"])} for call in calls]


def _as_json(value: Plain) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=iso)


def with_marks(
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
