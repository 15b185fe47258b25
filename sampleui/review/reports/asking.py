"""The figures of a run, from its results and the decisions about them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from sampleui.formats.data import Table
from sampleui.review.log.store import Log
from sampleui.review.record import FAIL_UNDER, Entry, failed, ungraded
from sampleui.review.reports.figures import Coverage, Figures, Grouping, RunFigures
from sampleui.review.reports.graders import graders_of, reviewers_of
from sampleui.review.reports.measuring import (
    attempts_of,
    comparison_of,
    evaluators_of,
    groups_of,
    measures_of,
    targets_of,
    totals_of,
)
from sampleui.review.reports.observing import Question, Told, observations
from sampleui.review.reports.relations import BASELINE, RUN, Loaded, Relations
from sampleui.review.results.file import Results

SampleOf = Callable[[Entry], Table | None]
"""Returns the values of a record's sample as a deck has them, None if no deck has it."""


def _no_deck(_: Entry) -> None:
    return None


def figures_of(
    results: Results,
    question: Question,
    *,
    log: Log | None = None,
    baseline: Results | None = None,
    sample_of: SampleOf = _no_deck,
    coverage: Sequence[Coverage] = (),
) -> Figures:
    """Return the figures of a run.

    Results that are indexed are asked for what they hold. Others are read once, from the first record to the last,
    and nothing of them is kept: a file of any size takes little memory. What reviewers decided is only looked at of
    those that are indexed.

    Args:
        results: the run.
        question: what is asked of it.
        log: what was decided about it.
        baseline: an earlier run to compare it with.
        sample_of: where fields are looked for that records do not have.
        coverage: what samples of the decks there are of the fields that are grouped by.

    Raises:
        ResultsError: a file can no longer be read.
        StatisticsError: a score cannot be one, or a sample is in two clusters.
        PathError: what is asked for cannot be a field.
    """
    relations = Relations()
    run = _loaded(relations, RUN, results, question, sample_of)
    measures = measures_of(relations, run)
    unbounded = results.unbounded
    totals = totals_of(relations, run, measures)
    comparison = None
    if baseline is not None:
        earlier = _loaded(relations, BASELINE, baseline, question._replace(by=()), sample_of)
        comparison = comparison_of(relations, run, earlier, baseline.name, unbounded | baseline.unbounded)
    decided = results.counted if log is not None and results.complete else ()

    def tables(entry: Entry) -> Sequence[Table]:
        return _tables(results, entry, sample_of)

    return Figures(
        run=RunFigures(
            name=results.name,
            file=str(results.path),
            counts=totals.counts,
            samples=totals.samples,
            targets=totals.targets,
            skipped=results.skipped,
            replaced=run.replaced + len(results.superseded),
            fail_under=threshold_of(results.counted, question.fail_under),
            scorer=results.decider,
            untold=results.untold,
            metrics=results.figures,
            clustered_by=question.cluster,
            pass_rate=totals.pass_rate,
            mean_score=totals.mean_score,
            scored=totals.scored,
        ),
        evaluators=evaluators_of(relations, run, measures, unbounded),
        targets=targets_of(relations, run),
        groups=Grouping(question.by, groups_of(relations, run), tuple(coverage)) if question.by else None,
        comparison=comparison,
        attempts=attempts_of(relations, run),
        graders=() if log is None else graders_of(decided, log, tables, question.fail_under, results.scorer),
        reviewers=None if log is None else reviewers_of(decided, log),
    )


def members_of(
    results: Results, question: Question, sample_of: SampleOf = _no_deck
) -> dict[tuple[str | None, ...], list[int]]:
    """Return the records of each group by index, grouped as `figures_of` does. Raises as it does."""
    members: dict[tuple[str | None, ...], list[int]] = {}
    for observed in observations(_indexed(results, sample_of), question):
        for cell in observed.cells:
            members.setdefault(cell, []).append(observed.place)
    return members


def threshold_of(entries: Iterable[Entry], fail_under: float | None) -> float | None:
    """Return the threshold below which records failed; None if runners say otherwise and none was asked for."""
    graded = [entry for entry in entries if not ungraded(entry)]
    usual = fail_under is None and all(failed(entry) == failed(entry, FAIL_UNDER) for entry in graded)
    scored = [entry.score is not None and entry.bounded for entry in graded if entry.error is None]
    return FAIL_UNDER if usual and all(scored) and (scored or not entries) else fail_under


def _loaded(relations: Relations, schema: str, results: Results, question: Question, sample_of: SampleOf) -> Loaded:
    """Put a run into relations, read once more where that showed what its scores mean."""
    if results.complete or not results.streams:
        return relations.load(schema, observations(_indexed(results, sample_of), question))
    loaded = relations.load(schema, observations(_streamed(results, sample_of), question))
    if not results.settled:
        relations.drop(schema)
        loaded = relations.load(schema, observations(_streamed(results, sample_of), question))
    return loaded


def _streamed(results: Results, sample_of: SampleOf) -> Iterator[Told]:
    for entry, row, replaceable in results.stream():
        yield Told(entry, replaceable, lambda entry=entry, row=row: _with_sample(sample_of(entry), row))  # type: ignore[misc]


def _indexed(results: Results, sample_of: SampleOf) -> Iterator[Told]:
    for entry in results.indexed().counted:
        yield Told(entry, False, lambda entry=entry: _tables(results, entry, sample_of))  # type: ignore[misc]


def _tables(results: Results, entry: Entry, sample_of: SampleOf) -> Sequence[Table]:
    return _with_sample(sample_of(entry), results.row(entry.index))


def _with_sample(sample: Table | None, row: Table) -> Sequence[Table]:
    return (row,) if sample is None else (sample, row)
