"""Two runs of the same samples, paired."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from sampleui.statistics.means import IntervalMethod, interval_of, standard_error
from sampleui.statistics.samples import Average, Key, Score, average_attempts
from sampleui.statistics.significance import (
    PMethod,
    PValue,
    difference_p_value,
    mcnemar_exact,
    smallest_detectable,
)
from sampleui.statistics.units import grouped, sample_clusters
from sampleui.statistics.values import Interval, mean_of, same


class Discordant(NamedTuple):
    """Pairs in which one run passed and the other failed; passed is 1, failed is 0."""

    baseline_passed: int
    run_passed: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """A run against its baseline, over pairs: a sample and target that have a score in both.

    Attributes:
        n_paired: pairs. All means are over these.
        n_dropped_baseline: scored in the baseline and not in the run.
        n_dropped_run: scored in the run and not in the baseline.
        n_unscored: scored in neither.
        better: pairs in which the run is better by more than rounding.
        worse: pairs in which it is worse.
        same: the other pairs.
        baseline_mean: of the paired scores.
        run_mean: of the paired scores.
        mean_difference: run less baseline, whichever of them is better.
        standard_error: of the mean difference.
        interval: of the mean difference, at 95%.
        interval_method: how the interval was made.
        units: independent units: clusters if some have two pairs or more, else pairs.
        clustered: whether some cluster has two pairs or more.
        smallest_detectable: the true difference that a comparison like this finds in 80% of cases.
        discordant: of single attempts that passed or failed, how many went either way; None for other scores.
        p_value: None where it is not defined.
        p_method: the test that gave it.
    """

    n_paired: int
    n_dropped_baseline: int
    n_dropped_run: int
    n_unscored: int
    better: int
    worse: int
    same: int
    baseline_mean: float | None
    run_mean: float | None
    mean_difference: float | None
    standard_error: float | None
    interval: Interval | None
    interval_method: IntervalMethod | None
    units: int
    clustered: bool
    smallest_detectable: float | None
    discordant: Discordant | None
    p_value: float | None
    p_method: PMethod | None


class _Pair(NamedTuple):
    sample: str
    baseline: float
    run: float
    single: bool


def compare(
    baseline: Iterable[Score],
    run: Iterable[Score],
    *,
    labels: Mapping[str, Hashable | None] | None = None,
    higher_is_better: bool = True,
    seed: int = 0,
) -> Comparison:
    """Compare two runs by sample and target, attempts averaged first.

    Args:
        baseline: the scores of the earlier run, one for each attempt; read once.
        run: the scores of the run in question; read once.
        labels: the cluster of a sample (`labels_by_sample` makes sure that it has one). A sample without a label is
            a cluster of its own, with all its targets.
        higher_is_better: whether a higher score is better. The mean difference keeps its sign either way.
        seed: of the bootstrap, and of the test that flips signs.

    Raises:
        StatisticsError: a score is not finite.
    """
    before, now = average_attempts(baseline), average_attempts(run)
    places = Counter((_is_scored(before.get(key)), _is_scored(now.get(key))) for key in before.keys() | now.keys())
    pairs = _pairs(before, now)
    directions = Counter(_direction(pair, higher_is_better) for pair in pairs)
    clusters = sample_clusters((pair.sample for pair in pairs), labels)
    differences = grouped((pair.run - pair.baseline for pair in pairs), clusters)
    error = standard_error(differences)
    interval, interval_method = interval_of(differences, seed)
    discordant = None if differences.clustered else _discordant(pairs)
    if discordant is None:
        tested = difference_p_value(differences, seed)
    else:
        tested = PValue(mcnemar_exact(*discordant), "mcnemar")
    return Comparison(
        n_paired=len(pairs),
        n_dropped_baseline=places[True, False],
        n_dropped_run=places[False, True],
        n_unscored=places[False, False],
        better=directions["better"],
        worse=directions["worse"],
        same=directions["same"],
        baseline_mean=mean_of([pair.baseline for pair in pairs]),
        run_mean=mean_of([pair.run for pair in pairs]),
        mean_difference=differences.mean,
        standard_error=error,
        interval=interval,
        interval_method=interval_method,
        units=differences.count,
        clustered=differences.clustered,
        smallest_detectable=smallest_detectable(error),
        discordant=discordant,
        p_value=None if tested is None else tested.value,
        p_method=None if tested is None else tested.method,
    )


def _is_scored(average: Average | None) -> bool:
    return average is not None and average.scored > 0


def _pairs(before: Mapping[Key, Average], now: Mapping[Key, Average]) -> list[_Pair]:
    """Return the pairs in the order of their keys, which the draws of the bootstrap depend on."""
    pairs = []
    for key in sorted(before.keys() & now.keys()):
        old, new = before[key], now[key]
        if old.score is not None and new.score is not None:
            pairs.append(_Pair(key.sample, old.score, new.score, old.scored == new.scored == 1))
    return pairs


def _direction(pair: _Pair, higher_is_better: bool) -> Literal["better", "worse", "same"]:
    if same(pair.baseline, pair.run):
        return "same"
    return "better" if (pair.run > pair.baseline) == higher_is_better else "worse"


def _discordant(pairs: Sequence[_Pair]) -> Discordant | None:
    """Count the pairs that went either way if all are single attempts that passed or failed, else return None."""
    if not pairs or not all(pair.single and {pair.baseline, pair.run} <= {0, 1} for pair in pairs):
        return None
    counted = Counter((pair.baseline, pair.run) for pair in pairs)
    return Discordant(counted[1, 0], counted[0, 1])
