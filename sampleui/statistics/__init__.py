"""Figures of runs, comparisons, attempts, reviewers and graders: pure functions of numbers, standard library only.

The definitions, with their sources, are in `docs/statistics.md`. These hold everywhere:

- What is not defined is None, never 0. A score that is missing is None, never NaN.
- The sample is the unit. Its attempts are averaged first; a sample without a scored attempt is missing.
- Clusters are groups of units that may go right and wrong together, such as the questions about one document. The
  *independent units* are the clusters if any has two units or more, and the units themselves otherwise.
- Intervals are at 95%.
"""

from __future__ import annotations

from typing import NamedTuple

Z_95 = 1.959963984540054
"""The standard normal quantile at 0.975: two sides at 95%."""

TOLERANCE = 1e-9
"""How far apart two numbers may be, relative to the larger of them and to 1, and still be the same."""

LARGEST = 1e140
"""Of numbers beyond this, a sum of squares need not be a number."""


class Interval(NamedTuple):
    """Both ends of an interval."""

    low: float
    high: float


def same_number(first: float, second: float) -> bool:
    """Return whether two numbers differ by no more than rounding: 1e-9·max(1, |first|, |second|)."""
    return abs(second - first) <= TOLERANCE * max(1.0, abs(first), abs(second))
