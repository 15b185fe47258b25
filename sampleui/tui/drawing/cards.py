"""Turns and fields drawn as cards: from items to rows, pure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import NamedTuple

from rich.cells import cell_len

from sampleui.formats.data import Plain
from sampleui.sample.kinds import SIGNS, kind_of
from sampleui.sample.media import Medium, Places, with_files_named
from sampleui.sample.tool_calls import call_line, name_of
from sampleui.text.limits import MAX_STRETCH
from sampleui.text.stretches import stretch
from sampleui.text.visible import one_line, visible
from sampleui.text.wording import counted
from sampleui.tui.drawing.code import code_row, code_rows
from sampleui.tui.drawing.items import ARGUMENT, CALL, OPEN_CALL, Item, ItemPart, ItemPartKind
from sampleui.tui.drawing.rows import Row, fitted, indented, mark_sign, row_text, spread, text_rows
from sampleui.tui.themes import ROLES

GLYPHS: Mapping[str, str] = {"system": "◆", "user": "●", "assistant": "▲", "tool": "■", "other": "○"}
"""A shape for each role, so that roles are told apart without colour."""

_KINDS = {ItemPartKind.FILE: "▤", ItemPartKind.MEDIA: "▣"}
_LABEL_WIDTH = 18


CHANGED = "~"
"""Marks what differs from what the deck is compared with."""


SHARED = "⧉"
"""Marks a value that samples share, with the number of them."""


class Flags(NamedTuple):
    """What is said beside an item.

    Attributes:
        severity: the worst of the problems in it.
        dropped: why its message is not sent.
        outcome: whether it held in a run, a sign with its style, and words where the sign alone does not say it.
        older: whether its key is one that no new sample should have.
        brief: whether a line of it is enough, as long as nobody looks at the conversation as such.
        shared: how many samples have a value in it that is written once for them all.
        notes: what was noted of it, a text each.
    """

    severity: str = ""
    dropped: str = ""
    marked: bool = False
    changed: bool = False
    outcome: tuple[str, str, str] = ("", "", "")
    older: bool = False
    brief: bool = False
    shared: int = 0
    notes: tuple[str, ...] = ()


ASSERTION_SIGNS = {
    True: ("added-bold", "✓ ", ""),
    False: ("error-bold", "✖ ", ""),
    None: ("muted", "· ", "  not known"),
}
"""Whether an assertion held in a run, as it is beside it."""


def role_style(role: str) -> str:
    """Return the name of the style for a role; roles without one of their own share `role-other`."""
    name = role.lower()
    return f"role-{name}" if name in ROLES else "role-other"


def glyph(role: str) -> str:
    """Return the shape that stands for a role."""
    return GLYPHS.get(role.lower(), GLYPHS["other"])


def severity_mark(severity: str) -> str:
    """Return the sign of a severity, so that it can be recognized without colour."""
    return {"error": "✖", "warning": "▲", "info": "i", "hint": "·"}.get(severity, "")


def header_row(item: Item, width: int, flags: Flags) -> Row:
    """Return the line above a turn: its role, who speaks, and at the right what is wrong with it and its number."""
    style = role_style(item.label)
    left = [*mark_sign(flags.marked), (f"{style}-bold", f"{glyph(item.label)} {one_line(item.label, 40)}")]
    if item.note:
        left.append(("muted", f"  {one_line(item.note, 60)}"))
    if flags.dropped:
        left.append(("muted", f"  not sent: {flags.dropped}"))
    number = "" if item.turn is None else str(item.turn + 1)
    mark = [(flags.severity, severity_mark(flags.severity) + " ")] if flags.severity else []
    change = [("warning", f"{CHANGED} ")] if flags.changed else []
    return spread(left, [*_shared(flags), *change, *mark, ("faint", number)], width)


def _shared(flags: Flags) -> list[tuple[str, str]]:
    return [("muted", f"{SHARED}{flags.shared} ")] if flags.shared else []


def part_rows(part: ItemPart, width: int, sought: str = "", places: Places = ()) -> list[Row]:
    """Return the rows of a part of a turn; of a very long text its beginning, or where what is sought stands.

    Pictures whose paths are of files in `places` are drawn.
    """
    if part.kind in _KINDS:
        label = f"{part.tag} " if part.kind is ItemPartKind.MEDIA else "file "
        named = str(with_files_named(part.text))
        label = label if named == part.text else ""
        row: Row = (("muted", f"{_KINDS[part.kind]} {label}"), ("accent", fitted(visible(named), width - 8)))
        from sampleui.tui.drawing.pictures import picture_rows  # few decks have media

        return [row, *picture_rows(Medium(f"{part.tag}_url", part.text).segment, width, places=places)]
    if part.tag == CALL and part.value == []:
        return [(("faint", "no calls"),)]
    if part.tag == CALL:
        return _call_rows(part, width)
    if part.tag == OPEN_CALL:
        return [(("role-tool", fitted(f"→ {one_line(name_of(part.value), 60)}", width)),)]
    if part.tag == ARGUMENT:
        return indented(_named_rows(part.key, [], part, width - 2))
    if part.key:
        return _named_rows(part.key, [], part, width)
    if not part.text:
        return [(("faint", "empty"),)]
    style = "text" if part.kind is ItemPartKind.TEXT else "muted"
    if len(part.text) <= MAX_STRETCH:
        return text_rows(part.text, style, width)
    part_shown = stretch(part.text, sought)
    if not part_shown.start:
        return [*text_rows(part_shown.text, style, width), _more(part.text, width)]
    return [(("muted", fitted(f"⋯ {part_shown.words}", width)),), *text_rows(part_shown.text, style, width)]


def brief_rows(part: ItemPart, width: int) -> list[Row]:
    """Return a part of a turn on a line."""
    return [(("muted", fitted(one_line(part.text[: 4 * width]), width)),)]


def _more(text: str, width: int) -> Row:
    """Return how much of a very long text is not drawn."""
    return (("muted", fitted(f"⋯ {len(text) - MAX_STRETCH:,} more characters", width)),)


def field_rows(item: Item, width: int, flags: Flags) -> list[Row]:
    """Return the rows of a field: its name, and its value beside it or, where it is long, below.

    A sign before the value shows its type. A table or a list that is open shows how much is in it.
    """
    inset = "  " * item.depth
    width = max(width - len(inset), 8)
    severity = [(flags.severity, severity_mark(flags.severity) + " ")] if flags.severity else []
    change = [("warning", f"{CHANGED} ")] if flags.changed else []
    style, sign, words = flags.outcome
    words += "  older" * flags.older
    signs, notes = [(style, sign)] if sign else [], [("muted", words)] if words else []
    mark = [*mark_sign(flags.marked), *severity, *change, *_shared(flags)]
    fold = [] if item.folded is None else [("muted", "▸ " if item.folded else "▾ ")]
    part = item.parts[0]
    before = [*mark, *fold, *signs]
    if isinstance(part.value, dict | list) and item.folded is False:
        summary = [("accent", f"{SIGNS[kind_of(part.value)]} "), ("muted", _count(part.value)), *notes]
        return indented([(*before, ("muted", fitted(f"{visible(item.name)}  ", width - 16)), *summary)], inset)
    if item.line:
        name = f"{visible(item.name)}  "
        room = width - sum(cell_len(text) for _, text in (*before, *notes))
        line = fitted(visible(item.line), max(room - cell_len(name), 8))
        return indented([(*before, ("muted", name), ("text", line), *notes)], inset)
    for room in (width, width - len(words)):
        first, *rest = _named_rows(item.name, before, part, room, folded=bool(item.folded))
        if cell_len(row_text(first)) + len(words) <= width:
            break
    return indented([(*first, *notes), *rest], inset)


def _named_rows(
    name: str, before: list[tuple[str, str]], part: ItemPart, width: int, folded: bool = False
) -> list[Row]:
    """Return a value beside its name, or below it if there is too little room."""
    name = visible(name)
    sign = SIGNS[kind_of(part.value)]
    left = sum(cell_len(text) for _, text in before)
    wide = max(_LABEL_WIDTH - left, cell_len(name) + 2)
    room = width - wide - left - 3
    size = cell_len(
        visible(part.value[:200].partition("\n")[0]) if isinstance(part.value, str) else compact(part)[:200]
    )
    below = room < (8 if folded else 20) and size >= room
    rows = _value_rows(part, max(width - 5 if below else room, 8), folded)
    head = ("accent", sign.ljust(3))
    blank = ("muted", " " * (5 if below else wide + left + 3))
    if below:
        body = [(("muted", "  "), head, *rows[0]), *((blank, *row) for row in rows[1:])]
        return [(*before, ("muted", fitted(name, width - left))), *body]
    named = ("muted", name.ljust(wide - cell_len(name) + len(name)))
    return [(*before, named, head, *rows[0]), *((blank, *row) for row in rows[1:])]


def _value_rows(part: ItemPart, width: int, folded: bool) -> list[Row]:
    value = part.value
    if isinstance(value, dict | list):
        flat = compact(part)
        if not folded:
            return code_rows(flat, "json", width)
        count = f" {_count(value)}" if cell_len(flat) > width else ""
        return [(*code_row(fitted(visible(flat), width - len(count)), "json"), ("muted", count))]
    if not isinstance(value, str):
        return code_rows(part.text, "json", width)
    if folded:
        line = " ".join(value[: 4 * width].split())
        count = f" {len(value):,} characters"
        return [(("text", fitted(visible(line), width - len(count))), ("muted", count))]
    if len(value) > MAX_STRETCH:
        return [*text_rows(value[:MAX_STRETCH], "text", width), _more(value, width)]
    return text_rows(value, "text", width) if value else [(("faint", "empty"),)]


def _count(value: list[Plain] | dict[str, Plain]) -> str:
    noun = "key" if isinstance(value, dict) else "item"
    return counted(len(value), noun)


def compact(part: ItemPart) -> str:
    """Return a value that is not text as JSON on as few lines as read well."""
    try:
        flat = json.dumps(part.value, ensure_ascii=False, default=str)
    except RecursionError:
        return "…"
    return flat if len(flat) <= 400 or isinstance(part.value, dict | list) else part.text


def _call_rows(part: ItemPart, width: int) -> list[Row]:
    """Return a call as code writes it, its tool apart from its arguments."""
    name = name_of(part.value)
    rows = text_rows(f"→ {call_line(part.value)}", "muted", width)
    head = f"→ {one_line(name, 60)}"
    first = row_text(rows[0])
    if not first.startswith(head):
        return rows
    return [(("role-tool", head), ("muted", first.removeprefix(head))), *rows[1:]]
