"""The proof that the pieces of a file join after an edit, as strictly as the strictest readers read them.

A piece that is read by itself says nothing of what stands behind it: a comment that is indented deeply belongs to a
block scalar in front of it, a comma that is missing is missed only when another item follows. So a piece is read
once more with the blank lines and comments of the next one behind it, and must say the same.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sampleui.errors import FormatError
from sampleui.formats.document import Splice
from sampleui.formats.yaml import layout
from sampleui.formats.yaml.compose import compose_piece
from sampleui.formats.yaml.nodes import Node
from sampleui.formats.yaml.pieces import BOM, Frame, tree
from sampleui.formats.yaml.restyle import HEADER

_LIKELY = re.compile(r"\S#|\t|\?")
_TOKEN = re.compile(r"[&!][^\s\[\]{},]*|(?:(?P<glued>(?<=\S)#)|#)[^\n]*|(?P<tab> *\t[ \t]*)")


@dataclass(frozen=True, slots=True)
class _Seam:
    """A piece and what is read behind it: the blank lines and comments of the next, then whatever ends it."""

    piece: str
    behind: str
    is_head: bool
    items: int = 1


def hold(before: Sequence[str], after: Sequence[str], splice: Splice, frame: Frame) -> bool:
    """Tell whether pieces still join after a splice. Those that met before it are known to."""
    known = set(_seams(before, splice.at, splice.at + len(splice.removed), frame))
    new = _seams(after, splice.at, splice.at + len(splice.added), frame)
    return all(_joins(seam, frame) for seam in new if seam not in known)


def _seams(pieces: Sequence[str], start: int, stop: int, frame: Frame) -> Iterator[_Seam]:
    for at in range(max(start - 1, 0), min(stop, len(pieces) - 1)):
        piece, following, is_last = pieces[at], pieces[at + 1], at + 2 == len(pieces)
        mark = layout.skip(following, 0)
        if frame.flow and is_last:
            yield _Seam(piece, following[: mark + 1], not at)
        elif frame.flow:
            yield _Seam(piece, following[:mark] + "x" + (frame.head_after if not at else frame.after), not at, 2)
        elif mark < len(following):
            yield _Seam(piece, following[: layout.line_start(following, mark)] + "...\n", not at)
        else:
            yield _Seam(piece, following, not at)


def _joins(seam: _Seam, frame: Frame) -> bool:
    try:
        if seam.is_head:
            head = seam.piece.removeprefix(BOM)
            if frame.flow:
                return compose_piece(head + seam.behind) is not None
            alone = compose_piece(head)
            return alone is None or _alike(alone, compose_piece(head + seam.behind))
        alone = tree(seam.piece, frame.before, frame.after)
        joined = tree(seam.piece + seam.behind, frame.before, "")
    except FormatError:
        return False
    if alone is None or joined is None or len(joined.items) != seam.items:
        return False
    return _alike(alone.items[0], joined.items[0])


def _alike(one: Node | None, other: Node | None) -> bool:
    """Tell whether two nodes say the same, wherever they stand."""
    if one is None or other is None:
        return one is other
    return (
        (one.kind, one.style, one.value, one.anchor, one.tag)
        == (other.kind, other.style, other.value, other.anchor, other.tag)
        and len(one.items) == len(other.items)
        and all(map(_alike, one.keys, other.keys))
        and all(map(_alike, one.items, other.items))
    )


def strict(
    before: Sequence[str], after: Sequence[str], splice: Splice, frame: Frame, new_frame: Frame | None = None
) -> bool:
    """Tell whether an edit brings in nothing that libyaml reads and other readers refuse.

    That is a comment right behind a bracket, comma or quote; and in brackets a `?` in a plain scalar, or a tab on
    their first line with something behind it, and in front of it anything but a plain scalar.
    """
    start, old, new = splice.at, splice.at + len(splice.removed), splice.at + len(splice.added)
    slips = _slips(after, start, new, new_frame or frame)
    return not slips or slips <= _slips(before, start, old, frame)


def _slips(pieces: Sequence[str], start: int, stop: int, frame: Frame) -> int:
    count = 0
    for at in range(start, min(stop + 1, len(pieces))):
        piece, before = pieces[at], pieces[at - 1][-1:] if at else ""
        count += piece.startswith("#") and before.strip() not in {"", BOM}
        if at < stop and _LIKELY.search(piece):
            count += _slips_in(piece, _tree_of(pieces, at, frame))
    return count


def _slips_in(piece: str, root: Node | None) -> int:
    nodes = [*root.walk()] if root else []
    plain = {node.end for node in nodes if node.kind == "scalar" and not node.style}
    starts, ends = _brackets(nodes)

    def tabbed(at: int, end: int) -> bool:
        if at in plain or piece[end : end + 1] in {"", "\r", "\n", "#"}:
            return False
        near = bisect_right(starts, at) - 1
        return near >= 0 and at < ends[near] and "\n" not in piece[starts[near] : at]

    found = [token for span in _between(piece, nodes) for token in _TOKEN.finditer(piece, *span)]
    slips = sum(bool(one["glued"]) or (bool(one["tab"]) and tabbed(*one.span())) for one in found)
    return slips + sum(map(_asking, nodes))


def _brackets(nodes: Sequence[Node]) -> tuple[list[int], list[int]]:
    """Return where the brackets that stand in no others start, and where they end."""
    starts: list[int] = []
    ends = [0]
    for node in nodes:
        if node.flow and node.end > ends[-1]:
            starts.append(max(node.start, 0))
            ends.append(node.end)
    return starts, ends[1:]


def _asking(node: Node) -> int:
    """Return how many plain scalars with a `?` stand right inside the brackets of a node."""
    held = (*node.keys, *node.items) if node.flow else ()
    return sum(one.kind == "scalar" and not one.style and "?" in one.value for one in held)


def _tree_of(pieces: Sequence[str], at: int, frame: Frame) -> Node | None:
    try:
        if at == 0:
            return tree(pieces[0], "", frame.head_after)
        if at == len(pieces) - 1:
            return tree(pieces[at], frame.tail_before, "")
        return tree(pieces[at], frame.before, frame.after)
    except FormatError:  # further documents, whose text no edit changes
        return None


def _between(text: str, nodes: Sequence[Node]) -> Iterator[tuple[int, int]]:
    """Yield the stretches of a text between its scalars and in the first lines of blocks."""
    at = 0
    for node in nodes:
        if node.kind in {"table", "list"}:
            continue
        yield at, max(node.start, 0)
        if node.style in {"|", ">"} and (header := HEADER.match(text, node.start, node.end)):
            yield header.span()
        at = max(node.end, at)
    yield at, len(text)
