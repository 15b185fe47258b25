"""Inspect: its data sets, which are samples with an input and a target, and what else is known of it."""

from __future__ import annotations

from collections.abc import Sequence

from sampleui.formats.data import Plain, Table
from sampleui.integrations.integration import (
    Converting,
    Spellings,
)
from sampleui.sample.dialects.dialect import (
    Cells,
    Contents,
    Conversion,
    Dialect,
    DialectMark,
    Expected,
    Turns,
    paths,
)
from sampleui.sample.dialects.field import fields, keys
from sampleui.sample.dialects.marks import RAN, USUAL_KEYS
from sampleui.sample.message import flat, nested

_INSPECT_FIELDS = fields(
    """
    input:text|messages! target:text|number|list choices:list|text id:text|number description:text
    metadata:table|text sandbox:text|list files:table|text setup:text checkpoint:table|text
    """
)
INSPECT = Dialect(
    name="inspect",
    title="Inspect",
    purpose="samples of a task: input, target, choices, files",
    integration="inspect_ai",
    containers=((),),
    formats=("jsonl", "json", "csv"),
    message_paths=paths("input"),
    expected=Expected(paths=paths("target"), any_of=True),
    tag_paths=paths("metadata.tags"),
    marks=(
        DialectMark(paths("input target"), USUAL_KEYS | RAN | keys("expected ideal expected_output epoch doc")),
        DialectMark(paths("input choices"), USUAL_KEYS | RAN | keys("expected ideal expected_output epoch answer")),
    ),
    turns=Turns(shorthand=True, text_path=("input",)),
    contents=Contents(
        own={
            "image": ("image_url", "image"),
            "audio": ("audio_url", "audio"),
            "video": ("video_url", "video"),
            "document": ("file_url", "document"),
        }
    ),
    options_path=("choices",),
    begins={"target": ""},
    fields=_INSPECT_FIELDS,
    conversion=Conversion(
        turn_roles=("system", "user", "assistant", "tool"),
        cells=Cells(
            structured=keys("metadata files sandbox checkpoint"),
            lists={"choices": ","},
            filled={"metadata": {}, "files": {}, "sandbox": None},
        ),
    ),
)
MARK = "inspect_log"
"""The key of a row that was read from a log: what the records of the log share."""


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


def message(item: Table, notes: dict[str, None]) -> Table:
    """Return a message as Inspect has it: media say their format, and one with calls has content."""
    calls, content = item.get("tool_calls"), item.get("content")
    if isinstance(content, list):
        item = {**item, "content": [_medium(part, notes) if isinstance(part, dict) else part for part in content]}
    if not isinstance(calls, list):
        return item
    return {**item, "content": item.get("content") or "", "tool_calls": [*map(flat, calls)]}


def _medium(item: Table, notes: dict[str, None]) -> Table:
    """Return a segment of a medium with its format, where its URL says it."""
    kind = str(item.get("type"))
    formats, end = _FORMATS.get(kind, {}), str(item.get(kind)).partition("?")[0].lower()
    known = next((name for suffix, name in formats.items() if end.endswith(suffix)), None)
    if formats and "format" not in item and known is None:
        notes[f"Inspect wants the format of {kind}, which the address does not say"] = None
    return item if known is None or "format" in item else {**item, "format": known}


DIALECTS = Spellings((INSPECT,))
CONVERSION = Converting(to_openai=understood, write_message=message)
