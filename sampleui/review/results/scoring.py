"""Which of several scorers decides whether a record passed, where its runner does not say so."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sampleui.formats.data import Plain
from sampleui.review.record import Entry, EvaluatorScore, Mark, mean_of, on_scale


class Figure(NamedTuple):
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
        held = dict(self.metrics)
        error = held.pop(_ERROR, None)
        said = [f"{name} {value:.3g}" for name, value in held.items()]
        if error is not None:
            said[:1] = [f"{said[0]} ± {error:.3g}" if said else f"{_ERROR} {error:.3g}"]
        return " · ".join(said)

    def as_data(self) -> dict[str, Plain]:
        """Return it as data for JSON."""
        return {"score": self.name, "reducer": self.reducer or None, "metrics": dict(self.metrics)}


_ERROR = "stderr"


class Scoring(NamedTuple):
    """What the scorers of a run gave.

    Attributes:
        names: those that may be asked to decide, in the order of the run.
        first: the one that decides if nobody asks for another; None where the runner says itself what passed.
        beyond: those that gave a score under 0 or over 1, whose scale is not known.
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
        """Return what the scorers gave, with the scales that the records of the whole run tell of.

        Where a truth is known, a score is held against that, whatever its scale.
        """
        plain = [entry for entry in entries if entry.truth_score is None]
        marks = (mark for entry in plain for mark in entry.marks if mark.score is not None)
        beyond = frozenset(mark.name for mark in marks if mark.score is not None and not on_scale(mark.score))
        scores = (entry.score for entry in plain if not entry.averaged and entry.decider is None)
        unbounded = any(score is not None and not on_scale(score) for score in scores)
        return self._replace(beyond=self.beyond | beyond, unbounded=unbounded)

    def decided(self, entry: Entry, asked: str | None) -> Entry:
        """Return an entry with the scorer that decides about it, and the score and the verdict that this one gave.

        Args:
            entry: the facts of a record.
            asked: the scorer that somebody asked for; None for the first.
        """
        decider = asked or self.first
        marks = tuple(map(self._bounded, entry.marks)) if self.beyond else entry.marks
        if decider is None and not self.rescales:
            return entry
        if decider is None:
            score = mean_of(marks) if entry.averaged else entry.score
            own = self.unbounded and not entry.averaged and entry.truth_score is None
            return dataclasses.replace(entry, marks=marks, score=score, bounded=not own)
        said = next((mark for mark in marks if mark.name == decider), Mark(decider, None, None))
        return dataclasses.replace(
            entry, marks=marks, decider=decider, score=said.score, verdict=said.verdict, outcome=None
        )

    def bounded(self, evaluators: Sequence[EvaluatorScore]) -> tuple[EvaluatorScore, ...]:
        """Return evaluators, those marked to which no threshold applies."""
        return tuple(one._replace(bounded=False) if one.name in self.beyond else one for one in evaluators)

    def untold(self, decider: str) -> str:
        """Return why a scorer cannot say what passed, in words; empty where it can."""
        if decider in self.beyond:
            return f"{decider} gives scores under 0 or over 1, so that they do not say what passed"
        parts = [name for name in self.names if name.startswith(f"{decider}/")]
        if parts and decider not in self.names:
            return f"{decider} gives several values, of which one can be asked for: {', '.join(parts)}"
        return ""

    def _bounded(self, mark: Mark) -> Mark:
        return mark._replace(bounded=False) if mark.name in self.beyond else mark
