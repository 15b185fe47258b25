"""The figures of a run, from its results and the decisions about them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple, TypeAlias

from sampleui.formats.collector import collector_off
from sampleui.formats.data import Table
from sampleui.review.log.store import Log
from sampleui.review.record import FAIL_UNDER, Entry, failed, passed
from sampleui.review.reports.figures import BaselineFigures, Coverage, Figures, RunFigures
from sampleui.review.reports.graders import draws_asked, graders_of, reviewers_of
from sampleui.review.reports.measuring import (
    attempts_of,
    comparison_of,
    evaluators_of,
    grouping_of,
    measures_of,
    targets_of,
    totals_of,
    truth_of,
)
from sampleui.review.reports.observing import Question, Told, observations
from sampleui.review.reports.relations import BASELINE, RUN, Loaded, Packed, Relations
from sampleui.review.reports.undecided import CountedRecords, Strata
from sampleui.review.results.file import Keeps, Results
from sampleui.review.results.scoring import Figure

SampleOf = Callable[[Entry], Table | None]
"""Returns the values of a record's sample as a deck has them, None if no deck has it."""


_Earlier: TypeAlias = tuple[Packed, frozenset[str]]

Beside: TypeAlias = Callable[[Callable[[], _Earlier]], AbstractContextManager[Callable[[], _Earlier]]]
"""Begins some work, and gives what waits for its result."""

in_turn: Beside = nullcontext
"""Does work when its result is asked for."""


class Reviews(NamedTuple):
    """What was decided about records of a run that is read once.

    Attributes:
        log: the decisions.
        keeps: tells of which records there may be any.
        carry: has decisions about earlier records count for those that are kept.
    """

    log: Log
    keeps: Keeps | None
    carry: Callable[[Results], object]


def no_deck(_: Entry) -> None:
    """Return nothing: no deck is known."""
    return


def figures_of(
    results: Results,
    question: Question,
    *,
    log: Log | None = None,
    reviews: Reviews | None = None,
    baseline: Results | None = None,
    sample_of: SampleOf = no_deck,
    coverage: Iterable[Coverage] = (),
    see: Callable[[Entry], None] = lambda _: None,
    beside: Beside = in_turn,
) -> Figures:
    """Return the figures of a run.

    Results that are indexed are asked for what they hold. Others are read once, from the first record to the last,
    and nothing of them is kept but the records that somebody decided about: a file of any size takes little memory.

    Args:
        results: the run.
        question: what is asked of it.
        log: what was decided about it, where it is indexed.
        reviews: the same where it is not.
        baseline: an earlier run to compare it with.
        sample_of: where fields are looked for that records do not have.
        coverage: what samples of the decks there are of the fields that are grouped by; taken when all is read.
        see: is called with each record that is read.
        beside: has a baseline that is not indexed read while the run is.

    Raises:
        ResultsError: a file can no longer be read.
        StatisticsError: a score cannot be one, or a sample is in two clusters.
        PathError: what is asked for cannot be a field.
    """
    threshold = Threshold(question.fail_under)

    def seen(entry: Entry) -> None:
        threshold.see(entry)
        see(entry)

    strata = None
    if reviews is not None and reviews.keeps is not None and not results.complete:
        strata = Strata(draws_asked(reviews.log, (question.fail_under, results.scorer)))

    def records() -> Iterator[Told]:
        nonlocal threshold
        threshold = Threshold(question.fail_under)  # of a second reading alone
        if results.complete or not results.streams:
            return told(results, sample_of, seen)
        return _streamed(results, sample_of, seen, None if reviews is None else reviews.keeps, strata)

    def earlier_run(file: str) -> _Earlier:
        assert baseline is not None
        asked, others = question._replace(by=()), Relations()
        loaded = load_run(others, BASELINE, baseline, asked, lambda: told(baseline, sample_of), file=file)
        return others.packed(loaded, file), baseline.unbounded

    comparison = None
    if baseline is None:
        relations = Relations()
        run = load_run(relations, RUN, results, question, records)
    else:
        with TemporaryDirectory(prefix="sampleui-", ignore_cleanup_errors=True) as folder:
            file = str(Path(folder, "baseline"))
            with (in_turn if baseline.complete else beside)(partial(earlier_run, file)) as earlier:
                relations = Relations()
                run = load_run(relations, RUN, results, question, records)
                packed, unbounded = earlier()
            unbounded |= results.unbounded
            comparison = comparison_of(relations, run, relations.adopt(packed), baseline.name, unbounded)
            relations.drop(BASELINE)
    about = About(
        name=results.name,
        file=str(results.path),
        skipped=results.skipped,
        replaced=run.replaced + len(results.superseded),
        fail_under=threshold.value,
        scorer=results.decider,
        untold=results.untold,
        metrics=results.figures,
        unbounded=results.unbounded,
    )
    figures = figures_in(relations, run, about, question, comparison=comparison, coverage=coverage)
    decided = results
    undecided = None
    if reviews is not None and not results.complete and results.excerpt is not None:
        log, decided = reviews.log, results.excerpt.results
        reviews.carry(decided)  # before anyone asks what counts
        if strata is not None:
            undecided = CountedRecords(relations, strata.draws, results.excerpt.places)
    if log is None or not decided.complete:
        return figures

    def tables(entry: Entry) -> Sequence[Table]:
        return tables_of(decided, entry, sample_of)

    return figures._replace(
        graders=graders_of(decided.counted, log, tables, question.fail_under, results.scorer, undecided=undecided),
        reviewers=reviewers_of(decided.counted, log),
    )


class About(NamedTuple):
    """What is known of a run beside its records; see `RunFigures`. `unbounded` evaluators give no scores."""

    name: str
    file: str
    skipped: int = 0
    replaced: int = 0
    fail_under: float | None = None
    scorer: str | None = None
    untold: str = ""
    metrics: tuple[Figure, ...] = ()
    unbounded: frozenset[str] = frozenset()


def figures_in(
    relations: Relations,
    run: Loaded,
    about: About,
    question: Question,
    *,
    comparison: BaselineFigures | None,
    coverage: Iterable[Coverage] = (),
) -> Figures:
    """Return the figures of a run that is in its relations; nothing of what reviewers decided."""
    measures = measures_of(relations, run)
    totals = totals_of(relations, run, measures)
    rows = totals.keys + about.skipped
    return Figures(
        run=RunFigures(
            name=about.name,
            file=about.file,
            counts=totals.counts,
            samples=totals.samples,
            targets=totals.targets,
            skipped=about.skipped,
            replaced=about.replaced,
            fail_under=about.fail_under,
            scorer=about.scorer,
            untold=about.untold,
            metrics=about.metrics,
            clustered_by=question.cluster if run.clustered else None,
            pass_rate=totals.pass_rate,
            least_pass_rate=totals.known_passes / rows if rows else None,
            mean_score=totals.mean_score,
            scored=totals.scored,
        ),
        evaluators=evaluators_of(relations, run, measures, about.unbounded),
        targets=targets_of(relations, run),
        groups=grouping_of(relations, run, question.by, coverage) if question.by else None,
        comparison=comparison,
        attempts=attempts_of(relations, run),
        truth=truth_of(relations, run),
    )


def members_of(
    results: Results, question: Question, sample_of: SampleOf = no_deck
) -> dict[tuple[str | None, ...], list[int]]:
    """Return the records of each group by index, grouped as `figures_of` does. Raises as it does."""
    members: dict[tuple[str | None, ...], list[int]] = {}
    for observed in observations(told(results.indexed(), sample_of), question):
        for cell in observed.cells:
            members.setdefault(cell, []).append(observed.place)
    return members


class Threshold:
    """What scores are known to have failed under, as records show it that are seen one by one."""

    def __init__(self, asked: float | None) -> None:
        self._asked = asked
        self._usual = asked is None
        self._all_scored = True
        self._any, self._any_scored = False, False

    def see(self, entry: Entry) -> None:
        """Take note of a record."""
        self._any = True
        if not self._usual or not self._all_scored or (outcome := passed(entry)) is None:
            return
        self._usual = (outcome is False) == failed(entry, FAIL_UNDER)
        if entry.error is None:
            self._any_scored = True
            self._all_scored = entry.score is not None and entry.bounded

    @property
    def value(self) -> float | None:
        """The threshold; None if runners say otherwise and none was asked for."""
        usual = self._usual and self._all_scored and (self._any_scored or not self._any)
        return FAIL_UNDER if usual else self._asked


@collector_off()
def load_run(
    relations: Relations,
    schema: str,
    results: Results,
    question: Question,
    records: Callable[[], Iterator[Told]],
    *,
    file: str = "",
) -> Loaded:
    """Put a run into relations, its records as `told` yields them.

    They are read once more where reading showed what their scores mean.
    """
    loaded = relations.load(schema, observations(records(), question), file)
    if not results.settled:
        relations.drop(schema)
        if file:
            Path(file).unlink()
        loaded = relations.load(schema, observations(records(), question), file)
    return loaded


def told(results: Results, sample_of: SampleOf, see: Callable[[Entry], None] = lambda _: None) -> Iterator[Told]:
    """Yield the records of results: those that are indexed, or else each as it is read."""
    if results.complete or not results.streams:
        for entry in results.indexed().counted:
            see(entry)
            yield Told(entry.index, entry, False, partial(tables_of, results, entry, sample_of))
        return
    yield from _streamed(results, sample_of, see)


def _streamed(
    results: Results,
    sample_of: SampleOf,
    see: Callable[[Entry], None],
    keeps: Keeps | None = None,
    strata: Strata | None = None,
) -> Iterator[Told]:
    """Yield each record as it is read; with the strata of draws, if there is any, what places it in these."""
    for index, entry, digest, row, replaceable in results.stream(keeps):
        see(entry)
        tables = partial(_with_sample, entry, row, sample_of)
        if strata is None or not strata.draws:
            yield Told(index, entry, replaceable, tables)
        else:
            yield Told(index, entry, replaceable, tables, digest, (*strata.of(entry, tables),))


def tables_of(results: Results, entry: Entry, sample_of: SampleOf) -> Sequence[Table]:
    """Return where the fields of a record are looked for: its sample where a deck has it, then its row."""
    row = results.row(entry.index) if results.streams else results.record(entry.index).data
    return _with_sample(entry, row, sample_of)


def _with_sample(entry: Entry, row: Table, sample_of: SampleOf) -> Sequence[Table]:
    sample = sample_of(entry)
    return (row,) if sample is None else (sample, row)
