"""Several runs of the same samples over time: how each came out, and which samples flipped between two of them."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import count, groupby, pairwise
from pathlib import Path
from typing import NamedTuple

from sampleui.review.reports.asking import load_run, no_deck, told
from sampleui.review.reports.figures import Flip, RunInSeries, SeriesFigures
from sampleui.review.reports.measuring import measures_of, totals_of
from sampleui.review.reports.observing import Question
from sampleui.review.reports.relations import OUTCOME, RUN, Relations
from sampleui.review.results.file import Results

MOST_FLIPS = 1_000
"""Samples that flipped and are listed."""


class TimedRun(NamedTuple):
    """A run of a folder: what it is called among them, where it is, when it was made (ISO 8601), its records."""

    name: str
    path: Path
    time: str
    results: Results


class _Seen(NamedTuple):
    """A run of a series, and what tells whether another is of the same deck and targets."""

    run: RunInSeries
    decks: frozenset[str | None]
    targets: frozenset[str]
    samples: int


def series_of(runs: Iterable[TimedRun], current: Path, question: Question) -> SeriesFigures:
    """Return runs as a series.

    Args:
        runs: oldest first; each is read when its turn comes, and not kept.
        current: the path of the run for which a baseline is looked for.
        question: what is asked of them.

    Raises:
        ResultsError: a file can no longer be read.
        StatisticsError: a score cannot be one.
    """
    relations = Relations()
    relations.make("CREATE TABLE outcomes(run INTEGER, deck INTEGER, sample TEXT, target TEXT, rate DOUBLE)")
    asked = Question(fail_under=question.fail_under, errors_fail=question.errors_fail)
    seen = [_seen(relations, index, run, asked) for index, run in enumerate(runs)]
    flipped, flipped_at = count(), Counter[str]()

    def flips() -> Iterator[Flip]:
        for flip in _flips(relations, seen):
            if flip.runs:
                next(flipped)
                flipped_at.update(run for run, _ in flip.runs)
                yield flip

    listed = heapq.nlargest(MOST_FLIPS, flips(), key=lambda flip: len(flip.runs))
    listed_runs = tuple(run.run._replace(flipped=flipped_at[run.run.name]) for run in seen if run.samples)
    return SeriesFigures(listed_runs, tuple(listed), next(flipped), _baseline(relations, seen, current))


def _seen(relations: Relations, index: int, run: TimedRun, question: Question) -> _Seen:
    loaded = load_run(relations, RUN, run.results, question, lambda: told(run.results, no_deck))
    totals = totals_of(relations, loaded, measures_of(relations, loaded))
    relations.make(
        f"INSERT INTO outcomes SELECT {index}, k.named, k.sample, k.target, s.total / s.scored"
        f" FROM {RUN}.scores AS s JOIN {RUN}.keys AS k ON k.key = s.key WHERE s.part = {OUTCOME} AND s.scored > 0"
    )
    decks = relations.decks(RUN)
    relations.drop(RUN)
    found = RunInSeries(run.name, str(run.path), run.time, totals.counts, totals.pass_rate)
    return _Seen(found, decks, frozenset(totals.targets), totals.samples)


def _flips(relations: Relations, runs: Sequence[_Seen]) -> Iterator[Flip]:
    """Yield each sample and target with the runs at which it flipped; it passes where most of its attempts did."""
    rows = relations.ask("SELECT deck, sample, target, run, rate FROM outcomes ORDER BY deck, sample, target, run")
    for (_, sample, target), inside in groupby(rows, key=lambda row: row[:3]):
        outcomes = [(run, rate > 0.5) for *_, run, rate in inside]
        flipped = (
            (runs[run].run.name, passes) for (_, before), (run, passes) in pairwise(outcomes) if passes != before
        )
        yield Flip(sample, target, tuple(flipped))


def _baseline(relations: Relations, runs: Sequence[_Seen], current: Path) -> str | None:
    """Return the newest run before the current one that has its targets, and its decks or half of its samples."""
    place = next((index for index, run in enumerate(runs) if Path(run.run.path) == current.absolute()), None)
    if place is None:
        return None
    here = runs[place]
    for index in range(place - 1, -1, -1):
        other = runs[index]
        if other.targets != here.targets:
            continue
        named = None not in here.decks | other.decks
        shared = _shared(relations, index, place)
        if other.samples and (here.decks == other.decks if named else shared * 2 >= max(here.samples, 1)):
            return other.run.path
    return None


def _shared(relations: Relations, first: int, second: int) -> int:
    """Return how many samples two runs both have an outcome of."""
    samples = "SELECT DISTINCT sample FROM outcomes WHERE run = ?"
    shared: int = relations.only(f"SELECT count(*) FROM ({samples} INTERSECT {samples}) AS shared", first, second)[
        0
    ]
    return shared
