"""What all figures share: quantiles of the normal distribution, intervals, and when two numbers are the same."""

from __future__ import annotations

import math
from collections.abc import Sequence

from sampleui.errors import StatisticsError
from sampleui.values import NamedTuple

Z_95 = 1.959963984540054
"""The standard normal quantile at 0.975: two sides at 95%."""

Z_80 = 0.8416212335729143
"""The standard normal quantile at 0.80: a power of 80%."""

TOLERANCE = 1e-9
"""How far apart two numbers may be, relative to the larger of them and to 1, and still be the same."""

LARGEST = 1e140
"""Of numbers beyond this, a sum of squares need not be a number."""


class Interval(NamedTuple):
    """Both ends of an interval."""

    low: float
    high: float


def same(first: float, second: float) -> bool:
    """Return whether two numbers differ by no more than rounding: 1e-9·max(1, |first|, |second|)."""
    return abs(second - first) <= TOLERANCE * max(1.0, abs(first), abs(second))


def finite(score: float) -> float:
    """Return a score as a float.

    Raises:
        StatisticsError: it is NaN, infinite, or too large for sums of squares.
    """
    if not abs(score) <= LARGEST:
        raise StatisticsError(f"{score} is not a score: scores are finite numbers up to {LARGEST:g}")
    return float(score)


def mean_of(values: Sequence[float]) -> float | None:
    """Return the mean of numbers, None if there are none."""
    return math.fsum(values) / len(values) if values else None
