"""The rate of a run in which every sample was tried once and passed or failed."""

from __future__ import annotations

import math
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
        raise StatisticsError(f"{passed} of {tried} is no rate")
    if not tried:
        return Rate(passed, tried, None, None)
    rate, square = passed / tried, Z_95 * Z_95
    shrunk = 1 + square / tried
    centre = (rate + square / (2 * tried)) / shrunk
    half = Z_95 / shrunk * math.sqrt(rate * (1 - rate) / tried + square / (4 * tried * tried))
    low = 0.0 if passed == 0 else centre - half
    high = 1.0 if passed == tried else centre + half
    return Rate(passed, tried, rate, Interval(low, high))
