"""The texts that may make an edit of a value, the plainest first; the document proves which of them does."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from sampleui.errors import EditRefusedError, PathError
from sampleui.formats.data import DataPath, Plain, is_tables
from sampleui.formats.toml.writing import emit, sequences, tables
from sampleui.formats.toml.writing.habits import Layout
from sampleui.formats.toml.writing.sequences import as_one_edit
from sampleui.formats.toml.writing.tables import Added
from sampleui.formats.toml.writing.tree import (
    KeyPart,
    Pair,
    Statement,
    StatementKind,
    TableNode,
    TablesNode,
    TomlNode,
    TreeNode,
    ValueForm,
    keys_at,
    place_at,
)
from sampleui.text.position import TextEdit, indent_at


class EditContext(NamedTuple):
    """A text to edit. Paths lead from the root of the text.

    Attributes:
        text: valid TOML.
        root: its tree.
        layout: how the file is written.
        as_blocks: tells whether the samples write the table, or the list of tables, at a path under headers.
        among: tells where a new key at a path goes among others.
    """

    text: str
    root: TableNode
    layout: Layout
    as_blocks: Callable[[DataPath, Plain], bool]
    among: Callable[[DataPath, Sequence[str]], int] = lambda _, names: len(names)

    @property
    def newline(self) -> str:
        """How the file ends its lines."""
        return self.layout.newline

    def holder(self, path: DataPath) -> TreeNode:
        """Return the array or inline table whose slots hold the value at a path."""
        holder = place_at(self.root, path[:-1])
        dotted = isinstance(holder, TomlNode) and holder.shape is ValueForm.DOTTED
        return self.holder(path[:-1]) if dotted else holder


def set_value(sheet: EditContext, path: DataPath, data: Plain) -> Iterator[TextEdit]:
    """Yield edits that set the value at a path; a missing last key is added to its table."""
    parent = place_at(sheet.root, path[:-1])
    try:
        old = place_at(sheet.root, path)
    except PathError:
        yield from _add_key(sheet, parent, path, data)
        return
    node = old.node if isinstance(old, Pair) else old
    if isinstance(node, TomlNode):
        yield from _replace_value(sheet, node, data)
        return
    if isinstance(parent, TablesNode) and not isinstance(data, dict):
        raise EditRefusedError(tables.ONLY_TABLES)
    if isinstance(node, TableNode) and isinstance(data, dict):
        blocks = tables.replace_block(sheet.text, node, data, sheet.layout)
        if isinstance(parent, TablesNode) and not blocks:
            raise EditRefusedError("cannot replace the item: its parts stand among those of others")
        yield from blocks
    if isinstance(node, TablesNode) and isinstance(data, list) and is_tables(data):
        yield from tables.replace_blocks(sheet.text, node, data, sheet.layout)
    if isinstance(parent, TableNode) and isinstance(node, TableNode | TablesNode):
        written = emit.value(data, sheet.layout, str(path[-1]))
        if isinstance(node, TableNode) and (in_place := tables.put_in_place(sheet.text, node, written)):
            yield as_one_edit(sheet.text, in_place)
        gone, notes = node.statements, tables.notes_in(sheet.text, node.statements)
        added = Added(path, written, sheet.layout, notes=notes)
        yield as_one_edit(sheet.text, tables.put_pair(sheet.text, parent, added, without=gone))


def insert_value(sheet: EditContext, path: DataPath, data: Plain) -> Iterator[TextEdit]:
    """Yield edits that insert an item before the index that ends the path."""
    holder, index = place_at(sheet.root, path[:-1]), path[-1]
    assert isinstance(index, int)
    if isinstance(holder, TablesNode):
        yield tables.insert_block(sheet.text, holder, index, data, sheet.layout)
        return
    if isinstance(holder, Pair) and not holder.node.items and isinstance(data, dict):
        yield from _first_block(sheet, holder, path[:-1], data)
    node = holder.node if isinstance(holder, Pair) else holder
    if isinstance(node, TomlNode):
        item = emit.inline(data, sheet.layout)
        indent = f"{indent_at(sheet.text, node.start)}{sheet.layout.habits.step}" if isinstance(data, dict) else ""
        yield from sequences.insert_item(sheet.text, node, index, item, newline=sheet.newline, indent=indent)


def delete_value(sheet: EditContext, path: DataPath) -> Iterator[TextEdit]:
    """Yield edits that delete a key or an item."""
    node = place_at(sheet.root, path)
    if isinstance(node, TomlNode):
        holder = sheet.holder(path)
        if isinstance(holder, Pair):
            holder = holder.node
        if node.shape is ValueForm.DOTTED:
            raise EditRefusedError("cannot delete a table that dotted keys spell inside an inline table")
        if isinstance(holder, TomlNode):
            yield from sequences.delete_item(sheet.text, holder, node.slot)
        return
    parent = place_at(sheet.root, path[:-1])
    if isinstance(parent, TablesNode) and isinstance(node, TableNode):
        if len(parent.items) == 1:
            yield from set_value(sheet, path[:-1], [])
            return
        yield as_one_edit(sheet.text, tables.taken_out(sheet.text, node.statements))
        return
    statements = [node.statement] if isinstance(node, Pair) else node.statements
    if not isinstance(parent, TableNode):
        return
    yield as_one_edit(sheet.text, tables.taken_out(sheet.text, statements))
    if len(path) > 1 and isinstance(path[-2], str):
        # The table was there only through what is taken out of it: it stays, empty.
        if in_place := tables.put_in_place(sheet.text, parent, "{}"):
            yield as_one_edit(sheet.text, in_place)
        above = place_at(sheet.root, path[:-2])
        if isinstance(above, TableNode):
            empty = Added(path[:-1], "{}", sheet.layout)
            yield as_one_edit(sheet.text, tables.put_pair(sheet.text, above, empty, without=statements))


def move_value(sheet: EditContext, path: DataPath, to: int) -> Iterator[TextEdit]:
    """Yield edits that move an item of a list so that its index becomes `to`."""
    holder, index = place_at(sheet.root, path[:-1]), path[-1]
    assert isinstance(index, int)
    if isinstance(holder, TablesNode):
        yield tables.move_block(sheet.text, holder, index, to)
        return
    node = holder.node if isinstance(holder, Pair) else holder
    if isinstance(node, TomlNode):
        yield from sequences.move_item(sheet.text, node, index, to, sheet.newline)


def rename_key(sheet: EditContext, path: DataPath, name: str) -> TextEdit:
    """Return the edit that gives the key that ends a path another name in every header and pair that has it."""
    node = place_at(sheet.root, path)
    written = emit.key(name)
    if isinstance(node, TomlNode):
        return as_one_edit(
            sheet.text, [TextEdit(key.start, key.end, written) for key in _inline_keys(sheet, path, node)]
        )
    statements = [node.statement] if isinstance(node, Pair) else node.statements
    depth = sum(isinstance(step, str) for step in path)
    renamed = [keys[depth - 1] for keys in _full_keys(sheet.root, statements) if keys[depth - 1].end >= 0]
    return as_one_edit(sheet.text, [TextEdit(key.start, key.end, written) for key in renamed])


def _inline_keys(sheet: EditContext, path: DataPath, node: TomlNode) -> Iterator[KeyPart]:
    """Yield the keys that name a value of an inline table: its own, or for dotted ones a part of each of them."""
    if node.shape is not ValueForm.DOTTED:
        assert node.key is not None
        yield node.key
        return
    depth, leaves = 0, [*node.entries.values()]
    while (
        isinstance(above := place_at(sheet.root, path[: -1 - depth]), TomlNode) and above.shape is ValueForm.DOTTED
    ):
        depth += 1
    while leaves:
        leaf = leaves.pop(0)
        leaves += leaf.entries.values() if leaf.shape is ValueForm.DOTTED else ()
        if leaf.shape is not ValueForm.DOTTED:
            yield keys_at(sheet.text, node.slots[leaf.slot].start)[0][depth]


def _full_keys(root: TableNode, statements: list[Statement]) -> Iterator[tuple[KeyPart, ...]]:
    """Yield the keys of statements from the root on; those that a header above a pair gives have no place."""
    wanted = {statement.order for statement in statements}
    header: tuple[KeyPart, ...] = ()
    for statement in root.statements:
        if statement.kind is not StatementKind.PAIR:
            header = tuple(KeyPart(key.name, -1, -1) for key in statement.keys)
            keys = statement.keys
        else:
            keys = (*header, *statement.keys)
        if statement.order in wanted:
            yield keys


def _replace_value(sheet: EditContext, node: TomlNode, data: Plain) -> Iterator[TextEdit]:
    if node.shape is ValueForm.DOTTED:
        raise EditRefusedError("cannot replace a table that dotted keys spell inside an inline table")
    old = sheet.text[node.start : node.end]
    layout = sheet.layout._replace(indent=indent_at(sheet.text, node.start))
    for written in emit.candidates(data, old, layout):
        yield TextEdit(node.start, node.end, written)


def _add_key(sheet: EditContext, parent: TreeNode, path: DataPath, data: Plain) -> Iterator[TextEdit]:
    if isinstance(parent, TableNode):
        may_have = isinstance(data, list) and is_tables(data)
        if (may_have or (isinstance(data, dict) and data)) and sheet.as_blocks(path, data):
            assert isinstance(data, list | dict)
            yield tables.append_blocks(sheet.text, parent, path, data, sheet.layout)
        layout = tables.indentation(sheet.text, parent, sheet.layout) if parent.key else sheet.layout
        written = emit.value(data, layout, str(path[-1]))
        for among in (partial(sheet.among, path), len):
            yield as_one_edit(sheet.text, tables.put_pair(sheet.text, parent, Added(path, written, layout, among)))
        return
    node = parent.node if isinstance(parent, Pair) else parent
    if not isinstance(node, TomlNode):
        return
    depth = 1
    while node.shape is ValueForm.DOTTED:
        depth += 1
        above = place_at(sheet.root, path[:-depth])
        holder = above.node if isinstance(above, Pair) else above
        assert isinstance(holder, TomlNode)
        node = holder
    name = ".".join(emit.key(str(step)) for step in path[-depth:])
    item = f"{name}{sheet.layout.habits.equals[1]}{emit.inline(data, sheet.layout)}"
    count = len(node.slots)
    index = sheet.among(path, [*node.entries]) if depth == 1 and len(node.entries) == count else count
    for position in dict.fromkeys((index, count)):
        yield from sequences.insert_item(sheet.text, node, position, item, newline=sheet.newline, indent="")


def _first_block(sheet: EditContext, pair: Pair, path: DataPath, data: Plain) -> Iterator[TextEdit]:
    """Yield the edit that makes an empty list a list of blocks again, where the samples nearby have blocks."""
    parent = place_at(sheet.root, path[:-1])
    around = pair.statement.lead < pair.statement.start or pair.statement.end < pair.statement.stop
    commented = around or bool(sheet.text[pair.node.start + 1 : pair.node.end - 1].strip())
    if commented or not (isinstance(parent, TableNode) and parent.header and sheet.as_blocks(path, [data])):
        return
    blocks = tables.append_blocks(sheet.text, parent, path, [data], sheet.layout)
    if parent.statements[-1] is not pair.statement:
        yield as_one_edit(sheet.text, [*tables.taken_out(sheet.text, [pair.statement]), blocks])
        return
    before = parent.statements[-2]
    yield as_one_edit(sheet.text, [TextEdit(before.stop, pair.statement.stop, ""), blocks])
