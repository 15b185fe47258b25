"""How far people agree who labelled the same items. Show agreement, coefficient and counts of labels together.

A label that is rare makes both coefficients low though nearly all labels are equal.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple, TypeVar

RaterLabel = TypeVar("RaterLabel", bound=Hashable)


class Kappa(NamedTuple):
    """Two raters on the items that both labelled.

    Attributes:
        n: these items.
        agreement: the share with equal labels; None without items.
        kappa: 1 is perfect agreement, 0 what chance would give, below 0 worse than that. None without items, and if
            both used one and the same label only, for that says nothing about skill.
        first: how often the first rater used each label, in order of appearance.
        second: the same of the second rater.
    """

    n: int
    agreement: float | None
    kappa: float | None
    first: tuple[tuple[Hashable, int], ...]
    second: tuple[tuple[Hashable, int], ...]


class Alpha(NamedTuple):
    """Any number of raters on the items that have two labels or more.

    Attributes:
        items: these items.
        values: labels of these items.
        agreement: the share of pairs of labels of an item that are equal, averaged over items; None without items.
        alpha: 1 is perfect agreement, 0 what chance would give, below 0 worse than that. None without items, and if
            only one label occurs.
        labels: how often each label was used, in order of appearance.
    """

    items: int
    values: int
    agreement: float | None
    alpha: float | None
    labels: tuple[tuple[Hashable, int], ...]


def cohen_kappa(pairs: Iterable[tuple[RaterLabel | None, RaterLabel | None]]) -> Kappa:
    """Return Cohen's kappa (1960): (observed - expected) / (1 - expected), expected by each rater's shares of
    labels.

    Args:
        pairs: for each item the labels of both raters, None where there is none.
    """
    both = [(first, second) for first, second in pairs if first is not None and second is not None]
    first, second = Counter(label for label, _ in both), Counter(label for _, label in both)
    n = len(both)
    equal = sum(1 for mine, theirs in both if mine == theirs)
    by_chance = sum(count * second[label] for label, count in first.items())
    kappa = None if by_chance == n * n else (equal * n - by_chance) / (n * n - by_chance)
    return Kappa(n, equal / n if n else None, kappa, tuple(first.items()), tuple(second.items()))


def krippendorff_alpha(items: Iterable[Sequence[RaterLabel | None]]) -> Alpha:
    """Return Krippendorff's alpha for nominal labels (2011): 1 - observed/expected disagreement.

    Args:
        items: the labels of each item, one for each rater, None where a rater has none.
    """
    rated = [[label for label in item if label is not None] for item in items]
    counted = [Counter(labels) for labels in rated if len(labels) > 1]
    every: Counter[RaterLabel] = Counter()
    for counts in counted:
        every.update(counts)
    values = every.total()
    expected = _unequal_pairs(every)
    if not counted:
        return Alpha(0, 0, None, None, ())
    # Each item: the share of unequal pairs, and its labels times that, which is what it adds to the disagreement.
    shares = [_unequal_pairs(counts) / (counts.total() * (counts.total() - 1)) for counts in counted]
    observed = math.fsum(share * counts.total() for share, counts in zip(shares, counted, strict=True))
    agreement = math.fsum(1 - share for share in shares) / len(shares)
    alpha = 1 - observed * (values - 1) / expected if expected else None
    return Alpha(len(counted), values, agreement, alpha, tuple(every.items()))


def _unequal_pairs(counts: Counter[RaterLabel]) -> int:
    """Return how many ordered pairs of different labels there are among labels."""
    return counts.total() ** 2 - sum(count * count for count in counts.values())
