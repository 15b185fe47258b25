"""Edits of tables written as headers and pairs: whole lines and whole blocks are inserted, deleted and moved."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

from sampleui.errors import EditRefusedError
from sampleui.formats.data import DataPath, Plain, Table
from sampleui.formats.toml import scan
from sampleui.formats.toml.writing import emit
from sampleui.formats.toml.writing.habits import Layout, equals_at, equals_column
from sampleui.formats.toml.writing.tree import Statement, StatementKind, TableNode, TablesNode
from sampleui.text.position import TextEdit

ONLY_TABLES = "cannot insert the item: only a table can be in a list of [[headers]]"

_BLANKS = re.compile(r"\s*")


class Added(NamedTuple):
    """A key for the table at `path[:-1]`.

    Attributes:
        path: where it goes.
        written: its value.
        layout: how pairs are laid out.
        among: tells its place among the other keys.
        notes: comments that get lines of their own above it.
    """

    path: DataPath
    written: str
    layout: Layout
    among: Callable[[Sequence[str]], int] = len
    notes: Sequence[str] = ()


def put_pair(text: str, table: TableNode, added: Added, *, without: Sequence[Statement] = ()) -> list[TextEdit]:
    """Return edits that add a pair to a table, and take statements out of the text.

    The pair goes below the one before it in order, else below the header; a table that has neither gets a header.
    """
    gone, path, written, newline = list(without), added.path, added.written, added.layout.newline
    name = str(path[-1])
    pairs = [pair for pair in table.pairs if pair not in gone]
    index = added.among([pair.keys[table.prefix].name for pair in pairs])
    if pairs and (index or table.header is None or table.header in gone):
        last = pairs[max(index, 1) - 1]
        prefix = f"{text[last.keys[0].start : last.keys[table.prefix - 1].end]}." if table.prefix else ""
        indent = newline + text[last.start : last.first]
        line = f"{_left(text, f'{prefix}{emit.key(name)}', last, added.layout)}{written}"
        lines = "".join(indent + item for item in (*added.notes, line))
        return [TextEdit(last.stop, last.stop, lines), *taken_out(text, gone)]
    if table.header is not None and table.header not in gone:
        header = table.header
        indent = newline + text[header.start : header.first]
        below = _left(text, emit.key(name), pairs[0], added.layout) + written if pairs else ""
        line = below or emit.pair(name, written, added.layout)
        lines = "".join(indent + each for each in (*added.notes, line))
        return [TextEdit(header.stop, header.stop, lines), *taken_out(text, gone)]
    pair = newline.join((*added.notes, emit.pair(name, written, added.layout)))
    if len(path) == 1 and not table.statements:
        gap = newline if text and not text.endswith("\n") else ""
        return [TextEdit(len(text), len(text), f"{gap}{pair}{newline}")]
    if len(path) == 1:
        first = table.statements[0].lead  # the root of a file: its own pairs are above all headers
        return [TextEdit(first, first, f"{pair}{newline}{newline}"), *taken_out(text, gone)]
    block = f"[{dotted(text, table, path[:-1])}]{newline}{pair}"
    kept = [statement for statement in table.statements if statement not in gone]
    if not kept:
        return [TextEdit(table.statements[0].lead, table.statements[-1].tail, block)]
    end = kept[-1].tail
    return [TextEdit(end, end, newline * 2 + block), *taken_out(text, gone)]


def put_in_place(text: str, table: TableNode, written: str) -> list[TextEdit]:
    """Return edits that write a value in the place of a table that dotted keys spell, all comments kept.

    It stands where the first of them stood; none if the table is spelled otherwise.
    """
    first, *others = table.statements
    if not table.prefix or any(statement.kind is not StatementKind.PAIR for statement in table.statements):
        return []
    name = text[first.keys[0].start : first.keys[table.prefix - 1].end]
    edits = [TextEdit(first.keys[0].start, first.end, f"{name}{equals_at(text, first.keys[-1].end)}{written}")]
    for pair in others:
        comment = text.find("#", pair.end, pair.stop)
        below = text.find("\n", pair.stop) + 1
        if comment >= 0:
            edits.append(TextEdit(pair.first, comment, ""))
        elif below:
            edits.append(TextEdit(pair.start, below, ""))
        else:
            edits.append(TextEdit(pair.first, pair.stop, ""))
    return edits


def notes_in(text: str, statements: Sequence[Statement]) -> list[str]:
    """Return the comments that go where statements are taken out."""
    gone = (text[edit.start : edit.end] for edit in taken_out(text, statements))
    return [comment for part in gone for comment in scan.comments(part)]


def taken_out(text: str, statements: Sequence[Statement]) -> list[TextEdit]:
    """Return edits that take statements out, with the comments directly above and the blank lines left over."""
    runs: list[list[Statement]] = []
    for statement in statements:
        if runs and runs[-1][-1].order + 1 == statement.order:
            runs[-1].append(statement)
        else:
            runs.append([statement])
    return [_lines_out(text, run) if run[0].kind is StatementKind.PAIR else _block_out(text, run) for run in runs]


def _lines_out(text: str, run: list[Statement]) -> TextEdit:
    start, end = run[0].lead, run[-1].stop
    line_feed = text.find("\n", end)
    if line_feed >= 0:
        return TextEdit(start, line_feed + 1, "")
    return TextEdit(len(text[:start].removesuffix("\n").removesuffix("\r")), end, "")


def _block_out(text: str, run: list[Statement]) -> TextEdit:
    start, end = run[0].lead, run[-1].tail
    blanks = _BLANKS.match(text, end)
    following = blanks.end() if blanks else end
    if following < len(text):
        return TextEdit(start, text.rfind("\n", 0, following) + 1, "")
    above = text.find("\n", len(text[:start].rstrip(" \t\r\n")), start)
    return TextEdit(len(text[:above].removesuffix("\r")) if above >= 0 else start, end, "")


def insert_block(text: str, tables: TablesNode, index: int, data: Plain, layout: Layout) -> TextEdit:
    """Return the edit that puts a table as a block before the item `index` of a list of blocks.

    Raises:
        EditRefusedError: when the value is not a table, which no block can spell.
    """
    block = like_block(text, tables.items[min(index, len(tables.items) - 1)], data, layout)
    gap = gap_between(text, tables, layout.newline)
    if index < len(tables.items):
        start = tables.items[index].statements[0].lead
        return TextEdit(start, start, block + gap)
    end = tables.items[-1].statements[-1].tail
    return TextEdit(end, end, gap + block)


def move_block(text: str, tables: TablesNode, index: int, to: int) -> TextEdit:
    """Return the edit that moves a block with its comments; what is between the blocks stays where it is."""
    cores = [(item.statements[0].lead, item.statements[-1].tail) for item in tables.items]
    order = list(range(len(cores)))
    order.insert(to, order.pop(index))
    parts = [text[slice(*cores[order[0]])]]
    for position in range(1, len(cores)):
        parts += [text[cores[position - 1][1] : cores[position][0]], text[slice(*cores[order[position]])]]
    return TextEdit(cores[0][0], cores[-1][1], "".join(parts))


def replace_block(text: str, table: TableNode, data: Table, layout: Layout) -> list[TextEdit]:
    """Return edits that give a table with a header other pairs; none if its parts are not together."""
    header, last = table.header, table.statements[-1]
    if header is None or table.statements[0] is not header:
        return []
    if last.order - header.order != len(table.statements) - 1:
        return []
    return [TextEdit(header.stop, last.stop, _filling(text, table, last.stop, data, layout))]


def replace_blocks(text: str, tables: TablesNode, data: list[Plain], layout: Layout) -> list[TextEdit]:
    """Return edits that give a list of blocks other items; none if its blocks are not together."""
    statements, items = tables.statements, tables.items
    if statements[-1].order - statements[0].order != len(statements) - 1:
        return []
    blocks = [_refilled(text, item, row, layout) for item, row in zip(items, data, strict=False)]
    blocks += [like_block(text, items[-1], row, layout) for row in data[len(items) :]]
    gaps = [text[each.statements[-1].tail : other.statements[0].lead] for each, other in pairwise(items)]
    gaps = ["", *gaps[: len(data) - 1], *[gap_between(text, tables, layout.newline)] * (len(data) - len(items))]
    written = "".join(part for gap, block in zip(gaps, blocks, strict=True) for part in (gap, block))
    return [TextEdit(statements[0].lead, statements[-1].tail, written)]


def _refilled(text: str, table: TableNode, data: Plain, layout: Layout) -> str:
    """Return a block that has another table's pairs, and its own header and comments."""
    header, first = table.header, table.statements[0]
    if header is not first or not isinstance(data, dict):
        return like_block(text, table, data, layout)
    return text[first.lead : first.stop] + _filling(text, table, table.statements[-1].tail, data, layout)


def _filling(text: str, table: TableNode, end: int, data: Table, layout: Layout) -> str:
    """Return what comes after a header in place of the pairs up to `end`: the comments among them, new pairs."""
    inner = indentation(text, table, layout)
    notes = scan.comments(text[table.statements[0].stop : end])
    lines = [*(inner.indent + note for note in notes), emit.pairs(data, inner).removesuffix(layout.newline)]
    return "".join(layout.newline + line for line in lines if line)


def like_block(text: str, sibling: TableNode, data: Plain, layout: Layout) -> str:
    """Return a table as a block with the header and the indentation of another. The last line is not ended."""
    header = sibling.header
    assert header is not None
    return block(text[header.first : header.end], data, indentation(text, sibling, layout))


def block(header: str, data: Plain, layout: Layout) -> str:
    """Return a header and the pairs of a table below it. The last line is not ended."""
    if not isinstance(data, dict):
        raise EditRefusedError(ONLY_TABLES)
    return (layout.outer + header + layout.newline + emit.pairs(data, layout)).removesuffix(layout.newline)


def indentation(text: str, table: TableNode, layout: Layout) -> Layout:
    """Return the layout of a table: the indentation of its header and of its pairs."""
    header, shown = table.header, table.pairs[0] if table.pairs else table.header
    outer = text[header.start : header.first] if header else ""
    return layout._replace(indent=text[shown.start : shown.first] if shown else "", outer=outer)


def append_blocks(
    text: str, table: TableNode, path: DataPath, data: list[Plain] | Table, layout: Layout
) -> TextEdit:
    """Return the edit that adds a table, or a list of them, to another as blocks below all it has."""
    end = table.statements[-1].tail
    name = f"{dotted(text, table, path[:-1])}.{emit.key(str(path[-1]))}"
    inner = _inner_layout(text, table, layout)
    blocks = [block(f"[[{name}]]", item, inner) for item in data] if isinstance(data, list) else []
    blocks += [block(f"[{name}]", data, inner)] if isinstance(data, dict) else []
    return TextEdit(end, end, "".join(f"{layout.newline * 2}{written}" for written in blocks))


def _inner_layout(text: str, table: TableNode, layout: Layout) -> Layout:
    """Return the indentation of a new block in a table: that of the blocks it has, or else none."""
    for entry in table.entries.values():
        inner = entry.items[0] if isinstance(entry, TablesNode) else entry
        if isinstance(inner, TableNode) and inner.header is not None:
            return indentation(text, inner, layout)
    return layout


def dotted(text: str, table: TableNode, path: DataPath) -> str:
    """Return the key of the table at a path as its headers write it."""
    depth = sum(isinstance(step, str) for step in path)
    keys = table.statements[0].keys
    if len(keys) < depth or table.statements[0].kind is StatementKind.PAIR:
        return ".".join(emit.key(step) for step in path if isinstance(step, str))
    return text[keys[0].start : keys[depth - 1].end]


def gap_between(text: str, tables: TablesNode, newline: str) -> str:
    """Return the line feeds that are before the last block of a list."""
    start = tables.items[-1].statements[0].lead
    blanks = text[len(text[:start].rstrip()) : start]
    shown = "\n" in blanks and text[:start].strip("\ufeff \t\r\n")
    return newline * (blanks.count("\n") if shown else 2)


def _left(text: str, name: str, near: Statement, layout: Layout) -> str:
    """Return a new key and its equals sign as in the pair near it: in its column, if most stand in columns."""
    equals = equals_at(text, near.keys[-1].end)
    width = equals_column(text, near) - equals.index("=") if layout.habits.columns else 0
    return name.ljust(width) + equals
