"""Rows: the lines that widgets draw, as plain data that tests can read."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from textual.strip import Strip

from sampleui.text.visible import visible_lines
from sampleui.tui.drawing.wrap import untabbed, wrap_line
from sampleui.tui.themes import Paint

Row: TypeAlias = tuple[tuple[str, str], ...]
"""One line: (name of a style, text) pairs, the text already safe to show."""


def text_rows(text: str, style: str, width: int, indent: str = "") -> list[Row]:
    """Return text of any origin as rows: made visible, wrapped to a width in cells, indented."""
    room = max(width - len(indent), 1)
    lines = (untabbed(line) for line in visible_lines(text).split("\n"))
    return [((style, indent + part),) for line in lines for part in wrap_line(line, room)]


def row_text(row: Row) -> str:
    """Return what a row shows, without its styles."""
    return "".join(text for _, text in row)


def strip_of(row: Row, paint: Paint, width: int) -> Strip:
    """Return a row as Textual draws it, exactly `width` cells wide."""
    segments = [Segment(text, paint[style]) for style, text in row]
    return Strip(segments, sum(cell_len(text) for _, text in row)).adjust_cell_length(width)


def fitted(text: str, width: int) -> str:
    """Return one line cut to a width in cells, with an ellipsis where something was left out."""
    if cell_len(text) <= width:
        return text
    return set_cell_size(text, max(width - 1, 0)) + "…" if width > 0 else ""


def spread(left: Iterable[tuple[str, str]], right: Iterable[tuple[str, str]], width: int) -> Row:
    """Return a row with one part at each end. The left part gives way when there is too little room."""
    right = tuple(right)
    room = max(width - sum(cell_len(text) for _, text in right) - (1 if right else 0), 0)
    kept: list[tuple[str, str]] = []
    for style, text in left:
        part = fitted(text, room)
        kept.append((style, part))
        room -= cell_len(part)
    gap = max(room + (1 if right else 0), 0)
    return (*kept, ("text", " " * gap), *right)


def appended(first: Row, style: str, text: str, width: int) -> list[Row]:
    """Return a row with a text after it, below it if there is no room."""
    whole: Row = (*first, (style, f"  {text}"))
    return [whole] if cell_len(row_text(whole)) <= width else [first, *text_rows(text, style, width)]
