"""Units of a mean, each alone or in clusters, as the totals and sizes that its figures are made of."""

from __future__ import annotations

import math
from array import array
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from sampleui.errors import StatisticsError
from sampleui.statistics import finite

First: TypeAlias = tuple[Any, ...]
"""What tells which of two values is the first; they are compared with each other alone."""


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


class Gathering:
    """Units of a mean gathered from a stream of values: 16 bytes for each, however many there are.

    Those of one cluster must come one after another. Few units are in order of what is `first` of them, which the
    draws of a bootstrap depend on; of many nothing does.
    """

    def __init__(self, few: int) -> None:
        """Take the number of units from which on their order makes no difference."""
        self._few = few
        self._totals = array("d")
        self._sizes = array("q")
        self._firsts: list[First] = []
        self._cluster: Hashable = object()

    def add(self, value: float, cluster: Hashable, first: First) -> None:
        """Add a value of a cluster, and what tells which of two clusters is the first."""
        if cluster == self._cluster:
            self._totals[-1] += value
            self._sizes[-1] += 1
            if len(self._totals) <= self._few:
                self._firsts[-1] = min(self._firsts[-1], first)
            return
        self._cluster = cluster
        self.put(value, 1, first)

    def put(self, total: float, size: int, first: Any) -> None:
        """Put in a whole unit: the sum of its values, how many these are, and what tells which is the first."""
        self._totals.append(total)
        self._sizes.append(size)
        if len(self._totals) <= self._few:
            self._firsts.append(first)

    def units(self) -> Units:
        """Return the units."""
        if len(self._totals) >= self._few:
            return Units(self._totals, self._sizes)
        places = sorted(range(len(self._totals)), key=self._firsts.__getitem__)
        return Units([self._totals[place] for place in places], [self._sizes[place] for place in places])


def cluster_key(label: Hashable | None, otherwise: Hashable) -> Hashable:
    """Return the key of a unit's cluster: that of its label, or a key of its own if it has no label."""
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


class Score(NamedTuple):
    """The score of an attempt of a sample by a target, or None; `target` is empty where there are no targets."""

    sample: str
    target: str
    score: float | None


class Key(NamedTuple):
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


def average_attempts(scores: Iterable[Score]) -> dict[Key, Average]:
    """Return the average of the attempts of each sample by each target, in order of appearance; reads `scores`
    once.

    Raises:
        StatisticsError: a score is not finite.
    """
    averages: dict[Key, Average] = {}
    for sample, target, score in scores:
        key = Key(sample, target)
        scored, total = averages.get(key, _NONE)
        averages[key] = Average(scored, total) if score is None else Average(scored + 1, total + finite(score))
    return averages


_NONE = Average(0, 0.0)
