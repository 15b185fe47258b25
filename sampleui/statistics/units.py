"""Units of a mean, each alone or in clusters, as the totals and sizes that its figures are made of."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from sampleui.errors import StatisticsError


@dataclass(frozen=True, slots=True)
class Units:
    """The independent units of a mean, in order.

    Attributes:
        totals: of each independent unit, the sum of its values.
        sizes: of each, how many values those are: 1 unless the values are clustered.
    """

    totals: Sequence[float]
    sizes: Sequence[int]

    @property
    def count(self) -> int:
        """The independent units: clusters if there are any of two values or more, else values."""
        return len(self.totals)

    @property
    def values(self) -> int:
        """The values in all units."""
        return sum(self.sizes)

    @property
    def clustered(self) -> bool:
        """Whether some unit has more than one value."""
        return self.values > self.count

    @property
    def mean(self) -> float | None:
        """The mean of the values; None if there are none."""
        return math.fsum(self.totals) / self.values if self.totals else None


def grouped(values: Iterable[float], clusters: Iterable[Hashable]) -> Units:
    """Return the units of values, in one cluster if they have one key; clusters are in order of appearance."""
    places: dict[Hashable, int] = {}
    totals: list[float] = []
    sizes: list[int] = []
    for value, cluster in zip(values, clusters, strict=True):
        place = places.setdefault(cluster, len(totals))
        if place == len(totals):
            totals.append(value)
            sizes.append(1)
        else:
            totals[place] += value
            sizes[place] += 1
    return Units(totals, sizes)


def cluster_key(label: Hashable | None, otherwise: Hashable) -> Hashable:
    """Return the key of a unit's cluster: its label's, or, if it has none, one that no label is equal to."""
    return (None, otherwise) if label is None else (label,)


def sample_clusters(samples: Iterable[str], labels: Mapping[str, Hashable | None] | None) -> Iterator[Hashable]:
    """Yield the key of each sample's cluster. A sample without a label is one of its own, with all its targets."""
    return (cluster_key((labels or {}).get(sample), sample) for sample in samples)


def labels_by_sample(labels: Iterable[tuple[str, Hashable | None]]) -> dict[str, Hashable]:
    """Return the cluster label of each sample that has one, from a pair of sample and label for each record.

    Raises:
        StatisticsError: a sample has two labels. A label belongs to the sample, whatever record it stands in.
    """
    found: dict[str, Hashable] = {}
    for sample, label in labels:
        if label is not None and found.setdefault(sample, label) != label:
            raise StatisticsError(f"sample {sample} is in two clusters: {found[sample]} and {label}")
    return found
