"""Whole samples as TOML text: the layout of a new one, and whether one can be put in, moved or deleted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import NamedTuple, TypeVar

from sampleui.errors import EditRefusedError
from sampleui.formats.data import Plain, Table, is_tables
from sampleui.formats.document import Splice
from sampleui.formats.toml.scan import BOM, Holder, blocks
from sampleui.formats.toml.writing import emit, tables
from sampleui.formats.toml.writing.habits import LISTS, Layout
from sampleui.formats.toml.writing.sequences import as_one_edit
from sampleui.formats.toml.writing.tree import Pair, TableNode, TablesNode, TreeEntry, TreeNode, tree_of

_T = TypeVar("_T", bound=Hashable)


class Template(NamedTuple):
    """A sample for a new one to look like: the piece that it is in, and its table."""

    text: str
    table: TableNode


def core_end(piece: str, holder: Holder) -> int:
    """Return where the text of the samples in a piece ends, the line feed of the last line left out."""
    stops = [block.stop for block in blocks(piece) if block.path[: len(holder)] == holder]
    if stops:
        return max(stops)
    entry = entry_of(piece, holder)
    statements = [entry.statement] if isinstance(entry, Pair) else entry.statements
    return max(statement.tail for statement in statements)


def entry_of(piece: str, holder: Holder) -> TreeEntry:
    """Return what holds the samples of a piece."""
    entry: TreeEntry = tree_of(piece)
    for key in holder:
        assert isinstance(entry, TableNode)
        entry = entry.entries[key]
    return entry


def check_spelled(piece: str, holder: Holder) -> None:
    """Check that headers spell the samples of a piece, so that others can be put beside them.

    Raises:
        EditRefusedError: when they do not, saying how they are spelled.
    """
    entry = entry_of(piece, holder)
    if isinstance(entry, Pair):
        raise EditRefusedError(
            "the samples are written as one inline table: edit the file to add, move or delete one"
        )
    if isinstance(entry, TableNode) and entry.pairs:
        raise EditRefusedError("the samples are written with dotted keys: edit the file to add, move or delete one")


def check_whole(piece: str, holder: Holder) -> None:
    """Check that a piece is one sample that headers spell, so that it can move and go.

    Raises:
        EditRefusedError: when it is not, saying why.
    """
    check_spelled(piece, holder)
    entry = entry_of(piece, holder)
    if isinstance(entry, TableNode) and len(entry.entries) != 1:
        raise EditRefusedError(
            "the tables of these samples interleave in the file: they cannot be moved or deleted one by one"
        )


def without(piece: str, sample: TreeNode) -> str:
    """Return a piece without the blocks of one sample, which are among others."""
    assert isinstance(sample, TableNode)
    return as_one_edit(piece, tables.taken_out(piece, sample.statements)).apply(piece)


def first_sample(head: str, tail: str, core: str, newline: str) -> Splice:
    """Return the splice that puts a sample between the head and the tail of a file that has none."""
    if tail.strip():
        return Splice(0, (head,), (head, core + newline * 2))
    if not head.strip(BOM + " \t\r\n"):
        return Splice(0, (head,), (head, core + newline))
    if not head.endswith("\n"):
        return Splice(0, (head,), (head + newline * 2, core))
    apart = head if head.endswith(("\n\n", "\n\r\n")) else head + newline
    return Splice(0, (head,), (apart, core + newline))


def new_sample(header: str, data: Table, like: Sequence[Template], base: Layout, keyed: bool) -> str:
    """Return a new sample as text in the layout of most others. `header` is its key; the last line is not ended.

    `like` are others, the nearest first. Lists of tables and tables are blocks of their own if most have them
    so, and in a keyed deck without any other, as such decks usually have it; else they stand inline.
    """
    shown = (tables.indentation(each.text, each.table, base) for each in like)
    indent, outer = _most([(item.indent, item.outer) for item in shown], ("", ""))
    layout = base._replace(indent=indent, outer=outer)
    apart: list[str] = []
    inline: list[tuple[str, str]] = []
    for name, value in data.items():
        text, entry = _typical(like, name)
        sibling = entry.items[0] if isinstance(entry, TablesNode) else entry
        inner = tables.indentation(text, sibling, base) if isinstance(sibling, TableNode) else layout
        if _has_blocks(value, entry, keyed and not like, base):
            items, ends = (value, ("[[", "]]")) if isinstance(value, list) else ([value], ("[", "]"))
            apart += [tables.block(f"{ends[0]}{header}.{emit.key(name)}{ends[1]}", item, inner) for item in items]
        elif isinstance(value, dict) and value and isinstance(entry, TableNode) and entry.prefix:
            inline += [
                (f"{emit.key(name)}.{emit.key(key)}", emit.value(item, layout, key)) for key, item in value.items()
            ]
        else:
            inline.append((emit.key(name), _value(value, name, text, entry, layout)))
    opening = layout.outer + (f"[{header}]" if keyed else f"[[{header}]]")
    lines = [layout.newline.join([opening, *emit.rows(inline, layout)])] if inline or not apart or not keyed else []
    last = keyed and _most([_header_last(item.table) for item in like], default=False)
    return _gap(like, layout).join([*apart, *lines] if last else [*lines, *apart])


def _most(values: Sequence[_T], default: _T) -> _T:
    return Counter(values).most_common(1)[0][0] if values else default


def _typical(like: Sequence[Template], name: str) -> tuple[str, TreeEntry | None]:
    """Return the nearest value of a key that is written as most are, and the text that it is in."""
    entries = [(item.text, entry) for item in like if (entry := item.table.entries.get(name)) is not None]
    forms = [_form(text, entry) for text, entry in entries]
    usual = _most(forms, "")
    return next((each for each, form in zip(entries, forms, strict=True) if form == usual), ("", None))


def _form(text: str, entry: TreeEntry) -> str:
    if isinstance(entry, TablesNode):
        return "blocks"
    if isinstance(entry, TableNode):
        return "block" if entry.header else "dotted"
    items = entry.node.items
    return "lines" if items and "\n" in text[entry.node.start : items[0].start] else "line"


def _has_blocks(value: Plain, entry: TreeEntry | None, alone: bool, base: Layout) -> bool:
    """Tell whether a value is to be under headers of its own."""
    if isinstance(value, list) and is_tables(value):
        usual = base.habits.headed.get(LISTS, alone)
        return isinstance(entry, TablesNode) if entry is not None else usual
    if not isinstance(value, dict):
        return False
    if entry is not None:
        return isinstance(entry, TableNode) and entry.header is not None
    return bool(value) and base.habits.headed.get("", False)


def _value(value: Plain, name: str, text: str, entry: TreeEntry | None, layout: Layout) -> str:
    if isinstance(entry, Pair) and entry.node.items and isinstance(value, list):
        return emit.lines(value, layout) if _form(text, entry) == "lines" else emit.inline(value, layout)
    return emit.value(value, layout, name)


def _header_last(table: TableNode) -> bool:
    """Tell whether a table's own header is below the blocks of its lists."""
    return table.header is not None and table.statements[0] is not table.header


def _gap(like: Sequence[Template], layout: Layout) -> str:
    lists = [
        (item.text, entry)
        for item in like
        for entry in item.table.entries.values()
        if isinstance(entry, TablesNode)
    ]
    gaps = [tables.gap_between(text, entry, layout.newline) for text, entry in lists]
    return _most(gaps, layout.newline * 2)
