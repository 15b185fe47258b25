"""Lists of values, attempts and labels, as vectors and small cases have them, as the project takes them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

from sampleui.errors import StatisticsError
from sampleui.statistics import LARGEST
from sampleui.statistics.attempts import SampleAttempts
from sampleui.statistics.comparison import Comparison, ScorePair, compare_pairs
from sampleui.statistics.means import Measure, summarize
from sampleui.statistics.units import Summing, Sums


def mean_summary(values: Sequence[float | None], clusters: Sequence[Hashable | None] | None = None) -> Measure:
    """Return the figures of a mean over values, one a sample; their scale has ends if all are from 0 to 1.

    Args:
        values: None where a sample has no score.
        clusters: the label of each value's cluster, None for a value that is a cluster of its own.
    """
    scored = [(index, finite(value)) for index, value in enumerate(values) if value is not None]
    keys = (cluster_key(None if clusters is None else clusters[index], index) for index, _ in scored)
    bounded = all(0 <= value <= 1 for _, value in scored)
    return summarize(_sums_of((value for _, value in scored), keys), len(values) - len(scored), bounded=bounded)


def _sums_of(values: Iterable[float], clusters: Iterable[Hashable]) -> Sums:
    """Return the sums of values, which are of one unit if they have one cluster."""
    units: dict[Hashable, tuple[float, int]] = {}
    for value, cluster in zip(values, clusters, strict=True):
        total, size = units.get(cluster, (0.0, 0))
        units[cluster] = (total + value, size + 1)
    summing = Summing()
    for total, size in units.values():
        summing.add(total, size)
    return summing.sums()


def count_attempts(verdicts: Iterable[float | None]) -> SampleAttempts:
    """Count attempts of a sample: 1 passed, 0 failed, None has no verdict and is not counted."""
    counted = [verdict for verdict in verdicts if verdict is not None]
    return SampleAttempts(len(counted), counted.count(1))


def labels_by_sample(labels: Iterable[tuple[str, Hashable | None]]) -> dict[str, Hashable]:
    """Return the cluster label of each sample that has one, from a pair of sample and label for each record."""
    found: dict[str, Hashable] = {}
    for sample, label in labels:
        if label is not None and found.setdefault(sample, label) != label:
            raise StatisticsError(f"sample {sample} is in two clusters: {found[sample]} and {label}")
    return found


def cluster_key(label: Hashable | None, otherwise: Hashable) -> Hashable:
    """Return the key of a unit's cluster: that of its label, or a key of its own if it has no label."""
    return (None, otherwise) if label is None else (label,)


def sample_clusters(samples: Iterable[str], labels: Mapping[str, Hashable | None] | None) -> Iterator[Hashable]:
    """Yield the key of each sample's cluster. A sample without a label is one of its own, with all its targets."""
    return (cluster_key((labels or {}).get(sample), sample) for sample in samples)


class Score(NamedTuple):
    """The score of an attempt of a sample by a target, or None; `target` is empty where there are no targets."""

    sample: str
    target: str
    score: float | None


class ScoreKey(NamedTuple):
    """What a score is of. Keys sort by the code points of sample, then target: the order of their UTF-8 bytes."""

    sample: str
    target: str


class Average(NamedTuple):
    """The attempts of a sample by a target: how many have a score, and the sum of those."""

    scored: int
    total: float

    @property
    def score(self) -> float | None:
        """The mean over scored attempts; None if there are none, for such a sample is missing."""
        return self.total / self.scored if self.scored else None


def average_attempts(scores: Iterable[Score]) -> dict[ScoreKey, Average]:
    """Return the average of the attempts of each sample by each target, in order of appearance; reads `scores`
    once.

    Raises:
        StatisticsError: a score is not finite.
    """
    averages: dict[ScoreKey, Average] = {}
    for sample, target, score in scores:
        key = ScoreKey(sample, target)
        scored, total = averages.get(key, _NO_ATTEMPT)
        averages[key] = Average(scored, total) if score is None else Average(scored + 1, total + finite(score))
    return averages


_NO_ATTEMPT = Average(0, 0.0)


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
        baseline: the scores of the earlier run, one for each attempt.
        run: the scores of the run in question.
        labels: the cluster of a sample, one at most. A sample without a label is
            a cluster of its own, with all its targets.
        higher_is_better: whether a higher score is better. The mean difference keeps its sign either way.
        seed: of the test that flips signs.

    Raises:
        StatisticsError: a score is not finite.
    """
    sides = [*baseline], [*run]
    before, now = map(average_attempts, sides)
    bounded = all(score is None or 0 <= score <= 1 for side in sides for _, _, score in side)
    scored = Counter((_is_scored(before.get(key)), _is_scored(now.get(key))) for key in before.keys() | now.keys())
    compared = compare_pairs(
        _pairs(before, now, labels), bounded=bounded, higher_is_better=higher_is_better, seed=seed
    )
    return replace(
        compared,
        n_dropped_baseline=scored[True, False],
        n_dropped_run=scored[False, True],
        n_unscored=scored[False, False],
    )


def _is_scored(average: Average | None) -> bool:
    return average is not None and average.scored > 0


def _pairs(
    before: Mapping[ScoreKey, Average],
    now: Mapping[ScoreKey, Average],
    labels: Mapping[str, Hashable | None] | None,
) -> list[ScorePair]:
    """Return the pairs, those of one cluster one after another."""
    clusters: dict[Hashable, list[ScorePair]] = {}
    for key in sorted(before.keys() & now.keys()):
        old, new = before[key], now[key]
        if old.score is not None and new.score is not None:
            (cluster,) = sample_clusters([key.sample], labels)
            pair = ScorePair(cluster, key, old.score, new.score, old.scored == new.scored == 1)
            clusters.setdefault(cluster, []).append(pair)
    return [*chain.from_iterable(clusters.values())]


def finite(score: float) -> float:
    """Return a score as a float.

    Raises:
        StatisticsError: it is NaN, infinite, or too large for sums of squares.
    """
    if not abs(score) <= LARGEST:
        raise StatisticsError(f"{score} is not a score: scores are finite numbers up to {LARGEST:g}")
    return float(score)
