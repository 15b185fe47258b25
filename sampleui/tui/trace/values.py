"""Values of events as rows: as indented JSON, as Markdown, or raw; large ones folded, or cut as they are drawn."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import accumulate, islice, repeat
from typing import overload

from rich.cells import cell_len

from sampleui.formats.data import Plain, json_or_text
from sampleui.sample.media import with_files_named
from sampleui.sample.message import size_within
from sampleui.text.limits import MAX_COUNTED_SIZE, MAX_UNFOLDED_JSON, MAX_WRAPPED_TEXT
from sampleui.text.prose import prose_of
from sampleui.text.visible import visible, visible_lines
from sampleui.trace.preview import preview, shown_size, to_json
from sampleui.tui.drawing.code import code_row, code_rows
from sampleui.tui.drawing.matches import with_style
from sampleui.tui.drawing.rows import Row, row_text, untabbed
from sampleui.tui.drawing.sections import block_rows


class LazyRows(Sequence[Row]):
    """Rows that are made when they are drawn."""

    def row_at(self, index: int) -> Row:
        """Return a row by its place from the top."""
        raise NotImplementedError

    def find(self, wanted: re.Pattern[str]) -> int | None:
        """Return the first row that shows a match."""
        raise NotImplementedError

    @overload
    def __getitem__(self, index: int) -> Row: ...

    @overload
    def __getitem__(self, index: slice) -> list[Row]: ...

    def __getitem__(self, index: int | slice) -> Row | list[Row]:
        """Return a row, or a list of them for a slice."""
        if isinstance(index, slice):
            return [self.row_at(number) for number in range(*index.indices(len(self)))]
        if not -len(self) <= index < len(self):
            raise IndexError(index)
        return self.row_at(index % len(self))


class CutRows(LazyRows):
    """A long text cut at a width. Where each row begins is computed from the lengths of the lines alone."""

    def __init__(self, text: str, width: int, form: str = "") -> None:
        if not text.isascii():
            text = visible_lines(text)
        self._lines = [untabbed(line) if "\t" in line else line for line in text.replace("\r\n", "\n").split("\n")]
        self._width = width
        self._form = form
        rooms = repeat(width) if text.isascii() else map(self._room, self._lines)
        rows = (-(-len(line) // room) or 1 for line, room in zip(self._lines, rooms, strict=False))
        self._ends = list(accumulate(rows))

    def _room(self, line: str) -> int:
        """Return how many characters of a line are in a row: a wide one takes two cells."""
        if line.isascii() or (len(line) <= self._width and cell_len(line) <= self._width):
            return self._width
        return max(self._width // 2, 1)

    def __len__(self) -> int:
        """Return how many rows there are."""
        return self._ends[-1]

    def row_at(self, index: int) -> Row:
        """Return a row."""
        number = bisect_right(self._ends, index)
        line = self._lines[number]
        part = index - (self._ends[number - 1] if number else 0)
        room = self._room(line)
        return code_row(visible(line[part * room : (part + 1) * room]), self._form)

    def find(self, wanted: re.Pattern[str]) -> int | None:
        """Return the row that the first match begins in."""
        text = "\n".join(self._lines)
        match = wanted.search(text)
        if match is None:
            return None
        number, column = text.count("\n", 0, match.start()), match.start() - text.rfind("\n", 0, match.start()) - 1
        return (self._ends[number - 1] if number else 0) + column // self._room(self._lines[number])


class StackedRows(LazyRows):
    """Parts under each other, what was searched for marked in them."""

    def __init__(self, parts: Sequence[Sequence[Row]], wanted: re.Pattern[str] | None = None) -> None:
        self._parts = [part for part in parts if len(part)]
        self._ends = list(accumulate(len(part) for part in self._parts))
        self._wanted = wanted

    def __len__(self) -> int:
        """Return how many rows there are."""
        return self._ends[-1] if self._ends else 0

    def row_at(self, index: int) -> Row:
        """Return a row."""
        number = bisect_right(self._ends, index)
        row = self._parts[number][index - (self._ends[number - 1] if number else 0)]
        return marked(row, self._wanted) if self._wanted else row

    def find(self, wanted: re.Pattern[str]) -> int | None:
        """Return the first row that shows a match."""
        for part, end in zip(self._parts, self._ends, strict=True):
            if isinstance(part, LazyRows):
                line = part.find(wanted)
            else:
                line = next((index for index, row in enumerate(part) if wanted.search(row_text(row))), None)
            if line is not None:
                return end - len(part) + line
        return None


def pattern(words: str) -> re.Pattern[str] | None:
    """Return what finds a text in any case, None for an empty text."""
    return re.compile(re.escape(words), re.IGNORECASE) if words else None


def marked(row: Row, wanted: re.Pattern[str]) -> Row:
    """Return a row with every match in the style `match`."""
    return with_style(row, (match.span() for match in wanted.finditer(row_text(row))), "match")


def body(text: str, width: int, form: str = "") -> Sequence[Row]:
    """Return a text of some format as rows, painted; one of none as it is."""
    return CutRows(text, width, form) if len(text) > MAX_WRAPPED_TEXT else code_rows(text, form, width)


_FOLDED_TEXT, _FOLDED_ITEMS, _FOLDED_DEPTH = 160, 8, 3

FOLDED_ROWS = 12
"""Rows that are shown of a long value at first."""

_WORTH_FOLDING, _ROW = 3, 100
_TEXTS_IN_TEXTS = 3
_JSON_TEXT = re.compile(r'\s*[\[{"]')


class ValueMode(StrEnum):
    """How values are shown."""

    PRETTY = "pretty"
    MARKDOWN = "markdown"
    RAW = "raw"

    def next(self) -> ValueMode:
        """Return the one after it, around the end."""
        modes = list(ValueMode)
        return modes[(modes.index(self) + 1) % len(modes)]


def value_rows(value: Plain, width: int, mode: ValueMode, folded: bool) -> Sequence[Row]:
    """Return a value as rows. A text that is JSON is shown as what it says, except when raw.

    Of data that is folded its outermost tables and lists are shown, and the first of what they hold.
    """
    if mode is ValueMode.RAW:
        return body(value if isinstance(value, str) else to_json(value), width)
    spoken = _with_files_named(_spoken_value(value))
    if isinstance(spoken, str):
        as_markdown = mode is ValueMode.MARKDOWN and len(spoken) <= MAX_WRAPPED_TEXT
        return block_rows(prose_of(spoken), width) if as_markdown else body(spoken, width)
    if folded:
        return body("\n".join(_folded(spoken, 0)), width, "json")
    text = (
        "\n".join(pretty(spoken))
        if size_within(spoken, MAX_UNFOLDED_JSON) is not None
        else to_json(spoken, indent=2)
    )
    return body(text, width, "json")


def size_words(value: Plain) -> str:
    """Return the size of a value in few characters: `4.2k`, and `20.0k+` for data that would take long to count."""
    size = len(value) if isinstance(value, str) else size_within(value, MAX_COUNTED_SIZE)
    return shown_size(size) if size is not None else f"{shown_size(MAX_COUNTED_SIZE)}+"


def pretty(value: Plain) -> Iterator[str]:
    """Yield a value as lines of indented JSON; a text of many lines is below its key as it is."""
    try:
        yield from list(_lines(value))
    except RecursionError:
        yield to_json(value)


def cut(rows: Sequence[Row], hint: str) -> Sequence[Row]:
    """Return the first rows of a long value, and how many more there are, with a hint at how to see them."""
    more = len(rows) - FOLDED_ROWS
    if more < _WORTH_FOLDING:
        return rows
    first = [rows[index] for index in range(FOLDED_ROWS)]
    return [*first, (("faint", f"… {more:,} more lines; {hint}"),)]


def is_long(value: Plain) -> bool:
    """Tell whether a value takes more rows than are shown of it at first."""
    if isinstance(value, str):
        value = _spoken_value(value)
    if isinstance(value, str):
        return value.count("\n") >= FOLDED_ROWS or len(value) > FOLDED_ROWS * _ROW
    return size_within(value, FOLDED_ROWS * _ROW) is None or sum(1 for _ in pretty(value)) > FOLDED_ROWS


def _spoken_value(value: Plain) -> Plain:
    """Return what a text says that is JSON, be it the JSON of a text that is JSON; other values as they are."""
    for _ in range(_TEXTS_IN_TEXTS):
        if not isinstance(value, str) or len(value) > MAX_UNFOLDED_JSON or not _JSON_TEXT.match(value):
            break
        value = json_or_text(value)
    return value


def _with_files_named(value: Plain) -> Plain:
    try:
        return with_files_named(value)
    except RecursionError:
        return value


def _lines(value: Plain) -> Iterator[str]:
    if isinstance(value, dict) and value:
        yield "{"
        for index, (key, item) in enumerate(value.items(), 1):
            yield from _entry(f"{json.dumps(key, ensure_ascii=False)}: ", item, index < len(value))
        yield "}"
    elif isinstance(value, list) and value:
        yield "["
        for index, item in enumerate(value, 1):
            yield from _entry("", item, index < len(value))
        yield "]"
    else:
        yield to_json(value)


def _entry(key: str, value: Plain, more: bool) -> Iterator[str]:
    if isinstance(value, str) and isinstance(spoken := _spoken_value(value), dict | list) and spoken:
        key, value = f"{key}⏎ ", spoken
    if isinstance(value, str) and "\n" in value.strip():
        yield f"  {key}⏎"
        yield from (f"  │ {line}" for line in value.removesuffix("\n").split("\n"))
        return
    first, *rest = _lines(value)
    lines = [f"  {key}{first}", *(f"  {line}" for line in rest)]
    yield from lines[:-1]
    yield lines[-1] + "," * more


def _folded(value: Plain, depth: int) -> Iterator[str]:
    if not isinstance(value, dict | list) or not value:
        yield json.dumps(_short(value), ensure_ascii=False) if isinstance(value, str) else to_json(value)
        return
    if depth == _FOLDED_DEPTH:
        noun = "keys" if isinstance(value, dict) else "items"
        yield f"{preview(value, 80)}  ({len(value):,} {noun})"
        return
    pairs = value.items() if isinstance(value, dict) else ((None, item) for item in value)
    yield "{" if isinstance(value, dict) else "["
    for key, item in islice(pairs, _FOLDED_ITEMS):
        first, *rest = _folded(item, depth + 1)
        yield "  " + (first if key is None else f"{json.dumps(key, ensure_ascii=False)}: {first}")
        yield from (f"  {line}" for line in rest)
    if len(value) > _FOLDED_ITEMS:
        yield f"  … {len(value) - _FOLDED_ITEMS:,} more"
    yield "}" if isinstance(value, dict) else "]"


def _short(text: str) -> str:
    if len(text) <= _FOLDED_TEXT:
        return text
    return f"{text[:_FOLDED_TEXT]}… {len(text) - _FOLDED_TEXT:,} more characters"
