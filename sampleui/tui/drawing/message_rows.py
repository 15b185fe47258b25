"""Messages and differences as rows, wherever they are shown as a whole. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import zip_longest

from sampleui.formats.data import Plain, Table
from sampleui.sample.parse import json_text
from sampleui.text.visible import one_line
from sampleui.tui.drawing.cards import glyph, role_style
from sampleui.tui.drawing.rows import Row, text_rows

_BAR = "│ "

_SIGNS: Mapping[bool | None, Row] = {None: (), True: (("added", "✓ "),), False: (("warning", "≠ "),)}
"""Whether a sample has a message as it is sent; None where that is not to be shown."""


def diff_rows(text: str, width: int) -> list[Row]:
    """Return a unified diff as rows."""
    styles = {"+": "added", "-": "removed", "@": "accent"}
    rows: list[Row] = []
    for line in text.removesuffix("\n").split("\n"):
        style = "muted-bold" if line.startswith(("---", "+++")) else styles.get(line[:1], "muted")
        rows += text_rows(line, style, width)
    return rows


def message_rows(listed: list[Table], width: int, as_written: Sequence[bool] = ()) -> list[Row]:
    """Return messages as a model is sent them: a role's name above each, its bar at the left.

    `as_written` says of each whether the sample has it so, where that is to be shown.
    """
    rows: list[Row] = []
    for message, same in zip_longest(listed, as_written[: len(listed)]):
        role = str(message.get("role", ""))
        style = role_style(role)
        name = message.get("name") or message.get("tool_call_id") or ""
        sign = _SIGNS[same]
        named = (f"{style}-bold", f"{glyph(role)} {one_line(role, 40)}")
        rows.append((*sign, named, ("muted", f"  {one_line(str(name))}")))
        body = [*_content(message.get("content"), width - len(_BAR))]
        if "tool_calls" in message:
            body += text_rows(json_text(message["tool_calls"]), "muted", width - len(_BAR))
        rows += [((style, _BAR), *row) for row in body]
        rows.append((("text", ""),))
    return rows[:-1]


def _content(content: Plain, width: int) -> list[Row]:
    if isinstance(content, str):
        return text_rows(content, "text", width)
    if isinstance(content, list):
        return [row for segment in content for row in _segment(segment, width)]
    return []


def _segment(segment: Plain, width: int) -> list[Row]:
    if isinstance(segment, dict) and isinstance(text := segment.get("text"), str):
        return text_rows(text, "text", width)
    return text_rows(json.dumps(segment, ensure_ascii=False, default=str), "accent", width)
