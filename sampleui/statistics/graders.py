"""A grader held against people, from a review that picked some records with a known chance.

Every failure reviewed and few of the passes is how reviews go, and it makes naive rates wrong by far: the failures
are over-represented. So each reviewed record counts for as many as it stands for, by strata: groups of records that
were reviewed as a whole or by a simple random sample. *Positive* is pass. The figures are about one version of an
evaluator, and their intervals about records to come.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Literal, NamedTuple, TypeAlias

from sampleui.errors import StatisticsError
from sampleui.statistics import TOLERANCE, Z_95, Interval

DRAWS = 4_000

_PRIOR = 0.5
"""What Jeffreys' prior adds to each count."""

TRUSTED = 0.8
"""The rate from which on a grader is worth something."""

GraderVerdicts = Literal["pass", "fail", "mixed"]
"""What the grader said of the records of a stratum."""


class Label(NamedTuple):
    """A reviewed record: whether the grader passed it, and whether the person did, None for one who cannot say."""

    grader: bool
    person: bool | None


TRUE_PASS, FALSE_PASS = Label(True, True), Label(True, False)
FALSE_FAIL, TRUE_FAIL = Label(False, True), Label(False, False)

_CELLS: Mapping[GraderVerdicts, Sequence[Label]] = {
    "pass": (TRUE_PASS, FALSE_PASS),
    "fail": (FALSE_FAIL, TRUE_FAIL),
    "mixed": (TRUE_PASS, FALSE_PASS, FALSE_FAIL, TRUE_FAIL),
}
"""The labels that records can have, by what the grader said."""

LabelShares: TypeAlias = Mapping[Label, float]
"""How many records there are of each label, or which share of them."""


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

    @property
    def complement(self) -> Estimate:
        """The share of all others."""
        if self.value is None or self.interval is None:
            return self
        return Estimate(1 - self.value, Interval(1 - self.interval.high, 1 - self.interval.low))


class GraderEstimate(NamedTuple):
    """What a review says about a grader.

    Attributes:
        size: records of all strata.
        reviewed: those a person passed or failed.
        skipped: those a person could not say about. They are taken to resemble the rest.
        unreviewed: the strata, by index, that have records and none reviewed. What they could touch is not defined.
        pass_rate: the share of records that a person passes.
        true_positive_rate: of those that a person passes, the share that the grader passes.
        true_negative_rate: of those that a person fails, the share that the grader fails.
        precision: of those that the grader passes, the share that a person passes.
        negative_predictive_value: of those that the grader fails, the share that a person fails.
        agreement: the share of records about which both say the same.
    """

    size: int
    reviewed: int
    skipped: int
    unreviewed: tuple[int, ...]
    pass_rate: Estimate
    true_positive_rate: Estimate
    true_negative_rate: Estimate
    precision: Estimate
    negative_predictive_value: Estimate
    agreement: Estimate


class CorrectedRate(NamedTuple):
    """Which share of records that nobody labelled a person would pass, by what a grader said of them.

    Attributes:
        observed: the share that the grader passed; None without records.
        rate: that share, corrected by how often the grader is right about right and about wrong answers.
        clipped: whether it had to be cut to 0 or 1, since its rates do not fit these records; None where it is not
            defined.
    """

    observed: float | None
    rate: Estimate
    clipped: bool | None


class _Ratio(NamedTuple):
    """The share of records with some labels among those with some more."""

    part: frozenset[Label]
    whole: frozenset[Label]

    def of(self, cells: LabelShares) -> float | None:
        whole = math.fsum(cells.get(label, 0.0) for label in self.whole)
        return math.fsum(cells.get(label, 0.0) for label in self.part) / whole if whole else None


_PASSED, _FAILED = frozenset(_CELLS["pass"]), frozenset(_CELLS["fail"])
_RIGHT, _WRONG = frozenset({TRUE_PASS, FALSE_FAIL}), frozenset({FALSE_PASS, TRUE_FAIL})
_AGREED, _ALL = frozenset({TRUE_PASS, TRUE_FAIL}), frozenset(_CELLS["mixed"])
_RATIOS = (
    _Ratio(_RIGHT, _ALL),
    _Ratio(_RIGHT & _PASSED, _RIGHT),
    _Ratio(_WRONG & _FAILED, _WRONG),
    _Ratio(_RIGHT & _PASSED, _PASSED),
    _Ratio(_WRONG & _FAILED, _FAILED),
    _Ratio(_AGREED, _ALL),
)
"""Those of `GraderEstimate`, in its order."""


class _Counted(NamedTuple):
    """A stratum, with how many reviewed records have each label."""

    size: int
    verdicts: GraderVerdicts
    labels: Counter[Label]
    skipped: int

    @property
    def reviewed(self) -> int:
        return self.labels.total()

    def touches(self, ratio: _Ratio) -> bool:
        """Tell whether its records can be of the whole of a ratio, be it unknown whether they are."""
        whole = ratio.whole if ratio.whole in (_PASSED, _FAILED) else _ALL
        return not whole.isdisjoint(_CELLS[self.verdicts])


def grader_estimate(strata: Sequence[ReviewedStratum], seed: int = 0) -> GraderEstimate:
    """Return what a review says about a grader, each reviewed record weighted by 1/its chance to be reviewed.

    The weighted counts are Horvitz & Thompson's (1952); on the bias without weights see Begg & Greenes (1983).
    Intervals are about records to come, by Jeffreys' posterior of the strata and of the labels in each.

    Args:
        strata: usually two: the grader's fails, and its passes.
        seed: of the draws from the posterior.

    Raises:
        StatisticsError: more labels than records, or a label that its stratum's verdicts rule out.
    """
    counted = [_counted(stratum) for stratum in strata]
    with_records = [stratum for stratum in counted if stratum.size]
    points = _points(with_records)
    draws = [*_posterior(with_records, seed)] if any(point is not None for point in points) else []
    return GraderEstimate(
        sum(stratum.size for stratum in counted),
        sum(stratum.reviewed for stratum in counted),
        sum(stratum.skipped for stratum in counted),
        tuple(index for index, stratum in enumerate(counted) if stratum.size and not stratum.reviewed),
        *(_estimate(ratio, point, draws) for ratio, point in zip(_RATIOS, points, strict=True)),
    )


def corrected_rate(strata: Sequence[ReviewedStratum], passed: int, records: int, seed: int = 0) -> CorrectedRate:
    """Return which share of records a person would pass, of so many of which a grader passed some.

    (p + TNR - 1)/(TPR + TNR - 1), cut to 0 and 1 (Rogan & Gladen 1978; Lee et al. 2025, arXiv 2511.21140). It is
    not defined for a grader that is right no more often than chance. The interval has both sources of doubt: the
    rates of the grader, and the share that it passes among records to come.

    Args:
        strata: as of `grader_estimate`.
        passed: of the records, those that the grader passed.
        records: those that it judged and nobody labelled.
        seed: of the draws from the posterior.

    Raises:
        StatisticsError: as of `grader_estimate`.
    """
    counted = [stratum for stratum in map(_counted, strata) if stratum.size]
    observed = passed / records if records else None
    _, right, caught, *_ = _points(counted)
    if observed is None or right is None or caught is None or right + caught - 1 <= TOLERANCE:
        return CorrectedRate(observed, Estimate(None, None), None)
    point = (observed + caught - 1) / (right + caught - 1)
    beta = Random(seed).betavariate
    _, of_right, of_wrong, *_ = _RATIOS
    drawn = []
    for cells in _posterior(counted, seed):
        true_positive, true_negative = of_right.of(cells), of_wrong.of(cells)
        share = beta(passed + _PRIOR, records - passed + _PRIOR)
        if true_positive is not None and true_negative is not None and true_positive + true_negative > 1:
            drawn.append(_cut((share + true_negative - 1) / (true_positive + true_negative - 1)))
    return CorrectedRate(observed, _reaching(_cut(point), drawn), abs(point - _cut(point)) > TOLERANCE)


def _cut(share: float) -> float:
    return min(max(share, 0.0), 1.0)


def _points(strata: Sequence[_Counted]) -> Sequence[float | None]:
    """Return the estimate of each ratio, None where records that nobody reviewed could touch it."""
    cells = _added((stratum.size / stratum.reviewed, stratum.labels) for stratum in strata if stratum.reviewed)
    return [
        ratio.of(cells) if all(stratum.reviewed for stratum in strata if stratum.touches(ratio)) else None
        for ratio in _RATIOS
    ]


def _counted(stratum: ReviewedStratum) -> _Counted:
    if len(stratum.labels) > stratum.size:
        raise StatisticsError(f"{len(stratum.labels)} labels of {stratum.size} records")
    for label in stratum.labels:
        if stratum.verdicts == ("fail" if label.grader else "pass"):
            raise StatisticsError(f"a record of the grader's verdict {stratum.verdicts} is labelled otherwise")
    labels = Counter(label for label in stratum.labels if label.person is not None)
    return _Counted(stratum.size, stratum.verdicts, labels, len(stratum.labels) - labels.total())


def _added(parts: Iterable[tuple[float, LabelShares]]) -> LabelShares:
    """Return the sum of cells, each with its weight."""
    cells = dict.fromkeys(_ALL, 0.0)
    for weight, part in parts:
        for label, count in part.items():
            cells[label] += weight * count
    return cells


def _posterior(strata: Sequence[_Counted], seed: int) -> Iterator[LabelShares]:
    """Yield draws of the shares of labels among records to come."""
    gamma = Random(seed).gammavariate

    def shares(counts: Sequence[float]) -> Sequence[float]:
        drawn = [gamma(count + _PRIOR, 1.0) for count in counts]
        return [part / sum(drawn) for part in drawn]

    sizes = [stratum.size for stratum in strata]
    counts = [[stratum.labels[label] for label in _CELLS[stratum.verdicts]] for stratum in strata]
    for _ in range(DRAWS):
        weights = shares(sizes) if len(sizes) > 1 else [1.0]
        inside = (
            dict(zip(_CELLS[stratum.verdicts], shares(of), strict=True))
            for stratum, of in zip(strata, counts, strict=True)
        )
        yield _added(zip(weights, inside, strict=True))


def _estimate(ratio: _Ratio, point: float | None, draws: Iterable[LabelShares]) -> Estimate:
    """Return a ratio with its interval."""
    if point is None:
        return Estimate(None, None)
    return _reaching(point, [share for cells in draws if (share := ratio.of(cells)) is not None])


def _reaching(point: float, drawn: Iterable[float]) -> Estimate:
    """Return an estimate with the interval of its draws, which reaches to it: few labels of many may leave it."""
    drawn = sorted(drawn)
    return Estimate(point, Interval(min(percentile(drawn, 0.025), point), max(percentile(drawn, 0.975), point)))


def percentile(ordered: Sequence[float], share: float) -> float:
    """Return the value below which a share of sorted values lies, between two of them by their distance.

    This is type 7 of Hyndman & Fan (1996), the default of R and NumPy.
    """
    position = (len(ordered) - 1) * share
    index = int(position)
    if index + 1 == len(ordered):
        return ordered[index]
    return ordered[index] + (position - index) * (ordered[index + 1] - ordered[index])


def labels_missing(labels: int, errors: int) -> int:
    """Return how many more labels of a kind it takes to say that a grader is right about 80% of that kind.

    That is where Wilson's interval begins at 0.80, with the errors that were found: at 16, 25, 33, 40 for 0 to 3.
    """
    needed = max(labels, errors)
    while _wilson_low(needed - errors, needed) < TRUSTED:
        needed += 1
    return needed - labels


def _wilson_low(right: int, n: int) -> float:
    if not n:
        return 0.0
    share, square = right / n, Z_95 * Z_95 / n
    return (share + square / 2 - Z_95 * math.sqrt(share * (1 - share) / n + square / (4 * n))) / (1 + square)
