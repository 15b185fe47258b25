"""Whole samples as text: the form of a new one, and where the text of one ends."""

from __future__ import annotations

from dataclasses import dataclass

from sampleui.errors import EditRefusedError
from sampleui.formats.data import Plain, Table
from sampleui.formats.document import Splice
from sampleui.formats.toml import emit, scan, tables
from sampleui.formats.toml import tree as trees
from sampleui.formats.toml.emit import Layout
from sampleui.formats.toml.pieces import BOM
from sampleui.formats.toml.sequences import joined
from sampleui.formats.toml.tree import Pair, Tables, tree


@dataclass(frozen=True, slots=True)
class Template:
    """A sample for a new one to look like: the piece that it stands in, and its table."""

    text: str
    table: trees.Table


def core_end(piece: str, holder: str) -> int:
    """Return where the text of the samples in a piece ends, the line feed of the last line left out."""
    stops = [block.stop for block in scan.blocks(piece) if block.path[:1] == (holder,)]
    if stops:
        return max(stops)
    entry = tree(piece).entries[holder]
    statements = [entry.statement] if isinstance(entry, Pair) else entry.statements
    return max(statement.tail for statement in statements)


def check_spelled(piece: str, holder: str) -> None:
    """Check that headers spell the samples of a piece, so that others can be put beside them.

    Raises:
        EditRefusedError: when they do not, saying how they are spelled.
    """
    entry = tree(piece).entries[holder]
    if isinstance(entry, Pair):
        raise EditRefusedError(
            "the samples are written as one inline table: edit the file to add, move or delete one"
        )
    if isinstance(entry, trees.Table) and entry.pairs:
        raise EditRefusedError("the samples are written with dotted keys: edit the file to add, move or delete one")


def check_whole(piece: str, holder: str) -> None:
    """Check that a piece is one sample that headers spell, so that it can move and go.

    Raises:
        EditRefusedError: when it is not, saying why.
    """
    check_spelled(piece, holder)
    entry = tree(piece).entries[holder]
    if isinstance(entry, trees.Table) and len(entry.entries) != 1:
        raise EditRefusedError(
            "the tables of these samples interleave in the file: they cannot move or go one by one"
        )


def without(piece: str, sample: trees.Place) -> str:
    """Return a piece without the blocks of one sample, which stand among others."""
    assert isinstance(sample, trees.Table)
    return joined(piece, tables.taken_out(piece, sample.statements)).apply(piece)


def first(head: str, tail: str, core: str, newline: str) -> Splice:
    """Return the splice that puts a sample between the head and the tail of a file that has none."""
    if tail.strip():
        return Splice(0, (head,), (head, core + newline * 2))
    if not head.strip(BOM + " \t\r\n"):
        return Splice(0, (head,), (head, core + newline))
    if not head.endswith("\n"):
        return Splice(0, (head,), (head + newline * 2, core))
    apart = head if head.endswith(("\n\n", "\n\r\n")) else head + newline
    return Splice(0, (head,), (apart, core + newline))


def written(header: str, data: Table, template: Template | None, layout: Layout, keyed: bool) -> str:
    """Return a new sample as text in the form of another. `header` is its key; the last line is not ended.

    Lists of tables and tables are blocks of their own where the template has them so, and in a keyed deck without
    one, as calibrate's decks write it; else they stand inline.
    """
    shaped = template.table.entries if template else {}
    apart: list[str] = []
    inline: list[str] = []
    for name, value in data.items():
        like = shaped.get(name)
        sibling = like.items[0] if isinstance(like, Tables) else like
        wants_blocks = isinstance(like, Tables) or (like is None and keyed and not template)
        inner = layout
        if template and isinstance(sibling, trees.Table):
            inner = tables.indentation(template.text, sibling, layout.newline)
        if isinstance(value, list) and emit.is_tables(value) and wants_blocks:
            apart += [tables.block(f"[[{header}.{emit.key(name)}]]", item, inner) for item in value]
        elif isinstance(value, dict) and isinstance(like, trees.Table) and like.header:
            apart.append(tables.block(f"[{header}.{emit.key(name)}]", value, inner))
        else:
            inline.append(layout.indent + emit.pair(name, _value(value, like, template, layout)))
    opening = layout.outer + (f"[{header}]" if keyed else f"[[{header}]]")
    own = [layout.newline.join([opening, *inline])] if inline or not apart or not keyed else []
    blocks = [*apart, *own] if keyed and template and _header_last(template.table) else [*own, *apart]
    return _gap(template, layout).join(blocks)


def _value(value: Plain, like: trees.Entry | None, template: Template | None, layout: Layout) -> str:
    if template and isinstance(like, Pair) and like.node.items and isinstance(value, list):
        old = template.text[like.node.start : like.node.items[0].start]
        return emit.lines(value, layout) if "\n" in old else emit.inline(value, layout)
    return emit.value(value, layout)


def _header_last(table: trees.Table) -> bool:
    """Tell whether a table's own header stands below the blocks of its lists."""
    return table.header is not None and table.statements[0] is not table.header


def _gap(template: Template | None, layout: Layout) -> str:
    lists = [entry for entry in template.table.entries.values() if isinstance(entry, Tables)] if template else []
    return tables.gap_between(template.text, lists[0], layout.newline) if template and lists else layout.newline * 2
