"""Where the values of a TOML text are: its statements, and the tree of tables and values that they make."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from sampleui.errors import FormatError, PathError
from sampleui.formats.data import DataPath, shown
from sampleui.formats.toml import scan
from sampleui.formats.toml.values import Key, Node, keys_at, value_at
from sampleui.text.position import Span

_TO_VALUE = re.compile(r"[ \t]*=[ \t]*")
_TO_KEY = re.compile(r"[ \t]*(\[\[?)?[ \t]*")
_TO_HEADER_END = re.compile(r"[ \t]*\]\]?")


class Kind(Enum):
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

    kind: Kind
    keys: tuple[Key, ...]
    lead: int
    start: int
    first: int
    end: int
    stop: int
    tail: int
    order: int


@dataclass(slots=True, eq=False)
class Table:
    """A table that headers and pairs spell.

    Attributes:
        key: the last part of its key, where it first is.
        header: the statement that opens it; None for a table that only dotted keys or its sub-tables imply.
        entries: what it holds.
        statements: every statement that adds to it or to a table inside it, in the order of the text.
        pairs: the pairs among them that are below its own header or share its dotted prefix.
        prefix: the number of keys in that dotted prefix.
    """

    key: Key | None = None
    header: Statement | None = None
    entries: dict[str, Entry] = field(default_factory=dict)
    statements: list[Statement] = field(default_factory=list)
    pairs: list[Statement] = field(default_factory=list)
    prefix: int = 0


@dataclass(slots=True, eq=False)
class Tables:
    """A list of tables that `[[item]]` headers spell."""

    key: Key | None = None
    items: list[Table] = field(default_factory=list)

    @property
    def statements(self) -> list[Statement]:
        """Every statement that adds to one of the tables, in the order of the tables."""
        return [statement for item in self.items for statement in item.statements]


@dataclass(slots=True, eq=False)
class Pair:
    """A value and the statement that gives it."""

    key: Key
    node: Node
    statement: Statement


Entry: TypeAlias = Table | Tables | Pair
Place: TypeAlias = Table | Tables | Pair | Node


@lru_cache(maxsize=256)
def tree(text: str) -> Table:
    """Return the tree of a valid TOML text. It is shared: never to be changed.

    Raises:
        FormatError: when its values are nested too deeply.
    """
    try:
        return _tree(text)
    except RecursionError as error:
        raise FormatError("values are nested too deeply") from error


def _tree(text: str) -> Table:
    root = Table()
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


def place_at(root: Place, path: DataPath) -> Place:
    """Return what is at a data path below a place.

    Raises:
        PathError: when the path does not exist.
    """
    place = root
    for depth, step in enumerate(path):
        found = _step(place.node if isinstance(place, Pair) else place, step)
        if found is None:
            raise PathError(f"there is no {shown(path[: depth + 1])}")
        place = found
    return place


def span_of(place: Place) -> Span:
    """Return where a value is: for a table, from its first header to its last pair."""
    if isinstance(place, Pair):
        return Span(place.node.start, place.node.end)
    if isinstance(place, Node):
        return Span(place.start, place.end)
    statements = place.statements
    return Span(min(one.first for one in statements), max(one.end for one in statements))


def _step(place: Table | Tables | Node, step: str | int) -> Place | None:
    if isinstance(step, str):
        return None if isinstance(place, Tables) else place.entries.get(step)
    items: list[Table] | list[Node] = [] if isinstance(place, Table) else place.items
    return items[step] if 0 <= step < len(items) else None


def _opened(root: Table, statement: Statement) -> list[Table]:
    """Return the tables that a header stands in, outermost first, the one that it opens last."""
    chain = [root, *_descend(root, statement.keys[:-1])]
    key, entries = statement.keys[-1], chain[-1].entries
    if statement.kind is Kind.ITEM:
        tables = entries.setdefault(key.name, Tables(key))
        assert isinstance(tables, Tables)
        opened = Table(key, statement)
        tables.items.append(opened)
    else:
        table = entries.setdefault(key.name, Table(key))
        assert isinstance(table, Table)
        opened = table
        opened.key, opened.header = key, statement
    return [*chain, opened]


def _descend(table: Table, keys: tuple[Key, ...]) -> list[Table]:
    """Return the tables along a dotted key, made if they are missing; of a list, its last item."""
    chain = []
    for key in keys:
        entry = table.entries.setdefault(key.name, Table(key))
        assert not isinstance(entry, Pair)
        table = entry.items[-1] if isinstance(entry, Tables) else entry
        chain.append(table)
    return chain


def _statements(text: str) -> Iterator[tuple[Statement, Node | None]]:
    """Yield the headers and pairs of a text, a pair with its value."""
    found: list[tuple[Kind, tuple[Key, ...], int, int, int, Node | None]] = []
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
            kind = Kind.ITEM if opening[1] == "[[" else Kind.TABLE
            first, end = opening.start(1), _matched(_TO_HEADER_END, text, end)
        else:
            kind, first = Kind.PAIR, opening.end()
            node = value_at(text, _matched(_TO_VALUE, text, end))
            end = node.end
        after = scan.line_end(text, end)
        found.append((kind, keys, first, end, after, node))
        starts.append(after)
        pos = scan.trivia_end(text, after)
    lines.append(pos)
    edges = [scan.split_trivia(text, starts[at], lines[at], at == len(found)) for at in range(len(found) + 1)]
    for at, (kind, keys, first, end, after, node) in enumerate(found):
        stop, tail = scan.line_stop(text, after), scan.line_stop(text, edges[at + 1][0])
        yield Statement(kind, keys, edges[at][1], lines[at], first, end, stop, tail, at), node


def _matched(pattern: re.Pattern[str], text: str, pos: int) -> int:
    match = pattern.match(text, pos)
    return match.end() if match else pos
