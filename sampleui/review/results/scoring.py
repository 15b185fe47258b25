"""Which of several scorers decides whether a record passed, where its runner does not say so."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import NamedTuple

from sampleui.formats.data import Plain
from sampleui.review.record import Entry, EvaluatorScore, Mark


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
    """

    names: tuple[str, ...] = ()
    first: str | None = None
    beyond: frozenset[str] = frozenset()

    def decided(self, entry: Entry, asked: str | None) -> Entry:
        """Return an entry with the scorer that decides about it, and the score and the verdict that this one gave.

        Args:
            entry: the facts of a record.
            asked: the scorer that somebody asked for; None for the first.
        """
        decider = asked or self.first
        if decider is None:
            return entry
        marks = tuple(map(self._bounded, entry.marks)) if self.beyond else entry.marks
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
