"""Means and rates, with standard errors and intervals: over samples, or clusters of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal, NamedTuple

from sampleui.statistics import Interval
from sampleui.statistics.beta import beta_quantile, t_quantile
from sampleui.statistics.units import Sums

VERY_FEW_UNITS = 5
"""Below so many independent units an interval holds and is so wide that a reader should be told why."""

_LOW, _HIGH = 0.025, 0.975
_ROUNDING = 1e-12

IntervalMethod = Literal["ends", "t"]


class Scale(NamedTuple):
    """A scale that no value is beyond.

    Attributes:
        low: its lower end.
        high: its upper end.
        added: the share of a unit that an interval takes to have come out at each end, beside those that did.
    """

    low: float
    high: float
    added: float


UNIT_SCALE = Scale(0.0, 1.0, 0.5)
"""Of rates, and of scores from 0 to 1."""

DIFFERENCE_SCALE = Scale(-1.0, 1.0, 1.0)
"""Of differences between such scores."""


class MeanSummary(NamedTuple):
    """A mean over samples.

    Attributes:
        n: values that count.
        missing: values that are missing, and not counted as 0.
        units: independent units: clusters if some have two values or more, else values.
        mean: None without values.
        standard_error: None with fewer than two units; 0 says that no variation was seen, not that there is none.
        interval: at 95%; None without values, and on a scale without ends where the standard error is.
        interval_method: `ends` on a scale with ends, `t` on one without.
    """

    n: int
    missing: int
    units: int
    mean: float | None
    standard_error: float | None
    interval: Interval | None
    interval_method: IntervalMethod | None


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


def interval_of(sums: Sums, scale: Scale | None) -> tuple[Interval, IntervalMethod] | tuple[None, None]:
    """Return the 95% interval of a mean and how it was made.

    Args:
        sums: of its units.
        scale: that of its values; without one the interval is that of Student's t.
    """
    mean = sums.mean
    if mean is None:
        return None, None
    if scale is not None:
        return _between_ends(sums, mean, scale), "ends"
    error = standard_error(sums)
    if error is None:
        return None, None
    reach = t_quantile(_HIGH, sums.units - 1) * error
    return Interval(mean - reach, mean + reach), "t"


def _between_ends(sums: Sums, mean: float, scale: Scale) -> Interval:
    """Return the interval of a mean as if some of a unit more had come out at each end of its scale.

    It is that of a beta distribution with the first two moments of the mean's posterior by the Bayesian bootstrap
    (Rubin 1981) with that prior; of passes and failures each alone it is Jeffreys' (Brown, Cai & DasGupta 2001).
    """
    low, high, added = scale
    width = high - low
    size = sums.values / sums.units
    ends = added * size
    total = (sums.total - low * sums.values) / width
    moved = (total + ends) / (sums.values + 2 * ends)
    units = sums.units + 2 * added
    squares = sums.squares_from(low + moved * width) / (width * width * size * size)
    variance = (squares + added * (moved * moved + (1 - moved) ** 2)) / (units * (units + 1))
    weight = moved * (1 - moved) / variance - 1
    first, second = (
        low + width * beta_quantile(share, moved * weight, (1 - moved) * weight) for share in (_LOW, _HIGH)
    )
    return Interval(
        low if total <= 0 else min(first, mean),
        high if total >= sums.values else max(second, mean),
    )


def summarize(sums: Sums, scale: Scale | None, missing: int = 0) -> MeanSummary:
    """Return the figures of a mean over units, of values on a scale or on none that is known."""
    return MeanSummary(sums.values, missing, sums.units, sums.mean, standard_error(sums), *interval_of(sums, scale))


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
