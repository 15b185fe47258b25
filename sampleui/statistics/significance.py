"""Whether a difference may be chance: p-values, corrected for several tests, and what could have been seen."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import repeat, starmap
from random import Random
from typing import Literal, NamedTuple

from sampleui.errors import StatisticsError
from sampleui.statistics.means import MANY_UNITS, RESAMPLES, standard_error
from sampleui.statistics.units import Units
from sampleui.statistics.values import TOLERANCE, Z_80, Z_95

MOST_EXACT_UNITS = 16
"""Up to so many units all patterns of signs are tried; with more, a sample of them."""

PMethod = Literal["mcnemar", "no-variation", "normal", "sign-flip-exact", "sign-flip-sampled"]


class PValue(NamedTuple):
    """The chance of a difference at least as large, on two sides, if there is none; and the test that says so."""

    value: float
    method: PMethod


def difference_p_value(differences: Units, seed: int = 0) -> PValue | None:
    """Return the p-value of a mean difference from 0; None if its standard error is not defined.

    Without any variation p is what flipping signs gives, from 30 units on the normal one, else that of flipping
    signs. It is another procedure than the interval, and near the edge the two may disagree: two units that both
    differ by 0.5 have an interval without 0, and p = 0.5. The interval is the one to quote.
    """
    mean, error = differences.mean, standard_error(differences)
    if mean is None or error is None:
        return None
    if not error:
        return PValue(1.0 if abs(mean) <= TOLERANCE else 2.0 ** (1 - differences.count), "no-variation")
    if differences.count >= MANY_UNITS:
        return PValue(math.erfc(abs(mean) / error / math.sqrt(2)), "normal")
    return sign_flip(differences.totals, seed)


def mcnemar_exact(worse: int, better: int) -> float:
    """Return the exact two-sided p of McNemar's test (1947): 2·P(Bin(n, ½) ≤ the smaller count), uncorrected.

    Args:
        worse: pairs that passed before and fail now.
        better: pairs that failed before and pass now.
    """
    if min(worse, better) < 0:
        raise StatisticsError("counts of pairs are not negative")
    discordant = worse + better
    middle = discordant // 2
    # C(n, i) relative to the middle one, downward, until it is too small to add anything.
    weights = [1.0]
    while weights[-1] and len(weights) <= middle:
        index = middle - len(weights) + 1
        weights.append(weights[-1] * index / (discordant - index + 1))
    total = 2 * math.fsum(weights) - (1.0 if discordant % 2 == 0 else 0.0)
    return min(1.0, 2 * math.fsum(weights[middle - min(worse, better) :]) / total)


def sign_flip(totals: Sequence[float], seed: int = 0) -> PValue:
    """Return the p of |Σ ±total| being at least |Σ total| when each unit's sign is a coin's (Fisher 1935).

    Up to 16 units all patterns are tried; with more, 10,000 random ones, and the one that was seen counts among
    them (Phipson & Smyth 2010).
    """
    least = abs(math.fsum(totals)) - TOLERANCE * max(1.0, math.fsum(map(abs, totals)))
    if len(totals) <= MOST_EXACT_UNITS:
        sums = [0.0]
        for total in totals:
            sums = [before + signed for signed in (total, -total) for before in sums]
        return PValue(len([flipped for flipped in sums if abs(flipped) >= least]) / len(sums), "sign-flip-exact")
    uniform = Random(seed).random
    hits = 0
    for _ in range(RESAMPLES):
        flips = starmap(uniform, repeat((), len(totals)))
        if abs(sum([-total if flip < 0.5 else total for total, flip in zip(totals, flips, strict=True)])) >= least:
            hits += 1
    return PValue((1 + hits) / (RESAMPLES + 1), "sign-flip-sampled")


def smallest_detectable(error: float | None) -> float | None:
    """Return the true difference that a test at 5% on two sides would find in 80% of cases: 2.80158…·standard
    error.

    It is None if there is no standard error, and if that is 0: to have seen no variation is not to see everything.
    """
    return (Z_95 + Z_80) * error if error else None


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Return the p-values corrected for there being several (Holm 1979), each in its place.

    The i-th smallest of m becomes the largest of (m - j + 1)·p(j) up to i, at most 1. None stays None, and is not
    in m.
    """
    ascending = sorted((p, index) for index, p in enumerate(p_values) if p is not None)
    adjusted: list[float | None] = [None] * len(p_values)
    largest = 0.0
    for rank, (p, index) in enumerate(ascending):
        largest = max(largest, min(1.0, (len(ascending) - rank) * p))
        adjusted[index] = largest
    return adjusted
