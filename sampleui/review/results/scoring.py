"""Which of several scorers decides whether a record passed, where its runner does not say so."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple, TypeVar

from sampleui.formats.data import Plain
from sampleui.review.record import Entry, EvaluatorScore, Grade, mean_of, on_scale
from sampleui.sample.dialects.field import keys

_G = TypeVar("_G", Grade, EvaluatorScore)


class ReportedMetrics(NamedTuple):
    """The metrics that a run has of one of its scores.

    Attributes:
        name: the score.
        reducer: how the scores of several epochs became one; empty if the run does not say.
        metrics: the metrics by their names, in the order of the run.
    """

    name: str
    reducer: str
    metrics: tuple[tuple[str, float], ...]

    @property
    def text(self) -> str:
        """The metrics in one line, the standard error behind the first: `accuracy 0.6 ± 0.12 · std 0.5`."""
        metrics = dict(self.metrics)
        error = metrics.pop(_ERROR, None)
        words = [f"{name} {value:.3g}" for name, value in metrics.items()]
        if error is not None:
            words[:1] = [f"{words[0]} ± {error:.3g}" if words else f"{_ERROR} {error:.3g}"]
        return " · ".join(words)

    def as_data(self) -> dict[str, Plain]:
        """Return it as data for JSON."""
        return {"score": self.name, "reducer": self.reducer or None, "metrics": dict(self.metrics)}


_ERROR = "stderr"
_UNITS = keys(
    """
    latency duration time seconds secs ms milliseconds length len size count tokens words chars characters lines
    bytes byte bits perplexity ppl loss entropy logprob loglikelihood cost usd price steps turns
    """
)
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


@lru_cache(maxsize=256)
def is_measured_in_units(name: str) -> bool:
    """Tell whether the name of an evaluator ends in what is counted or measured, and is no score of it."""
    words = _WORD.findall(name)
    return bool(words) and words[-1].lower() in _UNITS


def is_beyond(grade: Grade) -> bool:
    """Tell whether a grade is a number outside 0 to 1; an infinite one has no score."""
    return not grade.bounded or (grade.score is not None and not on_scale(grade.score))


def _is_measure(grade: Grade) -> bool:
    """Tell whether a grade is a value of a unit. What says itself whether it passed is graded."""
    return grade.score is not None and grade.verdict is None and is_measured_in_units(grade.name)


class Scoring(NamedTuple):
    """The scorers of a run, and the scales of their scores.

    Attributes:
        names: those that may be asked to decide, in the order of the run.
        first: the one that decides if nobody asks for another; None where the runner says itself what passed.
        beyond: those that gave a score under 0 or over 1, whose scale is not known, or values of a unit.
        unbounded: whether records have a score of their own under 0 or over 1, so that its scale is not known.
    """

    names: tuple[str, ...] = ()
    first: str | None = None
    beyond: frozenset[str] = frozenset()
    unbounded: bool = False

    @property
    def rescales(self) -> bool:
        """Whether there are scores whose scale is not known."""
        return bool(self.beyond) or self.unbounded

    def having(self, entries: Iterable[Entry]) -> Scoring:
        """Return the scoring with the scales that some records show."""
        scoring = self
        for entry in entries:
            scoring = scoring.including(entry)
        return scoring

    def including(self, entry: Entry) -> Scoring:
        """Return the scoring with one more record included.

        Where a truth is known, a score is held against that, whatever its scale.
        """
        if entry.truth_score is not None:
            return self
        beyond = [grade.name for grade in entry.grades if is_beyond(grade) or _is_measure(grade)]
        outside = not entry.bounded or (entry.score is not None and not on_scale(entry.score))
        is_unscaled = outside and not entry.averaged and entry.decider is None
        if self.beyond.issuperset(beyond) and is_unscaled <= self.unbounded:
            return self
        return self._replace(beyond=self.beyond.union(beyond), unbounded=self.unbounded or is_unscaled)

    def decided(self, entry: Entry, asked: str | None) -> Entry:
        """Return an entry with the scorer that decides about it, and the score and the verdict that this one gave.

        Args:
            entry: the facts of a record.
            asked: the scorer that somebody asked for; None for the first.
        """
        decider = asked or self.first
        grades = entry.grades
        if not self.beyond.isdisjoint([grade.name for grade in grades]):
            grades = self.bounded(grades)
        if decider is None and grades is entry.grades and not self.unbounded:
            return entry
        if decider is None:
            score = mean_of(grades) if entry.averaged else entry.score
            is_unscaled = self.unbounded and not entry.averaged and entry.truth_score is None
            return replace(entry, grades=grades, score=score, bounded=not is_unscaled)
        deciding = next((grade for grade in grades if grade.name == decider), Grade(decider, None, None))
        return replace(
            entry, grades=grades, decider=decider, score=deciding.score, verdict=deciding.verdict, outcome=None
        )

    def bounded(self, given: Iterable[_G]) -> tuple[_G, ...]:
        """Return what evaluators gave, with that marked to which no threshold applies."""
        return tuple([item._replace(bounded=False) if item.name in self.beyond else item for item in given])

    def untold(self, decider: str) -> str:
        """Return why a scorer cannot say what passed, in words; empty where it can."""
        if decider in self.beyond and is_measured_in_units(decider):
            return f"{decider} gives no scores from 0 to 1, so that they do not say what passed"
        if decider in self.beyond:
            return f"{decider} gives scores under 0 or over 1, so that they do not say what passed"
        parts = [name for name in self.names if name.startswith(f"{decider}/")]
        if parts and decider not in self.names:
            return f"{decider} gives several values, of which one can be asked for: {', '.join(parts)}"
        return ""
