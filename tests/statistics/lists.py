"""Lists of values, attempts and labels, as vectors and small cases have them, as the project takes them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

from sampleui.errors import StatisticsError
from sampleui.statistics import finite
from sampleui.statistics.attempts import SampleAttempts
from sampleui.statistics.means import Measure, summarize
from sampleui.statistics.units import Summing, Sums, cluster_key


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
