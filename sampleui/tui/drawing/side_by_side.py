"""The space in which two texts are drawn as one, and how their lines are placed in it. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from rich.cells import cell_len

from sampleui.tui.drawing.rows import Row, row_text
from sampleui.values import NamedTuple

BESIDE = 100
"""Cells from which code and long texts are side by side."""

_BETWEEN = " │ "


class Room(NamedTuple):
    """The place that rows are made for.

    Attributes:
        width: its width in cells.
        brackets: whether words that differ have brackets, for want of colours.
        sought: the text that is searched for, which no fold hides; empty for none.
    """

    width: int
    brackets: bool = False
    sought: str = ""

    @property
    def beside(self) -> bool:
        """Whether two texts have room beside each other."""
        return self.width >= BESIDE

    @property
    def column(self) -> int:
        """The width of each of two columns."""
        return (self.width - len(_BETWEEN)) // 2


def columns(left: Sequence[Row], right: Sequence[Row], room: Room) -> Iterator[Row]:
    """Yield the rows of two columns beside each other."""
    empty: Row = (("text", ""),)
    for item, other in zip_longest(left, right, fillvalue=empty):
        gap = " " * max(room.column - cell_len(row_text(item)), 0)
        yield (*item, ("text", gap), ("edge", _BETWEEN), *other)


def line_legend(text: str, other: str, room: Room) -> list[Row]:
    """Return what says which text has which lines, and an empty row."""
    heads: list[Row] = [(("removed", f"- {text}"),), (("added", f"+ {other}"),)]
    row: Row = (*heads[0], ("muted", "  "), *heads[1])
    return [*(columns(heads[:1], heads[1:], room) if room.beside else [row]), (("text", ""),)]


def word_legend(text: str, other: str, room: Room) -> list[Row]:
    """Return what says which text has which words, and an empty row."""
    gone, come = (f"[-{text}-]", f"{{+{other}+}}") if room.brackets else (text, other)
    return [(("gone-bold", gone), ("muted", "  "), ("come-bold", come)), (("text", ""),)]
