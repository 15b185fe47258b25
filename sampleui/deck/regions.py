"""Where two lists of pieces differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sampleui.text.edit import shared_end, shared_start


@dataclass(frozen=True, slots=True)
class Region:
    """Pieces `before` of the old text that became pieces `after` of the new; either range may be empty."""

    before: range
    after: range


def changed_regions(old: Sequence[str], new: Sequence[str]) -> list[Region]:
    """Return the regions in which two lists of texts differ, in order. All outside them is identical."""
    from difflib import SequenceMatcher

    outer = outer_region(old, new)
    i, j = outer.before, outer.after
    matcher = SequenceMatcher(None, old[i.start : i.stop], new[j.start : j.stop])
    return [
        Region(range(i.start + i1, i.start + i2), range(j.start + j1, j.start + j2))
        for tag, i1, i2, j1, j2 in matcher.get_opcodes()
        if tag != "equal"
    ]


def outer_region(old: Sequence[str], new: Sequence[str]) -> Region:
    """Return the one region from the first to the last difference, empty where there is none."""
    head = shared_start(old, new)
    tail = shared_end(old[head:], new[head:])
    return Region(range(head, len(old) - tail), range(head, len(new) - tail))
