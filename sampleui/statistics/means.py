"""Means and rates, with standard errors and intervals: over samples, or clusters of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal, NamedTuple

from sampleui.statistics import TOLERANCE, Interval
from sampleui.statistics.beta import beta_quantile, t_quantile
from sampleui.statistics.units import Sums

VERY_FEW_UNITS = 5
"""Below so many independent units an interval holds and is so wide that a reader should be told why."""

_LOW, _HIGH = 0.025, 0.975
_ROUNDING = 1e-12

_ADDED = 0.5
"""The share of a unit that an interval takes to have come out at each end, beside those that did."""

IntervalMethod = Literal["ends", "t"]


class Measure(NamedTuple):
    """A rate or a mean over samples, and how sure it is.

    Attributes:
        n: samples that count, each with each of its targets.
        missing: those without a single attempt that counts; they are not counted as 0.
        units: independent units: clusters if some have two samples or more, else samples.
        value: None if no sample counts.
        standard_error: None with fewer than two units; 0 says that no variation was seen, not that there is none.
        interval: at 95%; None without values, and beyond 0 to 1 where the standard error is.
        method: how the interval came about: `ends` where every value is from 0 to 1, else `t`.
        lopsided: whether one cluster has over a third of all samples, which the interval does not allow for.
    """

    n: int = 0
    missing: int = 0
    units: int = 0
    value: float | None = None
    standard_error: float | None = None
    interval: Interval | None = None
    method: IntervalMethod | None = None
    lopsided: bool = False

    @property
    def very_few(self) -> bool:
        """Whether there are so few units that the interval is wide."""
        return 0 < self.units < VERY_FEW_UNITS


def standard_error(sums: Sums) -> float | None:
    """Return the standard error of a mean over clusters, or over values each alone.

    (1/n)·√(C/(C-1)·Σ(Σ(x - mean))²), the inner sum over the values of a cluster, the outer over the C clusters.
    With one value in each cluster that is the usual √(Σ(x - mean)²/(n(n-1))). Clusters of evals: Miller 2024, arXiv
    2411.00640; the factor C/(C-1) as in Cameron & Miller 2015 for a model that is a constant alone. What is no more
    than rounding is 0.
    """
    mean, count = sums.mean, sums.units
    if mean is None or count < 2:
        return None
    error = math.sqrt(count / (count - 1) * sums.squares_from(mean)) / sums.values
    return 0.0 if error <= _ROUNDING * max(1.0, abs(mean)) else error


def interval_of(sums: Sums, *, bounded: bool) -> tuple[Interval, IntervalMethod] | tuple[None, None]:
    """Return the 95% interval of a mean and how it was made.

    Args:
        sums: of its units.
        bounded: whether every value is from 0 to 1; else the interval is that of Student's t.
    """
    mean = sums.mean
    if mean is None:
        return None, None
    if bounded:
        return _between_ends(sums, mean), "ends"
    error = standard_error(sums)
    if error is None:
        return None, None
    reach = t_quantile(_HIGH, sums.units - 1) * error
    return Interval(mean - reach, mean + reach), "t"


def _between_ends(sums: Sums, mean: float) -> Interval:
    """Return the interval of a mean as if half of a unit more had come out at 0, and half of one at 1.

    It is that of a beta distribution with the first two moments of the mean's posterior by the Bayesian bootstrap
    (Rubin 1981) with that prior; of passes and failures each alone it is Jeffreys' (Brown, Cai & DasGupta 2001).
    """
    size = sums.values / sums.units
    ends = _ADDED * size
    moved = (sums.total + ends) / (sums.values + 2 * ends)
    units = sums.units + 2 * _ADDED
    squares = sums.squares_from(moved) / (size * size)
    variance = (squares + _ADDED * (moved * moved + (1 - moved) ** 2)) / (units * (units + 1))
    weight = moved * (1 - moved) / variance - 1
    low, high = (beta_quantile(share, moved * weight, (1 - moved) * weight) for share in (_LOW, _HIGH))
    return Interval(
        0.0 if sums.total <= 0 else min(low, mean),
        1.0 if sums.total >= sums.values else max(high, mean),
    )


def difference_interval(sums: Sums, *, furthest: float, bounded: bool) -> Interval | None:
    """Return the 95% interval of a mean difference, as if one unit more had come out at each end of what was seen.

    It is [0, 0] where no difference was seen of values that have no ends.

    Args:
        sums: of the differences.
        furthest: the largest mean difference of any unit, without its sign.
        bounded: whether every score of both runs is from 0 to 1, so that differences are from -1 to 1.
    """
    if not sums.units:
        return None
    size = sums.values / sums.units
    end = 1.0 if bounded and furthest <= TOLERANCE else furthest
    moved = sums.total / (sums.values + 2 * size)
    units = sums.units + 2
    squares = sums.squares_from(moved) / (size * size) + (end - moved) ** 2 + (end + moved) ** 2
    reach = t_quantile(_HIGH, max(sums.units - 1, 1)) * math.sqrt(squares / (units * (units - 1)))
    low, high = moved - reach, moved + reach
    return Interval(max(low, -1.0), min(high, 1.0)) if bounded else Interval(low, high)


def summarize(sums: Sums, missing: int = 0, *, bounded: bool) -> Measure:
    """Return the figures of a mean over units; `bounded` says that every value is from 0 to 1."""
    interval, method = interval_of(sums, bounded=bounded)
    error = standard_error(sums)
    return Measure(sums.values, missing, sums.units, sums.mean, error, interval, method, sums.lopsided)


def share_interval(share: float, tried: float) -> Interval:
    """Return Jeffreys' interval of a share of so many independent records, which may be as much as a fraction."""
    passed = share * tried
    low, high = (beta_quantile(end, passed + 0.5, tried - passed + 0.5) for end in (_LOW, _HIGH))
    return Interval(0.0 if share == 0 else low, 1.0 if share == 1 else high)


def weighted_share(weighted: Sequence[tuple[float, bool]]) -> tuple[float | None, Interval | None]:
    """Return the weighted share of records for which something holds, and its interval; None without records.

    The interval is Jeffreys' for as many records as would tell as much with equal weights: (Σw)²/Σw² (Kish 1965).
    """
    total = math.fsum(weight for weight, _ in weighted)
    if not total:
        return None, None
    share = math.fsum(weight for weight, holds in weighted if holds) / total
    share = 1.0 if all(holds for _, holds in weighted) else share
    return share, share_interval(share, total * total / math.fsum(weight * weight for weight, _ in weighted))
