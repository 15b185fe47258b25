"""The percentile bootstrap, to the last digit: which resamples are drawn, and which percentiles are taken of them.

Python's generator is the Mersenne Twister MT19937, seeded by `init_by_array([seed])`; its uniforms have 53 bits,
and `choices` takes the index ⌊uniform·count⌋. So the draws are those of any program that does the same.
"""

from __future__ import annotations

from random import Random

from sampleui.statistics.units import Units
from sampleui.statistics.values import Interval

RESAMPLES = 10_000


def mean_interval(units: Units, seed: int = 0) -> Interval:
    """Return the bootstrap interval of a mean, from resamples that draw as many units as there are.

    The mean of a resample is the sum of the drawn units' totals by the sum of their sizes. With few units the
    interval is too short: of normal values it holds the true mean in 84% of cases at 5 units, 90% at 10, 93% at 29.
    """
    choices, count = Random(seed).choices, units.count
    if not units.clustered:
        return percentile_interval([sum(choices(units.totals, k=count)) / count for _ in range(RESAMPLES)])
    means = []
    indices = range(count)
    for _ in range(RESAMPLES):
        drawn = choices(indices, k=count)
        means.append(sum([units.totals[index] for index in drawn]) / sum([units.sizes[index] for index in drawn]))
    return percentile_interval(means)


def percentile_interval(replicates: list[float]) -> Interval:
    """Return the 2.5th and the 97.5th percentile."""
    ordered = sorted(replicates)
    return Interval(percentile(ordered, 0.025), percentile(ordered, 0.975))


def percentile(ordered: list[float], share: float) -> float:
    """Return the value below which a share of sorted values lies, between two of them by their distance.

    This is type 7 of Hyndman & Fan (1996), the default of R and NumPy.
    """
    position = (len(ordered) - 1) * share
    index = int(position)
    if index + 1 == len(ordered):
        return ordered[index]
    return ordered[index] + (position - index) * (ordered[index + 1] - ordered[index])
