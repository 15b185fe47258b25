"""A run compared with an earlier one, record by record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from sampleui.review.record import Entry, failed

TOLERANCE = 1e-9


class Trend(StrEnum):
    """How a record fares against the baseline."""

    WORSE = "worse"
    BETTER = "better"
    ONLY_NEW = "only here"
    ONLY_OLD = "only in the baseline"
    SAME = "same"


class GraderChange(NamedTuple):
    """How the score of one evaluator changed; a score of None if it gave none."""

    name: str
    old: float | None
    new: float | None

    @property
    def trend(self) -> Trend:
        """How it fares."""
        if self.old is None or self.new is None:
            return Trend.ONLY_OLD if self.new is None else Trend.ONLY_NEW
        return Trend.BETTER if self.new > self.old else Trend.WORSE

    def __str__(self) -> str:
        """Return it in words."""
        old, new = ("none" if one is None else f"{one:g}" for one in (self.old, self.new))
        return f"{self.name} {old} → {new}"


class Compared(NamedTuple):
    """A record and its counterpart.

    Attributes:
        new: None when only the baseline has it.
        old: None when only the new run has it.
        delta: new score minus old score; where truths are known, by how much nearer to the truth it is. None when
            either has no score.
        graders: the evaluators that gave something else, or are in one of the runs only.
    """

    trend: Trend
    new: Entry | None
    old: Entry | None
    delta: float | None
    graders: tuple[GraderChange, ...] = ()

    @property
    def id(self) -> str:
        """The record's id, of the new run if it has one."""
        found = self.new or self.old
        assert found is not None
        return found.id


def compare(new: Sequence[Entry], old: Sequence[Entry], fail_under: float | None = None) -> tuple[Compared, ...]:
    """Pair the records of two runs and tell how each changed, in the order of the new file, then of the old.

    Records pair by sample, by target too if both runs have the same targets, and by occurrence if several are
    left. A record that failed and passes now is better whatever the scores say, and the other way round.
    """
    by_target = {entry.target for entry in new} == {entry.target for entry in old}
    before = dict(zip(_keys(old, by_target), old, strict=True))
    paired = [(entry, before.pop(key, None)) for key, entry in zip(_keys(new, by_target), new, strict=True)]
    found = [_compared(entry, was, fail_under) for entry, was in paired]
    return (*found, *(Compared(Trend.ONLY_OLD, None, entry, None) for entry in before.values()))


def counts(compared: Iterable[Compared]) -> dict[Trend, int]:
    """Return how many records there are of each trend, none left out."""
    counted = Counter(one.trend for one in compared)
    return {trend: counted[trend] for trend in Trend}


def _keys(entries: Iterable[Entry], by_target: bool) -> list[tuple[str, str | None, int]]:
    seen = Counter[tuple[str, str | None]]()
    keys = []
    for entry in entries:
        pair = (entry.sample_id, entry.target if by_target else None)
        seen[pair] += 1
        keys.append((*pair, seen[pair]))
    return keys


def _compared(new: Entry, old: Entry | None, fail_under: float | None) -> Compared:
    if old is None:
        return Compared(Trend.ONLY_NEW, new, None, None)
    delta = _delta(new, old)
    rise = failed(old, fail_under) - failed(new, fail_under) or delta or 0.0
    trend = Trend.BETTER if rise > TOLERANCE else Trend.WORSE if rise < -TOLERANCE else Trend.SAME
    return Compared(trend, new, old, delta, tuple(_graders(new, old)))


def _graders(new: Entry, old: Entry) -> Iterator[GraderChange]:
    if new.truth_score is not None or old.truth_score is not None:
        return  # the grader is what is tested, and the delta says it
    before, now = ({mark.name: mark.score for mark in entry.marks} for entry in (old, new))
    for name in dict.fromkeys((*before, *now)):
        one, other = before.get(name), now.get(name)
        if one is None or other is None:
            if one is not other:
                yield GraderChange(name, one, other)
        elif abs(one - other) > TOLERANCE:
            yield GraderChange(name, one, other)


def _delta(new: Entry, old: Entry) -> float | None:
    if new.score is None or old.score is None:
        return None
    if new.truth_score is not None and old.truth_score is not None:
        return abs(old.score - old.truth_score) - abs(new.score - new.truth_score)
    return new.score - old.score
