"""What a message or a reference says: its content as segments, and as one text.

This runs for every message at every key typed, so it reads plain data; what a dialect spells in a way of its own is
handed in.
"""

from __future__ import annotations

from collections.abc import Mapping

from sampleui.formats.data import Plain, Table
from sampleui.sample.message import FileSegment, MediaSegment, Segment, TextSegment
from sampleui.sample.plaintext import json_text

MEDIA_TYPES = ("image_url", "audio_url", "video_url", "file_url")
MEDIA_MARK = "media mark"
"""Stands in `Contents.own` for the type of a segment that is nothing but a mark."""

_NONE_OWN: Mapping[str, tuple[str, str]] = {}


def segments(
    content: Plain, object_content: bool = False, own: Mapping[str, tuple[str, str]] = _NONE_OWN
) -> tuple[Segment, ...] | None:
    """Return the segments of a message's content, None when it has no content that can be read."""
    if isinstance(content, str):
        return (TextSegment(content),)
    if isinstance(content, list):
        return tuple(part for item in content if (part := segment(item, object_content, own)) is not None)
    if isinstance(content, dict) and object_content:
        return (TextSegment(json_text(content)),)
    return None


def segment(
    item: Plain, plain_text: bool = False, own: Mapping[str, tuple[str, str]] = _NONE_OWN
) -> Segment | None:
    """Return one item of a content list as a segment, None when it is malformed or of an unknown type.

    `{type: text, value|text}`, `{type: file, value}`, and `{type: image_url, image_url: {url}}` with its audio,
    video and file siblings, whose URL may also be given as text (gage-eval standardized sample, §1.3.1). Where
    `plain_text` is given, a text by itself is one too. `own` are the types that a dialect has
    besides (`Contents.own`).
    """
    if plain_text and isinstance(item, str):
        return TextSegment(item)
    if not isinstance(item, dict):
        return None
    kind = item.get("type")
    if isinstance(kind, str) and kind in own and (own_part := _own_segment(item, *own[kind])) is not None:
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
