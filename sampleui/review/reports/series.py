"""Several runs of the same samples over time: how each came out, and which samples flipped between two of them."""

from __future__ import annotations

import contextlib
import heapq
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count, groupby, pairwise
from pathlib import Path
from typing import NamedTuple

from sampleui.errors import ResultsError
from sampleui.integrations.index import run_number
from sampleui.review.reports.figures import Flip, FlippedAt, PassedOver, RunFigures, RunInSeries, SeriesFigures
from sampleui.review.reports.record_measures import Question
from sampleui.review.reports.relations import RUN, Relations
from sampleui.review.reports.run_figures import facts_of, load_run, no_deck
from sampleui.review.reports.sql_figures import measures_of, totals_of
from sampleui.review.results.evaluations import made_at, without_copies
from sampleui.review.results.file import Results, open_results
from sampleui.review.results.run_paths import run_name, runs_around
from sampleui.text.limits import MAX_FLIPS, MAX_SERIES_RUNS
from sampleui.text.wording import counted


class TimedRun(NamedTuple):
    """A run of a folder: what it is called among them, where it is, when it was made (ISO 8601), its records."""

    name: str
    path: Path
    time: str
    results: Results


def timed_runs(results: Results, tell: Callable[[str], object] = lambda _: None) -> list[TimedRun]:
    """Return the runs that results lie among, oldest first, 50 at most; what cannot be read is left out.

    Folders of runs that are numbered go by their numbers. A run's time is its own, or else that of its file. Of
    several files of one evaluation these results count, or else the original; `tell` is given a line of each other.
    """
    runs = []
    for path in runs_around(results.path)[-MAX_SERIES_RUNS:]:
        with contextlib.suppress(ResultsError, OSError):
            opened = open_results(path, scorer=results.scorer)
            name = run_name(path, path.parent)
            runs.append(TimedRun(name, path.absolute(), made_at(opened).isoformat(timespec="seconds"), opened))
    counted_once, copies = without_copies(
        runs, lambda run: (run.path, run.results.evaluation), results.path.absolute()
    )
    for run in copies:
        tell(f"{run.name} is left out: it is of the same evaluation as another of these files")
    return sorted(counted_once, key=lambda run: (run_number(run.path.name) or 0, run.time))


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
    relations.make("CREATE TABLE rates(run INTEGER, deck INTEGER, sample TEXT, target TEXT, rate DOUBLE)")
    asked = Question(fail_under=question.fail_under, errors_fail=question.errors_fail)
    seen = [_seen(relations, index, run, asked) for index, run in enumerate(runs)]
    flipped, flipped_at = count(), Counter[str]()

    def flips() -> Iterator[Flip]:
        for flip in _flips(relations, seen):
            if flip.runs:
                next(flipped)
                flipped_at.update(run for run, _ in flip.runs)
                yield flip

    listed = heapq.nlargest(MAX_FLIPS, flips(), key=lambda flip: len(flip.runs))
    baseline, passed_over = _baseline(relations, seen, current)
    listed_runs = tuple(run.run._replace(flipped=flipped_at[run.run.name]) for run in seen if run.samples)
    return SeriesFigures(listed_runs, tuple(listed), next(flipped), baseline, passed_over)


class _Seen(NamedTuple):
    """A run of a series, and what tells whether another is of the same deck and targets."""

    run: RunInSeries
    decks: frozenset[str | None]
    targets: frozenset[str]
    samples: int

    @property
    def is_ungraded(self) -> bool:
        """Whether nobody graded any of its records, so that people's verdicts are what can be compared."""
        return self.run.counts.ungraded == self.run.counts.records


def _seen(relations: Relations, index: int, run: TimedRun, question: Question) -> _Seen:
    loaded = load_run(relations, RUN, run.results, lambda: facts_of(run.results, question, no_deck))
    about = RunFigures(run.name, str(run.path))
    totals = totals_of(relations, loaded, measures_of(relations, loaded), about)
    relations.make(
        f"INSERT INTO rates SELECT {index}, k.named, k.sample, k.target, o.outcome"
        f" FROM {RUN}.keys AS k JOIN {RUN}.outcomes AS o ON o.key = k.key"
    )
    decks = relations.decks(RUN)
    relations.drop(RUN)
    found = RunInSeries(run.name, str(run.path), run.time, totals.counts, totals.pass_rate)
    return _Seen(found, decks, frozenset(totals.targets), totals.samples)


def _flips(relations: Relations, runs: Sequence[_Seen]) -> Iterator[Flip]:
    """Yield each sample and target with the runs at which it flipped; it passes where most of its attempts did."""
    rows = relations.ask(
        "SELECT deck, sample, target, run, rate FROM rates WHERE rate IS NOT NULL"
        " ORDER BY deck, sample, target, run"
    )
    for (_, sample, target), inside in groupby(rows, key=lambda row: row[:3]):
        outcomes = [(run, rate > 0.5) for *_, run, rate in inside]
        flipped = (
            FlippedAt(runs[run].run.name, passes)
            for (_, before), (run, passes) in pairwise(outcomes)
            if passes != before
        )
        yield Flip(sample, target, tuple(flipped))


def _baseline(
    relations: Relations, runs: Sequence[_Seen], current: Path
) -> tuple[str | None, tuple[PassedOver, ...]]:
    """Return the newest run before the current one that has its targets, and its decks or half of its samples.

    Those that have them too and cannot be compared with it are passed over, and named with the reason. Two that
    nobody graded are compared by what people say.
    """
    current_index = next((index for index, run in enumerate(runs) if Path(run.run.path) == current.absolute()), 0)
    here = runs[current_index] if runs else None
    passed_over: list[PassedOver] = []
    for index in range(current_index - 1, -1, -1):
        other = runs[index]
        if here is None or other.targets != here.targets or not other.samples:
            continue
        named = None not in here.decks | other.decks
        shared = _shared(relations, index, current_index)
        if not (here.decks == other.decks if named else shared * 2 >= max(here.samples, 1)):
            continue
        of_people = other.is_ungraded and here.is_ungraded
        if of_people or _shared(relations, index, current_index, "rate IS NOT NULL"):
            return other.run.path, (*passed_over,)
        passed_over.append(PassedOver(other.run.name, _why_not(other.run, here.run)))
    return None, (*passed_over,)


def _why_not(other: RunInSeries, here: RunInSeries) -> str:
    """Say why two runs that have no outcome of the same sample cannot be compared."""
    for run, whose in ((here, "this run's"), (other, "its")):
        counts = run.counts
        if counts.errors == counts.records:
            return f"all of {whose} {counted(counts.records, 'record')} are errors"
        if counts.errors + counts.ungraded == counts.records:
            return f"none of {whose} {counted(counts.records, 'record')} has an outcome"
    return "no sample has an outcome in both"


def _shared(relations: Relations, first: int, second: int, which: str = "true") -> int:
    """Return how many samples two runs both have, by the rows of a kind."""
    samples = f"SELECT DISTINCT sample FROM rates WHERE run = ? AND {which}"
    shared: int = relations.only(f"SELECT count(*) FROM ({samples} INTERSECT {samples}) AS shared", first, second)[
        0
    ]
    return shared
