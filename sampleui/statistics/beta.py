"""Quantiles of the beta distribution and of Student's t, from the standard library alone."""

from __future__ import annotations

import math
from functools import lru_cache
from statistics import NormalDist

_LAST_STEP = 1e-9
"""A step so small, relative to the value, is the last: the error left is of the size of its square."""

_LAST_FACTOR = 1e-15

_TINY = 1e-300
_MAX_TERMS = 20_000
_MAX_STEPS = 200

_LARGE = 1e5
"""From such parameters on a beta distribution is so close to a normal one that an expansion gives its quantiles."""

_MANY_DEGREES = 1_000
"""From so many degrees of freedom on an expansion gives the quantiles of Student's t."""


@lru_cache(maxsize=1024)  # where many groups are small, many are alike
def beta_quantile(probability: float, a: float, b: float) -> float:
    """Return the value below which a beta distribution has a probability, to 1e-12 and better.

    Args:
        probability: between 0 and 1, both left out.
        a: its first parameter, above 0: the mean is a/(a + b).
        b: its second, above 0.
    """
    if min(a, b) >= _LARGE:
        return _nearly_normal(probability, a, b)
    low, high = 0.0, 1.0
    mean = a / (a + b)
    nearly = mean + NormalDist().inv_cdf(probability) * math.sqrt(mean * (1 - mean) / (a + b + 1))
    value = nearly if 0.1 * mean < nearly < 1 - 0.1 * (1 - mean) else mean
    logarithm = _log_beta(a, b)
    for _ in range(_MAX_STEPS):
        excess = beta_probability(value, a, b) - probability
        low, high = (low, value) if excess > 0 else (value, high)
        # Newton's step, or half of what is left where that would leave it.
        density = math.exp((a - 1) * math.log(value) + (b - 1) * math.log1p(-value) - logarithm)
        stepped = value - excess / density if density > 0 else low
        if not low < stepped < high:
            stepped = (low + high) / 2
            if not low < stepped < high:
                break
        elif abs(stepped - value) <= _LAST_STEP * min(value, 1 - value):
            return stepped
        value = stepped
    return value


def beta_probability(value: float, a: float, b: float) -> float:
    """Return the probability of a beta distribution below a value: the regularized incomplete beta function.

    By its continued fraction on the side of the mean where that converges fast (DLMF 8.17.22).
    """
    if not 0 < value < 1:
        return 0.0 if value <= 0 else 1.0
    front = math.exp(a * math.log(value) + b * math.log1p(-value) - _log_beta(a, b))
    if value < (a + 1) / (a + b + 2):
        return front * _continued_fraction(value, a, b) / a
    return 1 - front * _continued_fraction(1 - value, b, a) / b


def _continued_fraction(value: float, a: float, b: float) -> float:
    """Return the continued fraction of the incomplete beta function, by Lentz's method."""
    ratio = 1.0
    inverse = 1 / _off_zero(1 - (a + b) * value / (a + 1))
    result = inverse
    for index in range(1, _MAX_TERMS):
        twice = a + 2 * index
        for term in (
            index * (b - index) * value / ((twice - 1) * twice),
            -(a + index) * (a + b + index) * value / (twice * (twice + 1)),
        ):
            inverse = 1 / _off_zero(1 + term * inverse)
            ratio = _off_zero(1 + term / ratio)
            change = ratio * inverse
            result *= change
        if abs(change - 1) <= _LAST_FACTOR:
            break
    return result


def _off_zero(value: float) -> float:
    return value if abs(value) > _TINY else _TINY


def _log_beta(a: float, b: float) -> float:
    return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)


def _nearly_normal(probability: float, a: float, b: float) -> float:
    """Return the quantile by the expansion of Cornish & Fisher (1938), to the fourth cumulant."""
    z = NormalDist().inv_cdf(probability)
    both = a + b
    deviation = math.sqrt(a / both * (b / both) / (both + 1))
    skewness = 2 * (b - a) * math.sqrt(both + 1) / ((both + 2) * math.sqrt(a) * math.sqrt(b))
    # In fractions of a + b, so that no product of parameters is too large for a number.
    first, second = a / both, b / both
    excess = 6 * ((first - second) ** 2 * (1 + 1 / both) - first * second * (1 + 2 / both))
    excess /= first * second * (both + 2) * (1 + 3 / both)
    shifted = (
        z
        + skewness * (z * z - 1) / 6
        + excess * (z**3 - 3 * z) / 24
        - skewness * skewness * (2 * z**3 - 5 * z) / 36
    )
    return first + deviation * shifted


@lru_cache(maxsize=1024)
def t_quantile(probability: float, degrees: int) -> float:
    """Return the value below which Student's t with some degrees of freedom has a probability of ½ or more."""
    if degrees >= _MANY_DEGREES:  # Abramowitz & Stegun 26.7.5
        z = NormalDist().inv_cdf(probability)
        terms = (
            z,
            (z**3 + z) / 4,
            (5 * z**5 + 16 * z**3 + 3 * z) / 96,
            (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
            (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
        )
        return sum(term / float(degrees) ** power for power, term in enumerate(terms))
    share = beta_quantile(2 * probability - 1, 0.5, degrees / 2)
    return math.sqrt(degrees * share / (1 - share))
