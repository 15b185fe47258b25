"""Sections of a record or a sample as rows, pure: Markdown, tables, messages and JSON as they are read."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from rich.cells import cell_len

from sampleui.formats.data import Table, as_list
from sampleui.sample.message import said_alone
from sampleui.sample.message_shapes import chat
from sampleui.sample.sections import (
    Badge,
    Block,
    MailHeader,
    More,
    Section,
    Speech,
    Verbatim,
    speeches,
    words_of,
)
from sampleui.sample.tool_calls import name_of
from sampleui.settings.views import Shape
from sampleui.text.limits import MAX_SHOWN_MESSAGES
from sampleui.text.prose import Code, Grid, Heading, HorizontalRule, InlineSpan, ListItem, Paragraph, Quote, plain
from sampleui.text.visible import one_line, visible_lines
from sampleui.text.wording import counted
from sampleui.tui.commands import key_named
from sampleui.tui.drawing.cards import glyph, role_style
from sampleui.tui.drawing.code import code_rows
from sampleui.tui.drawing.pictures import picture_rows
from sampleui.tui.drawing.rows import (
    BETWEEN_COLUMNS,
    Row,
    fitted,
    flowed,
    indented,
    row_text,
    side_by_side,
    split_lines,
    text_rows,
    wrapped,
)

FOLDED = 6
"""Rows of a folded section that are shown."""

_STYLES = {
    "strong": "text-bold",
    "emphasis": "emphasis",
    "code": "accent",
    "struck": "muted",
    "link": "info",
    "target": "muted",
}
_BLANK: Row = (("text", ""),)
_MIN_COLUMN = 6


class Area(NamedTuple):
    """Where sections are drawn.

    Attributes:
        width: its width in cells.
        height: its lines, all of which are used before anything is folded.
        opened: whether what is hidden or folded unasked is shown.
        repeated: texts of a system that other records have too, which are a line each.
    """

    width: int
    height: int = 24
    opened: bool = False
    repeated: frozenset[str] = frozenset()


def section_rows(sections: Sequence[Section], area: Area) -> list[Row]:
    """Return sections below each other, badges beside each other.

    Where there are too few lines for all, the middle of a conversation and long fields are folded, but never an
    answer or what was said last.
    """
    shown = [section for section in sections if area.opened or not section.hidden]
    grouped = [[*group] for _, group in groupby(shown, key=lambda item: item.kind is Shape.BADGE or id(item))]
    groups = [_group_rows(group, area, whole=area.opened) for group in grouped if group[0].kind is not Shape.CHAT]
    upto = next((index for index, group in enumerate(grouped) if group[0].whole), len(grouped))
    beside = sum(map(len, groups[: upto + 1]))
    talking = area._replace(height=max(area.height - beside, area.height // 2))
    for index, group in enumerate(grouped):
        if group[0].kind is Shape.CHAT:
            groups.insert(index, _talk_group(group[0], talking))
    free = area.height - sum(map(len, groups))
    for index, group in enumerate(grouped):
        if free > 0 and group[0].folded and group[0].kind is not Shape.CHAT:
            whole = _group_rows(group, area, whole=True)
            if len(whole) - len(groups[index]) <= free:
                free -= len(whole) - len(groups[index])
                groups[index] = whole
    rows = [row for group_rows in groups for row in group_rows]
    if hidden := len(sections) - len(shown):
        words = f"⋯ {hidden:,} more {'field' if hidden == 1 else 'fields'}: {_unfolding()} shows all"
        rows += text_rows(words, "muted", area.width)
    return rows[:-1] if rows and rows[-1] == _BLANK else rows


def _unfolding() -> str:
    return key_named("record.unfold", "Z")


def _group_rows(group: Sequence[Section], area: Area, *, whole: bool) -> list[Row]:
    """Return a section, or badges beside each other, and an empty row."""
    section = group[0]
    if section.kind is Shape.BADGE:
        return [*flowed(_badges(group, area.width), area.width), _BLANK]
    return [*_heading(section, area.width), *_section(section, area.width, whole), _BLANK]


def _heading(section: Section, width: int) -> list[Row]:
    return [(("muted-bold", fitted(one_line(section.heading, 100), width)),)] if section.heading else []


def _section(section: Section, width: int, opened: bool) -> list[Row]:
    if opened or not section.folded:
        return indented(block_rows(section.blocks, width - 2))
    rows = block_rows(section.beginning, width - 2)
    if len(rows) <= FOLDED + 1:
        return indented(rows)
    words = f"⋯ {section.size} in all: {_unfolding()} shows them"
    return indented([*rows[:FOLDED], *text_rows(words, "muted", width - 2)])


# Conversations


def _talk_group(section: Section, area: Area) -> list[Row]:
    """Return a conversation, and an empty row."""
    head = _heading(section, area.width)
    inner = area._replace(width=area.width - 2 * len(head), height=area.height - len(head) - 1)
    messages = chat(section.value if isinstance(section.value, list) else [section.value])
    rows = talk_rows(messages, inner) if messages else block_rows(section.blocks, inner.width)
    return [*head, *(indented(rows) if head else rows), _BLANK]


def talk_rows(messages: Sequence[Table], area: Area) -> list[Row]:
    """Return a conversation, folded to the lines of a place: what the user said last, and a reply to it, are shown.

    Of the others those that are nearest to that are shown as far as there are lines, and the rest is told by its
    number; a system text that other records have too is one line.
    """
    asked = max((index for index, item in enumerate(messages) if item["role"] == "user"), default=len(messages) - 1)
    replied = {len(messages) - 1} if messages and messages[-1]["role"] == "assistant" else set()
    drawn = _Talk(messages, area, asked)
    shown = {asked} | replied
    if area.opened:
        shown = {*range(min(len(messages), MAX_SHOWN_MESSAGES))} | shown
        return drawn.rows(shown)
    systems = [index for index in range(asked) if _is_system(messages[index])][:_SYSTEMS]
    before = (index for index in range(asked - 1, -1, -1) if index not in systems)
    own = (index for index in systems if words_of(messages[index]) not in area.repeated)
    for side in (range(len(messages) - 1, asked, -1), before, own):
        for index in side:
            if index in shown:
                continue
            if not drawn.fits(shown | {index}):
                break
            shown.add(index)
    return drawn.rows(shown)


_SYSTEMS = 3
"""System texts of which each has a line when it is folded."""

_CALLED = 3
"""Tools that are named of messages that are folded, and `_CALLS_IN` messages that are looked at for that."""
_CALLS_IN = 100


class _Talk:
    """A conversation as rows, some of its messages shown and the others folded."""

    def __init__(self, messages: Sequence[Table], area: Area, asked: int) -> None:
        self._messages, self._area, self._asked = messages, area, asked
        self._made: dict[int, list[Row]] = {}

    def fits(self, shown: Collection[int]) -> bool:
        """Tell whether the lines of the place are enough for what is shown whole, and the rest folded."""
        return len(self._rows(shown)) <= self._area.height

    def rows(self, shown: Collection[int]) -> list[Row]:
        """Return what is shown; where that is too much, what was said last as far as there are lines."""
        over = len(self._rows(shown)) - self._area.height
        last = self._speech(self._asked) if self._messages else []
        left = max(len(last) - over - 1, _LEAST)
        if over > 0 and left + 1 < len(last) and not self._area.opened:
            words = f"│ ⋯ {counted(len(last) - left, 'more line')}: {_unfolding()} shows them"
            self._made[self._asked] = [*last[:left], (("muted", fitted(words, self._area.width)),)]
        return self._rows(shown)

    def _rows(self, shown: Collection[int]) -> list[Row]:
        rows, following = list[Row](), 0
        for index in (*sorted(shown), len(self._messages)):
            folded = [*self._folded(range(following, index))]
            rows += folded
            if index < len(self._messages):
                rows += [_BLANK] if rows and not folded else []
                rows += self._speech(index)
            following = index + 1
        return rows

    def _folded(self, indexes: range) -> Iterator[Row]:
        """Yield messages that are folded: a line for each text of the system, and one for all others."""
        messages, width = self._messages, self._area.width
        systems = [index for index in indexes[:_SYSTEMS] if _is_system(messages[index])]
        for index in systems:
            role = fitted(f"{glyph('system')} {one_line(str(messages[index]['role']), 40)}  ", width)
            text = one_line(words_of(messages[index])[: 4 * width])
            yield (role_style("system"), role), ("muted", fitted(text, width - cell_len(role)))
        if count := len(indexes) - len(systems):
            looked = (messages[index] for index in indexes[:_CALLS_IN])
            calls = (one_line(name_of(call), 30) for item in looked for call in as_list(item.get("tool_calls")))
            names = ", ".join([*dict.fromkeys(calls)][:_CALLED])
            words = f"⋯ {counted(count, 'message')}{f' with calls of {names}' if names else ''}"
            yield (("muted", fitted(f"{words}: {_unfolding()} shows them", width)),)

    def _speech(self, index: int) -> list[Row]:
        if index not in self._made:
            message = said_alone(self._messages[index])
            content, most = message.get("content"), 4 * self._area.width * self._area.height
            if isinstance(content, str) and len(content) > most and not self._area.opened:
                message = {**message, "content": content[:most]}
            self._made[index] = block_rows([*speeches([message])], self._area.width)
        return self._made[index]


_LEAST = 3
"""Lines that are shown at least of what was said last, who speaks among them."""


def _is_system(message: Table) -> bool:
    return message["role"] in ("system", "developer")


def _badges(sections: Sequence[Section], width: int) -> Iterator[Row]:
    """Yield each badge by itself."""
    for section in sections:
        value = next((block.text for block in section.blocks if isinstance(block, Badge)), "")
        name = f"{fitted(one_line(section.heading, 40), max(width // 2, 1))} "
        yield ("muted", name), ("text", fitted(one_line(value, 400), max(width - cell_len(name), 1)))


def block_rows(blocks: Sequence[Block], width: int) -> list[Row]:
    """Return blocks below each other; blank rows divide those that are not of one kind."""
    rows = list[Row]()
    for kind, together in groupby(blocks, key=type):
        is_tight = kind in (ListItem, MailHeader)
        for index, block in enumerate(together):
            rows += [_BLANK] if rows and not (is_tight and index) else []
            rows += _block(block, max(width, 8))
    return rows


def _block(block: Block, width: int) -> list[Row]:
    match block:
        case Heading(spans, level):
            style = "accent-bold" if level < 3 else "text-bold"
            return text_rows(plain(spans), style, width)
        case Paragraph(spans):
            return span_rows(spans, width)
        case ListItem(spans, marker, depth):
            blank = "  " * depth
            room = width - len(blank) - len(marker) - 1
            first, *rest = span_rows(spans, max(room, 8)) or [_BLANK]
            lead = ("muted", f"{blank}{marker} ")
            return [(lead, *first), *indented(rest, " " * len(lead[1]))]
        case Code(text, form):
            return _code(text, form, width)
        case Grid(header, rows):
            return _grid(header, rows, width)
        case Quote(inner):
            return indented(block_rows(inner, width - 2), "│ ", "edge")
        case HorizontalRule():
            return [(("edge", "─" * width),)]
        case Verbatim(text):
            return text_rows(text, "text", width)
        case Badge(text, url):
            return [*text_rows(text, "text", width), *picture_rows(url, width)]
        case More(text):
            return text_rows(f"⋯ {text}", "muted", width)
        case MailHeader(name, text):
            return span_rows((InlineSpan(f"{one_line(name, 40)}: ", "target"), InlineSpan(text)), width)
        case Speech(role, note, inner):
            style = role_style(role)
            name = fitted(f"{glyph(role)} {one_line(role, 40)}", width)
            remark = fitted(f"  {one_line(note, 60)}" if note else "", width - cell_len(name))
            head = ((f"{style}-bold", name), ("muted", remark))
            return [head, *indented(block_rows(inner, width - 2), "│ ", style)]


def _code(text: str, form: str, width: int) -> list[Row]:
    if form == "json":
        return code_rows(text, form, width)
    return indented(code_rows(text, form, width - 2), "▏ ", "edge")


def span_rows(spans: Sequence[InlineSpan], width: int) -> list[Row]:
    """Return stretches of text, wrapped to a width."""
    parts = (
        (_STYLES.get(span.style, "text"), visible_lines(f"`{span.text}`" if span.style == "code" else span.text))
        for span in spans
    )
    return [row for line in split_lines(parts) for row in wrapped(line, width)]


def _grid(
    header: Sequence[Sequence[InlineSpan]], rows: Sequence[Sequence[Sequence[InlineSpan]]], width: int
) -> list[Row]:
    columns = len(header)
    room = width - len(BETWEEN_COLUMNS) * (columns - 1)
    if room < columns * _MIN_COLUMN:
        return _listed(header, rows, width)
    every = (header, *rows)
    natural = [max(1, *(cell_len(one_line(plain(row[index]))) for row in every)) for index in range(columns)]
    widths = _widths(natural, room)
    head = [
        [(("muted-bold", row_text(row)),) for row in span_rows(cell, wide)]
        for cell, wide in zip(header, widths, strict=True)
    ]
    rows_made = [*side_by_side(head, widths)] if any(map(plain, header)) else []
    rows_made.append((("edge", "─┼─".join("─" * wide for wide in widths)),))
    for row in rows:
        rows_made += side_by_side([span_rows(cell, wide) for cell, wide in zip(row, widths, strict=True)], widths)
    return rows_made


def _widths(natural: Sequence[int], room: int) -> list[int]:
    """Return widths of columns that fit: those that need more than their share divide what the others leave."""
    widths, left, open_columns = [0] * len(natural), room, [*range(len(natural))]
    while open_columns:
        share = max(left // len(open_columns), 1)
        small = [index for index in open_columns if natural[index] <= share]
        if not small:
            for index in open_columns:
                widths[index] = share
            break
        for index in small:
            widths[index] = natural[index]
            left -= natural[index]
        open_columns = [index for index in open_columns if index not in small]
    return widths


def _listed(
    header: Sequence[Sequence[InlineSpan]], rows: Sequence[Sequence[Sequence[InlineSpan]]], width: int
) -> list[Row]:
    """Return a table that is too wide as a list: a line for each cell, below its column's name."""
    rows_made = list[Row]()
    for row in rows:
        rows_made += [_BLANK] if rows_made else []
        for name, cell in zip(header, row, strict=True):
            if plain(cell):
                rows_made += span_rows((InlineSpan(f"{plain(name)}: ", "target"), *cell), width)
    return rows_made
