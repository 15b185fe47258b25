"""Sections of a record or a sample as rows, pure: Markdown, tables, messages and JSON as they are read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from rich.cells import cell_len

from sampleui.sample.sections import Badge, Block, MailHeader, More, Section, Speech, Verbatim
from sampleui.settings.views import Shape
from sampleui.text.prose import Code, Grid, Heading, HorizontalRule, InlineSpan, ListItem, Paragraph, Quote, plain
from sampleui.text.visible import one_line, visible_lines
from sampleui.tui.commands import key_named
from sampleui.tui.drawing.cards import glyph, role_style
from sampleui.tui.drawing.code import code_row
from sampleui.tui.drawing.rows import (
    BETWEEN_COLUMNS,
    Row,
    fitted,
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
_DIFF = {"+": "added", "-": "removed", "@": "accent"}
_MIN_COLUMN = 6


def section_rows(sections: Sequence[Section], width: int, *, opened: bool = False) -> list[Row]:
    """Return sections below each other, badges beside each other; `opened` shows what is hidden or folded too."""
    rows = list[Row]()
    shown = [section for section in sections if opened or not section.hidden]
    for is_badge, together in groupby(shown, key=lambda section: section.kind is Shape.BADGE):
        if is_badge:
            rows += [*_badges([*together], width), _BLANK]
            continue
        for section in together:
            heading = fitted(one_line(section.heading, 100), width)
            rows += [(("muted-bold", heading),), *_section(section, width, opened), _BLANK]
    hidden = len(sections) - len(shown)
    if hidden:
        key = key_named("record.unfold", "Z")
        rows += text_rows(
            f"⋯ {hidden:,} more {'field' if hidden == 1 else 'fields'}: {key} shows all", "muted", width
        )
    return rows[:-1] if rows and rows[-1] == _BLANK else rows


def _section(section: Section, width: int, opened: bool) -> list[Row]:
    if opened or not section.folded:
        return indented(block_rows(section.blocks, width - 2))
    rows = block_rows(section.beginning, width - 2)
    if len(rows) <= FOLDED + 1:
        return indented(rows)
    words = f"⋯ {section.size} in all: {key_named('record.unfold', 'Z')} shows them"
    return indented([*rows[:FOLDED], *text_rows(words, "muted", width - 2)])


def indented(rows: Iterable[Row], by: str = "  ", style: str = "text") -> list[Row]:
    """Return rows with something before each of them."""
    return [((style, by), *row) for row in rows]


def _badges(sections: Sequence[Section], width: int) -> Iterator[Row]:
    row, used = list[tuple[str, str]](), 0
    for section in sections:
        value = next((block.text for block in section.blocks if isinstance(block, Badge)), "")
        name = f"{fitted(one_line(section.heading, 40), max(width // 2, 1))} "
        text = fitted(one_line(value, 400), max(width - cell_len(name), 1))
        cells = cell_len(name) + cell_len(text)
        if row and used + 3 + cells > width:
            yield tuple(row)
            row, used = [], 0
        row += [("faint", " · ")] if row else []
        row += [("muted", name), ("text", text)]
        used += cells + (3 if used else 0)
    if row:
        yield tuple(row)


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
        case Verbatim(text) | Badge(text):
            return text_rows(text, "text", width)
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
    rows = list[Row]()
    for line in text.split("\n"):
        style = _DIFF.get(line[:1], "text") if form == "diff" else "text"
        for row in text_rows(line, style, width - 2):
            rows.append(code_row(row_text(row), form) if form in ("json", "toml", "yaml") else row)
    return rows if form == "json" else indented(rows, "▏ ", "edge")


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
