"""Turns and fields as blocks of a stack."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from rich.cells import cell_len

from sampleui.tui.drawing.cards import Flags, field_rows, header_row, indented, part_rows, role_style
from sampleui.tui.drawing.items import Item, Part
from sampleui.tui.drawing.rows import Row, fitted, text_rows
from sampleui.tui.widgets.turn_stack import Block


def blocks_of(items: Sequence[Item], flags: Mapping[int, Flags], edited: int | None) -> list[Block]:
    """Return the blocks of a sample, in order.

    Args:
        items: its turns and fields.
        flags: the notes beside an item, by its index.
        edited: the index of the item whose value is open in an editor, which has its name in a block of its own.
    """
    blocks: list[Block] = []
    for index, item in enumerate(items):
        flag = flags.get(index, Flags())
        if item.heading:
            blocks.append(Block(-1, 0, "", partial(_heading, item.heading)))
        if item.in_fields and (index == 0 or not items[index - 1].in_fields):
            blocks.append(Block(-1, 0, "", partial(_heading, "fields")))
        if item.turn is not None:
            blocks += _turn_blocks(index, item, flag)
        else:
            if index == edited:
                blocks.append(Block(index, -1, "edge", partial(_field_name, item)))
            blocks.append(Block(index, 0, "edge", partial(_field, item, flag)))
    return blocks


def _turn_blocks(index: int, item: Item, flags: Flags) -> list[Block]:
    style = role_style(item.label)
    inset = 2 * item.depth

    def made(part: Part, width: int) -> list[Row]:
        return indented(part_rows(part, max(width - inset, 8)), item.depth)

    parts = [Block(index, at, style, partial(made, part)) for at, part in enumerate(item.parts)]
    head = Block(index, -1, style, lambda width: indented([header_row(item, width - inset, flags)], item.depth))
    return [head, *parts, Block(index, -2, "", _blank)] if not item.depth else [head, *parts]


def _field(item: Item, flags: Flags, width: int) -> list[Row]:
    return field_rows(item, width, flags)


def _field_name(item: Item, width: int) -> list[Row]:
    return text_rows(item.label, "muted-bold", width)


def _heading(text: str, width: int) -> list[Row]:
    said = f" {fitted(text, max(width - 4, 0))} "
    return [(("edge", "──"), ("muted", said), ("edge", "─" * max(width - cell_len(said) - 2, 0)))]


def _blank(width: int) -> list[Row]:
    return [(("text", ""),)]
