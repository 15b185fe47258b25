"""How a YAML file is split into pieces, and how each is read by itself, with the anchors of the others."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from sampleui.errors import FormatError
from sampleui.formats.data import CONTAINERS, Plain
from sampleui.formats.external_items import path_of
from sampleui.formats.yaml import layout
from sampleui.formats.yaml.nodes import YamlNode, are_documents, compose, compose_piece
from sampleui.formats.yaml.values import NULL, Reading, is_merge
from sampleui.garbage import collector_off
from sampleui.text.diagnostic import Finding, Severity
from sampleui.text.limits import MAX_YAML_DEPTH
from sampleui.text.position import Position, error_at, position_at

BOM = "\ufeff"
YAML_CONTAINERS = (*CONTAINERS[1:], CONTAINERS[0])
"""The keys under which samples may stand, the first that holds any wins."""

BOUNDARY = re.compile(r"(?:^|(?<=[\r\x85\u2028\u2029]))(?:(?:---|\.\.\.)(?=\s|\Z)|%(?:YAML|TAG)[ \t])", re.M)
"""Where a document ends: at a mark of documents, or, as libyaml reads it, at the directives of the next one."""


def split(text: str, under: tuple[str, ...] | None = None) -> tuple[str, ...]:
    """Return the pieces of a file: the head, a chunk for each sample, the tail.

    Args:
        text: the file.
        under: the keys that samples are looked for under; none for the root by name; None for the usual places.

    Raises:
        FormatError: when the text is not YAML, with its line and column.
    """
    bom = BOM if text.startswith(BOM) else ""
    text = text[len(bom) :]
    with collector_off():
        plain = plain_starts(text) if under is None and len(text) > _SMALL else []
        starts = plain or _starts(compose(text, deep_enough(under)), text, under)
    for index in [0, *starts] if BOM in text else []:
        if text.startswith(BOM, index):  # libyaml takes it for the mark of a file, and would not count it
            raise error_at(bom + text, len(bom) + index, "there is a byte order mark inside the file")
    chunks = [text[start:end] for start, end in pairwise(starts)]
    return bom + text[: starts[0]], *chunks, text[starts[-1] :]


def _starts(root: YamlNode | None, text: str, under: tuple[str, ...] | None) -> list[int]:
    """Return where each sample starts and the last one ends; without samples, where the first would be."""
    container = _container(root, text) if under is None else container_under(root, text, under)
    if container is None:
        return [_vacancy(root, text)]
    return cuts(text, container, container is root) if container.items else [container.start + 1]


_TRIVIA = r"(?:[ \t]*+(?:#[^\n]*+)?\r?\n|)*+"
_HEADED = re.compile(
    r"^(?:(samples|evalcases|tests|cases):[ \t]*+(?:#[^\n]*+)?\r?\n"
    rf"|\A(?:{_TRIVIA}---[ \t]*+\r?\n|)?+){_TRIVIA}( *+)-(?=[ \t\r\n])",
    re.M,
)
"""A key of samples, or the top of a file that is a list, and the dash of the first sample below."""

_ALIAS = re.compile(r"\*(?<![\w*]\*)[0-9A-Za-z_-]++(?=[\s?:,\]}%@`]|\Z)")
_UNUSUAL = BOM + "\x85\u2028\u2029"
"""A mark of files, and breaks of lines that are none for most readers."""

_MARKS = ("\n---", "\n...", "\n%")
"""How the lines begin that may end a document or begin the next one."""

_RARE_LINE = re.compile(r"\n *+(?:-[ \t]++)?(?:\?|[-:][ \t]++[-:])[ \t\r\n]")
"""A line with a key after a question mark, whose missing value ends below it, or with a list in a list."""

_FLAT = MAX_YAML_DEPTH // 5
_SMALL = 1 << 15
"""A text's length up to which its nodes are there before the patterns above are compiled."""


def plain_starts(text: str) -> list[int]:
    """Return where each sample of a plain list starts and the last one ends, in a quarter of the time of its nodes.

    These are the lines with a dash on the column of the first one, up to a line that is indented less. That holds
    if libyaml reads each stretch between two of them as a document of its own: none does that begins or ends inside
    quotes or brackets, and texts in blocks are indented deeper. Where it is not as plain (one sample, aliases,
    other documents, samples under two keys), or the text is not YAML, none is returned.

    Args:
        text: the file without its byte order mark.
    """
    first = _HEADED.search(text)
    if first is None or _is_unusual(text, first.end()):
        return []
    starts = _sample_starts(text, first)
    if len(starts) < 2:
        return []
    if first[1] is None and not starts[0]:
        starts[0] = first.start(2)
    opening = f"{first[1]}:\n" if first[1] else ""
    chunks = [text[start:stop] for start, stop in pairwise(starts)]
    try:
        end = _end_of_last(opening, text[starts[-1] :]) if _heads(text[: starts[0]], first) else None
        for chunk in filter(_may_be_deep, chunks if end is not None else ()):
            compose(opening + chunk, 0)
    except FormatError:
        return []
    return [*starts, starts[-1] + end] if end is not None and are_documents(chunks, opening) else []


def _is_unusual(text: str, after: int) -> bool:
    """Tell whether a text has what no pattern here is made for; documents count from a place on."""
    if any(sign in text for sign in _UNUSUAL) or _ALIAS.search(text):
        return True
    if "\r" in text and text.count("\r") > text.count("\r\n"):
        return True
    return bool(_RARE_LINE.search(f"\n{text}")) or any(text.find(mark, after) > 0 for mark in _MARKS)


def _sample_starts(text: str, first: re.Match[str]) -> list[int]:
    """Return where the samples start, given the dash of the first; none if comments may belong to two of them."""
    column = len(first[2])
    above = rf" {{0,{column - 1}}}" if column else r"(?!-[ \t\r\n])"
    outside = re.compile(rf"\n{above}[^ \t\r\n#]").search(text, first.end())
    dashes = _dashes(text, first.start(2), outside.start() if outside else len(text), column)
    leads = [layout.comments_above(text, dashes[0], 0), *(_plain_lead(text, line, column) for line in dashes[1:])]
    starts = [lead for lead in leads if lead is not None]
    return starts if len(starts) == len(dashes) else []


def _dashes(text: str, first: int, stop: int, column: int) -> list[int]:
    """Return where the lines begin that have a dash and a blank on a column, from the first one to a place."""
    mark, lines, line = "\n" + " " * column + "-", [first], first
    while (line := text.find(mark, line, stop) + 1) > 0:
        if text[line + column + 1 : line + column + 2].strip(" \t\r\n") == "":
            lines.append(line)
    return lines


def _plain_lead(text: str, line: int, column: int) -> int | None:
    """Return where the comments above a sample begin; None if they may belong to the one before, or to its text."""
    while line:
        above = text.rfind("\n", 0, line - 1) + 1
        comment = text[above:line].lstrip()
        if not comment.startswith("#"):
            break
        if text.find("#", above) - above > column or "\t" in text[above : text.find("#", above)]:
            return None
        line = above
    return line


def _heads(head: str, first: re.Match[str]) -> bool:
    """Tell whether the head of a deck is empty, or a table that ends in the only key of samples."""
    if not first[1]:
        return True
    root = compose(head, 2)
    if root is None or not root.keys or root.flow or root.keys[-1].start != first.start():
        return False
    return is_null(root.items[-1]) and not any(key.value in YAML_CONTAINERS for key in root.keys[:-1])


def _end_of_last(opening: str, rest: str) -> int | None:
    """Return where the last sample ends in the text from its start on; None if that has other samples too."""
    root = compose(opening + rest, 2)
    items = root if root is None or not opening else root.items[0]
    if root is None or items is None or items.kind != "list" or items.flow or len(items.items) != 1:
        return None
    if items.items[0].kind != "table" or (opening and any(key.value in YAML_CONTAINERS for key in root.keys[1:])):
        return None
    return cuts(opening + rest, items)[-1] - len(opening)


def _may_be_deep(chunk: str) -> bool:
    """Tell whether a chunk may be nested too deep: two levels for a bracket, and for a column of its lines."""
    brackets = chunk.count("[") + chunk.count("{")
    return brackets > _FLAT or " " * _FLAT in chunk


def not_a_deck(text: str) -> Iterator[tuple[Finding, Position]]:
    """Yield `samples-missing` for the text of a file without samples that is a value, or a list of values."""
    root = compose(text.removeprefix(BOM), 2)
    nothing = root is None or root.kind in ("table", "alias") or is_null(root)
    if root is None or nothing or (root.kind == "list" and not root.items):
        return
    what = "A sample must be a table" if root.items else "A deck is a table or a list of samples"
    start = (root.items[0] if root.items else root).start + (len(BOM) if text.startswith(BOM) else 0)
    yield Finding("samples-missing", Severity.ERROR, what), position_at(text, start)


def cuts(text: str, node: YamlNode, from_the_top: bool = False) -> list[int]:
    """Return where each item of a container starts, and where the last one ends.

    The last one takes the blank lines after it: they are part of its value if it ends in a `|+` block.
    """
    entries = layout.entries(text, node)
    starts = [entry.start for entry in entries]
    if from_the_top and not starts[0]:  # a comment that opens the file is about the file
        starts[0] = layout.line_start(text, entries[0].mark)
    end = entries[-1].stop
    blank = None if node.flow else layout.BLANK_LINES.match(text, end)
    return [*starts, blank.end() if blank else end]


def _container(root: YamlNode | None, text: str) -> YamlNode | None:
    """Return the list or table that holds the samples, an empty list in brackets included."""
    if root is None or root.kind == "scalar":
        return None
    if root.kind == "list":
        return root if _holds_samples(root, text) else None
    values = _by_key(root)
    named = (values[name] for name in YAML_CONTAINERS if name in values)
    return next((node for node in named if _holds_samples(node, text)), None)


def _by_key(table: YamlNode) -> dict[str, YamlNode]:
    """Return the values of a table by their keys, but for keys that are no scalars."""
    return {key.value: item for key, item in zip(table.keys, table.items, strict=True) if key.kind == "scalar"}


def deep_enough(under: tuple[str, ...] | None) -> int:
    """Return how many levels of nodes show where samples are that are looked for under some keys."""
    return max(2, len(under or ()) + 1)


def container_under(root: YamlNode | None, text: str, under: tuple[str, ...]) -> YamlNode | None:
    """Return the list or table of samples under some keys, each in a table of lines of its own; None if none is."""
    for key in under:
        if root is None or root.kind != "table" or root.flow:
            return None
        root = _by_key(root).get(key)
    return root if root is not None and _holds_samples(root, text) else None


def _holds_samples(node: YamlNode, text: str) -> bool:
    if node.kind == "list":
        return not node.items or any(
            item.kind in {"table", "alias"} or (item.kind == "scalar" and path_of(item.value))
            for item in node.items
        )
    if node.kind == "table" and not node.flow and node.items:
        return all(
            item.kind == "table" and not is_merge(key) for key, item in zip(node.keys, node.items, strict=True)
        )
    return False


def _vacancy(root: YamlNode | None, text: str) -> int:
    """Return where the first sample of a file that has none would be."""
    if root is not None and root.kind == "table" and not root.flow:
        for key, item in zip(root.keys, root.items, strict=True):
            if key.value in YAML_CONTAINERS and is_null(item):
                rest = layout.REST_OF_LINE.match(text, item.end)
                line = text.find("\n", rest.end() if rest else item.end)
                return line + 1 if line >= 0 else len(text)
    if root is None:
        return len(text)
    boundary = BOUNDARY.search(text, root.end)
    return boundary.start() if boundary else len(text)


def is_null(node: YamlNode) -> bool:
    """Tell whether a node is a plain scalar that stands for nothing."""
    return node.kind == "scalar" and not node.style and node.value in NULL


# Pieces that are read by themselves

BARE = "\0"
"""What is assumed to be before a piece that is the whole file, one sample: it is read as a list of that sample."""

TAG_LINES = re.compile(r"^%TAG[^\r\n]*", re.M)


@dataclass(frozen=True, slots=True)
class PieceFrame:
    """What is around the pieces of a file, as its head shows.

    Attributes:
        container: the keys that lead to the samples; none when the file itself is the list.
        vacant: whether the head ends in the container, so that samples may follow.
        flow: whether the samples are in brackets.
        before, after: what a chunk needs around it to be read by itself.
        head_after: what the head needs after it.
        tail_before: what the tail needs in front of it.
        least: how far lines in the brackets that hold the samples are indented at least.
        column: how far the key that holds the samples is indented.
        under: the keys that samples were looked for under, for a table of the user's; None for the usual.
    """

    container: tuple[str, ...]
    vacant: bool
    flow: bool = False
    before: str = ""
    after: str = ""
    head_after: str = ""
    tail_before: str = ""
    least: int = 0
    column: int = 0
    under: tuple[str, ...] | None = None

    def split(self, text: str) -> tuple[str, ...]:
        """Return the pieces of another text of this file. Raises as `split` does."""
        return split(text, self.under)

    def around(self, root: YamlNode) -> YamlNode:
        """Return the table in a head that has the samples under its last key."""
        for _ in self.container[1:]:
            root = root.items[-1]
        return root


@lru_cache(maxsize=64)
def frame_of(head: str, under: tuple[str, ...] | None = None) -> PieceFrame:
    """Return what the head of a file says of the pieces after it; `under` is as in `PieceFrame`."""
    text = head.removeprefix(BOM)
    tags = "".join(line + "\n" for line in TAG_LINES.findall(text)) if "%TAG" in text else ""
    tags += "---\n" if tags else ""
    for closing, opening in (("", ""), ("\n]", "["), ("\n]}", "{_: [")):
        try:
            root = compose_piece(text + closing)
        except FormatError:
            continue
        inner, above = _around(root, text, under or ())
        key = inner.keys[-1].value if inner is not None and inner.kind == "table" and inner.keys else ""
        container = (under or (key,)) if inner and key else ()
        margin = _margin(text, inner)
        if not closing:
            known = (key,) == under[-1:] if under is not None else key in YAML_CONTAINERS
            vacant = root is None or (inner is not None and known and is_null(inner.items[-1]))
            before = tags + above + (" " * margin + "_:\n" if above else "")
            return PieceFrame(container if vacant else (), vacant, False, tags, "", "", before, 0, margin, under)
        if key and opening == "[" and inner is not None:
            start, opening, least = " " * margin + "- [", above + " " * margin + "_: [", margin + 1
        else:
            start, least = "[", 0
        return PieceFrame(container, True, True, tags + start, "\n]", closing, tags + opening, least, margin, under)
    return PieceFrame((), False, under=under)


def _margin(text: str, node: YamlNode | None) -> int:
    return 0 if node is None else node.start - max(text.rfind(sign, 0, node.start) for sign in "\r\n") - 1


def _around(root: YamlNode | None, text: str, under: tuple[str, ...]) -> tuple[YamlNode | None, str]:
    """Return the table at the end of a head that has the samples, and text that opens the tables around it."""
    above = ""
    for key in under[:-1]:
        if root is None or root.kind != "table" or not root.keys or root.keys[-1].value != key:
            return None, ""
        above += " " * _margin(text, root) + "_:\n"
        root = root.items[-1]
    return root, above


@lru_cache(maxsize=512)
def tree(text: str, before: str, after: str) -> YamlNode | None:
    """Return the nodes of a piece of a file. Offsets are those of the piece; errors are placed in it.

    Raises:
        FormatError: when the piece is not YAML.
    """
    if not before and not after:
        return compose_piece(text)
    if before == BARE:
        item = compose_piece(text)
        return item and YamlNode("list", item.whole, item.start, item.end, items=(item,))
    root = compose_piece(before + text + after)
    if root is not None and before.endswith("- ["):
        root = root.items[0]
    return root and _shift(root, len(before))


@lru_cache(maxsize=1024)
def sample_value(text: str, before: str, after: str) -> Plain:
    """Return the value of a sample whose text holds no alias."""
    root = tree(text, before, after)
    return Reading(text, _without_anchor).value(root.items[0]) if root is not None else None


def value_of(text: str) -> Plain:
    """Return the value of a text, of the first of several documents, None of an empty one.

    Raises:
        FormatError: when it is not YAML, an alias has no anchor, or its aliases stand for too much; with its place.
    """
    bare = text.removeprefix(BOM)
    root = compose(bare)
    return None if root is None else Reading(bare, _without_anchor).value(root)


def _without_anchor(name: str) -> Plain:
    raise FormatError(f"the alias *{name} has no anchor", line=1, column=1)


def _shift(node: YamlNode, by: int) -> YamlNode:
    return YamlNode(
        node.kind,
        node.whole - by,
        node.start - by,
        node.end - by,
        node.style,
        node.value,
        node.anchor,
        node.tag,
        tuple(_shift(key, by) for key in node.keys),
        tuple(_shift(item, by) for item in node.items),
        node.aliased,
    )


def rejoined(text: str, frame: PieceFrame, last: bool) -> tuple[str, ...]:
    """Return the chunks that a stretch of samples falls into, then what belongs to the tail if it is the last.

    Raises:
        FormatError: when the stretch is not YAML.
    """
    root = tree(text, frame.before, frame.after)
    if root is None or not root.items:
        return (text, "")
    _, *starts, end = cuts(text, root)
    end = end if last else len(text)
    return (*(text[item:other] for item, other in pairwise([0, *starts, end])), text[end:])


class PieceTrees(NamedTuple):
    """The pieces of a YAML deck as trees of nodes: each is read by itself, but for the anchors before it."""

    pieces: tuple[str, ...]
    frame: PieceFrame

    def root(self, piece: int) -> YamlNode:
        """Return the collection that a piece is when it is read by itself: one sample and what is around it."""
        frame = self.frame
        root = tree(self.pieces[piece], frame.before, frame.after)
        if root is None or root.kind == "scalar" or len(root.items) != 1:
            raise FormatError("this is not one sample", line=1, column=1)
        return root

    def size(self, text: str) -> int:
        """Return how much of a file's limits a text would use up as a piece: each end of a list counts."""
        root = tree(text, self.frame.before, self.frame.after)
        return sum(2 if node.kind in {"list", "table"} else 1 for node in root.walk()) if root is not None else 0

    @property
    def head(self) -> YamlNode | None:
        """The nodes above the samples."""
        return tree(self.pieces[0].removeprefix(BOM), "", self.frame.head_after)

    @property
    def tail_end(self) -> int:
        """Where the first document ends in the tail."""
        boundary = BOUNDARY.search(self.pieces[-1])
        return boundary.start() if boundary else len(self.pieces[-1])

    @property
    def tail(self) -> YamlNode | None:
        """The nodes below the samples."""
        return tree(self.pieces[-1][: self.tail_end], self.frame.tail_before, "")

    def of(self, piece: int) -> YamlNode | None:
        """Return the nodes of any piece."""
        if piece == 0:
            return self.head
        return self.tail if piece == len(self.pieces) - 1 else self.root(piece)

    def reading(self, piece: int) -> Reading:
        """Return what reads the values of a piece."""
        return Reading(self.pieces[piece].removeprefix(BOM), lambda name: self._anchored(name, piece))

    def _anchored(self, name: str, piece: int) -> Plain:
        """Return the value of the last anchor of a name before a piece."""
        for before in range(piece - 1, -1, -1):
            if f"&{name}" not in self.pieces[before]:
                continue
            root = self.of(before)
            if root is not None and any(node.anchor == name for node in root.walk()):
                reading = self.reading(before)
                reading.value(root)
                return reading.named[name]
        raise FormatError(f"the alias *{name} has no anchor before it", line=1, column=1)

    def used_elsewhere(self, piece: int) -> Callable[[str], bool]:
        """Return what tells whether a piece other than this one has an alias of a name."""

        def used(name: str) -> bool:
            for other, text in enumerate(self.pieces):
                if other != piece and f"*{name}" in text:
                    root = self.of(other)
                    if root and any(node.kind == "alias" and node.value == name for node in root.walk()):
                        return True
            return False

        return used
