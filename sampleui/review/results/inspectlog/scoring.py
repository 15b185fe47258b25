"""What the scorers of a log gave over all samples, and the metrics that Inspect made of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from sampleui.formats.data import Plain, Table
from sampleui.review.record import on_scale
from sampleui.review.results.adapters import fields, inspectscores
from sampleui.review.results.scoring import Figure, Scoring


class ScorersSeen:
    """Which scores a log has, which of them decides, and which have a scale of their own, as its samples are read.

    The first scorer of the task decides; of a log that does not list them, the first that gave anything. Where it
    gives a table of several values, there is none that decides.
    """

    def __init__(self, scorers: Iterable[Table]) -> None:
        """Take the scorers as the header of the log lists them."""
        self._values: dict[str, dict[str, None]] = {name: {} for name in keys_of(scorers)}
        self._beyond: set[str] = set()
        self._scoring: Scoring | None = None

    def add(self, scores: Table) -> None:
        """Take note of the `scores` of a sample."""
        for scorer, score in scores.items():
            for mark in inspectscores.marks({scorer: score}):
                beyond = mark.score is not None and not on_scale(mark.score)
                if mark.name not in self._values.get(scorer, ()) or (beyond and mark.name not in self._beyond):
                    self._values.setdefault(scorer, {})[mark.name] = None
                    self._beyond.update((mark.name,) if beyond else ())
                    self._scoring = None

    @property
    def scoring(self) -> Scoring:
        """What is known so far."""
        if self._scoring is None:
            names = tuple(name for values in self._values.values() for name in values)
            self._scoring = Scoring(names, self._first(), frozenset(self._beyond))
        return self._scoring

    def _first(self) -> str | None:
        scorer, values = next(iter(self._values.items()), (None, {}))
        return next(iter(values)) if len(values) == 1 else scorer


def keys_of(scorers: Iterable[Table]) -> Iterator[str]:
    """Yield what the scorers of a task are called in the scores of a sample (`unique_scorer_name` of 0.3.285)."""
    seen = Counter[str]()
    for scorer in scorers:
        name = scorer.get("name")
        if isinstance(name, str):
            yield f"{name}{seen[name] or ''}"
            seen[name] += 1


def figures_of(results: Table) -> Iterator[Figure]:
    """Yield the metrics of each score of a log, those of one that has its scorer's name below that of the scorer.

    Args:
        results: the `results` of the header; older logs have one score alone.
    """
    listed = fields.tables(results.get("scores")) or [results]
    for score in listed:
        name, scorer = fields.text(score.get("name")), fields.text(score.get("scorer"))
        held = tuple(_metrics(score.get("metrics")))
        if held:
            of = f"{scorer}/{name}" if name and scorer and name != scorer else name or scorer or "score"
            yield Figure(of, fields.text(score.get("reducer")) or "", held)


def _metrics(said: Plain) -> Iterator[tuple[str, float]]:
    for key, metric in fields.table(said).items():
        value = fields.number(metric.get("value") if isinstance(metric, dict) else metric)
        if value is not None:
            yield key, value
