"""A message, its segments and its tool calls, the same in every dialect."""

from __future__ import annotations

import json
from dataclasses import field
from typing import TypeAlias

from sampleui.formats.data import Plain, Table
from sampleui.values import dataclass


@dataclass(frozen=True, slots=True)
class TextSegment:
    """Text of a message: a string content, or `{type: text, value|text}`."""

    text: str


@dataclass(frozen=True, slots=True)
class FileSegment:
    """An attached file: `{type: file, value: PATH}`; the path as the author wrote it."""

    path: str


@dataclass(frozen=True, slots=True)
class MediaSegment:
    """A media reference: `{type: image_url, image_url: {url}}` and its audio, video and file siblings.

    `data` is the segment as authored, since providers are sent it untouched.
    """

    kind: str
    url: str
    data: Table


Segment: TypeAlias = TextSegment | FileSegment | MediaSegment


@dataclass(frozen=True, slots=True)
class Message:
    """One turn. `index` is its place in the sample's list; `extra` holds its name, its calls and tool_call_id."""

    index: int
    role: str
    segments: tuple[Segment, ...]
    extra: Table = field(default_factory=dict)

    @property
    def calls(self) -> bool:
        """Whether it calls tools, or a function as OpenAI's older messages do."""
        return bool(self.extra.get("tool_calls") or self.extra.get("function_call"))


def nested(call: Plain) -> Plain:
    """Return a call that names its function flatly as OpenAI's, with its arguments as text; any other as it is."""
    if not isinstance(call, dict) or not isinstance(name := call.get("function"), str):
        return call
    given = call.get("arguments")
    arguments = given if isinstance(given, str) else json.dumps({} if given is None else given, ensure_ascii=False)
    kept: Table = {"id": call["id"]} if "id" in call else {}
    return {**kept, "type": "function", "function": {"name": name, "arguments": arguments}}


def flat(call: Plain) -> Plain:
    """Return a call of OpenAI's with its function's name and the table of its arguments; any other as it is."""
    function = call.get("function") if isinstance(call, dict) else None
    if not isinstance(call, dict) or not isinstance(function, dict):
        return call
    own = {"function": function.get("name"), "arguments": loaded(function.get("arguments"))}
    return {**call, **{key: value for key, value in function.items() if key not in ("name", "arguments")}, **own}


def loaded(given: Plain) -> Plain:
    """Return the arguments of a call as a table; what is none stands under `arguments` in one."""
    if not isinstance(given, str):
        return {} if given is None else given
    try:
        parsed: Plain = json.loads(given or "{}")
    except (ValueError, RecursionError):
        return {"arguments": given}
    return parsed if isinstance(parsed, dict) else {"arguments": parsed}
