"""The rate of a run in which every sample was tried once and passed or failed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from sampleui.errors import StatisticsError
from sampleui.statistics.values import Z_95, Interval


class Rate(NamedTuple):
    """How many of how many passed, and the Wilson interval; rate and interval are None where nothing was tried."""

    passed: int
    tried: int
    rate: float | None
    interval: Interval | None


def wilson(passed: int, tried: int) -> Rate:
    """Return a rate with its Wilson score interval (Wilson 1927; recommended by Brown, Cai & DasGupta 2001).

    It is for independent samples of one attempt each: with attempts or clusters, take the mean of `means.py`.

    Raises:
        StatisticsError: the counts are not 0 ≤ passed ≤ tried.
    """
    if not 0 <= passed <= tried:
        raise StatisticsError(f"{passed} of {tried} is not a rate")
    if not tried:
        return Rate(passed, tried, None, None)
    rate = passed / tried
    return Rate(passed, tried, rate, _interval(rate, tried))


def weighted_share(weighted: Sequence[tuple[float, bool]]) -> tuple[float | None, Interval | None]:
    """Return the share that holds of records which stand for so many each, and its interval; None of none.

    The interval is Wilson's for as many records as would tell as much with equal weights: (Σw)²/Σw² (Kish 1965).
    """
    total = math.fsum(weight for weight, _ in weighted)
    if not total:
        return None, None
    share = math.fsum(weight for weight, holds in weighted if holds) / total
    share = 1.0 if all(holds for _, holds in weighted) else share
    return share, _interval(share, total * total / math.fsum(weight * weight for weight, _ in weighted))


def _interval(rate: float, tried: float) -> Interval:
    square = Z_95 * Z_95
    shrunk = 1 + square / tried
    centre = (rate + square / (2 * tried)) / shrunk
    half = Z_95 / shrunk * math.sqrt(rate * (1 - rate) / tried + square / (4 * tried * tried))
    return Interval(0.0 if rate == 0 else centre - half, 1.0 if rate == 1 else centre + half)
