"""The figures of the run that is reviewed, and which records are behind them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sampleui.errors import ResultsError
from sampleui.formats.data import Table
from sampleui.page.run_report import ReportOptions, ReviewedRun, build_report
from sampleui.review.code_figures import CodeQuestion
from sampleui.review.grouping import sample_values
from sampleui.review.labels import codes_of, with_codes
from sampleui.review.record import Entry, passed
from sampleui.review.reports.figures import Coverage, GraderFigures, Grouping, SeriesFigures
from sampleui.review.reports.graders import GradedRecords, graded_records, graders_of
from sampleui.review.reports.plot_values import Plot, plots_of, spreads_of
from sampleui.review.reports.record_measures import AnsweredSamples, Question, coverage_of
from sampleui.review.reports.redacting import Redaction
from sampleui.review.reports.report import Report
from sampleui.review.reports.run_figures import figures_of, members_of, tables_of
from sampleui.review.reports.series import series_of, timed_runs
from sampleui.review.reports.words import passed_over_words
from sampleui.review.results.file import Results, open_results
from sampleui.text.limits import MAX_MEASURED_RECORDS
from sampleui.workspace.filtering import FIRST

if TYPE_CHECKING:
    from sampleui.tui.review.session import ReviewSession


class Grouped(NamedTuple):
    """The figures of a run grouped by fields, and the indexes of the records behind them.

    Attributes:
        members: those of each group.
        answered: those of the samples that have a value, by field and value.
    """

    figures: Grouping
    members: dict[tuple[str | None, ...], list[int]]
    answered: dict[tuple[str, str], list[int]]


class FigureReader:
    """The figures of the run under review, worked out when they are asked for.

    Attributes:
        cluster: the field whose values cluster samples; None for none.
    """

    def __init__(self, review: ReviewSession) -> None:
        self._review = review
        self.cluster: str | None = None
        self._series: tuple[Results, SeriesFigures] | None = None

    def _sample_of(self, entry: Entry) -> Table | None:
        sample = self._review.decks.sample(entry)
        return None if sample is None else sample.data

    def _asking(self, by: tuple[str, ...] = ()) -> Question:
        """Return which figures are wanted of the run, grouped by fields where some are named."""
        return Question(fail_under=self._review.options.fail_under, by=by, cluster=self.cluster)

    def _coverage(self, by: tuple[str, ...]) -> tuple[Coverage, ...]:
        samples = self._review.decks.samples
        return tuple(
            coverage_of(samples, AnsweredSamples(self._review.decks.sample, self._review.results.counted), by)
        )

    def grouped(self, by: tuple[str, ...]) -> Grouped:
        """Return the figures of the run grouped by fields, and the records behind them.

        Raises:
            ResultsError: when no record has anything in these fields, or the results cannot be read.
            PathError: if a name cannot be the name of a field.
        """
        question = self._asking(by)
        sample_of = with_codes(self._sample_of, self._review.log) if "code" in by else self._sample_of
        members = members_of(self._review.results, question, sample_of)
        self._require(by, members)
        coverage = self._coverage(by)
        groups = figures_of(self._review.results, question, sample_of=sample_of, coverage=coverage).groups
        assert groups is not None, "it is asked for"
        answered: dict[tuple[str, str], list[int]] = {}
        for entry in self._review.results.counted:
            sample = self._sample_of(entry)
            for field in by:
                values = entry.tags if sample is None and field == "tag" else ()
                for value in values if sample is None else sample_values(field, sample):
                    answered.setdefault((field, value), []).append(entry.index)
        return Grouped(groups, members, answered)

    @staticmethod
    def _require(by: tuple[str, ...], members: Iterable[tuple[str | None, ...]]) -> None:
        for index, name in enumerate(by):
            if all(values[index] is None for values in members):
                raise ResultsError(f"no record has {name}: there are no groups by it")

    def cluster_by(self, name: str | None) -> None:
        """Take samples with the same value of a field for a cluster from now on; each for itself with None.

        Raises:
            ResultsError: when no record has anything in this field, or the results cannot be read.
            PathError: if it cannot be the name of a field.
        """
        if name is not None:
            by = (name,)
            self._require(by, members_of(self._review.results, self._asking()._replace(by=by), self._sample_of))
        self.cluster = name

    def report(self) -> Report:
        """Return the figures of the run and of its review, against the baseline if there is one, and by tag.

        Raises:
            ResultsError: when the results or the baseline cannot be read.
            StatisticsError: when a sample is in two clusters.
        """
        by = ("tag",) if self._has_tags() else ()
        review, baseline = self._review, self._review.baseline
        run = ReviewedRun(review.results, review.log, review.decks, reviews=None)
        codes = None
        if codes_of(review.log):
            codes = CodeQuestion(fail_under=review.options.fail_under, scorer=review.results.scorer)
        options = ReportOptions(self._asking(by), codes=codes)
        contents = build_report(run, options, Redaction(()), against=baseline)
        assert contents is not None, "no earlier run is looked for"
        return contents.report

    def _has_tags(self) -> bool:
        counted = self._review.results.counted
        if len(counted) > MAX_MEASURED_RECORDS or any(entry.tags for entry in counted):
            return any(entry.tags for entry in counted)
        some = (sample for deck in self._review.decks for sample in islice(deck.deck.samples, FIRST))
        return any(sample_values("tag", sample.data) for sample in some)

    def graded(self) -> tuple[tuple[GraderFigures, ...], dict[str | None, GradedRecords]]:
        """Return how graders do against people, and the records behind that by the name of the grader.

        Raises:
            ResultsError: when the results cannot be read.
        """

        def tables(entry: Entry) -> Sequence[Table]:
            return tables_of(self._review.results, entry, self._sample_of)

        asked = (
            self._review.results.counted,
            self._review.log,
            tables,
            self._review.options.fail_under,
            self._review.results.scorer,
        )
        return graders_of(*asked), graded_records(*asked)

    def series(self) -> SeriesFigures:
        """Return the runs beside this one over time; they are read once.

        Raises:
            ResultsError: when a run can no longer be read.
        """
        if self._series is None or self._series[0] is not self._review.results:
            asked = self._asking()._replace(cluster=None)
            self._series = (
                self._review.results,
                series_of(timed_runs(self._review.results), self._review.results.path, asked),
            )
        return self._series[1]

    def flipped(self, series: SeriesFigures) -> dict[str, list[int]]:
        """Return the records of the samples that flipped at this run, by its name in the series."""
        here = {run.name for run in series.runs if Path(run.path) == self._review.results.path.absolute()}
        flips = {(flip.sample, flip.target): here & dict(flip.runs).keys() for flip in series.flips}
        found: dict[str, list[int]] = {}
        for entry in self._review.results.counted:
            for name in flips.get((entry.sample_id, entry.target or ""), ()):
                found.setdefault(name, []).append(entry.index)
        return found

    def record_in(self, path: Path, sample: str, target: str, *, passes: bool) -> Entry | None:
        """Return the record of a target at a sample in a run of the folder; None if there is none.

        Of several attempts it is the first that passed or failed as is wanted, or else the first.

        Raises:
            ResultsError: when the run cannot be read.
        """
        here = path == self._review.results.path.absolute()
        run = (
            self._review.results
            if here
            else open_results(
                path, first=self._review.options.dialects, scorer=self._review.results.scorer, asked=True
            )
        )
        wanted, under = (sample, target), self._review.options.fail_under
        tries = [entry for entry in run.indexed().counted if (entry.sample_id, entry.target or "") == wanted]
        return next((entry for entry in tries if passed(entry, under) is passes), next(iter(tries), None))

    def previous_run(self) -> tuple[Path | None, Sequence[str]]:
        """Return the newest earlier run of the same deck and targets beside this one; None if there is none.

        With it are what is to be said of newer ones that this one cannot be compared with.

        Raises:
            ResultsError: when a run beside it can no longer be read.
        """
        series = self.series()
        return None if series.baseline is None else Path(series.baseline), passed_over_words(series)

    def plots(self) -> tuple[Plot, ...]:
        """Return the plots of the run, and of those beside it over time.

        Raises:
            ResultsError: when the results cannot be read.
        """
        figures = figures_of(self._review.results, self._asking(), log=self._review.log, sample_of=self._sample_of)
        if self._review.has_others:
            figures = figures._replace(series=self.series())
        return tuple(plots_of(figures, spreads_of(self._review.results)))
