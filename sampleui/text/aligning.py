"""Two sequences beside each other: where they are equal, where they differ, which items face each other.

Everything that compares two texts, two files or two runs of calls step by step asks here.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Container, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import NamedTuple, TypeVar

from sampleui.text.limits import MAX_ALIGNED_CALLS
from sampleui.text.position import shared_end, shared_start

_Item = TypeVar("_Item")


class AlignedStretch(NamedTuple):
    """Items `before` of one sequence beside items `after` of another: all equal, or such as differ."""

    equal: bool
    before: range
    after: range


def stretches(old: Sequence[str], new: Sequence[str], *, quick: bool = False) -> Iterator[AlignedStretch]:
    """Yield the stretches of two sequences in order, of which at least the longest are equal.

    Args:
        old: one sequence.
        new: the other.
        quick: whether items that stand in the other very often begin no equal stretch, if it is long.
    """
    for step, first, last, begin, end in SequenceMatcher(None, old, new, autojunk=quick).get_opcodes():
        yield AlignedStretch(step == "equal", range(first, last), range(begin, end))


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


def by_piece(regions: Sequence[Region]) -> Iterator[Region]:
    """Yield regions piece by piece where as many pieces came as went: each of these is a sample."""
    for region in regions:
        if len(region.before) == len(region.after) > 1:
            pairs = zip(region.before, region.after, strict=True)
            yield from (Region(range(old, old + 1), range(new, new + 1)) for old, new in pairs)
        else:
            yield region


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
    indexes = {new[index]: index for index in after}
    once = (number for number in before if counts[old[number]] == others[old[number]] == 1)
    pairs = [(index, indexes[old[index]]) for index in once if old[index] not in moved]
    return increasing(pairs)


def increasing(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the longest run of pairs whose second numbers grow, as their first ones do."""
    ends: list[int] = []
    last: list[int] = []
    before: list[int] = []
    for index, (_, position) in enumerate(pairs):
        depth = bisect_left(ends, position)
        ends[depth : depth + 1] = [position]
        last[depth : depth + 1] = [index]
        before.append(last[depth - 1] if depth else -1)
    chain: list[tuple[int, int]] = []
    index = last[-1] if last else -1
    while index >= 0:
        chain.append(pairs[index])
        index = before[index]
    return chain[::-1]


def _between(old: Sequence[str], before: range, new: Sequence[str], after: range) -> Iterator[Region]:
    for stretch in stretches(old[before.start : before.stop], new[after.start : after.stop], quick=True):
        if not stretch.equal:
            yield Region(shifted_range(stretch.before, before.start), shifted_range(stretch.after, after.start))


def shifted_range(span: range, by: int) -> range:
    """Return a range whose start and end are moved by a distance."""
    return range(span.start + by, span.stop + by)


_GAP = 2
"""What an item without a partner costs, where equal items cost 0 and such as may face each other 1."""

_BOTH, _SKIP_LEFT, _SKIP_RIGHT = range(3)

Facing = tuple[int | None, int | None]
"""The places of two items that face each other, None for none."""


def facing(left: Sequence[_Item], right: Sequence[_Item], may_face: Callable[[_Item, _Item], bool]) -> list[Facing]:
    """Return which items of two sequences face each other, so that few are alone and few that face are unequal.

    Beyond `MAX_ALIGNED_CALLS` pairs, what is between an equal beginning and an equal end faces by its place.

    Args:
        left: one sequence.
        right: the other.
        may_face: whether two unequal items may face each other.
    """
    head = shared_start(left, right)
    tail = shared_end(left[head:], right[head:])
    between = _steps(left[head : len(left) - tail], right[head : len(right) - tail], may_face)
    return [
        *((index, index) for index in range(head)),
        *((_shifted(mine, head), _shifted(other, head)) for mine, other in between),
        *((len(left) - index, len(right) - index) for index in range(tail, 0, -1)),
    ]


def _shifted(index: int | None, by: int) -> int | None:
    return None if index is None else index + by


def _steps(left: Sequence[_Item], right: Sequence[_Item], may_face: Callable[[_Item, _Item], bool]) -> list[Facing]:
    """Return the cheapest alignment (Needleman and Wunsch)."""
    if (len(left) + 1) * (len(right) + 1) > MAX_ALIGNED_CALLS:
        return [*zip_longest(range(len(left)), range(len(right)))]
    moves = _moves(left, right, may_face)
    steps: list[Facing] = []
    i, j = 0, 0
    while i < len(left) or j < len(right):
        move = moves[i][j]
        steps.append((None if move == _SKIP_LEFT else i, None if move == _SKIP_RIGHT else j))
        if move != _SKIP_LEFT:
            i += 1
        if move != _SKIP_RIGHT:
            j += 1
    return steps


def _moves(
    left: Sequence[_Item], right: Sequence[_Item], may_face: Callable[[_Item, _Item], bool]
) -> list[bytearray]:
    """Return the best move at each pair of places, found from the end so that the alignment reads forward."""
    width = len(right)
    below = [(width - j) * _GAP for j in range(width + 1)]
    moves = [bytearray(width + 1) for _ in left] + [bytearray([_SKIP_LEFT] * (width + 1))]
    for i in range(len(left) - 1, -1, -1):
        item, row = left[i], moves[i]
        current = [below[width] + _GAP] * (width + 1)
        row[width] = _SKIP_RIGHT
        for j in range(width - 1, -1, -1):
            best, move = current[j + 1] + _GAP, _SKIP_LEFT
            if below[j] + _GAP < best:
                best, move = below[j] + _GAP, _SKIP_RIGHT
            if may_face(item, right[j]):
                cost = below[j + 1] + (0 if item == right[j] else 1)
                if cost <= best:
                    best, move = cost, _BOTH
            current[j], row[j] = best, move
        below = current
    return moves
