"""Two runs of the same samples, paired, and whether the difference between them may be chance."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, repeat, starmap
from operator import attrgetter
from random import Random
from typing import Literal, NamedTuple

from sampleui.errors import StatisticsError
from sampleui.statistics import TOLERANCE, Interval, same_number
from sampleui.statistics.means import difference_interval, standard_error
from sampleui.statistics.units import Summing, Sums


class Discordant(NamedTuple):
    """Pairs in which one run passed and the other failed; passed is 1, failed is 0."""

    baseline_passed: int
    run_passed: int


LEVEL = 0.05
"""A difference is called one if a test at this level says so, and its interval too."""


def is_shown(interval: Interval | None, p_value: float | None) -> bool | None:
    """Tell whether a difference is more than chance; None if that is not known.

    Both have to say so, the interval and the test: with very few units an interval may lie beside 0 by chance.
    """
    if interval is None or p_value is None:
        return None
    return not interval.low <= 0 <= interval.high and p_value < LEVEL


@dataclass(frozen=True, slots=True)
class Comparison:
    """A run against its baseline, over pairs: a sample and target that have a score in both.

    Attributes:
        n_paired: pairs. All means are over these.
        better: pairs in which the run is better by more than rounding.
        worse: pairs in which it is worse.
        same: the other pairs.
        baseline_mean: of the paired scores.
        run_mean: of the paired scores.
        mean_difference: run less baseline, whichever of them is better.
        standard_error: of the mean difference.
        interval: of the mean difference, at 95%.
        units: independent units: clusters if some have two pairs or more, else pairs.
        clustered: whether some cluster has two pairs or more.
        lopsided: whether one cluster has over a third of the pairs, which interval and test do not allow for.
        discordant: of single attempts that passed or failed, how many went either way; None for other scores.
        p_value: None where it is not defined.
        method: the test that gave it.
        n_dropped_baseline: samples and targets scored in the baseline and not in the run.
        n_dropped_run: those scored in the run and not in the baseline.
        n_unscored: those scored in neither.
    """

    n_paired: int
    better: int
    worse: int
    same: int
    baseline_mean: float | None
    run_mean: float | None
    mean_difference: float | None
    standard_error: float | None
    interval: Interval | None
    units: int
    clustered: bool
    lopsided: bool
    discordant: Discordant | None
    p_value: float | None
    method: PMethod | None
    n_dropped_baseline: int = 0
    n_dropped_run: int = 0
    n_unscored: int = 0

    @property
    def too_few(self) -> bool:
        """Whether there are so few units that no difference could be shown, not if all of them differed."""
        return 2.0 ** (1 - self.units) >= LEVEL

    @property
    def without_chance(self) -> Comparison:
        """The same of units that people picked: nobody knows what more of them would show."""
        return replace(self, standard_error=None, interval=None, p_value=None, method=None)


class ScorePair(NamedTuple):
    """A sample and target with a score in both runs.

    Attributes:
        cluster: the key of its independent unit.
        first: what tells which of two pairs is the first: sample, then target.
        baseline: the score in the baseline.
        run: the score in the run.
        single: whether each is of one scored attempt.
    """

    cluster: Hashable
    first: tuple[str, ...]
    baseline: float
    run: float
    single: bool

    def direction(self, *, higher_is_better: bool = True) -> Literal["better", "worse", "same"]:
        """Return how the run fares."""
        if self.baseline == self.run or same_number(self.baseline, self.run):
            return "same"
        return "better" if (self.run > self.baseline) == higher_is_better else "worse"


def compare_pairs(
    pairs: Iterable[ScorePair], *, bounded: bool = True, higher_is_better: bool = True, seed: int = 0
) -> Comparison:
    """Compare two runs of which the pairs are known.

    Args:
        pairs: read once and not kept; those of one cluster come one after another.
        bounded: whether every score of both runs is known to be from 0 to 1.
        higher_is_better: whether a higher score is better. The mean difference keeps its sign either way.
        seed: of the test that flips signs.
    """
    seen = _Pairs(higher_is_better=higher_is_better)
    for _, unit in groupby(pairs, key=attrgetter("cluster")):
        seen.add(unit)
    differences = seen.sums()
    error = standard_error(differences)
    discordant = None if not seen.singles or differences.clustered else seen.discordant()
    if discordant is None:
        tested = difference_p_value(differences, seen.first_totals(), seed)
    else:
        tested = PValue(mcnemar_exact(*discordant), "mcnemar")
    return Comparison(
        n_paired=differences.values,
        better=seen.directions["better"],
        worse=seen.directions["worse"],
        same=seen.directions["same"],
        baseline_mean=seen.baseline / differences.values if differences.values else None,
        run_mean=seen.run / differences.values if differences.values else None,
        mean_difference=differences.mean,
        standard_error=error,
        interval=difference_interval(differences, furthest=seen.furthest, bounded=bounded),
        units=differences.units,
        clustered=differences.clustered,
        lopsided=differences.lopsided,
        discordant=discordant,
        p_value=None if tested is None else tested.value,
        method=None if tested is None else tested.method,
    )


_BINARY = (0, 1)


class _Pairs:
    """What a comparison takes of pairs that come one after another.

    Attributes:
        baseline: the sum of the scores in the baseline.
        run: the sum of those in the run.
        furthest: the largest mean difference of any unit, without its sign.
        directions: how many pairs are better, worse and the same.
        singles: how often single attempts that passed or failed came out in either run; None if any is not one.
    """

    def __init__(self, *, higher_is_better: bool) -> None:
        self._higher_is_better = higher_is_better
        self._summing = Summing()
        self._first: list[tuple[tuple[str, ...], float]] = []
        self.baseline = 0.0
        self.run = 0.0
        self.furthest = 0.0
        self.directions = Counter[str]()
        self.singles: Counter[tuple[float, float]] | None = Counter()

    def add(self, unit: Iterable[ScorePair]) -> None:
        """Add the pairs of an independent unit."""
        total, size, firsts = 0.0, 0, []
        for pair in unit:
            total += pair.run - pair.baseline
            size += 1
            firsts.append(pair.first)
            self.baseline += pair.baseline
            self.run += pair.run
            self.directions[pair.direction(higher_is_better=self._higher_is_better)] += 1
            if self.singles is not None and pair.single and pair.baseline in _BINARY and pair.run in _BINARY:
                self.singles[pair.baseline, pair.run] += 1
            else:
                self.singles = None
        self._summing.add(total, size)
        self.furthest = max(self.furthest, abs(total) / size)
        if len(self._first) < MANY_UNITS:
            self._first.append((min(firsts), total))

    def sums(self) -> Sums:
        """Return the sums of the differences."""
        return self._summing.sums()

    def discordant(self) -> Discordant | None:
        """Return how many single attempts passed in one run alone."""
        return None if self.singles is None else Discordant(self.singles[1, 0], self.singles[0, 1])

    def first_totals(self) -> list[float]:
        """Return the differences of units, of 30 at most, by what is first of each: random signs depend on it."""
        return [total for _, total in sorted(self._first)]


MAX_EXACT_UNITS = 16
"""Up to so many units all patterns of signs are tried; with more, a sample of them."""

PMethod = Literal["mcnemar", "no-variation", "normal", "sign-flip-exact", "sign-flip-sampled"]


class PValue(NamedTuple):
    """The chance of a difference at least as large, on two sides, if there is none; and the test that says so."""

    value: float
    method: PMethod


MANY_UNITS = 30
"""From so many independent units on a mean difference is tested as if it were normally distributed."""

RANDOM_FLIPS = 10_000
"""Random patterns of signs that are tried."""


def difference_p_value(differences: Sums, totals: Sequence[float], seed: int = 0) -> PValue | None:
    """Return the p-value of a mean difference from 0; None if its standard error is not defined.

    Without any variation p is what flipping signs gives, from 30 units on the normal one, else that of flipping
    signs. It is another procedure than the interval, and near the edge the two may disagree. The interval is the
    one to quote.

    Args:
        differences: the sums of the differences.
        totals: those of each unit, in order; not used from 30 units on.
        seed: of the random signs.
    """
    mean, error = differences.mean, standard_error(differences)
    if mean is None or error is None:
        return None
    if not error:
        return PValue(1.0 if abs(mean) <= TOLERANCE else 2.0 ** (1 - differences.units), "no-variation")
    if differences.units >= MANY_UNITS:
        return PValue(math.erfc(abs(mean) / error / math.sqrt(2)), "normal")
    return sign_flip(totals, seed)


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
    if len(totals) <= MAX_EXACT_UNITS:
        sums = [0.0]
        for total in totals:
            sums = [before + signed for signed in (total, -total) for before in sums]
        return PValue(len([flipped for flipped in sums if abs(flipped) >= least]) / len(sums), "sign-flip-exact")
    uniform = Random(seed).random
    hits = 0
    for _ in range(RANDOM_FLIPS):
        flips = starmap(uniform, repeat((), len(totals)))
        if abs(sum([-total if flip < 0.5 else total for total, flip in zip(totals, flips, strict=True)])) >= least:
            hits += 1
    return PValue((1 + hits) / (RANDOM_FLIPS + 1), "sign-flip-sampled")


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
