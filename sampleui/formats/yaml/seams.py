"""The proof that the pieces of a file join after an edit, as strictly as the strictest readers read them.

Reading a piece by itself does not show what the text after it does to it: a deeply indented comment becomes part of
the block scalar before it, and a missing comma is an error only if another item follows. So a piece is read once
more with the blank lines and comments of the next one after it, and must mean the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sampleui.errors import FormatError
from sampleui.formats.document import Splice
from sampleui.formats.yaml.nodes import layout
from sampleui.formats.yaml.nodes.compose import compose_piece
from sampleui.formats.yaml.nodes.node import Node
from sampleui.formats.yaml.pieces import Frame, tree
from sampleui.formats.yaml.splitting import BOM


@dataclass(frozen=True, slots=True)
class _Seam:
    """A piece and what is read after it: the blank lines and comments of the next, then whatever ends it."""

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
            if (alone := compose_piece(head)) is None:
                return True
            joined = compose_piece(head + seam.behind)
            return joined is not None and _alike(alone, joined)
        alone = tree(seam.piece, frame.before, frame.after)
        joined = tree(seam.piece + seam.behind, frame.before, "")
    except FormatError:
        return False
    if alone is None or joined is None or len(joined.items) != seam.items:
        return False
    return _alike(alone.items[0], joined.items[0])


def _alike(one: Node, other: Node) -> bool:
    """Tell whether two nodes say the same, wherever they stand."""
    return (
        (one.kind, one.style, one.value, one.anchor, one.tag)
        == (other.kind, other.style, other.value, other.anchor, other.tag)
        and len(one.items) == len(other.items)
        and all(map(_alike, one.keys, other.keys))
        and all(map(_alike, one.items, other.items))
    )
