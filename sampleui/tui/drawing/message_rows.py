"""Messages and differences as rows, wherever they are shown as a whole. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import zip_longest

from rich.cells import cell_len

from sampleui.formats.data import Plain, Table
from sampleui.sample.parse import json_text
from sampleui.sample.tool_calls import call_line
from sampleui.text.visible import one_line
from sampleui.tui.drawing.cards import glyph, role_style
from sampleui.tui.drawing.rows import Row, fitted, row_text, text_rows

_BAR = "│ "
_ROLE = len("▲ assistant")

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


def message_rows(
    listed: list[Table], width: int, as_written: Sequence[bool] = (), *, folded: bool = False, briefly: bool = False
) -> list[Row]:
    """Return messages as a model is sent them: a role's name above each, its bar at the left.

    `as_written` says of each whether the sample has it so, where that is to be shown; if they are to be `folded`,
    such a message is one line of its first words. Each tool call is one line if they are to be told `briefly`.
    """
    rows: list[Row] = []
    for index, (message, same) in enumerate(zip_longest(listed, as_written[: len(listed)])):
        if folded and same:
            rows.append(_outline(message, width))
            if not all(as_written[index + 1 : index + 2]):
                rows.append((("text", ""),))
            continue
        role = str(message.get("role", ""))
        style = role_style(role)
        name = message.get("name") or message.get("tool_call_id") or ""
        sign = _SIGNS[same]
        named = (f"{style}-bold", f"{glyph(role)} {one_line(role, 40)}")
        rows.append((*sign, named, ("muted", f"  {one_line(str(name))}")))
        body = [*_content(message.get("content"), width - len(_BAR))]
        calls = message.get("tool_calls")
        if briefly and isinstance(calls, list):
            body += [
                row for call in calls for row in text_rows(f"→ {call_line(call)}", "accent", width - len(_BAR))
            ]
        elif calls is not None:
            body += text_rows(json_text(calls), "muted", width - len(_BAR))
        rows += [((style, _BAR), *row) for row in body]
        rows.append((("text", ""),))
    return rows[:-1] if rows and rows[-1] == (("text", ""),) else rows


def _outline(message: Table, width: int) -> Row:
    """Return a message on one line: its role, and its first words or what it calls."""
    role, calls = str(message.get("role", "")), message.get("tool_calls")
    named = fitted(f"{glyph(role)} {one_line(role, 40)}", width // 2).ljust(_ROLE)
    words = [row_text(row) for row in _content(message.get("content"), 4 * width)[:4]]
    words += [f"→ {call_line(call)}" for call in calls] if isinstance(calls, list) else []
    sign = _SIGNS[True]
    room = max(width - cell_len(row_text(sign)) - cell_len(named) - 2, 1)
    return (*sign, (role_style(role), named), ("muted", f"  {fitted(' '.join(words), room)}"))


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
