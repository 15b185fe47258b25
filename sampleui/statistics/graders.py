"""A grader held against people, from a review that picked some records with a known chance.

Every failure reviewed and few of the passes is how reviews go, and it makes naive rates wrong by far: the failures
are over-represented. So each reviewed record counts for as many as it stands for, by strata: groups of records that
were reviewed as a whole or by a simple random sample. *Positive* is pass. The figures are about one version of an
evaluator and about these records.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal, NamedTuple

from sampleui.errors import StatisticsError
from sampleui.statistics import Interval

RESAMPLES = 10_000

GraderVerdicts = Literal["pass", "fail", "mixed"]
"""What the grader said of the records of a stratum."""

_ZERO_WIDTH = 1e-12


class Label(NamedTuple):
    """A reviewed record: whether the grader passed it, and whether the person did, None for one who cannot say."""

    grader: bool
    person: bool | None


class ReviewedStratum(NamedTuple):
    """Records that were all reviewed, or of which a random sample without replacement was.

    Attributes:
        size: all its records, reviewed or not.
        verdicts: what the grader said of them.
        labels: of the reviewed ones. Records picked by hand have no known chance, and are no part of this.
    """

    size: int
    verdicts: GraderVerdicts
    labels: Sequence[Label]


class Estimate(NamedTuple):
    """A share and its 95% interval, each None where it is not defined."""

    value: float | None
    interval: Interval | None


@dataclass(frozen=True, slots=True)
class GraderEstimate:
    """What a review says about a grader.

    Attributes:
        size: records of all strata.
        reviewed: those a person passed or failed.
        skipped: those a person could not say about. They are taken to resemble the rest.
        unreviewed: the strata, by index, that have records and none reviewed. What they could touch is not defined.
        no_variation: the strata, by index, of which a part was reviewed and all that was is of one kind. Such a
            sample does not show how much it might vary: an interval that would be of no width is None.
        naive_true_positive_rate: what reviewed records give unweighted; to show how far off it is.
        naive_true_negative_rate: the same of the true negative rate.
        pass_rate: the share of records that a person passes.
        true_positive_rate: of those that a person passes, the share that the grader passes.
        true_negative_rate: of those that a person fails, the share that the grader fails.
        precision: of those that the grader passes, the share that a person passes.
        agreement: the share of records about which both say the same.
        negative_predictive_value: of those that the grader fails, the share that a person fails.
        true_positive_variance: of the true positive rate; None if the interval of it or of the true negative rate
            is.
        true_negative_variance: the same of the true negative rate.
        covariance: of the two rates.
    """

    size: int
    reviewed: int
    skipped: int
    unreviewed: tuple[int, ...]
    no_variation: tuple[int, ...]
    naive_true_positive_rate: float | None
    naive_true_negative_rate: float | None
    pass_rate: Estimate
    true_positive_rate: Estimate
    true_negative_rate: Estimate
    precision: Estimate
    agreement: Estimate
    negative_predictive_value: Estimate
    true_positive_variance: float | None
    true_negative_variance: float | None
    covariance: float | None


class _Cells(NamedTuple):
    """Records by what the grader and the person say: true and false positives, false and true negatives."""

    tp: float
    fp: float
    fn: float
    tn: float


_CELL = {(True, True): 0, (True, False): 1, (False, True): 2, (False, False): 3}
"""The index of a record among the cells, by what the grader and the person say."""


class _Ratio(NamedTuple):
    """A share of cells in cells, and the strata that can have records in them."""

    part: Callable[[_Cells], float]
    whole: Callable[[_Cells], float]
    strata: frozenset[GraderVerdicts]


class _Sample(NamedTuple):
    """A stratum with its labels as cells; `kinds` has the cell of each label, in order."""

    size: int
    verdicts: GraderVerdicts
    kinds: tuple[int, ...]
    skipped: int

    @property
    def partly(self) -> bool:
        return 0 < len(self.kinds) < self.size

    @property
    def resampled(self) -> bool:
        return self.partly and len(self.kinds) > 1

    @property
    def uniform(self) -> bool:
        return self.partly and len(set(self.kinds)) == 1


_ALL: frozenset[GraderVerdicts] = frozenset({"pass", "fail", "mixed"})
_PASS_RATE = _Ratio(lambda of: of.tp + of.fn, lambda of: of.tp + of.fp + of.fn + of.tn, _ALL)
_TPR = _Ratio(lambda of: of.tp, lambda of: of.tp + of.fn, _ALL)
_TNR = _Ratio(lambda of: of.tn, lambda of: of.tn + of.fp, _ALL)
_AGREEMENT = _Ratio(lambda of: of.tp + of.tn, lambda of: of.tp + of.fp + of.fn + of.tn, _ALL)
_PRECISION = _Ratio(lambda of: of.tp, lambda of: of.tp + of.fp, frozenset({"pass", "mixed"}))
_NPV = _Ratio(lambda of: of.tn, lambda of: of.tn + of.fn, frozenset({"fail", "mixed"}))


def grader_estimate(strata: Sequence[ReviewedStratum], seed: int = 0) -> GraderEstimate:
    """Return what a review says about a grader, each reviewed record weighted by 1/its chance to be reviewed.

    The weighted counts are Horvitz & Thompson's (1952); on the bias without weights see Begg & Greenes (1983).
    Intervals are those of the rescaled bootstrap of Rao, Wu & Yue (1992), which gives no variance to a stratum that
    was reviewed as a whole.

    Args:
        strata: usually two: the grader's fails, and its passes.
        seed: of the bootstrap.

    Raises:
        StatisticsError: more labels than records, or a label that its stratum's verdicts rule out.
    """
    samples = [_sample(stratum) for stratum in strata]
    cells = _weighted(samples)
    replicates = _replicates(samples, seed)
    tpr, tnr = (_estimate(ratio, samples, cells, replicates) for ratio in (_TPR, _TNR))
    naive = _Cells(*_counts(tuple(kind for sample in samples for kind in sample.kinds)))
    defined = tpr.interval is not None and tnr.interval is not None
    variances = _covariances(replicates) if defined else None
    return GraderEstimate(
        size=sum(sample.size for sample in samples),
        reviewed=sum(len(sample.kinds) for sample in samples),
        skipped=sum(sample.skipped for sample in samples),
        unreviewed=tuple(index for index, sample in enumerate(samples) if sample.size and not sample.kinds),
        no_variation=tuple(index for index, sample in enumerate(samples) if sample.uniform),
        naive_true_positive_rate=_value(_TPR, naive),
        naive_true_negative_rate=_value(_TNR, naive),
        pass_rate=_estimate(_PASS_RATE, samples, cells, replicates),
        true_positive_rate=tpr,
        true_negative_rate=tnr,
        precision=_estimate(_PRECISION, samples, cells, replicates),
        agreement=_estimate(_AGREEMENT, samples, cells, replicates),
        negative_predictive_value=_estimate(_NPV, samples, cells, replicates),
        true_positive_variance=None if variances is None else variances[0],
        true_negative_variance=None if variances is None else variances[1],
        covariance=None if variances is None else variances[2],
    )


def _sample(stratum: ReviewedStratum) -> _Sample:
    if len(stratum.labels) > stratum.size:
        raise StatisticsError(f"{len(stratum.labels)} labels of {stratum.size} records")
    for label in stratum.labels:
        if stratum.verdicts == ("fail" if label.grader else "pass"):
            raise StatisticsError(f"a record of the grader's verdict {stratum.verdicts} is labelled otherwise")
    kinds = tuple(_CELL[label.grader, label.person] for label in stratum.labels if label.person is not None)
    return _Sample(stratum.size, stratum.verdicts, kinds, len(stratum.labels) - len(kinds))


def _counts(kinds: tuple[int, ...]) -> list[int]:
    return [kinds.count(cell) for cell in range(4)]


def _weighted(samples: Sequence[_Sample]) -> _Cells:
    """Return the counts that the reviewed records stand for."""
    rows = [
        [sample.size * count / len(sample.kinds) for count in _counts(sample.kinds)]
        for sample in samples
        if sample.kinds
    ]
    return _Cells(*(math.fsum(column) for column in zip([0.0] * 4, *rows, strict=True)))


def _value(ratio: _Ratio, cells: _Cells) -> float | None:
    whole = ratio.whole(cells)
    return ratio.part(cells) / whole if whole else None


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


def _estimate(ratio: _Ratio, samples: Sequence[_Sample], cells: _Cells, replicates: Sequence[_Cells]) -> Estimate:
    needed = [sample for sample in samples if sample.size and sample.verdicts in ratio.strata]
    value = _value(ratio, cells) if all(sample.kinds for sample in needed) else None
    if value is None or any(sample.partly and len(sample.kinds) == 1 for sample in needed):
        return Estimate(value, None)
    if not any(sample.partly for sample in needed):
        return Estimate(value, Interval(value, value))
    interval = percentile_interval([ratio.part(of) / ratio.whole(of) for of in replicates])
    hidden = interval.high - interval.low <= _ZERO_WIDTH and any(sample.uniform for sample in needed)
    return Estimate(value, None if hidden else interval)


def _replicates(samples: Sequence[_Sample], seed: int) -> list[_Cells]:
    """Return the weighted counts of each resample; none if every record was reviewed.

    Of each stratum of which a part was reviewed, n-1 of its n reviewed records are drawn with replacement. With
    f = n/N and λ = √(1 - f), a record drawn m times weighs N/n·(1 - λ + λ·m·n/(n - 1)): that is above 0, N in all,
    and has the variance that a sample without replacement has.
    """
    resampled = [sample for sample in samples if sample.resampled]
    if not resampled:
        return []
    fixed = _weighted([sample for sample in samples if not sample.resampled])
    parts = [_Resampled.of(sample) for sample in resampled]
    choices = Random(seed).choices
    replicates = []
    for _ in range(RESAMPLES):
        weights = list(fixed)
        for part in parts:
            kinds = choices(part.kinds, k=len(part.kinds) - 1)
            for cell, kept in part.kept:
                weights[cell] += kept + part.per_draw * kinds.count(cell)
        replicates.append(_Cells(*weights))
    return replicates


class _Resampled(NamedTuple):
    """What the weights of a stratum's cells are in any resample, and what each draw adds to them."""

    kinds: tuple[int, ...]
    kept: tuple[tuple[int, float], ...]
    per_draw: float

    @staticmethod
    def of(sample: _Sample) -> _Resampled:
        n = len(sample.kinds)
        weight, spread = sample.size / n, math.sqrt(1 - n / sample.size)
        kept = ((cell, weight * (1 - spread) * sample.kinds.count(cell)) for cell in sorted(set(sample.kinds)))
        return _Resampled(sample.kinds, tuple(kept), weight * spread * n / (n - 1))


def _covariances(replicates: Sequence[_Cells]) -> tuple[float, float, float]:
    """Return the variances of the true positive and the true negative rate over resamples, and their covariance."""
    if not replicates:
        return 0.0, 0.0, 0.0
    tpr, tnr = ([ratio.part(of) / ratio.whole(of) for of in replicates] for ratio in (_TPR, _TNR))
    return _covariance(tpr, tpr), _covariance(tnr, tnr), _covariance(tpr, tnr)


def _covariance(first: list[float], second: list[float]) -> float:
    first_mean, second_mean = math.fsum(first) / len(first), math.fsum(second) / len(second)
    products = ((value - first_mean) * (other - second_mean) for value, other in zip(first, second, strict=True))
    return math.fsum(products) / (len(first) - 1)


FEW_MISSES = 5
"""With fewer wrong passes found than this, show these limits and not the bootstrap interval of the TNR."""


class MissLimits(NamedTuple):
    """Limits of how many passes are wrong, and of the true negative rate that follows from each.

    Attributes:
        wrong_passes: the fewest and the most; None without a review.
        lowest_rate: the true negative rate with the most wrong passes; None without a review, or if nothing failed.
        highest_rate: the same with the fewest.
    """

    wrong_passes: tuple[int, int] | None
    lowest_rate: float | None
    highest_rate: float | None


class FailureBounds(NamedTuple):
    """What holds where all of a grader's fails were reviewed and none of its passes.

    Attributes:
        true_negative_rate: the least it can be; None if there is nothing that could have failed.
        pass_rate: between these is the share of records that a person passes; None without records.
    """

    true_negative_rate: float | None
    pass_rate: Interval | None


def miss_limits(
    passes: int, reviewed: int, wrong: int, true_negatives: int, *, most: int | None = None, open_fails: int = 0
) -> MissLimits:
    """Return exact 95% limits of the wrong passes, and of TNR = true negatives / (true negatives + wrong passes).

    The limits are the least and the most wrong passes M among all passes for which P(X ≥ wrong) and P(X ≤ wrong)
    are both above 0.025, X hypergeometric. They hold with no wrong pass found, too.

    Of passes drawn by strata, give how many would be reviewed if it were the least share of any stratum everywhere,
    and as `most` the same by the largest share: so the limits hold wherever the wrong passes are.

    Args:
        passes: all records that the grader passed.
        reviewed: how many of these were reviewed, drawn at random.
        wrong: how many of those a person failed.
        true_negatives: failed by the grader and by a person; all fails of the grader were reviewed.
        most: for the fewest wrong passes, if that is not `reviewed` too.
        open_fails: failed by the grader, and a person cannot say: they may be true negatives or not.

    Raises:
        StatisticsError: the counts do not fit together.
    """
    most = reviewed if most is None else most
    if not (0 <= wrong <= reviewed <= most <= passes and true_negatives >= 0):
        raise StatisticsError(f"{wrong} wrong of {reviewed} reviewed of {passes} passes cannot be")
    if not reviewed:
        return MissLimits(None, None, None)
    possible = range(wrong, passes - (reviewed - wrong) + 1)
    # P(X ≥ wrong) grows with M, P(X ≤ wrong) shrinks.
    low = possible[bisect_left(possible, True, key=lambda misses: _above(wrong, misses, passes, most))]
    high = possible[bisect_left(possible, True, key=lambda misses: _too_many(wrong, misses, passes, reviewed)) - 1]
    return MissLimits((low, high), _rate(true_negatives, high), _rate(true_negatives + open_fails, low))


def bounds_without_passes(true_negatives: int, false_negatives: int, passes: int) -> FailureBounds:
    """Return what holds where all fails of a grader were reviewed and none of its passes was.

    Args:
        true_negatives: failed by the grader and by a person.
        false_negatives: failed by the grader, passed by a person.
        passes: all records that the grader passed.
    """
    failing, records = true_negatives + passes, true_negatives + false_negatives + passes
    return FailureBounds(
        true_negatives / failing if failing else None,
        Interval(false_negatives / records, (false_negatives + passes) / records) if records else None,
    )


def _rate(true_negatives: int, misses: int) -> float | None:
    failing = true_negatives + misses
    return true_negatives / failing if failing else None


def _above(wrong: int, misses: int, passes: int, reviewed: int) -> bool:
    """Return whether P(X ≥ wrong) > 0.025."""
    every = math.comb(passes, reviewed)
    return 40 * (every - _count_ways(wrong - 1, misses, passes, reviewed)) > every


def _too_many(wrong: int, misses: int, passes: int, reviewed: int) -> bool:
    """Return whether P(X ≤ wrong) ≤ 0.025."""
    return 40 * _count_ways(wrong, misses, passes, reviewed) <= math.comb(passes, reviewed)


def _count_ways(most: int, misses: int, passes: int, reviewed: int) -> int:
    """Return in how many ways a sample of the passes has no more than `most` of the wrong ones in it."""
    good = passes - misses
    fewest = max(0, reviewed - good)
    if most < fewest:
        return 0
    count = total = math.comb(misses, fewest) * math.comb(good, reviewed - fewest)
    for found in range(fewest, most):
        count = count * (misses - found) * (reviewed - found) // ((found + 1) * (good - reviewed + found + 1))
        total += count
    return total
