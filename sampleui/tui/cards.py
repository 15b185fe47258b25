"""Turns and fields drawn as cards: from items to rows, pure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from rich.cells import cell_len

from sampleui.text.visible import one_line, visible
from sampleui.tui.items import Item, Part, PartKind
from sampleui.tui.rows import Row, fitted, spread, text_rows
from sampleui.tui.themes import ROLES

GLYPHS: Mapping[str, str] = {"system": "◆", "user": "●", "assistant": "▲", "tool": "■", "other": "○"}
"""A shape for each role, so that roles are told apart without colour."""

_KINDS = {PartKind.FILE: "▤", PartKind.MEDIA: "▣"}
_LABEL_WIDTH = 18


@dataclass(frozen=True, slots=True)
class Flags:
    """What is said beside an item: the worst severity found in it, and why its message is not sent."""

    severity: str = ""
    dropped: str = ""


def role_style(role: str) -> str:
    """Return the name of the style for a role; roles without one of their own share `role-other`."""
    name = role.lower()
    return f"role-{name}" if name in ROLES else "role-other"


def glyph(role: str) -> str:
    """Return the shape that stands for a role."""
    return GLYPHS.get(role.lower(), GLYPHS["other"])


def severity_mark(severity: str) -> str:
    """Return the sign of a severity, so that it is told without colour."""
    return {"error": "✖", "warning": "▲", "info": "i", "hint": "·"}.get(severity, "")


def header_row(item: Item, width: int, flags: Flags) -> Row:
    """Return the line above a turn: its role, who speaks, and at the right what is wrong with it and its number."""
    style = role_style(item.label)
    left = [(f"{style}-bold", f"{glyph(item.label)} {one_line(item.label, 40)}")]
    if item.note:
        left.append(("muted", f"  {one_line(item.note, 60)}"))
    if flags.dropped:
        left.append(("muted", f"  not sent: {flags.dropped}"))
    number = "" if item.turn is None else str(item.turn + 1)
    mark = [(flags.severity, severity_mark(flags.severity) + " ")] if flags.severity else []
    return spread(left, [*mark, ("faint", number)], width)


def part_rows(part: Part, width: int) -> list[Row]:
    """Return the rows of one part of a turn."""
    if part.kind in _KINDS:
        label = part.tag if part.kind is PartKind.MEDIA else "file"
        row: Row = (("muted", f"{_KINDS[part.kind]} {label} "), ("accent", fitted(visible(part.text), width - 8)))
        return [row]
    if part.tag == "tool_calls":
        return _call_rows(part, width)
    if not part.text:
        return [(("faint", "empty"),)]
    return text_rows(part.text, "text" if part.kind is PartKind.TEXT else "muted", width)


def field_rows(item: Item, width: int, flags: Flags) -> list[Row]:
    """Return the rows of a field: its name, and its value beside it or, where it is long, below."""
    part = item.parts[0]
    text = part.text if part.kind is PartKind.TEXT else compact(part)
    name = visible(item.label)
    mark = (flags.severity, severity_mark(flags.severity) + " ") if flags.severity else ("muted", "")
    wide = max(_LABEL_WIDTH, cell_len(name) + 2)
    style = "text" if part.kind is PartKind.TEXT else "role-other"
    room = width - wide - cell_len(mark[1])
    if room >= 24 or len(text) < room:
        rows = text_rows(text, style, max(room, 8)) if text else [(("faint", "empty"),)]
        blank = ("muted", " " * (wide + cell_len(mark[1])))
        head = (mark, ("muted", name.ljust(wide - cell_len(name) + len(name))))
        return [(*head, *rows[0]), *((blank, *row) for row in rows[1:])]
    return [(mark, ("muted", fitted(name, width - cell_len(mark[1])))), *text_rows(text, style, width, "  ")]


def compact(part: Part) -> str:
    """Return a value that is not text as JSON on as few lines as read well."""
    flat = json.dumps(part.value, ensure_ascii=False, default=str)
    return flat if len(flat) <= 400 else part.text


def _call_rows(part: Part, width: int) -> list[Row]:
    calls = part.value if isinstance(part.value, list) else [part.value]
    rows: list[Row] = []
    for call in calls:
        function = call.get("function") if isinstance(call, dict) else None
        held = function if isinstance(function, dict) else call if isinstance(call, dict) else {}
        name = held.get("name") or held.get("tool") or "call"
        given = held.get("arguments", held.get("input"))
        text = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False, default=str)
        label = fitted(f"→ {one_line(str(name), 60)} ", max(width - 16, 8))
        lines = text_rows(text, "muted", max(width - cell_len(label), 16))
        indent = ("muted", " " * cell_len(label))
        rows += [(("role-tool", label), *lines[0]), *((indent, *row) for row in lines[1:])]
    return rows
