"""How a YAML deck is read: its samples, what is beside them, and what its anchors mean."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Self

from sampleui.errors import FormatError
from sampleui.formats.collector import collector_off
from sampleui.formats.data import DataPath, Plain, Table
from sampleui.formats.referring import NAME, Named, held_in
from sampleui.formats.yaml.anchors import Anchoring
from sampleui.formats.yaml.nodes.compose import compose, fault
from sampleui.formats.yaml.nodes.node import Node
from sampleui.formats.yaml.nodes.places import lacks_break, value_span
from sampleui.formats.yaml.nodes.values import key_name, own_anchors, own_tags, repeated_keys, way_to
from sampleui.formats.yaml.pieces import alone
from sampleui.formats.yaml.splitting import BOM, CONTAINERS, deep_enough, held_at, no_deck, split
from sampleui.text.diagnostic import Finding, Severity
from sampleui.text.position import Position, Span, position_at

_BEFORE = r"(?:[ \t]*(?:\#[^\n]*)?\r?\n)*+[ \t]*(?:-[ \t]+)?"
_BEHIND = r"[ \t]*,?(?:\s*(?:\#[^\n]*)?)*+"
_NAMING = re.compile(rf"{_BEFORE}([\"']?){NAME}\1{_BEHIND}")
_TABLE = re.compile(rf"{_BEFORE}\{{?\s*[\"']?(?:path|config)[\"']?[ \t]*:")
"""How the piece of an item begins that names a file, and one that is a table which may do so."""

_ALIAS = re.compile(r"\*([^\s,\[\]{}]+)")

ANOTHER = re.compile(r"---|\.\.\.\s+(?:#[^\n]*\n\s*)*[^#\s]")
"""What ends a document that is not the last one."""


@dataclass(frozen=True, repr=False)
class YamlReading(Anchoring):
    """A YAML deck as it is read: a list of samples under a root key, one that is the whole file, or a named table.

    Plain scalars mean what the core schema of YAML 1.2 says (`yes` is a string). `<<` merges tables on reading.
    Only the first document of a file has samples; the others are kept in the tail.
    """

    format: ClassVar[str] = "yaml"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Split a text into pieces. Raises FormatError with line and column when it is not YAML."""
        document = cls(split(text))
        _ = (
            document.context
        )  # the head and the tail are read by themselves from here on, so they must be readable so
        return document

    @classmethod
    def under(cls, text: str, holder: tuple[str, ...]) -> Self | None:
        """Split a text whose samples are under keys that few files have them under; None if none are.

        Args:
            text: YAML, which `parse` has read.
            holder: the keys that lead to the samples; none for a table that has a sample under each of its keys.
        """
        bare = text.removeprefix(BOM)
        with collector_off():
            found = held_at(compose(bare, deep_enough(holder)), bare, holder)
        if found is None or (not holder and found.kind == "list"):
            return None
        document = cls(split(text, holder), holder)
        try:
            _ = document.context
        except FormatError:
            return None
        return document if document.container == holder else None

    def again(self, text: str) -> Self:
        """Read another text as this one was read."""
        found = None if self.looked_under is None else self.under(text, self.looked_under)
        return self.parse(text) if found is None else found

    # Reading

    @property
    def container(self) -> tuple[str, ...]:
        """The keys that lead to the samples; none when the file itself is the list or has no samples yet."""
        return self.frame.container

    @property
    def keyed(self) -> bool:
        """Whether the samples are the values of a table, their keys the names."""
        return len(self) > 0 and self.root(1).kind == "table"

    def read(self, index: int) -> Table:
        """Return a sample's value. Raises FormatError when it is not a table or an alias has no anchor."""
        piece = self.piece_of(index)
        value = self._value_in(piece)
        if not isinstance(value, dict):
            raise fault("a sample must be a mapping", self.pieces[piece], self.root(piece).items[0].start)
        return value

    def _value_in(self, piece: int) -> Plain:
        text, root = self.pieces[piece], self.root(piece)
        if "*" in text:
            return self._reader(piece).value(root.items[0])
        return alone(text, self.frame.before, self.frame.after)

    def name(self, index: int) -> str | None:
        """Return the key of a named sample."""
        if not self.keyed:
            return None
        keys = self.root(self.piece_of(index)).keys
        if not keys:
            raise FormatError("this is not one sample", line=1, column=1)
        return key_name(keys[0], self.chunk(index))

    def span(self, index: int, path: DataPath) -> Span:
        """Return where a value is: for one after an alias or a merge, the alias or what is merged."""
        root, text = self.root(self.piece_of(index)), self.chunk(index)
        if not path:
            first = root.keys[0].whole if root.keys else root.items[0].whole if root.flow else root.start
            return Span(first, root.items[0].end)
        way = way_to(root.items[0], path, text)
        if not way.steps:
            return Span(root.items[0].start, root.items[0].end)
        return value_span(text, way.steps[-1])

    def key_span(self, index: int, path: DataPath) -> Span:
        """Return where the key that ends a path is."""
        root = self.root(self.piece_of(index))
        steps = way_to(root.items[0], path, self.chunk(index)).steps
        key = steps[-1].key if steps else None
        return Span(key.start, key.end) if key is not None else self.span(index, path)

    def findings(self, index: int) -> tuple[Finding, ...]:
        """Return the keys of a sample that are given more than once, and words that YAML takes for its own."""
        node, text = self.root(self.piece_of(index)).items[0], self.chunk(index)
        return (*repeated_keys(node, text), *self._words_taken(node, text))

    def _words_taken(self, node: Node, text: str) -> Iterator[Finding]:
        """Yield the tags that nobody knows, and the anchors that nobody refers to: a text may have begun so."""
        cure = "is no part of the text; if it is meant to be, put the text in quotes"
        for path, tag in own_tags(node, text) if "!" in text else ():
            if tag.startswith("!"):
                yield Finding("yaml-tag", Severity.WARNING, f"the tag {tag} {cure}", path)
        for path, anchor in own_anchors(node, text) if "&" in text else ():
            if anchor not in self._aliases:
                message = f"the anchor &{anchor}, which nothing refers to, {cure}"
                yield Finding("yaml-anchor", Severity.INFO, message, path)

    @cached_property
    def _aliases(self) -> frozenset[str]:
        """The names after each star of the file, whether it is an alias or not."""
        return frozenset(_ALIAS.findall(self.text))

    def tags(self, index: int) -> tuple[tuple[DataPath, str], ...]:
        """Return the tags of a sample's values that the core schema does not have."""
        return tuple(own_tags(self.root(self.piece_of(index)).items[0], self.chunk(index)))

    def notes(self) -> tuple[tuple[Finding, Position], ...]:
        """Return the root keys given more than once, what documents there are besides, or that this is no deck.

        And `break-missing` for a block that ends the file without a line break, as readers differ on its value.
        """
        found = [] if len(self) else [*no_deck(self.text)]
        found += self._break_missing()
        text = self.text
        end = len(text) - len(self.pieces[-1]) + self._tail_end
        if ANOTHER.match(text, end):
            message = "only the first document of the file is a deck; the others are kept as they are"
            found.append((Finding("multi-document", Severity.INFO, message), position_at(text, end)))
        seen: set[str] = set()
        for name, key, offset in self._root_keys():
            if name in seen:
                message = f"the key {name!r} is given more than once; the last one counts"
                finding = Finding("duplicate-key", Severity.ERROR, message, (name,))
                found.append((finding, position_at(text, offset + key.start)))
            seen.add(name)
        return tuple(found)

    def _break_missing(self) -> Iterator[tuple[Finding, Position]]:
        piece = max((at for at, text in enumerate(self.pieces) if text), default=0)
        text = self.pieces[piece].removeprefix(BOM)
        root = None if text.endswith("\n") else self._piece_tree(piece)
        for node in root.walk() if root is not None else ():
            if lacks_break(text, node):
                message = (
                    "the file ends without a line break: JavaScript's readers read one in this text, others do not"
                )
                place = position_at(self.text, len(self.text) - len(text) + node.start)
                yield Finding("break-missing", Severity.INFO, message), place

    @cached_property
    def context(self) -> Table:
        """The values of the root table beside the samples."""
        head, tail = (self._beside_in(piece) for piece in (0, len(self.pieces) - 1))
        return _joined(head, tail, self.container)

    def _beside_in(self, piece: int) -> Table:
        try:
            root = self._piece_tree(piece)
            value = self._reader(piece).value(root) if root is not None and root.kind == "table" else {}
        except FormatError as error:
            line = self.breaks_before[piece] + (error.line or 1)
            raise FormatError(error.message, line=line, column=error.column) from None
        return value if isinstance(value, dict) else {}

    @property
    def refers(self) -> bool:
        """Whether samples are in other files."""
        return bool(self.references)

    @cached_property
    def references(self) -> tuple[Named, ...]:
        """The files that hold further samples.

        They are items of the list of samples, or are in its place: `tests: ./cases.yaml`.
        """
        beside = (
            Named(*named, position_at(self.text, offset + key.start))
            for name, key, offset in self._root_keys()
            if name in CONTAINERS and (named := held_in(self.context.get(name))) is not None
        )
        return (*beside, *self.listed())

    def may_name(self, piece: str) -> bool:
        """Tell whether a piece may name a file instead of being a sample."""
        return _NAMING.fullmatch(piece) is not None or _TABLE.match(piece) is not None

    def item_in(self, piece: int) -> tuple[Plain, int]:
        """Return the item that a piece is, and where in the piece."""
        root = self.root(piece)
        item = root.items[0]
        if root.kind == "table":
            return None, item.start
        return item.value if item.kind == "scalar" else self._value_in(piece), item.start

    def _root_keys(self) -> Iterator[tuple[str, Node, int]]:
        tail_start = sum(map(len, self.pieces[:-1]))
        head_start = len(self.pieces[0]) - len(self.pieces[0].removeprefix(BOM))
        for root, offset, text in (
            (self._head, head_start, self.pieces[0].removeprefix(BOM)),
            (self._tail, tail_start, self.pieces[-1]),
        ):
            if root is not None and root.kind == "table":
                for key in root.keys:
                    if key.start >= 0:
                        yield key_name(key, text), key, offset


def _joined(head: Table, tail: Table, container: tuple[str, ...]) -> Table:
    """Return what is beside the samples: of the head, and of the tail, in which `_` stands for their keys."""
    values = {key: value for key, value in {**head, **tail}.items() if key not in ("_", *container[:1])}
    around = (
        [one for one in (head.get(container[0]), tail.get("_")) if isinstance(one, dict)] if container[1:] else []
    )
    inner = _joined(around[0], around[-1] if around[1:] else {}, container[1:]) if around else {}
    return {**values, container[0]: inner} if inner else values
