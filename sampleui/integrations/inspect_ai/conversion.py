"""Messages as Inspect has them: a tool call names its function flatly, and media say their format."""

from __future__ import annotations

from collections.abc import Sequence

from sampleui.formats.data import Plain, Table
from sampleui.sample.message import flat, nested

_FORMATS = {
    "audio": {".wav": "wav", ".mp3": "mp3"},
    "video": {".mp4": "mp4", ".mpeg": "mpeg", ".mpg": "mpeg", ".mov": "mov"},
}
"""For a type of media that must say its format, the formats by the ends of URLs."""


def understood(messages: Sequence[Plain], _: Sequence[Plain]) -> tuple[list[Plain], str]:
    """Return messages with their calls as OpenAI's."""
    return [_nested(message) for message in messages], ""


def _nested(message: Plain) -> Plain:
    calls = message.get("tool_calls") if isinstance(message, dict) else None
    if not isinstance(message, dict) or not isinstance(calls, list):
        return message
    return {**message, "tool_calls": [*map(nested, calls)]}


def message(item: Table, _: dict[str, None]) -> Table:
    """Return a message as Inspect has it: one with calls has content."""
    calls = item.get("tool_calls")
    if not isinstance(calls, list):
        return item
    return {**item, "content": item.get("content") or "", "tool_calls": [*map(flat, calls)]}


def medium(item: Table, notes: dict[str, None]) -> Table:
    """Return a segment of a medium with its format, where its URL says it."""
    kind = str(item["type"])
    formats, end = _FORMATS.get(kind, {}), str(item.get(kind)).partition("?")[0].lower()
    known = next((name for suffix, name in formats.items() if end.endswith(suffix)), None)
    if formats and "format" not in item and known is None:
        notes[f"Inspect wants the format of {kind}, which the address does not say"] = None
    return item if known is None or "format" in item else {**item, "format": known}
