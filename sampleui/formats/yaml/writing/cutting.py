"""Splices of samples, cut where a reader of the whole file would cut."""

from __future__ import annotations

from collections.abc import Sequence

from sampleui.errors import FormatError
from sampleui.formats.document import Splice
from sampleui.formats.yaml.nodes import layout
from sampleui.formats.yaml.pieces import Frame, rejoined


def headed(pieces: Sequence[str], frame: Frame, splice: Splice) -> Splice:
    """Return a splice with the comments that are now above all samples in the head."""
    head, first = pieces[0], splice.added[0]
    if splice.at != 1 or frame.flow or not layout.line_start(first, layout.skip(first, 0)):
        return splice
    try:
        above, chunk, *rest = frame.split(head + first)
    except FormatError:
        return splice
    added = (above, "".join((chunk, *rest)), *splice.added[1:])
    return splice if above == head else Splice(0, (head, *splice.removed), added)


def recut(pieces: Sequence[str], frame: Frame, splice: Splice) -> Splice:
    """Return a splice with the sample after it, which may get comments of what it moved."""
    end = splice.at + len(splice.removed)
    more = tuple(pieces[end : end + 1]) if end < len(pieces) - 1 else ()
    last = end == len(pieces)
    body, tail = (splice.added[:-1], splice.added[-1]) if last else ((*splice.added, *more), "")
    text = "".join(body)
    try:
        *cut, behind = rejoined(text, frame, last) if splice.at else frame.split(text)
    except FormatError:
        return splice
    if len(cut) != len(body):
        return splice
    added = (*cut, behind + tail) if last else (*cut[:-1], cut[-1] + behind)
    return splice if added == (*splice.added, *more) else Splice(splice.at, (*splice.removed, *more), added)
