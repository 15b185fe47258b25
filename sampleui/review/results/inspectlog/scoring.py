"""What the scorers of a log gave over all samples, and the metrics that Inspect made of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from sampleui.formats.data import Plain, Table
from sampleui.review.results.adapters import fields, inspectscores
from sampleui.review.results.scoring import Figure, Scoring


def scoring_of(scorers: Iterable[Table], samples: Iterable[Table]) -> Scoring:
    """Return which scores a log has, which of them decides, and which have a scale of their own.

    The first scorer of the task decides; of a log that does not list them, the first that gave anything. Where it
    gives a table of several values, there is none that decides.

    Args:
        scorers: the scorers as the header of the log lists them.
        samples: the `scores` of each sample.
    """
    found: dict[str, dict[str, None]] = {name: {} for name in keys_of(scorers)}
    beyond: set[str] = set()
    for scores in samples:
        for scorer, score in scores.items():
            for mark in inspectscores.marks({scorer: score}):
                found.setdefault(scorer, {})[mark.name] = None
                if mark.score is not None and not 0 <= mark.score <= 1:
                    beyond.add(mark.name)
    first = next(iter(found.items()), None)
    names = tuple(name for values in found.values() for name in values)
    if first is None:
        return Scoring()
    scorer, values = first
    return Scoring(names, next(iter(values)) if len(values) == 1 else scorer, frozenset(beyond))


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
