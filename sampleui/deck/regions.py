"""The stretches in which two lists of pieces differ."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Container, Iterator, Sequence

from sampleui.text.position import shared_end, shared_start
from sampleui.values import NamedTuple


class Region(NamedTuple):
    """Pieces `before` of the old text that became pieces `after` of the new; either range may be empty."""

    before: range
    after: range


def changed_regions(old: Sequence[str], new: Sequence[str], moved: Container[str] = ()) -> list[Region]:
    """Return the regions in which two lists of texts differ, in order. All outside them is identical.

    Where two texts change places either may be the one that moved: it is the one that is among the `moved`.
    """
    outer = outer_region(old, new)
    regions: list[Region] = []
    i, j = outer.before.start, outer.after.start
    anchors = _anchors(old, outer.before, new, outer.after, moved)
    for anchor, other in (*anchors, (outer.before.stop, outer.after.stop)):
        if anchor > i or other > j:
            regions += _between(old, range(i, anchor), new, range(j, other))
        i, j = anchor + 1, other + 1
    return regions


def outer_region(old: Sequence[str], new: Sequence[str]) -> Region:
    """Return the one region from the first to the last difference, empty if there is none."""
    head = shared_start(old, new)
    tail = shared_end(old[head:], new[head:])
    return Region(range(head, len(old) - tail), range(head, len(new) - tail))


def _anchors(
    old: Sequence[str], before: range, new: Sequence[str], after: range, moved: Container[str]
) -> list[tuple[int, int]]:
    """Return places of pieces that both sides have once and in the same order: as many as there are.

    Between them little is left to compare, so that many changes all over a deck cost what they are long, and not
    what they are long times the deck (Bram Cohen's patience diff).
    """
    counts, others = Counter(old[index] for index in before), Counter(new[index] for index in after)
    places = {new[index]: index for index in after}
    once = (number for number in before if counts[old[number]] == others[old[number]] == 1)
    pairs = [(place, places[old[place]]) for place in once if old[place] not in moved]
    return _increasing(pairs)


def _increasing(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the longest run of pairs whose second numbers grow, as their first ones do."""
    ends: list[int] = []
    last: list[int] = []
    before: list[int] = []
    for index, (_, place) in enumerate(pairs):
        depth = bisect_left(ends, place)
        ends[depth : depth + 1] = [place]
        last[depth : depth + 1] = [index]
        before.append(last[depth - 1] if depth else -1)
    chain: list[tuple[int, int]] = []
    index = last[-1] if last else -1
    while index >= 0:
        chain.append(pairs[index])
        index = before[index]
    return chain[::-1]


def _between(old: Sequence[str], before: range, new: Sequence[str], after: range) -> Iterator[Region]:
    from difflib import SequenceMatcher

    matcher = SequenceMatcher(None, old[before.start : before.stop], new[after.start : after.stop])
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag != "equal":
            yield Region(_moved(range(i1, i2), before.start), _moved(range(j1, j2), after.start))


def _moved(span: range, by: int) -> range:
    return range(span.start + by, span.stop + by)
