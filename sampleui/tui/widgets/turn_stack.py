"""Cards below each other, drawn line by line: those out of view cost nothing but their height."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import accumulate
from typing import NamedTuple

from rich.cells import cell_len
from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.strip import Strip

from sampleui.sample.media import Places
from sampleui.tui.commands import TYPING
from sampleui.tui.drawing.cards import Flags, brief_rows, field_rows, header_row, part_rows, role_style
from sampleui.tui.drawing.items import ARGUMENT, Item, ItemPart
from sampleui.tui.drawing.matches import marked
from sampleui.tui.drawing.rows import Row, fitted, indented, text_rows
from sampleui.tui.widgets.bars import Selectable

GUTTER = 2
"""Cells at the left of a card: the bar in the colour of its role, and a space."""


class StackBlock(NamedTuple):
    """Rows that belong to one part of one item.

    Attributes:
        item: the index of the item; -1 for what belongs to none.
        part: the index of the part; -1 for the line above an item, -2 for the space below it.
        style: the name of the style of the bar at its left; empty for no bar.
        make: from a width to rows.
    """

    item: int
    part: int
    style: str
    make: Callable[[int], list[Row]]


class TurnStack(Selectable):
    """A column of blocks."""

    DEFAULT_CSS = """
    TurnStack { height: auto; width: 1fr; }
    """

    class Clicked(Message):
        """A card was clicked, or clicked twice."""

        def __init__(self, item: int, part: int, twice: bool) -> None:
            super().__init__()
            self.item = item
            self.part = part
            self.twice = twice

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._blocks: tuple[StackBlock, ...] = ()
        self._width = 0
        self._rows: list[list[Row]] = []
        self._starts: list[int] = [0]
        self._cursor: tuple[int, int] = (-1, -1)
        self._active = False
        self._words = ""
        self._found: list[int] = []
        self.found: int | None = None
        """The first line that shows what is searched for."""

    def seek(self, words: str) -> None:
        """Mark a text wherever it is shown; empty for none."""
        if words != self._words:
            self._words = words
            self._measure(self._width)
            self.refresh()

    def show(self, blocks: tuple[StackBlock, ...]) -> None:
        """Show other blocks."""
        height = self._starts[-1]
        self._blocks = blocks
        self._measure(self._width)
        if self._starts[-1] != height:
            self.refresh(layout=True)
        else:
            self.refresh()

    def mark(self, cursor: tuple[int, int], active: bool) -> None:
        """Say which item and part have the cursor, and whether the pane has the focus."""
        if (cursor, active) != (self._cursor, self._active):
            old, self._cursor, self._active = self._cursor, cursor, active
            for item in {old[0], cursor[0]}:
                top, bottom = self.extent(item)
                if bottom > top:
                    self.refresh(Region(0, top, max(self.size.width, 1), bottom - top))

    @property
    def height(self) -> int:
        """The number of lines, which the next layout gives it."""
        return self._starts[-1]

    def extent(self, item: int, part: int | None = None) -> tuple[int, int]:
        """Return the first line and the end line of an item, or of one part of it."""
        if len(self._starts) <= len(self._blocks):  # not measured yet
            return (0, 0)
        lines = [
            (self._starts[index], self._starts[index + 1])
            for index, block in enumerate(self._blocks)
            if block.item == item and (block.part != -2 if part is None else block.part == part)
        ]
        return (lines[0][0], lines[-1][1]) if lines else (0, 0)

    def lines(self) -> list[str]:
        """Return what it shows as text, for tests and for copying."""
        return ["".join(text for _, text in row) for rows in self._rows for row in rows]

    def _measure(self, width: int) -> None:
        self._width = width
        room = self.room(max(width - GUTTER, 1))
        self._rows = [block.make(room) for block in self._blocks] if width else []
        self.found, self._found = None, []
        if self._words:
            self._mark_words()
        self._starts = [0, *accumulate(len(rows) for rows in self._rows)]

    def _mark_words(self) -> None:
        rows, self.found = marked([row for block_rows in self._rows for row in block_rows], self._words)
        left = iter(rows)
        self._rows = [[next(left) for _ in block_rows] for block_rows in self._rows]
        self._found = [index for index, row in enumerate(rows) if any(style == "match" for style, _ in row)]

    def match(self, item: int, part: int, number: int) -> int | None:
        """Return the line of a match in a part of an item, by its number there; the last if there are fewer."""
        top, bottom = self.extent(item, part)
        inside = [line for line in self._found if top <= line < bottom]
        return inside[min(number, len(inside) - 1)] if inside else None

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return the number of lines at a width."""
        if width != self._width:
            self._measure(width)
        return self._starts[-1]

    def on_click(self, event: events.Click) -> None:
        """Tell which card was clicked, unless words of it were selected so."""
        found = None if self.text_selection is not None else self._find(event.y)
        if found is not None and self._blocks[found].item >= 0:
            block = self._blocks[found]
            self.post_message(self.Clicked(block.item, max(block.part, 0), event.chain > 1))

    def _find(self, line: int) -> int | None:
        if not 0 <= line < self._starts[-1]:
            return None
        return bisect_right(self._starts, line) - 1

    def render_line(self, y: int) -> Strip:
        """Draw one line of a card with its bar."""
        width = self.size.width
        found = self._find(y)
        if found is None:
            return self.painted((), width)
        block = self._blocks[found]
        row = self.selected(self._rows[found][y - self._starts[found]], y)
        item, part = self._cursor
        here = block.item == item and block.part != -2
        bar = "│ " if block.style else "  "
        if block.style and here:
            bar = "▸ " if block.part == part and part > 0 else "┃ "
        if self.is_plain:
            bar = "  "
            top, end = self.extent(item, part if part > 0 else None)
            if y == top and self._active and getattr(self.screen.focused, "scope", "") not in TYPING:
                self.point(y, end - top)
        lit = here and (block.part == -1 or block.style == "edge")
        cursor = "cursor" if self._active else "cursor-idle"
        strip = self.painted(((block.style or "text", bar), *row), width, cursor if lit else "")
        return self.placed(strip, y, GUTTER)

    def selectable(self, index: int) -> Row | None:
        """Return a line of a card without its bar."""
        found = self._find(index)
        return None if found is None else self._rows[found][index - self._starts[found]]


def blocks_of(
    items: Sequence[Item],
    flags: Mapping[int, Flags],
    edited: tuple[int, int] | None,
    sought: str = "",
    places: Places = (),
) -> list[StackBlock]:
    """Return the blocks of a sample, in order.

    Args:
        items: its turns and fields.
        flags: the notes beside an item, by its index.
        edited: the item and the part whose value is open in an editor, which has its name in a block of its own.
        sought: what decides which part of a very long text is drawn; empty for its beginning.
        places: where the files of pictures may be.
    """
    blocks: list[StackBlock] = []
    for index, item in enumerate(items):
        flag = flags.get(index, Flags())
        if item.heading:
            blocks.append(StackBlock(-1, 0, "", partial(_heading, item.heading)))
        if item.in_fields and (index == 0 or not items[index - 1].in_fields):
            blocks.append(StackBlock(-1, 0, "", partial(_heading, "fields")))
        if item.turn is not None:
            blocks += _turn_blocks(index, item, flag, edited, partial(part_rows, sought=sought, places=places))
        else:
            if edited is not None and index == edited[0]:
                blocks.append(StackBlock(index, -1, "edge", partial(text_rows, item.label, "muted-bold")))
            blocks.append(StackBlock(index, 0, "edge", partial(field_rows, item, flags=flag)))
    return blocks


def _turn_blocks(
    index: int,
    item: Item,
    flags: Flags,
    edited: tuple[int, int] | None,
    drawn: Callable[[ItemPart, int], list[Row]],
) -> list[StackBlock]:
    style = role_style(item.label)
    inset = "  " * item.depth

    def rows_of_part(part: ItemPart, width: int) -> list[Row]:
        room = max(width - len(inset), 8)
        return indented(brief_rows(part, room) if flags.brief else drawn(part, room), inset)

    parts = [
        StackBlock(index, part_index, style, partial(rows_of_part, part))
        for part_index, part in enumerate(item.parts)
    ]
    if edited is not None and edited[0] == index and (named := item.parts[edited[1]]).tag == ARGUMENT:
        name = partial(text_rows, f"  {named.key}", "muted-bold")
        parts.insert(edited[1], StackBlock(index, -1, style, lambda width: indented(name(width), inset)))
    head = StackBlock(
        index, -1, style, lambda width: indented([header_row(item, width - len(inset), flags)], inset)
    )
    parts += [StackBlock(index, -1, style, partial(text_rows, note, "accent")) for note in flags.notes]
    return (
        [head, *parts, StackBlock(index, -2, "", lambda _: [(("text", ""),)])] if not item.depth else [head, *parts]
    )


def _heading(text: str, width: int) -> list[Row]:
    label = f" {fitted(text, max(width - 4, 0))} "
    return [(("edge", "──"), ("muted", label), ("edge", "─" * max(width - cell_len(label) - 2, 0)))]
