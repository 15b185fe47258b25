"""A deck in YAML.

What writes its text is loaded with the first edit: a start must not wait for it.
"""

from __future__ import annotations

import contextlib
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import ClassVar, Self

from sampleui.errors import FormatError, PathError
from sampleui.formats.data import DataPath, Plain, Table, lookup, same
from sampleui.formats.document import Document, Lazy, SharedValue, Splice
from sampleui.formats.external_items import (
    NAME,
    ExternalItems,
    FileItem,
    path_in_place,
)
from sampleui.formats.operations import Operation
from sampleui.formats.yaml import writing
from sampleui.formats.yaml.join_checks import joins_hold, stays_strict
from sampleui.formats.yaml.nodes import YamlNode, compose
from sampleui.formats.yaml.pieces import (
    BOM,
    YAML_CONTAINERS,
    PieceFrame,
    PieceTrees,
    container_under,
    deep_enough,
    frame_of,
    not_a_deck,
    sample_value,
    split,
)
from sampleui.formats.yaml.shared import shared_values
from sampleui.formats.yaml.strictness import EMPTY_BLOCK, Refused, is_defined, refused, unknown_tags
from sampleui.formats.yaml.values import (
    key_name,
    lacks_break,
    node_path,
    own_anchors,
    own_tags,
    repeated_keys,
    value_span,
    with_paths,
)
from sampleui.garbage import collector_off
from sampleui.text.diagnostic import Finding, Severity
from sampleui.text.position import Position, Span, TextEdit, error_at, position_at

_BEFORE = r"(?:[ \t]*+(?:\#[^\n]*+)?\r?\n|)*+[ \t]*+(?:-[ \t]++)?"
_BEHIND = r"[ \t]*,?(?:\s*(?:\#[^\n]*)?|)*+"
_NAMING = re.compile(rf"{_BEFORE}([\"']?){NAME}\1{_BEHIND}")
_TABLE = re.compile(rf"{_BEFORE}\{{?\s*+[\"']?(?:path|config)[\"']?[ \t]*:")
"""How the piece of an item begins that names a file, and one that is a table which may do so."""

_ALIAS = re.compile(r"\*([^\s,\[\]{}]+)")

_ANCHOR = re.compile(r"(?<![^\s,\[{])&([^\s,\[\]{}]+)")

ANOTHER = re.compile(r"---|\.\.\.\s+(?:#[^\n]*\n\s*)*[^#\s]")
"""What ends a document that is not the last one."""


_SUSPECT = re.compile(r"[^\s\ufeff]#|[\"'\[{\t&]")
"""What a text has at least of which stricter readers refuse something."""


def _is_suspect(text: str) -> bool:
    return bool(_SUSPECT.search(text) or EMPTY_BLOCK.search(text))


_CURE = "is no part of the text; if it is meant to be, put the text in quotes"


def _spans(node: YamlNode, offset: int) -> bool:
    return node.whole <= offset <= node.end


_BY_SOME = frozenset({"bracket-shallow", "python-refuses"})
"""What readers of one language alone refuse: told, and an error where a deck's own program reads by one of them."""


def _refusal(found: Refused, path: DataPath) -> Finding:
    severity = Severity.INFO if found.rule in _BY_SOME else Severity.WARNING
    return Finding(found.rule, severity, found.message, path)


@dataclass(frozen=True, repr=False)
class YamlDocument(Document):
    """A YAML deck: a list of samples under a root key, one that is the whole file, or a named table.

    Plain scalars mean what the core schema of YAML 1.2 says (`yes` is a string). `<<` merges tables on reading.
    Only the first document of a file has samples; the others are kept in the tail. What is written follows what
    most of the samples show.

    Attributes:
        looked_under: the keys that samples were looked for under, for a table of the user's; None for the usual.
        changes_all: whether edits may change a value that aliases repeat, for all of them.
    """

    format: ClassVar[str] = "yaml"

    looked_under: tuple[str, ...] | None = None
    changes_all: bool = field(default=False, kw_only=True, compare=False)

    _external: Lazy[ExternalItems] = field(default_factory=Lazy, kw_only=True, compare=False)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Split a text into pieces. Raises FormatError with line and column when it is not YAML."""
        document = cls(split(text))
        _ = document.context  # the head and the tail are read by themselves from here on, and must be readable so
        return document

    @classmethod
    def under(cls, text: str, holder: tuple[str, ...]) -> Self | None:
        """Split YAML whose samples are under keys that few files have them under; None if none are."""
        bare = text.removeprefix(BOM)
        with collector_off():
            container = container_under(compose(bare, deep_enough(holder)), bare, holder)
        if container is None or (not holder and container.kind == "list"):
            return None
        document = cls(split(text, holder), holder)
        try:
            _ = document.context
        except FormatError:
            return None
        return document if document.container == holder else None

    def again(self, text: str) -> Self:
        """Read another text as this one was read."""
        document = None if self.looked_under is None else self.under(text, self.looked_under)
        return self.parse(text) if document is None else document

    def are_apart(self, before: Sequence[str], after: Sequence[str]) -> bool:
        """Tell whether changed pieces are items of a list on lines of their own, without anchors, and no more."""
        if type(self) is not YamlDocument or self.frame.flow or self.keyed:
            return False
        if any(mark in text for text in (*before, *after) for mark in "&*"):
            return False
        had, have = (sum(self.trees.size(text) for text in some) for some in (before, after))
        return have <= had

    # Pieces

    @property
    def frame(self) -> PieceFrame:
        """What is around the samples."""
        return frame_of(self.pieces[0], self.looked_under)

    @cached_property
    def trees(self) -> PieceTrees:
        """The pieces as nodes."""
        return PieceTrees(self.pieces, self.frame)

    def root(self, piece: int) -> YamlNode:
        """Return the collection that a piece is when it is read by itself: one sample and what is around it."""
        return self.trees.root(piece)

    def referred_to(self, piece: int) -> bool:
        """Tell whether a piece may have an anchor, and so a value that is repeated in pieces below it."""
        return "&" in self.pieces[piece]

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
            raise error_at(self.pieces[piece], self.root(piece).items[0].start, "a sample must be a mapping")
        return value

    def _value_in(self, piece: int) -> Plain:
        text, root = self.pieces[piece], self.root(piece)
        if "*" in text:
            return self.trees.reading(piece).value(root.items[0])
        return sample_value(text, self.frame.before, self.frame.after)

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
            if root.keys:
                return Span(root.keys[0].whole, root.items[0].end)
            return Span(root.items[0].whole if root.flow else root.start, root.items[0].end)
        path_to = node_path(root.items[0], path, text)
        if not path_to.steps:
            return Span(root.items[0].start, root.items[0].end)
        return value_span(text, path_to.steps[-1])

    def key_span(self, index: int, path: DataPath) -> Span:
        """Return where the key that ends a path is."""
        root = self.root(self.piece_of(index))
        steps = node_path(root.items[0], path, self.chunk(index)).steps
        key = steps[-1].key if steps else None
        return Span(key.start, key.end) if key is not None else self.span(index, path)

    def findings(self, index: int) -> tuple[Finding, ...]:
        """Return what stricter readers refuse, keys given more than once, and words that YAML takes for its own."""
        root, text = self.root(self.piece_of(index)), self.chunk(index)
        node = root.items[0]
        return (*self._refused(root, text), *repeated_keys(node, text), *self._words_taken(node, text))

    def _refused(self, root: YamlNode, text: str) -> Iterator[Finding]:
        """Yield what stricter readers refuse of a sample, at the innermost value that it is in."""
        for found in refused(root, text, self.frame.least) if _is_suspect(text) else ():
            around = (path for path, node in with_paths(root.items[0], text) if _spans(node, found.offset))
            yield _refusal(found, max(around, key=len, default=()))

    def _words_taken(self, node: YamlNode, text: str) -> Iterator[Finding]:
        """Yield the tags that nobody knows, and the anchors that nobody refers to: a text may have begun so."""
        for path, tag in own_tags(node, text) if "!" in text else ():
            if not is_defined(tag):
                yield Finding("yaml-tag", Severity.WARNING, f"the tag {tag} {_CURE}", path)
        for path, anchor in own_anchors(node, text) if "&" in text else ():
            if anchor not in self._aliases:
                message = f"the anchor &{anchor}, which nothing refers to, {_CURE}"
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
        findings = [] if len(self) else [*not_a_deck(self.text)]
        findings += self._break_missing()
        findings += self._refused_around()
        findings += self._anchors_twice()
        text = self.text
        end = len(text) - len(self.pieces[-1]) + self.trees.tail_end
        if ANOTHER.match(text, end):
            message = "only the first document of the file is a deck; the others are kept as they are"
            findings.append((Finding("multi-document", Severity.INFO, message), position_at(text, end)))
        seen: set[str] = set()
        for name, key, offset in self._root_keys():
            if name in seen:
                message = f"the key {name!r} is given more than once; the last one counts"
                finding = Finding("duplicate-key", Severity.ERROR, message, (name,))
                findings.append((finding, position_at(text, offset + key.start)))
            seen.add(name)
        return tuple(findings)

    def _refused_around(self) -> Iterator[tuple[Finding, Position]]:
        """Yield what stricter readers refuse before the samples and after them."""
        for root, offset, text in self._ends():
            if root is not None and _is_suspect(text):
                for found in refused(root, text):
                    yield _refusal(found, ()), position_at(self.text, offset + found.offset)
            for node in unknown_tags(root) if root is not None and "!" in text else ():
                finding = Finding("yaml-tag", Severity.WARNING, f"the tag {node.tag} {_CURE}")
                yield finding, position_at(self.text, offset + max(node.whole, 0))

    def _anchors_twice(self) -> Iterator[tuple[Finding, Position]]:
        """Yield the anchors that are given again: PyYAML reads no such file."""
        named = Counter(_ANCHOR.findall(self.text))  # most files have an & in their texts alone
        twice = [f"&{name}" for name, count in named.items() if count > 1]
        seen: set[str] = set()
        for piece, text in enumerate(self.pieces) if twice else ():
            root = self.trees.of(piece) if any(anchor in text for anchor in twice) else None
            for node in root.walk() if root is not None else ():
                if node.anchor in seen:
                    message = f"the anchor &{node.anchor} is given twice; PyYAML refuses the file"
                    position = position_at(self.text, sum(map(len, self.pieces[:piece])) + max(node.whole, 0))
                    yield Finding("python-refuses", Severity.INFO, message), position
                if node.anchor:
                    seen.add(node.anchor)

    def _break_missing(self) -> Iterator[tuple[Finding, Position]]:
        piece = max((number for number, text in enumerate(self.pieces) if text), default=0)
        text = self.pieces[piece].removeprefix(BOM)
        root = None if text.endswith("\n") else self.trees.of(piece)
        for node in root.walk() if root is not None else ():
            if lacks_break(text, node):
                message = (
                    "the file ends without a line break: JavaScript's readers read one in this text, others do not"
                )
                position = position_at(self.text, len(self.text) - len(text) + node.start)
                yield Finding("break-missing", Severity.INFO, message), position

    @cached_property
    def context(self) -> Table:
        """The values of the root table beside the samples."""
        head, tail = (self._beside_in(piece) for piece in (0, len(self.pieces) - 1))
        return _joined(head, tail, self.container)

    def _beside_in(self, piece: int) -> Table:
        try:
            root = self.trees.of(piece)
            value = self.trees.reading(piece).value(root) if root is not None and root.kind == "table" else {}
        except FormatError as error:
            inner = 1 if error.line is None else error.line
            raise FormatError(error.message, line=self.breaks_before[piece] + inner, column=error.column) from None
        return value if isinstance(value, dict) else {}

    @cached_property
    def named_files(self) -> tuple[FileItem, ...]:
        """The files that hold further samples.

        They are items of the list of samples, or are in its place: `tests: ./cases.yaml`.
        """
        others = (
            FileItem(*named, position_at(self.text, offset + key.start))
            for name, key, offset in self._root_keys()
            if name in YAML_CONTAINERS and (named := path_in_place(self.context.get(name))) is not None
        )
        return (*others, *self._named_pieces.files(self.pieces))

    def _may_name(self, piece: str) -> bool:
        return _NAMING.fullmatch(piece) is not None or _TABLE.match(piece) is not None

    def _item_in(self, piece: int) -> tuple[Plain, int]:
        root = self.root(piece)
        item = root.items[0]
        if root.kind == "table":
            return None, item.start
        return item.value if item.kind == "scalar" else self._value_in(piece), item.start

    def _ends(self) -> Iterator[tuple[YamlNode | None, int, str]]:
        """Yield the nodes of the head and of the tail, where each begins in the file, and its text."""
        head = self.pieces[0].removeprefix(BOM)
        yield self.trees.head, len(self.pieces[0]) - len(head), head
        yield self.trees.tail, sum(map(len, self.pieces[:-1])), self.pieces[-1]

    def _root_keys(self) -> Iterator[tuple[str, YamlNode, int]]:
        for root, offset, text in self._ends():
            if root is not None and root.kind == "table":
                for key in root.keys:
                    if key.start >= 0:
                        yield key_name(key, text), key, offset

    # Edits

    def _fits(self, splice: Splice, after: Self) -> bool:
        """Tell whether the pieces join as they did, and whether stricter readers would read them."""
        if not splice.start and not same(after.context, self.context):
            return False
        anew = len(splice.removed) == len(self.pieces)  # the whole file was split again
        joined = anew or joins_hold(self.pieces, after.pieces, splice, self.frame)
        return joined and stays_strict(self.pieces, after.pieces, splice, self.frame, after.frame)

    def _text_alone(self, index: int) -> str:
        if self.frame.flow:
            span = self.span(index, ())
            return self.chunk(index)[span.start : span.end]
        return writing.samples.parts(self.chunk(index))[0].strip()

    def _text_to_copy(self, index: int, span: Span | None) -> str:
        """Return the text of a value without its anchors: a name given twice would lead aliases elsewhere."""
        text, chunk = super()._text_to_copy(index, span), self.chunk(index)
        start = chunk.index(text) if span is None else span.start
        if "&" not in text:
            return text
        nodes = self.root(self.piece_of(index)).walk()
        inside = [node for node in nodes if start <= node.whole < start + len(text)]
        return writing.sharing.without_anchors(text, inside, start)

    def shared_values(self, index: int) -> tuple[SharedValue, ...]:
        """Return what a sample shares with others by anchors and aliases."""
        return shared_values(self, index)

    def changing_all(self) -> Self:
        """Return the document such that an edit may change a value that aliases repeat."""
        return replace(self, changes_all=True)

    def edit_of_all(self, shared: SharedValue, operation: Operation) -> Splice:
        """Return the splice that makes an operation where a shared value is written."""
        return writing.sharing.edit_of_all(self, shared, operation)

    def own_copy(self, index: int, path: DataPath) -> Splice:
        """Return the splice that writes what a sample shares at a path as its own."""
        return writing.sharing.own_copy(self, index, path)

    def edited(self, index: int) -> writing.edits.EditedPiece:
        """Return where a sample's edits are made."""
        piece = self.piece_of(index)
        root, text = self.root(piece), self.pieces[piece]
        used = self.trees.used_elsewhere(piece)
        return writing.edits.EditedPiece(text, root, self.frame, self.manner, used, self.changes_all)

    @property
    def manner(self) -> writing.habits.Manner:
        """How most of the samples are written."""
        manner: writing.habits.Manner = self._habits.get(self._learned)
        return manner

    def _learned(self) -> writing.habits.Manner:
        return writing.habits.manner_of(self._rooted(), self.newline)

    def _rooted(self) -> Iterator[tuple[str, YamlNode]]:
        for index in self._surveyed:
            piece = self.piece_of(index)
            with contextlib.suppress(FormatError):
                yield self.pieces[piece], self.root(piece)

    def _set(self, index: int, path: DataPath, value: Plain) -> Iterator[TextEdit]:
        try:
            lookup(self.read(index), path)
        except PathError:
            return self.edited(index).attempts(
                lambda edited: writing.edits.adding(edited, path, value, partial(self._place_of, index, path))
            )
        return self.edited(index).attempts(lambda edited: writing.edits.setting(edited, path, value))

    def _insert(self, index: int, path: DataPath, value: Plain) -> Iterator[TextEdit]:
        return self.edited(index).attempts(lambda edited: writing.edits.inserting(edited, path, value))

    def _delete(self, index: int, path: DataPath) -> Iterator[TextEdit]:
        return self.edited(index).attempts(lambda edited: writing.edits.deleting(edited, path))

    def _move(self, index: int, path: DataPath, to: int) -> Iterator[TextEdit]:
        return self.edited(index).attempts(lambda edited: writing.edits.moving(edited, path, to))

    def _rename(self, index: int, path: DataPath, name: str) -> Iterator[TextEdit]:
        return self.edited(index).attempts(lambda edited: writing.edits.renaming(edited, path, name))

    @property
    def _samples(self) -> writing.samples.SampleTexts:
        return writing.samples.SampleTexts(
            self.pieces, self.frame, self.keyed, self.manner, self._apart, self.trees.used_elsewhere
        )

    @property
    def _apart(self) -> int | None:
        """The number of blank lines between most samples, None if no two of them show it."""
        pieces = (self.piece_of(index) for index in self._surveyed)
        counted = Counter(
            writing.samples.blank_lines(self.pieces[piece]) for piece in pieces if piece + 2 < len(self.pieces)
        )
        return counted.most_common(1)[0][0] if counted else None

    def _insert_sample(self, index: int, data: Table) -> Iterator[Splice]:
        if len(self.pieces) == 2:
            return writing.samples.first_sample(self._samples, data)
        piece = self.piece_of(index) - 1 if index < len(self) else len(self.pieces) - 2
        return writing.samples.with_sample(self._samples, piece, data)

    def heading(self, index: int) -> str:
        """Return the heading right above a sample."""
        return "" if self.frame.flow else writing.samples.banner_above(self.pieces, self.piece_of(index))

    def _delete_sample(self, index: int) -> Iterator[Splice]:
        return writing.samples.without_sample(self._samples, self.piece_of(index) - 1)

    def _delete_below_heading(self, index: int) -> Iterator[Splice]:
        return writing.samples.without_sample(self._samples, self.piece_of(index) - 1, heading=False)

    def _move_sample(self, index: int, to: int) -> Iterator[Splice]:
        return writing.samples.with_sample_moved(self._samples, self.piece_of(index) - 1, self.piece_of(to) - 1)


def _joined(head: Table, tail: Table, container: tuple[str, ...]) -> Table:
    """Return what is beside the samples: of the head, and of the tail, in which `_` stands for their keys."""
    values = {key: value for key, value in {**head, **tail}.items() if key not in ("_", *container[:1])}
    ends = (head.get(container[0]), tail.get("_")) if container[1:] else ()
    around = [table for table in ends if isinstance(table, dict)]
    inner = _joined(around[0], around[-1] if around[1:] else {}, container[1:]) if around else {}
    return {**values, container[0]: inner} if inner else values
