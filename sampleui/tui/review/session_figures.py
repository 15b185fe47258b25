"""The figures of the run that is reviewed, and which records are behind them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from sampleui.errors import ResultsError
from sampleui.formats.data import Table
from sampleui.page.run_report import ReportOptions, ReviewedRun, build_report
from sampleui.review.code_figures import CodeQuestion
from sampleui.review.grouping import sample_values
from sampleui.review.labels import codes_of, with_codes
from sampleui.review.record import Entry, passed
from sampleui.review.reports.figures import GraderFigures, Grouping, SeriesFigures
from sampleui.review.reports.graders import GradedRecords, graded_records, graders_of
from sampleui.review.reports.plot_values import Plot, plots_of, spreads_of
from sampleui.review.reports.record_measures import AnsweredSamples, Question, coverage_of
from sampleui.review.reports.redacting import Redaction
from sampleui.review.reports.report import Report
from sampleui.review.reports.run_figures import figures_of, members_of, tables_of
from sampleui.review.reports.series import series_of, timed_runs
from sampleui.review.reports.words import passed_over_words
from sampleui.review.results.file import open_results
from sampleui.text.limits import MAX_MEASURED_RECORDS
from sampleui.tui.review.session import ReviewSession
from sampleui.workspace.filtering import FIRST


class Grouped(NamedTuple):
    """The figures of a run grouped by fields, and the indexes of the records behind them.

    Attributes:
        members: those of each group.
        answered: those of the samples that have a value, by field and value.
    """

    figures: Grouping
    members: dict[tuple[str | None, ...], list[int]]
    answered: dict[tuple[str, str], list[int]]


def _asking(review: ReviewSession, by: tuple[str, ...] = ()) -> Question:
    """Return which figures are wanted of the run, grouped by fields where some are named."""
    return Question(fail_under=review.options.fail_under, by=by, cluster=review.state.cluster)


def grouped(review: ReviewSession, by: tuple[str, ...]) -> Grouped:
    """Return the figures of the run grouped by fields, and the records behind them.

    Raises:
        ResultsError: when no record has anything in these fields, or the results cannot be read.
        PathError: if a name cannot be the name of a field.
    """
    question = _asking(review, by)
    sample_of = with_codes(review.decks.data, review.log) if "code" in by else review.decks.data
    members = members_of(review.results, question, sample_of)
    _require(by, members)
    answers = AnsweredSamples(review.decks.sample, review.results.counted)
    coverage = tuple(coverage_of(review.decks.samples, answers, by))
    groups = figures_of(review.results, question, sample_of=sample_of, coverage=coverage).groups
    assert groups is not None, "it is asked for"
    answered: dict[tuple[str, str], list[int]] = {}
    for entry in review.results.counted:
        sample = review.decks.data(entry)
        for field in by:
            values = entry.tags if sample is None and field == "tag" else ()
            for value in values if sample is None else sample_values(field, sample):
                answered.setdefault((field, value), []).append(entry.index)
    return Grouped(groups, members, answered)


def _require(by: tuple[str, ...], members: Iterable[tuple[str | None, ...]]) -> None:
    for index, name in enumerate(by):
        if all(values[index] is None for values in members):
            raise ResultsError(f"no record has {name}: there are no groups by it")


def require_cluster(review: ReviewSession, name: str) -> None:
    """Require that samples can be clustered by a field.

    Raises:
        ResultsError: when no record has anything in this field, or the results cannot be read.
        PathError: if it cannot be the name of a field.
    """
    _require((name,), members_of(review.results, _asking(review)._replace(by=(name,)), review.decks.data))


def report(review: ReviewSession) -> Report:
    """Return the figures of the run and of its review, against the baseline if there is one, and by tag.

    Raises:
        ResultsError: when the results or the baseline cannot be read.
        StatisticsError: when a sample is in two clusters.
    """
    by = ("tag",) if _has_tags(review) else ()
    run = ReviewedRun(review.results, review.log, review.decks, reviews=None)
    codes = None
    if codes_of(review.log):
        codes = CodeQuestion(fail_under=review.options.fail_under, scorer=review.results.scorer)
    opened = {} if review.baseline is None else {review.baseline.path: review.baseline}
    options = ReportOptions(_asking(review, by), baseline=next(iter(opened), None), codes=codes)
    contents = build_report(run, options, Redaction(()), open_baseline=opened.__getitem__)
    assert contents is not None, "no earlier run is looked for"
    return contents.report


def _has_tags(review: ReviewSession) -> bool:
    counted = review.results.counted
    if len(counted) > MAX_MEASURED_RECORDS or any(entry.tags for entry in counted):
        return any(entry.tags for entry in counted)
    some = (sample for deck in review.decks for sample in islice(deck.deck.samples, FIRST))
    return any(sample_values("tag", sample.data) for sample in some)


def graded(review: ReviewSession) -> tuple[tuple[GraderFigures, ...], dict[str | None, GradedRecords]]:
    """Return how graders do against people, and the records behind that by the name of the grader.

    Raises:
        ResultsError: when the results cannot be read.
    """

    def tables(entry: Entry) -> Sequence[Table]:
        return tables_of(review.results, entry, review.decks.data)

    results, options = review.results, review.options
    asked = (results.counted, review.log, tables, options.fail_under, results.scorer)
    return graders_of(*asked), graded_records(*asked)


def series(review: ReviewSession) -> SeriesFigures:
    """Return the runs beside this one over time; they are read once.

    Raises:
        ResultsError: when a run can no longer be read.
    """
    results = review.results
    if review.series is None or review.series[0] is not results:
        asked = _asking(review)._replace(cluster=None)
        review.series = results, series_of(timed_runs(results), results.path, asked)
    return review.series[1]


def flipped(review: ReviewSession, runs: SeriesFigures) -> dict[str, list[int]]:
    """Return the records of the samples that flipped at this run, by its name in the series."""
    here = {run.name for run in runs.runs if Path(run.path) == review.results.path.absolute()}
    flips = {(flip.sample, flip.target): here & dict(flip.runs).keys() for flip in runs.flips}
    found: dict[str, list[int]] = {}
    for entry in review.results.counted:
        for name in flips.get((entry.sample_id, entry.target or ""), ()):
            found.setdefault(name, []).append(entry.index)
    return found


def record_in(review: ReviewSession, path: Path, sample: str, target: str, *, passes: bool) -> Entry | None:
    """Return the record of a target at a sample in a run of the folder; None if there is none.

    Of several attempts it is the first that passed or failed as is wanted, or else the first.

    Raises:
        ResultsError: when the run cannot be read.
    """
    run = review.results
    if path != run.path.absolute():
        run = open_results(path, first=review.options.dialects, scorer=run.scorer, asked=True)
    wanted, under = (sample, target), review.options.fail_under
    tries = [entry for entry in run.indexed().counted if (entry.sample_id, entry.target or "") == wanted]
    return next((entry for entry in tries if passed(entry, under) is passes), next(iter(tries), None))


def previous_run(review: ReviewSession) -> tuple[Path | None, Sequence[str]]:
    """Return the newest earlier run of the same deck and targets beside this one; None if there is none.

    With it are what is to be said of newer ones that this one cannot be compared with.

    Raises:
        ResultsError: when a run beside it can no longer be read.
    """
    runs = series(review)
    return None if runs.baseline is None else Path(runs.baseline), passed_over_words(runs)


def plots(review: ReviewSession) -> tuple[Plot, ...]:
    """Return the plots of the run, and of those beside it over time.

    Raises:
        ResultsError: when the results cannot be read.
    """
    figures = figures_of(review.results, _asking(review), log=review.log, sample_of=review.decks.data)
    if review.has_others:
        figures = figures._replace(series=series(review))
    return tuple(plots_of(figures, spreads_of(review.results)))
