"""Rows: the lines that widgets draw, as plain data that tests can read, and long lines broken to a width."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, zip_longest
from typing import NamedTuple, TypeAlias

from rich.cells import cell_len, chop_cells, set_cell_size
from rich.segment import Segment
from textual.strip import Strip

from sampleui.text.limits import MAX_STRETCH
from sampleui.text.stretches import stretch
from sampleui.text.visible import visible_lines
from sampleui.tui.themes import Paint

TAB_STOP = 4

_WORD = re.compile(r"\s*\S+|\s+$")
_WITHOUT_BLANKS = (
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]"
)
"""A character of a script that has no blanks between its words: Thai, Lao, Burmese, Khmer, Chinese, Japanese.

So large a set takes milliseconds to compile, which a start without such a script need not wait for.
"""

_LATIN = r"[A-Za-z0-9\u00c0-\u024f]+"
_CHARACTER = r"\S(?:\u200d\S|[\u0300-\u036f\u20e3\ufe0e\ufe0f\U0001f3fb-\U0001f3ff])*"
_NEVER_FIRST = r"[、。，．：；？！）］｝」』】〕〉》”’,.:;?!)\]}ー々]*"
_PIECE = re.compile(rf"\s*(?:{_LATIN}(?:['’._-]{_LATIN})*|{_CHARACTER}){_NEVER_FIRST}|\s+$")
"""A Latin word or a character of a script that has no blanks, with the signs behind it that begin no line."""


def untabbed(line: str) -> str:
    """Return a line with its tabs shown as an arrow and spaces up to the next stop."""
    if "\t" not in line:
        return line
    parts = line.split("\t")
    out = parts[0]
    for part in parts[1:]:
        out += "→".ljust(TAB_STOP - cell_len(out) % TAB_STOP) + part
    return out


def mark_sign(is_marked: bool) -> list[tuple[str, str]]:
    """Return the sign of what is marked, before its name."""
    return [("accent-bold", "* ")] if is_marked else []


def wrap_line(line: str, width: int) -> list[str]:
    """Break one line at its spaces to at most `width` cells; words that are longer are cut. Never empty."""
    if line.isascii() and len(line) <= width:
        return [line]
    if width < 2 or cell_len(line) <= width:
        return [line]
    return _broken(line, width)


@lru_cache(maxsize=4096)
def _broken(line: str, width: int) -> list[str]:
    size = len if line.isascii() else cell_len
    lines: list[str] = []
    row, used = "", 0
    words = _PIECE if not line.isascii() and re.search(_WITHOUT_BLANKS, line) else _WORD
    for word in words.findall(line):
        cells = size(word)
        if used + cells <= width:
            row, used = row + word, used + cells
            continue
        if row:
            lines.append(row)
            word = word.lstrip()
            cells = size(word)
        if cells > width:
            *full, word = chop_cells(word, width)
            lines.extend(full)
            cells = size(word)
        row, used = word, cells
    if row or not lines:
        lines.append(row)
    return lines


OUTCOME_STYLES: Mapping[str, str] = {
    "passed": "added",
    "failed": "error",
    "error": "error-bold",
    "ungraded": "muted",
}
"""The style of each outcome of a record."""

Row: TypeAlias = tuple[tuple[str, str], ...]
"""One line: (name of a style, text) pairs, the text already safe to show."""


def text_rows(text: str, style: str, width: int, indent: str = "") -> list[Row]:
    """Return text of any origin as rows: made visible, wrapped to a width in cells, indented."""
    room = max(width - len(indent), 1)
    lines = (untabbed(line) for line in visible_lines(text).split("\n"))
    return [((style, indent + part),) for line in lines for part in wrap_line(line, room)]


def indented(rows: Iterable[Row], by: str = "  ", style: str = "text") -> list[Row]:
    """Return rows with something before each of them."""
    return [((style, by), *row) for row in rows] if by else [*rows]


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


def filled(text: str, width: int) -> str:
    """Return one line exactly as wide as that, in cells: cut as `fitted` does, or blanks behind it."""
    return set_cell_size(fitted(text, width), width)


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


_DOT = " · "


def flowed(items: Iterable[Row], width: int) -> Iterator[Row]:
    """Yield things beside each other, dots between them, on as many lines as they take."""
    row, used = list[tuple[str, str]](), 0
    for item in items:
        cells = cell_len(row_text(item))
        if row and used + len(_DOT) + cells > width:
            yield tuple(row)
            row, used = [], 0
        if row:
            row.append(("faint", _DOT))
        used += cells + len(_DOT) * bool(used)
        row += item
    if row:
        yield tuple(row)


def appended(first: Row, style: str, text: str, width: int) -> list[Row]:
    """Return a row with a text after it, below it if there is no room."""
    whole: Row = (*first, (style, f"  {text}"))
    return [whole] if cell_len(row_text(whole)) <= width else [first, *text_rows(text, style, width)]


def named_text(
    label: str, text: str, width: int, nothing: str, style: str = "muted-bold", *, sought: str = ""
) -> list[Row]:
    """Return a text under its name, of a very long one the part with what is sought; or what is said for none."""
    head: Row = ((style, label),)
    if len(text) > MAX_STRETCH:
        part = stretch(text, sought)
        text, head = part.text, (*head, ("muted", f"  {part.words}"))
    rows = text_rows(text, "text", width, "  ") if text else text_rows(nothing, "muted", width, "  ")
    return [head, *rows, (("text", ""),)]


BESIDE = 100
"""Cells from which code and long texts are side by side."""


BETWEEN_COLUMNS = " │ "


class Room(NamedTuple):
    """The place that rows are made for.

    Attributes:
        width: its width in cells.
        height: its lines.
        brackets: whether words that differ have brackets, for want of colours.
        sought: the text that is searched for, which no fold hides; empty for none.
        alone: whether no other pane is beside it.
        opened: whether what is hidden or folded unasked is shown.
    """

    width: int
    height: int = 24
    brackets: bool = False
    sought: str = ""
    alone: bool = True
    opened: bool = False

    @property
    def beside(self) -> bool:
        """Whether two texts have room beside each other."""
        return self.width >= BESIDE

    @property
    def column(self) -> int:
        """The width of each of two columns."""
        return (self.width - len(BETWEEN_COLUMNS)) // 2


def plot_row(line: str) -> Row:
    """Return a line of a plot. Its dots are no text: a screen reader leaves them out."""
    is_drawn = any("\u2800" <= character <= "\u28ff" for character in line)
    return (("accent" if is_drawn else "text", line),)


Pieces: TypeAlias = Sequence[tuple[str, str]]
"""A line as (name of a style, text) pairs, of any length."""


def wrapped(parts: Pieces, width: int) -> Iterable[Row]:
    """Break a line of several styles. Breaking may drop spaces, so pieces are found again one after the other."""
    parts = [(style, untabbed(text)) for style, text in parts]
    text = "".join(part for _, part in parts)
    starts = [0, *accumulate(len(part) for _, part in parts)]
    start = 0
    for piece in wrap_line(text, width):
        start = text.index(piece, start)
        yield tuple(_styled(parts, starts, start, start + len(piece))) or (("text", ""),)
        start += len(piece)


def split_lines(parts: Iterable[tuple[str, str]]) -> Iterator[Pieces]:
    """Yield the lines of styled parts, which may have line breaks in them."""
    line: list[tuple[str, str]] = []
    for style, text in parts:
        first, *rest = text.split("\n")
        line.append((style, first))
        for piece in rest:
            yield line
            line = [(style, piece)]
    yield line


def _styled(parts: Pieces, starts: Sequence[int], start: int, end: int) -> Iterable[tuple[str, str]]:
    index = bisect_right(starts, start) - 1
    while index < len(parts) and starts[index] < end:
        style, text = parts[index]
        cut = text[max(start - starts[index], 0) : end - starts[index]]
        if cut:
            yield style, cut
        index += 1


def side_by_side(columns: Sequence[Sequence[Row]], widths: Sequence[int]) -> Iterator[Row]:
    """Yield the rows of columns of these widths beside each other."""
    for parts in zip_longest(*columns, fillvalue=()):
        row: list[tuple[str, str]] = []
        for index, (part, width) in enumerate(zip(parts, widths, strict=True)):
            row += [("edge", BETWEEN_COLUMNS)] if index else []
            row += [*part, ("text", " " * (width - cell_len(row_text(part))))]
        yield tuple(row)
