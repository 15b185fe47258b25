"""The contents of Inspect's messages as text, and texts that a log keeps apart put back in their places."""

from __future__ import annotations

from collections.abc import Mapping

from sampleui.formats.data import Plain, Table
from sampleui.review.results.adapters import fields

ATTACHED = "attachment://"
MOST_TEXT = 256 << 20
"""Characters that attachments may amount to in one record, each time they are named counted."""

_DATA = "data:"
_NAMED = {"image": "image", "audio": "audio", "video": "video", "document": "document"}


class Attachments:
    """The attachments of a sample: long texts and files, each kept once and named by `attachment://KEY`."""

    def __init__(self, kept: Mapping[str, Plain]) -> None:
        self._kept = kept
        self._left = MOST_TEXT

    def resolved(self, value: Plain) -> Plain:
        """Return a value with the attachments it names in it. One that is not kept stays as it is written."""
        if isinstance(value, str):
            return self._text(value) if value.startswith(ATTACHED) else value
        if isinstance(value, list):
            return [self.resolved(item) for item in value]
        return {key: self.resolved(item) for key, item in value.items()} if isinstance(value, dict) else value

    def _text(self, value: str) -> str:
        found = self._kept.get(value.removeprefix(ATTACHED))
        if not isinstance(found, str) or len(found) > self._left:
            return value
        self._left -= len(found)
        return found


def text_of(content: Plain) -> str:
    """Return what a content says; what is not a text by its kind: `[image: data:image/png, 1,234 bytes]`."""
    if isinstance(content, list):
        return "\n".join(said for one in content if (said := _part(one)))
    return content if isinstance(content, str) else ""


def reasoning_of(content: Plain) -> str:
    """Return the reasoning among the parts of a content."""
    parts = (one for one in fields.tables(content) if one.get("type") == "reasoning")
    return "\n\n".join(said for one in parts if (said := _reasoning(one)))


def _reasoning(part: Table) -> str:
    if part.get("redacted"):
        return fields.text(part.get("summary")) or "[redacted]"
    return fields.text(part.get("reasoning")) or ""


def _part(part: Plain) -> str:
    if isinstance(part, str):
        return part
    one = fields.table(part)
    kind = fields.text(one.get("type")) or ""
    if kind in ("text", ""):
        return fields.text(one.get("text")) or ""
    if kind == "reasoning":
        return ""
    if kind == "tool_use":
        return (
            f"[{one.get('name') or one.get('tool_type') or kind}: {text_of(one.get('result')) or one.get('error')}]"
        )
    return f"[{kind}: {_named(one.get(_NAMED.get(kind, '')))}]" if kind in _NAMED else f"[{kind}]"


def _named(where: Plain) -> str:
    """Return where a file is, and of one that is given whole its kind and its size."""
    said = where if isinstance(where, str) else "?"
    if not said.startswith(_DATA):
        return said
    kind, _, data = said.partition(",")
    return f"{kind.removesuffix(';base64')}, {len(data) * 3 // 4:,} bytes"
