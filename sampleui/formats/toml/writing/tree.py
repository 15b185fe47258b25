"""Where the values of a TOML text are: its statements, and the tree of tables and values that they make."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum, auto
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from sampleui.errors import FormatError, PathError
from sampleui.formats.data import DataPath, shown
from sampleui.formats.toml import scan
from sampleui.text.position import Span

# Written values: scalars, arrays and inline tables, and the layout of their items

_SPACE = re.compile(r"(?:[ \t\r\n]++|#[^\n]*|)*+")
_SCALAR = re.compile(rf"{scan.STRING}|\d{{4}}-\d\d-\d\d[Tt ]\d\d[^\s,\]}}#]*|[^\s,\]}}#]+")
_KEY = re.compile(scan.KEY)
EQUALS = re.compile(r"[ \t]*=[ \t]*")
_TRAIL = re.compile(r"[ \t]*#[^\r\n]*")


class ValueForm(Enum):
    """How a value is written."""

    SCALAR = auto()
    ARRAY = auto()
    INLINE = auto()
    DOTTED = auto()
    """A table inside an inline table that dotted keys imply. It has no text of its own."""


class KeyPart(NamedTuple):
    """One part of a key: its name, and where it is."""

    name: str
    start: int
    end: int


class ItemSlot(NamedTuple):
    """One place in an array or an inline table.

    The item is `text[lead:end]` with the comments directly above it, and `text[after:stop]`, a comment after it.
    What is left, from `gap` to `lead` and the comma, belongs to the place and stays when items move.

    Attributes:
        gap: where the item before it, or the bracket, ends.
        lead: where the item starts, the comments directly above it included.
        start: where its value or its key starts.
        end: where its value ends, or a comment between it and its comma.
        comma: where its comma is; None for a last item without one.
        stop: where the comment after it on its last line ends, or its comma.
    """

    gap: int
    lead: int
    start: int
    end: int
    comma: int | None
    stop: int

    @property
    def after(self) -> int:
        """Where the comment after the item starts, the blanks before it included."""
        return self.end if self.comma is None else self.comma + 1


@dataclass(slots=True, eq=False)
class TomlNode:
    """A written value.

    Attributes:
        shape: how it is written.
        start: where it starts.
        end: where it ends.
        key: the key that it is the value of, in an inline table.
        items: the values of an array.
        entries: the values of an inline table.
        slots: the layout of an array or inline table; of a dotted key it is that of the inline table around it.
        slot: the index of its own slot in the array or inline table that it is in.
    """

    shape: ValueForm
    start: int
    end: int
    key: KeyPart | None = None
    items: list[TomlNode] = field(default_factory=list)
    entries: dict[str, TomlNode] = field(default_factory=dict)
    slots: list[ItemSlot] = field(default_factory=list)
    slot: int = 0


def value_at(text: str, pos: int) -> TomlNode:
    """Return the value that starts at a place of a valid TOML text."""
    opening = text[pos]
    if opening not in "[{":
        return TomlNode(ValueForm.SCALAR, pos, _end(_SCALAR, text, pos))
    node = TomlNode(ValueForm.ARRAY if opening == "[" else ValueForm.INLINE, pos, pos)
    gap = pos + 1
    while True:
        start = _end(_SPACE, text, gap)
        if text[start] in "]}":
            node.end = start + 1
            return node
        value = _item(text, start, node) if opening == "[" else _entry(text, start, node)
        slot = _slot(text, gap, start, value.end)
        value.slot = len(node.slots)
        node.slots.append(slot)
        gap = slot.stop


def keys_at(text: str, pos: int) -> tuple[tuple[KeyPart, ...], int]:
    """Return the parts of the key that starts at a place, and where it ends."""
    end = _end(_KEY, text, pos)
    parts = scan.PARTS.finditer(text, pos, end)
    return tuple(KeyPart(scan.name(part.group()), part.start(), part.end()) for part in parts), end


def _item(text: str, start: int, array: TomlNode) -> TomlNode:
    value = value_at(text, start)
    array.items.append(value)
    return value


def _entry(text: str, start: int, table: TomlNode) -> TomlNode:
    keys, end = keys_at(text, start)
    value = value_at(text, _end(EQUALS, text, end))
    entries = table.entries
    for key in keys[:-1]:
        inner = entries.setdefault(
            key.name, TomlNode(ValueForm.DOTTED, key.start, value.end, key, slots=table.slots)
        )
        inner.end = value.end
        entries = inner.entries
    value.key = keys[-1]
    entries[keys[-1].name] = value
    return value


def _slot(text: str, gap: int, start: int, end: int) -> ItemSlot:
    following = _end(_SPACE, text, end)
    comma = following if text[following] == "," else None
    if comma is not None and "#" in text[end:comma]:
        end = comma
    behind = end if comma is None else comma + 1
    trail = _TRAIL.match(text, behind)
    stop = trail.end() if trail else behind
    return ItemSlot(gap, _lead(text, gap, start), start, end, comma, stop)


def _lead(text: str, gap: int, start: int) -> int:
    """Return where the comments start that are on lines of their own directly above an item."""
    lines = text[gap:start].split("\n")
    lead = line_start = start - len(lines[-1])
    for line in reversed(lines[1:-1]):
        if not line.lstrip(" \t").startswith("#"):
            break
        line_start -= len(line) + 1
        lead = line_start + len(line) - len(line.lstrip(" \t"))
    return lead if lead != start - len(lines[-1]) else start


def _end(pattern: re.Pattern[str], text: str, pos: int) -> int:
    match = pattern.match(text, pos)
    return match.end() if match else pos


# Statements, and the tables that they make

_TO_KEY = re.compile(r"[ \t]*(\[\[?)?[ \t]*")
_TO_HEADER_END = re.compile(r"[ \t]*\]\]?")


class StatementKind(Enum):
    """What a statement is."""

    PAIR = "key = value"
    TABLE = "[table]"
    ITEM = "[[item]]"


class Statement(NamedTuple):
    """A header or a pair.

    Attributes:
        kind: which of them.
        keys: the parts of its key.
        lead: where the comments directly above it start, or its own line.
        start: where its line starts.
        first: where its first character that is not a blank is.
        end: where the header or the value ends.
        stop: where its last line ends, a comment after it included, the line feed not.
        tail: where the comments directly below it end, or `stop`.
        order: its index among the statements of the text.
    """

    kind: StatementKind
    keys: tuple[KeyPart, ...]
    lead: int
    start: int
    first: int
    end: int
    stop: int
    tail: int
    order: int


@dataclass(slots=True, eq=False)
class TableNode:
    """A table that headers and pairs spell.

    Attributes:
        key: the last part of its key, where it first is.
        header: the statement that opens it; None for a table that only dotted keys or its sub-tables imply.
        entries: what it holds.
        statements: every statement that adds to it or to a table inside it, in the order of the text.
        pairs: the pairs among them that are below its own header or share its dotted prefix.
        prefix: the number of keys in that dotted prefix.
    """

    key: KeyPart | None = None
    header: Statement | None = None
    entries: dict[str, TreeEntry] = field(default_factory=dict)
    statements: list[Statement] = field(default_factory=list)
    pairs: list[Statement] = field(default_factory=list)
    prefix: int = 0


@dataclass(slots=True, eq=False)
class TablesNode:
    """A list of tables that `[[item]]` headers spell."""

    key: KeyPart | None = None
    items: list[TableNode] = field(default_factory=list)

    @property
    def statements(self) -> list[Statement]:
        """Every statement that adds to one of the tables, in the order of the tables."""
        return [statement for item in self.items for statement in item.statements]


@dataclass(slots=True, eq=False)
class Pair:
    """A value and the statement that gives it."""

    key: KeyPart
    node: TomlNode
    statement: Statement


TreeEntry: TypeAlias = TableNode | TablesNode | Pair
TreeNode: TypeAlias = TableNode | TablesNode | Pair | TomlNode


@lru_cache(maxsize=256)
def tree_of(text: str) -> TableNode:
    """Return the tree of a valid TOML text. It is shared: never to be changed.

    Raises:
        FormatError: when its values are nested too deeply.
    """
    try:
        return _tree(text)
    except RecursionError as error:
        raise FormatError("values are nested too deeply") from error


def _tree(text: str) -> TableNode:
    root = TableNode()
    chain = [root]
    for statement, node in _statements(text):
        if node is not None:
            holders = [*chain, *_descend(chain[-1], statement.keys[:-1])]
            holders[-1].entries[statement.keys[-1].name] = Pair(statement.keys[-1], node, statement)
            for prefix, table in enumerate(holders[len(chain) - 1 :]):
                table.pairs.append(statement)
                table.prefix = prefix
        else:
            chain = holders = _opened(root, statement)
        for table in holders:
            table.statements.append(statement)
    return root


def place_at(root: TreeNode, path: DataPath) -> TreeNode:
    """Return what is at a data path below a place.

    Raises:
        PathError: when the path does not exist.
    """
    found = root
    for depth, step in enumerate(path):
        node = _step(found.node if isinstance(found, Pair) else found, step)
        if node is None:
            raise PathError(f"there is no {shown(path[: depth + 1])}")
        found = node
    return found


def span_of(node: TreeNode) -> Span:
    """Return where a value is: for a table, from its first header to its last pair."""
    if isinstance(node, Pair):
        return Span(node.node.start, node.node.end)
    if isinstance(node, TomlNode):
        return Span(node.start, node.end)
    statements = node.statements
    return Span(min(statement.first for statement in statements), max(statement.end for statement in statements))


def _step(node: TableNode | TablesNode | TomlNode, step: str | int) -> TreeNode | None:
    if isinstance(step, str):
        return None if isinstance(node, TablesNode) else node.entries.get(step)
    items: list[TableNode] | list[TomlNode] = [] if isinstance(node, TableNode) else node.items
    return items[step] if 0 <= step < len(items) else None


def _opened(root: TableNode, statement: Statement) -> list[TableNode]:
    """Return the tables that a header stands in, outermost first, the one that it opens last."""
    chain = [root, *_descend(root, statement.keys[:-1])]
    key, entries = statement.keys[-1], chain[-1].entries
    if statement.kind is StatementKind.ITEM:
        tables = entries.setdefault(key.name, TablesNode(key))
        assert isinstance(tables, TablesNode)
        opened = TableNode(key, statement)
        tables.items.append(opened)
    else:
        table = entries.setdefault(key.name, TableNode(key))
        assert isinstance(table, TableNode)
        opened = table
        opened.key, opened.header = key, statement
    return [*chain, opened]


def _descend(table: TableNode, keys: tuple[KeyPart, ...]) -> list[TableNode]:
    """Return the tables along a dotted key, made if they are missing; of a list, its last item."""
    chain = []
    for key in keys:
        entry = table.entries.setdefault(key.name, TableNode(key))
        assert not isinstance(entry, Pair)
        table = entry.items[-1] if isinstance(entry, TablesNode) else entry
        chain.append(table)
    return chain


def _statements(text: str) -> Iterator[tuple[Statement, TomlNode | None]]:
    """Yield the headers and pairs of a text, a pair with its value."""
    statements: list[tuple[StatementKind, tuple[KeyPart, ...], int, int, int, TomlNode | None]] = []
    pos = scan.trivia_end(text, 1 if text.startswith("\ufeff") else 0)
    starts: list[int] = [1 if text.startswith("\ufeff") else 0]
    lines: list[int] = []
    while pos < len(text):
        lines.append(pos)
        opening = _TO_KEY.match(text, pos)
        assert opening is not None
        keys, end = keys_at(text, opening.end())
        node = None
        if opening[1]:
            kind = StatementKind.ITEM if opening[1] == "[[" else StatementKind.TABLE
            first, end = opening.start(1), _end(_TO_HEADER_END, text, end)
        else:
            kind, first = StatementKind.PAIR, opening.end()
            node = value_at(text, _end(EQUALS, text, end))
            end = node.end
        after = scan.line_end(text, end)
        statements.append((kind, keys, first, end, after, node))
        starts.append(after)
        pos = scan.trivia_end(text, after)
    lines.append(pos)
    edges = [
        scan.split_trivia(text, starts[index], lines[index], index == len(statements))
        for index in range(len(statements) + 1)
    ]
    for number, (kind, keys, first, end, after, node) in enumerate(statements):
        stop, tail = scan.line_stop(text, after), scan.line_stop(text, edges[number + 1][0])
        yield Statement(kind, keys, edges[number][1], lines[number], first, end, stop, tail, number), node
