"""The scores of a run by sample and target, attempts averaged."""

from __future__ import annotations

from collections.abc import Iterable

from sampleui.statistics.values import finite
from sampleui.values import NamedTuple


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
