"""The proof that an edit leaves the pieces of a YAML file joined as they were, by the strictest readers.

Reading a piece by itself does not show what the text after it does to it: a deeply indented comment becomes part of
the block scalar before it, and a missing comma is an error only if another item follows. So a piece is read once
more with the blank lines and comments of the next one after it, and must mean the same (`joins_hold`).

And there are four things that libyaml reads but stricter readers refuse, which no edit may introduce
(`stays_strict`): a comment right after a bracket, comma or quote; a `?` in a plain scalar in brackets; a comment
that begins the line below an entry of a table in brackets, with no comma before it; and, on a line indented less
than what the brackets belong to, a text in brackets that breaks or has a tab before it. The line that brackets
begin on usually is such a line: a tab on it may only follow a plain scalar, or end it.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from sampleui.errors import FormatError
from sampleui.formats.document import Splice
from sampleui.formats.yaml import layout
from sampleui.formats.yaml.nodes import HEADER, YamlNode, compose_piece
from sampleui.formats.yaml.pieces import BOM, PieceFrame, tree

# Whether pieces join


@dataclass(frozen=True, slots=True)
class _Join:
    """A piece and what is read after it: the blank lines and comments of the next, then whatever ends it."""

    piece: str
    behind: str
    is_head: bool
    items: int = 1


def joins_hold(before: Sequence[str], after: Sequence[str], splice: Splice, frame: PieceFrame) -> bool:
    """Tell whether pieces still join after a splice. Pieces that were neighbours before are known to join."""
    known = set(_joins_at(before, splice.start, splice.start + len(splice.removed), frame))
    new = _joins_at(after, splice.start, splice.start + len(splice.added), frame)
    return all(_holds(join, frame) for join in new if join not in known)


def _joins_at(pieces: Sequence[str], start: int, stop: int, frame: PieceFrame) -> Iterator[_Join]:
    for index in range(max(start - 1, 0), min(stop, len(pieces) - 1)):
        piece, following, is_last = pieces[index], pieces[index + 1], index + 2 == len(pieces)
        mark = layout.skip(following, 0)
        if frame.flow and is_last:
            yield _Join(piece, following[: mark + 1], not index)
        elif frame.flow:
            yield _Join(
                piece, following[:mark] + "x" + (frame.head_after if not index else frame.after), not index, 2
            )
        elif mark < len(following):
            yield _Join(piece, following[: layout.line_start(following, mark)] + "...\n", not index)
        else:
            yield _Join(piece, following, not index)


def _holds(join: _Join, frame: PieceFrame) -> bool:
    try:
        if join.is_head:
            head = join.piece.removeprefix(BOM)
            if frame.flow:
                return compose_piece(head + join.behind) is not None
            if (alone := compose_piece(head)) is None:
                return True
            joined = compose_piece(head + join.behind)
            return joined is not None and _alike(alone, joined)
        alone = tree(join.piece, frame.before, frame.after)
        joined = tree(join.piece + join.behind, frame.before, "")
    except FormatError:
        return False
    if alone is None or joined is None or len(joined.items) != join.items:
        return False
    return _alike(alone.items[0], joined.items[0])


def _alike(node: YamlNode, other: YamlNode) -> bool:
    """Tell whether two nodes say the same, wherever they stand."""
    return (
        (node.kind, node.style, node.value, node.anchor, node.tag)
        == (other.kind, other.style, other.value, other.anchor, other.tag)
        and len(node.items) == len(other.items)
        and all(map(_alike, node.keys, other.keys))
        and all(map(_alike, node.items, other.items))
    )


# What stricter readers refuse

_LIKELY = {True: re.compile(r"[#\t\r\n?]"), False: re.compile(r"\S#|\t|\?|[\[{]")}
"""What a piece must have to be looked at, by whether the samples are in brackets."""

_TOKEN = re.compile(r"[&!][^\s\[\]{},]*|(?P<glued>(?<=[^\s\ufeff])#[^\n]*)|(?P<gap>(?:[ \t\r\n\ufeff]+|#[^\n]*)+)")
_SPACES = re.compile(r" *")
_END_OF_LINE = re.compile(r"[ \t]*(?:#|\r?\n|\Z)")
_UNINDENTED = re.compile(r"[ \t]*(?:#[^\n]*)?\n#")
"""The rest of a line, and a comment that begins the next one."""


@dataclass(frozen=True, slots=True)
class _Brackets:
    """Brackets that stand in no others: where they start and end, and the indentation that lines in them need."""

    start: int
    end: int
    least: int


@dataclass(slots=True)
class _Stretch:
    """Whole lines of a file.

    Attributes:
        text: their text.
        shut: where its scalars are, and pieces that need not be looked at.
        plain: where its plain scalars end.
        entries: where the keys and values of its tables in brackets end.
        brackets: the brackets in it, in their order.
        asking: how many plain scalars with a `?` stand right inside brackets.
    """

    text: str
    shut: list[tuple[int, int]] = field(default_factory=list)
    plain: set[int] = field(default_factory=set)
    entries: set[int] = field(default_factory=set)
    brackets: list[_Brackets] = field(default_factory=list)
    asking: int = 0


def stays_strict(
    before: Sequence[str], after: Sequence[str], splice: Splice, frame: PieceFrame, new_frame: PieceFrame
) -> bool:
    """Tell whether a splice of the pieces of a file brings in nothing that stricter readers refuse."""
    kept = Counter() if frame.flow or new_frame.flow else Counter(splice.removed) & Counter(splice.added)
    slips = _slips(_stretch(after, splice.start, splice.start + len(splice.added), new_frame, kept))
    return not slips or slips <= _slips(
        _stretch(before, splice.start, splice.start + len(splice.removed), frame, kept)
    )


def _stretch(pieces: Sequence[str], low: int, high: int, frame: PieceFrame, kept: Counter[str]) -> _Stretch:
    """Return the lines of some pieces; those that are kept elsewhere, so often, need not be looked at."""
    while low > 0 and not pieces[low - 1].endswith("\n"):
        low -= 1
    while high < len(pieces) and (high == low or not pieces[high - 1].endswith("\n")):
        high += 1
    known, stretch, offset = Counter(kept), _Stretch("".join(pieces[low:high])), 0
    for index in range(low, high):
        piece = pieces[index]
        root = _tree_of(pieces, index, frame) if not known[piece] and _LIKELY[frame.flow].search(piece) else None
        known[piece] -= 1
        if root is not None:
            _add(stretch, root, piece, offset, frame.least if index else 0)
        elif not frame.flow:
            stretch.shut.append((offset, offset + len(piece)))
        offset += len(piece)
    return stretch


def _tree_of(pieces: Sequence[str], index: int, frame: PieceFrame) -> YamlNode | None:
    try:
        if index == 0:
            return tree(pieces[0].removeprefix(BOM), "", frame.head_after)
        if index == len(pieces) - 1:
            return tree(pieces[index], frame.tail_before, "")
        return tree(pieces[index], frame.before, frame.after)
    except FormatError:  # further documents, whose text no edit changes
        return None


def _add(stretch: _Stretch, root: YamlNode, piece: str, offset: int, least: int) -> None:
    """Note what a piece has, whose text begins at an offset of the stretch."""
    if piece.startswith(BOM):
        offset += len(BOM)
    for bracket in _outermost(root, piece.removeprefix(BOM), least):
        stretch.brackets.append(_Brackets(max(bracket.start, -1) + offset, bracket.end + offset, bracket.least))
    for node in root.walk():
        stretch.asking += _asking(node)
        if node.flow and node.kind == "table":
            stretch.entries.update(item.end + offset for item in (*node.keys, *node.items) if not item.empty)
        if node.kind in {"table", "list"} or node.empty or node.start < 0:
            continue
        start = node.start
        if node.style in {"|", ">"} and (header := HEADER.match(piece.removeprefix(BOM), node.start, node.end)):
            start = header.start("rest")
        stretch.shut.append((start + offset, node.end + offset))
        if node.kind == "scalar" and not node.style:
            stretch.plain.add(node.end + offset)


def _outermost(node: YamlNode, text: str, least: int) -> Iterator[_Brackets]:
    if node.flow:
        yield _Brackets(node.start, node.end, least)
        return
    inner = layout.column(text, node.start) + 1 if node.start >= 0 else least
    for number, item in enumerate(node.items):
        for part in (node.keys[number], item) if node.keys else (item,):
            yield from _outermost(part, text, inner)


def _asking(node: YamlNode) -> int:
    """Return how many plain scalars with a `?` stand right inside the brackets of a node."""
    items = (*node.keys, *node.items) if node.flow else ()
    return sum(item.kind == "scalar" and not item.style and "?" in item.value for item in items)


def _slips(stretch: _Stretch) -> int:
    """Return how much of a stretch stricter readers refuse."""
    text, slips, tabs = stretch.text, stretch.asking, list[int]()
    starts = [bracket.start for bracket in stretch.brackets]
    for span in _open(stretch):
        for token in _TOKEN.finditer(text, *span):
            start, end = token.span()
            if token.lastgroup == "glued":
                slips += 1
            if start in stretch.entries and _UNINDENTED.match(text, start):
                slips += 1
            tabbed = "\t" in token[0] and start not in stretch.plain and "\n" not in token[0]
            if token.lastgroup != "gap" or not (tabbed or "\n" in token[0]) or _END_OF_LINE.match(text, end):
                continue
            near = bisect_left(starts, start) - 1
            inside = near >= 0 and start < stretch.brackets[near].end
            if inside and _indentation(text, end) < stretch.brackets[near].least:
                slips += 1
            if tabbed:
                tabs.append(start)
    return slips + sum(_opens_behind_tab(text, bracket, tabs) for bracket in stretch.brackets)


def _open(stretch: _Stretch) -> Iterator[tuple[int, int]]:
    """Yield where the text is that is not shut."""
    position = 0
    for start, end in stretch.shut:
        yield position, max(start, position)
        position = max(end, position)
    yield position, len(stretch.text)


def _indentation(text: str, offset: int) -> int:
    """Return how many spaces the line of an offset begins with."""
    spaces = _SPACES.match(text, layout.line_start(text, offset), offset)
    return len(spaces[0]) if spaces else 0


def _opens_behind_tab(text: str, brackets: _Brackets, tabs: Sequence[int]) -> bool:
    """Tell whether brackets that hold something on their first line begin after a tab on it."""
    if brackets.start < 0 or _END_OF_LINE.match(text, brackets.start + 1):
        return False
    line = layout.line_start(text, brackets.start)
    tabbed = bisect_right(tabs, brackets.start) > bisect_left(tabs, line)
    return tabbed and _indentation(text, brackets.start) < brackets.least
