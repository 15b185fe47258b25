"""How most of a TOML deck is written: quotes, blanks, lists on one line or several, headers or inline tables."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

from sampleui.formats.toml.writing.tree import (
    EQUALS,
    Pair,
    Statement,
    TableNode,
    TablesNode,
    TomlNode,
    TreeEntry,
    TreeNode,
    ValueForm,
)
from sampleui.text.position import indent_at

_T = TypeVar("_T", bound=Hashable)


@dataclass(frozen=True, slots=True)
class TomlHabits:
    """What most values are like.

    Attributes:
        quote: the quote of a text on one line.
        long_quote: the quotes of a text on several lines.
        equals: what divides a key from its value, and the same inside braces.
        columns: whether the equals signs of a table are in one column.
        pad: what is inside braces, beside them.
        comma: what divides values on one line.
        step: how far the items of a list on several lines stand in.
        closed: whether the last item of such a list has a comma.
        spread: by key, whether a list is on several lines; under the empty key, of those under any.
        headed: by key, whether a table, or a list of tables, has headers; under the empty key, of tables under any,
            under `LISTS` of lists of tables under any.
    """

    quote: str = '"'
    long_quote: str = '"""'
    equals: tuple[str, str] = (" = ", " = ")
    columns: bool = False
    pad: str = " "
    comma: str = ", "
    step: str = "  "
    closed: bool = True
    spread: Mapping[str, bool] = field(default_factory=dict)
    headed: Mapping[str, bool] = field(default_factory=dict)

    def is_spread(self, key: str, *, tables: bool) -> bool:
        """Tell whether a new list under a key is on several lines: of tables, if nothing else is known."""
        return self.spread.get(key, self.spread.get(LISTS if tables else "", tables))


LISTS = "[[]]"
"""Stands for lists of tables under any key."""

NO_HABITS = TomlHabits()


class Layout(NamedTuple):
    """What is written into: ends of lines, the indentation of pairs, that of their header, habits around."""

    newline: str = "\n"
    indent: str = ""
    outer: str = ""
    habits: TomlHabits = NO_HABITS


def habits_of(samples: Iterable[tuple[str, TreeNode]]) -> TomlHabits:
    """Return the habits of some samples: of each the text that it is in, and its place."""
    votes: defaultdict[str, Counter[Hashable]] = defaultdict(Counter)
    spread: defaultdict[str, Counter[bool]] = defaultdict(Counter)
    heads: defaultdict[str, Counter[bool]] = defaultdict(Counter)
    for text, written in samples:
        votes["columns"].update(
            aligned for table in _tables(written) if (aligned := _in_columns(text, table)) is not None
        )
        for key, entry in _entries(written):
            for name in (key, LISTS if _is_list(entry) else ""):
                if (has := _headed(entry)) is not None:
                    heads[name][has] += 1
            if isinstance(entry, Pair):
                votes["equals"][equals_at(text, entry.statement.keys[-1].end)] += 1
        for key, node in _written(written):
            _count(text, node, votes)
            if node.shape is ValueForm.ARRAY and node.slots:
                lines = "\n" in text[node.start : node.slots[0].start]
                spread[key][lines] += 1
                spread[LISTS if node.items[0].shape is ValueForm.INLINE else ""][lines] += 1

    def most(what: str, default: _T) -> _T:
        return votes[what].most_common(1)[0][0] if votes[what] else default  # type: ignore[return-value]

    return TomlHabits(
        most("quote", '"'),
        most("long", '"""'),
        (most("equals", " = "), most("inner", most("equals", " = "))),
        most("columns", False),
        most("pad", " " if most("equals", " = ") != "=" else ""),
        most("comma", ", "),
        most("step", "  "),
        most("closed", True),
        {key: counted.most_common(1)[0][0] for key, counted in spread.items()},
        {key: counted.most_common(1)[0][0] for key, counted in heads.items()},
    )


def _written(node: TreeNode) -> Iterator[tuple[str, TomlNode]]:
    """Yield the values of a sample that are after a key, and what is in them, with their keys."""
    if isinstance(node, TomlNode):
        yield from _nodes("", node)
    for key, entry in _entries(node):
        if isinstance(entry, Pair):
            yield from _nodes(key, entry.node)


def _entries(node: TreeNode) -> Iterator[tuple[str, TreeEntry]]:
    """Yield what the tables of a sample hold, with its key; nothing of a sample that is written inline."""
    for table in _tables(node):
        yield from table.entries.items()


def _tables(node: TreeNode) -> Iterator[TableNode]:
    """Yield the tables of a sample that pairs spell, itself first."""
    stack = [node] if isinstance(node, TableNode) else []
    while stack:
        table = stack.pop()
        yield table
        for entry in table.entries.values():
            if isinstance(entry, TablesNode):
                stack += entry.items
            elif isinstance(entry, TableNode):
                stack.append(entry)


def _in_columns(text: str, table: TableNode) -> bool | None:
    """Tell whether the equals signs of a table are in one column; None if its keys are too alike to tell."""
    pairs = table.pairs
    if len({pair.keys[-1].end - pair.first for pair in pairs}) < 2:
        return None
    return len({equals_column(text, pair) for pair in pairs}) == 1


def equals_column(text: str, pair: Statement) -> int:
    """Return how far the equals sign of a pair is from the beginning of its key."""
    return text.index("=", pair.keys[-1].end) - pair.first


def _headed(entry: TreeEntry) -> bool | None:
    """Tell whether a table or a list of tables has headers; None for other values, and for dotted keys."""
    if isinstance(entry, TablesNode):
        return True
    if isinstance(entry, TableNode):
        return True if entry.header is not None else None
    node = entry.node
    listed = node.shape is ValueForm.ARRAY and bool(node.items) and node.items[0].shape is ValueForm.INLINE
    return False if listed or (node.shape is ValueForm.INLINE and node.slots) else None


def headed(node: TreeNode) -> bool:
    """Tell whether headers write what is at a place."""
    return isinstance(node, TablesNode) or (isinstance(node, TableNode) and node.header is not None)


def _is_list(entry: TreeEntry) -> bool:
    return isinstance(entry, TablesNode) or (isinstance(entry, Pair) and entry.node.shape is ValueForm.ARRAY)


def _nodes(key: str, node: TomlNode) -> Iterator[tuple[str, TomlNode]]:
    yield key, node
    for item in node.items:
        yield from _nodes(key, item)
    for name, item in node.entries.items():
        yield from _nodes(name, item)


def _count(text: str, node: TomlNode, votes: Mapping[str, Counter[Hashable]]) -> None:
    if node.key is not None and node.shape is not ValueForm.DOTTED:
        votes["inner"][equals_at(text, node.key.end)] += 1
    if node.shape is ValueForm.SCALAR:
        written = text[node.start : node.end]
        if written[:3] in ('"""', "'''"):
            if "\\" not in written and "'" not in written[3:-3]:
                votes["long"][written[:3]] += 1
        elif written[0] in "\"'" and "\\" not in written and "'" not in written[1:-1]:
            votes["quote"][written[0]] += 1
        return
    if not node.slots or node.shape is ValueForm.DOTTED:
        return
    opening = text[node.start + 1 : node.slots[0].start]
    if "\n" not in opening:
        if node.shape is ValueForm.INLINE:
            votes["pad"][" " if opening else ""] += 1
        votes["comma"].update(
            ", " if text[slot.comma + 1] == " " else "," for slot in node.slots[:-1] if slot.comma is not None
        )
    elif "#" not in opening:
        inset = opening.rpartition("\n")[2].removeprefix(indent_at(text, node.start))
        votes["step"][inset] += 1
        votes["closed"][node.slots[-1].comma is not None] += 1


def equals_at(text: str, end: int) -> str:
    """Return the equals sign after the key that ends at a place, with the blanks around it."""
    match = EQUALS.match(text, end)
    return "=" if match and match[0] == "=" else " = "
