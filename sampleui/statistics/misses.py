"""Wrong passes: what a random sample of a grader's passes says of how many there are, exactly."""

from __future__ import annotations

import math
from bisect import bisect_left
from typing import NamedTuple

from sampleui.errors import StatisticsError
from sampleui.statistics.values import Interval

FEW_MISSES = 5
"""With fewer wrong passes found than this, show these limits and not the bootstrap interval of the TNR."""


class MissLimits(NamedTuple):
    """Limits of how many passes are wrong, and of the true negative rate that follows from each.

    Attributes:
        wrong_passes: the fewest and the most; None without a review.
        lowest_rate: the true negative rate with the most wrong passes; None without a review, or if nothing failed.
        highest_rate: the same with the fewest.
    """

    wrong_passes: tuple[int, int] | None
    lowest_rate: float | None
    highest_rate: float | None


class FailureBounds(NamedTuple):
    """What holds where all of a grader's fails were reviewed and none of its passes.

    Attributes:
        true_negative_rate: the least it can be; None if there is nothing that could have failed.
        pass_rate: between these is the share of records that a person passes; None without records.
    """

    true_negative_rate: float | None
    pass_rate: Interval | None


def miss_limits(passes: int, reviewed: int, wrong: int, true_negatives: int) -> MissLimits:
    """Return exact 95% limits of the wrong passes, and of TNR = true negatives / (true negatives + wrong passes).

    The limits are the least and the most wrong passes M among all passes for which P(X ≥ wrong) and P(X ≤ wrong)
    are both above 0.025, X hypergeometric. They hold with no wrong pass found, too.

    Args:
        passes: all records that the grader passed.
        reviewed: how many of these were reviewed, drawn at random.
        wrong: how many of those a person failed.
        true_negatives: failed by the grader and by a person; all fails of the grader were reviewed.

    Raises:
        StatisticsError: the counts do not fit together.
    """
    if not (0 <= wrong <= reviewed <= passes and true_negatives >= 0):
        raise StatisticsError(f"{wrong} wrong of {reviewed} reviewed of {passes} passes cannot be")
    if not reviewed:
        return MissLimits(None, None, None)
    possible = range(wrong, passes - (reviewed - wrong) + 1)
    # P(X ≥ wrong) grows with M, P(X ≤ wrong) shrinks.
    low = possible[bisect_left(possible, True, key=lambda misses: _above(wrong, misses, passes, reviewed))]
    high = possible[bisect_left(possible, True, key=lambda misses: _too_many(wrong, misses, passes, reviewed)) - 1]
    return MissLimits((low, high), _rate(true_negatives, high), _rate(true_negatives, low))


def bounds_without_passes(true_negatives: int, false_negatives: int, passes: int) -> FailureBounds:
    """Return what holds where all fails of a grader were reviewed and none of its passes was.

    Args:
        true_negatives: failed by the grader and by a person.
        false_negatives: failed by the grader, passed by a person.
        passes: all records that the grader passed.
    """
    failing, records = true_negatives + passes, true_negatives + false_negatives + passes
    return FailureBounds(
        true_negatives / failing if failing else None,
        Interval(false_negatives / records, (false_negatives + passes) / records) if records else None,
    )


def _rate(true_negatives: int, misses: int) -> float | None:
    failing = true_negatives + misses
    return true_negatives / failing if failing else None


def _above(wrong: int, misses: int, passes: int, reviewed: int) -> bool:
    """Return whether P(X ≥ wrong) > 0.025."""
    every = math.comb(passes, reviewed)
    return 40 * (every - _ways(wrong - 1, misses, passes, reviewed)) > every


def _too_many(wrong: int, misses: int, passes: int, reviewed: int) -> bool:
    """Return whether P(X ≤ wrong) ≤ 0.025."""
    return 40 * _ways(wrong, misses, passes, reviewed) <= math.comb(passes, reviewed)


def _ways(most: int, misses: int, passes: int, reviewed: int) -> int:
    """Return in how many ways a sample of the passes has no more than `most` of the wrong ones in it."""
    good = passes - misses
    fewest = max(0, reviewed - good)
    if most < fewest:
        return 0
    ways = total = math.comb(misses, fewest) * math.comb(good, reviewed - fewest)
    for found in range(fewest, most):
        ways = ways * (misses - found) * (reviewed - found) // ((found + 1) * (good - reviewed + found + 1))
        total += ways
    return total
