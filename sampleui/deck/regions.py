"""Where two lists of pieces differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher


@dataclass(frozen=True, slots=True)
class Region:
    """Pieces `before` of the old text that became pieces `after` of the new; either range may be empty."""

    before: range
    after: range


def changed_regions(old: Sequence[str], new: Sequence[str]) -> list[Region]:
    """Return the regions in which two lists of texts differ, in order. All outside them is identical."""
    head = _shared(old, new)
    tail = _shared(old[head:][::-1], new[head:][::-1])
    matcher = SequenceMatcher(None, old[head : len(old) - tail], new[head : len(new) - tail])
    return [
        Region(range(head + i1, head + i2), range(head + j1, head + j2))
        for tag, i1, i2, j1, j2 in matcher.get_opcodes()
        if tag != "equal"
    ]


def _shared(old: Sequence[str], new: Sequence[str]) -> int:
    for count, (one, other) in enumerate(zip(old, new, strict=False)):
        if one != other:
            return count
    return min(len(old), len(new))
