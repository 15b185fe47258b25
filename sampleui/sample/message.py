"""A message and its segments, the same in every dialect.

Plain dataclasses and not pydantic models, because they are made for every sample that is shown and a start must not
wait for pydantic.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from sampleui.formats.data import Table


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
