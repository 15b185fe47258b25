"""Units of a mean, each alone or in clusters, as the sums that its figures are made of."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import NamedTuple

from sampleui.statistics import finite


class Sums(NamedTuple):
    """The sums over the independent units of a mean from which all of its figures come, however many there are.

    A unit has a total, the sum of its values, and a size, how many these are: 1 unless values are clustered. What
    is squared is the distance of a total from what it would be with some mean near that of all, so that rounding
    takes nothing.

    Attributes:
        units: independent units: clusters if there are any of two values or more, else values.
        values: the sum of the sizes.
        total: the sum of the totals.
        around: the mean that distances are from, `total - around * size`.
        squares: the sum of the squares of these distances.
        products: the sum of the products of distance and size.
        square_sizes: the sum of the squares of the sizes.
        largest: the largest size.
    """

    units: int = 0
    values: int = 0
    total: float = 0.0
    around: float = 0.0
    squares: float = 0.0
    products: float = 0.0
    square_sizes: int = 0
    largest: int = 0

    @property
    def clustered(self) -> bool:
        """Whether some unit has more than one value."""
        return self.values > self.units

    @property
    def lopsided(self) -> bool:
        """Whether one cluster, larger than others, has over a third of all values."""
        return 3 * self.largest > self.values and self.units * self.largest > self.values

    @property
    def mean(self) -> float | None:
        """The mean of the values; None if there are none."""
        return self.total / self.values if self.values else None

    def squares_from(self, mean: float) -> float:
        """Return the sum of the squares of `total - mean * size`."""
        off = mean - self.around
        return max(0.0, self.squares - 2 * off * self.products + off * off * self.square_sizes)


class Summing:
    """Adds up units one after the other; distances are from the mean of the first."""

    def __init__(self) -> None:
        self._sums = Sums()

    def add(self, total: float, size: int = 1, times: int = 1) -> None:
        """Add a unit, or several that are alike."""
        units, values, totals, around, squares, products, square_sizes, largest = self._sums
        if not units:
            around = total / size
        distance = total - around * size
        self._sums = Sums(
            units + times,
            values + size * times,
            totals + total * times,
            around,
            squares + distance * distance * times,
            products + distance * size * times,
            square_sizes + size * size * times,
            max(largest, size),
        )

    def sums(self) -> Sums:
        """Return the sums of what was added."""
        return self._sums


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
        scored, total = averages.get(key, _NONE)
        averages[key] = Average(scored, total) if score is None else Average(scored + 1, total + finite(score))
    return averages


_NONE = Average(0, 0.0)
