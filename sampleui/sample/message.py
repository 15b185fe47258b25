"""A message, its segments and its tool calls, the same in every dialect, and what its content says.

This runs for every message at every key typed, so it reads plain data; what a dialect spells in a way of its own is
handed in.
"""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from sampleui.formats.data import Plain, Table, json_or_text
from sampleui.sample.dialects.dialect import Dialect


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
    arguments = call.get("arguments")
    if not isinstance(arguments, str):
        arguments = json.dumps({} if arguments is None else arguments, ensure_ascii=False)
    nested_call: Table = {"id": call["id"]} if "id" in call else {}
    return {**nested_call, "type": "function", "function": {"name": name, "arguments": arguments}}


def flat(call: Plain) -> Plain:
    """Return a call of OpenAI's with its function's name and the table of its arguments; any other as it is."""
    function = call.get("function") if isinstance(call, dict) else None
    if not isinstance(call, dict) or not isinstance(function, dict):
        return call
    own = {"function": function.get("name"), "arguments": loaded(function.get("arguments"))}
    return {**call, **{key: value for key, value in function.items() if key not in ("name", "arguments")}, **own}


def loaded(value: Plain) -> Plain:
    """Return the arguments of a call as a table; anything but a table is put under `arguments` in one."""
    if not isinstance(value, str):
        return {} if value is None else value
    parsed = json_or_text(value or "{}")
    return parsed if isinstance(parsed, dict) else {"arguments": parsed}


def json_text(value: Plain) -> str:
    """Return a value as indented JSON, which is how structured content is shown to a model."""
    return json.dumps(value, indent=2, ensure_ascii=False, default=iso)


def size_within(value: Plain, limit: int) -> int | None:
    """Return how many characters a value has, None for more than a limit. The limit bounds the work too.

    A text is counted as it is, other data as compact JSON.
    """
    if isinstance(value, str):
        return len(value) if len(value) <= limit else None
    total = 0
    try:
        for chunk in json.JSONEncoder(ensure_ascii=False, default=str).iterencode(value):
            total += len(chunk)
            if total > limit:
                return None
    except RecursionError:
        return None
    return total


def iso(value: object) -> str:
    """Return a value that JSON cannot write as text, dates and times in ISO form: a `default` for `json.dumps`."""
    return value.isoformat() if isinstance(value, dt.date | dt.time) else str(value)


TEXT_TYPES = ("text", "input_text", "output_text")
"""Types of parts of a message that are its text."""

_THOUGHTS = frozenset(
    """
    thinking redacted_thinking reasoning redacted_reasoning reasoning_text reasoning_content reasoning_summary
    summary_text thought
    """.split()  # noqa: SIM905
)
"""Types of parts of a message that hold what a model thought, as providers and their SDKs call them."""


def is_thinking(part: Plain) -> bool:
    """Tell whether a part of a message is what its model thought before it answered, which is no answer."""
    if not isinstance(part, dict):
        return False
    kind = part.get("type", part.get("part_kind"))
    if isinstance(kind, str):
        return kind.replace("-", "_") in _THOUGHTS or part.get("thought") is True
    # Gemini marks such a part; of Bedrock's its only key tells.
    return part.get("thought") is True or part.keys() in ({"reasoningContent"}, {"reasoning_content"})


def without_thinking(content: Plain) -> Plain:
    """Return the content of a message without the parts that are thinking."""
    return [part for part in content if not is_thinking(part)] if isinstance(content, list) else content


def behind_thinking(text: str) -> str:
    """Return what a model said behind what it thought, where both are one text; any other text as it is.

    What it thought stands first, in `<think>`, as such models write it. Of one that is never closed nothing was
    said. Where a chat template has opened it, its end alone is there.
    """
    said = _parted_thought(text)[1]
    return text if said is text else said.strip()


def thought_of(message: Table) -> str:
    """Return what a model thought before it said a message; empty where the message has nothing of it.

    It stands under a key beside the content, in parts of the content, or before the rest of a text.
    """
    beside = [message.get(key) for key in _THOUGHTS_BESIDE]
    beside += [metadata.get("thinking")] if isinstance(metadata := message.get("metadata"), dict) else []
    content = message.get("content")
    parts: list[Plain] = content if isinstance(content, list) else [{"type": "text", "text": content}]
    values = (item for value in beside for item in (value if isinstance(value, list) else [value]))
    thoughts = [value for value in values if isinstance(value, str)]
    for part in parts:
        if not isinstance(part, dict):
            continue
        if is_thinking(part):
            thoughts += [str(part[key]) for key in ("text", "thinking", "reasoning", "value") if part.get(key)][:1]
        elif isinstance(text := part.get("text"), str):
            thoughts += _parted_thought(text)[0]
    return "\n\n".join(dict.fromkeys(text for thought in thoughts if (text := thought.strip())))


def thinking_answer(row: Table, answer: str | list[Plain]) -> Table:
    """Return an answer as a message with what its model thought before it, which stands in it or beside it.

    Empty where the model is not known to have thought anything.
    """
    thought = thought_of({**row, "content": answer})
    return {**said_alone({"role": "assistant", "content": answer}), "thinking": thought} if thought else {}


def said_alone(message: Table) -> Table:
    """Return a message of a model without what it thought in its content."""
    content = message.get("content")
    if message.get("role") in ("user", "system", "tool") or not isinstance(content, str | list):
        return message
    said: Plain = behind_thinking(content) if isinstance(content, str) else without_thinking(content)
    return message if said == content else {**message, "content": said}


def _parted_thought(text: str) -> tuple[list[str], str]:
    """Return what was thought at the beginning of a text, and the rest; where nothing was, the text itself."""
    thoughts, said = list[str](), text
    while begun := _THINKS.match(said):
        thought, _, said = said[begun.end() :].partition(_THOUGHT)
        thoughts.append(thought)
    if _THOUGHT in said and "<think" not in said:
        thought, _, said = said.rpartition(_THOUGHT)
        thoughts.append(thought)
    return thoughts, said


_THOUGHTS_BESIDE = tuple(
    """
    reasoning_content reasoning thinking reasoning_text reasoningContent reasoning_trace thinking_content thought
    thoughts chain_of_thought
    """.split()  # noqa: SIM905
)
"""Keys of a message under which providers put what was thought before its content."""

_THINKS = re.compile(r"\s*+<think(?:\s[^<>]*+)?>")
_THOUGHT = "</think>"

MEDIA_TYPES = ("image_url", "audio_url", "video_url", "file_url")
MEDIA_MARK = "media mark"
"""Stands in `Contents.own` for the type of a segment that is nothing but a mark."""

_NONE_OWN: Mapping[str, tuple[str, str]] = {}


def segments(
    content: Plain, object_content: bool = False, own_types: Mapping[str, tuple[str, str]] = _NONE_OWN
) -> tuple[Segment, ...] | None:
    """Return the segments of a message's content, None when it has no content that can be read."""
    if isinstance(content, str):
        return (TextSegment(content),)
    if isinstance(content, list):
        return tuple(part for item in content if (part := segment(item, object_content, own_types)) is not None)
    if isinstance(content, dict) and object_content:
        return (TextSegment(json_text(content)),)
    return None


def segment(
    item: Plain, plain_text: bool = False, own_types: Mapping[str, tuple[str, str]] = _NONE_OWN
) -> Segment | None:
    """Return one item of a content list as a segment, None when it is malformed or of an unknown type.

    `{type: text, value|text}`, `{type: file, value}`, and `{type: image_url, image_url: {url}}` with its audio,
    video and file siblings, whose URL may also be given as text (gage-eval standardized sample, §1.3.1). Where
    `plain_text` is given, a text by itself is one too. `own_types` are the types that a dialect has
    besides (`Contents.own`).
    """
    if plain_text and isinstance(item, str):
        return TextSegment(item)
    if not isinstance(item, dict):
        return None
    kind = item.get("type")
    if (
        isinstance(kind, str)
        and kind in own_types
        and (own_part := _own_segment(item, *own_types[kind])) is not None
    ):
        return own_part
    if kind == "text":
        text = item.get("value", item.get("text"))
        return TextSegment(text) if isinstance(text, str) else None
    if kind == "file":
        path = item.get("value")
        return FileSegment(path) if isinstance(path, str) and path else None
    if isinstance(kind, str) and kind in MEDIA_TYPES:
        medium = item.get(kind)
        url = medium.get("url") if isinstance(medium, dict) else medium
        return MediaSegment(kind, url, item) if isinstance(url, str) and url else None
    return None


def _own_segment(item: Table, usual: str, key: str) -> Segment | None:
    """Return a segment of a type of a dialect's own as what it says, None if it is not spelled that way."""
    if usual == MEDIA_MARK:
        return TextSegment(key) if all(item[other] is None for other in item if other != "type") else None
    value = item.get(key)
    if not isinstance(value, str):
        return None
    if usual == "text":
        return TextSegment(value)
    return MediaSegment(usual, value, {"type": usual, usual: {"url": value}}) if value else None


def reference_text(reference: Plain) -> str | None:
    """Return a reference as one string (§1.3.3): its text, or the path of its medium; None when it has neither."""
    answer = reference.get("answer") if isinstance(reference, dict) else reference
    parts = segments(answer)
    if parts is None:
        return None
    texts = [part.text for part in parts if isinstance(part, TextSegment)]
    media = [
        part.path if isinstance(part, FileSegment) else part.url
        for part in parts
        if isinstance(part, FileSegment | MediaSegment)
    ]
    return "\n".join(texts or media).strip() or None


def with_files(messages: tuple[Message, ...], data: Table, dialect: Dialect) -> tuple[Message, ...]:
    """Return messages with files in the places of their marks, for as long as there are files."""
    listed = files_beside(data, dialect)
    if not listed:
        return messages
    left = {dialect.contents.media_marks[kind][0]: (kind, iter(files)) for kind, files in listed.items()}
    return tuple(replace(message, segments=tuple(_parted(message.segments, left))) for message in messages)


def files_beside(data: Table, dialect: Dialect) -> dict[str, list[str]]:
    """Return the paths that a sample lists beside its messages, by their type of segment; of other lists none."""
    paths_by_kind: dict[str, list[str]] = {}
    for kind, (_, key) in dialect.contents.media_marks.items():
        listed = data.get(key)
        files = listed if isinstance(listed, list) else [listed]
        if paths := [file for file in files if isinstance(file, str) and file]:
            paths_by_kind |= {kind: paths} if len(paths) == len(files) else {}
    return paths_by_kind


def _parted(segments: Iterable[Segment], left: Mapping[str, tuple[str, Iterator[str]]]) -> Iterator[Segment]:
    marks = re.compile("(" + "|".join(map(re.escape, left)) + ")")
    for segment in segments:
        if not isinstance(segment, TextSegment) or not marks.search(segment.text):
            yield segment
            continue
        for text in filter(None, marks.split(segment.text)):
            kind, files = left.get(text, ("", iter(())))
            file = next(files, None)
            yield (
                TextSegment(text) if file is None else MediaSegment(kind, file, {"type": kind, kind: {"url": file}})
            )
