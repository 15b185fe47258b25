"""The report of a run as one value, which text, Markdown, JSON and the page are made of."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Literal, NamedTuple, Protocol

from sampleui.errors import ResultsError
from sampleui.formats.data import Table
from sampleui.page.records import RecordDetails, details_of
from sampleui.review.code_figures import CodeQuestion, code_figures
from sampleui.review.filters import Filters, passing, unknown_words
from sampleui.review.labels import with_codes
from sampleui.review.log.store import Log, log_path, open_log
from sampleui.review.log.verdict_migration import RunSamples, carry_over, has_earlier, judged_log, named_by_logs
from sampleui.review.people import found_by_all, with_findings
from sampleui.review.queue import items_of
from sampleui.review.record import Entry, Record, failed
from sampleui.review.record_sections import asked_section, record_sections
from sampleui.review.reports.by_people import JudgedRun
from sampleui.review.reports.figures import SeriesFigures
from sampleui.review.reports.matrix import Matrix, MatrixOrder, matrix_of_results
from sampleui.review.reports.plot_values import plots_of, spreads_of
from sampleui.review.reports.record_measures import AnsweredSamples, Question, coverage_of
from sampleui.review.reports.redacting import Redaction
from sampleui.review.reports.report import Report, report_of
from sampleui.review.reports.run_figures import (
    Reviews,
    figures_of,
    no_deck,
    tables_of,
)
from sampleui.review.reports.series import series_of, timed_runs
from sampleui.review.reports.words import passed_over_words
from sampleui.review.results.evaluations import same_evaluation_words
from sampleui.review.results.file import Results, open_results, scored_results
from sampleui.review.verdict import sample_digest
from sampleui.runs.decks import FoundDecks, decks_of_run
from sampleui.runs.sample_as_run import run_samples, samples_in
from sampleui.sample.model import Sample
from sampleui.sample.sections import texts_of, with_texts
from sampleui.settings.options import Settings
from sampleui.settings.views import Views
from sampleui.text.confined import size_of
from sampleui.text.limits import MIN_STREAMED_BYTES
from sampleui.workspace.record_search import Decks, filters_of, unknown_in

FIRST = 1_000
"""Records of a file that is read once that are asked for the decks that were run."""


class ReportedDecks(Decks, Protocol):
    """The decks of a run, as a report asks them."""

    @property
    def samples(self) -> Iterable[Sample]:
        """The samples of all of them."""

    def lacks(self, entry: Entry, /) -> bool:
        """Tell whether the deck of a record is here and does not have its sample."""


class ReportOptions(NamedTuple):
    """What a report is to have.

    Attributes:
        question: what is asked of the figures.
        decks: where samples are looked for; without any, in the decks that the run names.
        baseline: an earlier run to compare with.
        previous: whether to compare with the newest earlier run of the same deck and targets, if none is named.
        series: whether the runs in the same folder are shown over time.
        records: which records are listed; None for none.
        matrix: how samples by targets are sorted; None for no matrix.
        filter: the words by which matrix and records are narrowed, as the queue's search takes them.
        plots: whether plots are drawn.
        in_full: whether the records that are shown are shown in full, with their samples.
        everything: whether those are all records; else a page has those that failed or were decided.
        keeps_records: whether all records are needed, however large the file is.
        codes: what is asked of the codes; None for nothing.
    """

    question: Question = Question()
    decks: tuple[Path, ...] = ()
    baseline: Path | None = None
    previous: bool = False
    series: bool = False
    records: Literal["failed", "all"] | None = None
    matrix: MatrixOrder | None = None
    filter: str = ""
    plots: bool = False
    in_full: bool = False
    everything: bool = False
    keeps_records: bool = False
    codes: CodeQuestion | None = None

    @property
    def shows_records(self) -> bool:
        """Whether anything of a report is about single records."""
        of_records = self.keeps_records or self.plots or "code" in self.question.by
        return of_records or self.matrix is not None or self.records is not None


class ReviewedRun(NamedTuple):
    """A run with what was decided about it.

    Attributes:
        results: its records.
        log: the decisions.
        decks: the decks that were run; none where nobody asks for a sample.
        views: how its records are shown.
        reviews: the decisions where the run is read only once; else None.
    """

    results: Results
    log: Log
    decks: ReportedDecks
    reviews: Reviews | None
    views: Views = MappingProxyType({})

    def sample_of(self, entry: Entry) -> Table | None:
        """Return the sample of a record as its deck has it; None if no deck has it."""
        sample = self.decks.sample(entry)
        return None if sample is None else sample.data


class ReportContents(NamedTuple):
    """A report, and what its records are shown from.

    Attributes:
        report: the figures and the state of the review.
        run: the records, what was decided about them, and the decks that were run.
        redaction: what is to be replaced.
        options: what was asked for.
        listed: the records that a report in Markdown lists.
    """

    report: Report
    run: ReviewedRun
    redaction: Redaction
    options: ReportOptions
    listed: Sequence[Entry] = ()

    def details(self, record: Record) -> RecordDetails:
        """Return all that the page says of a record, without what is to be replaced."""
        run, fail_under = self.run, self.options.question.fail_under
        details = details_of(run.results, run.log, run.decks, record, fail_under)
        tables = (record.data, {} if details.sample is None else details.sample.data)
        whole = self.redaction.whole_error(record, lambda: tables)
        if whole is not record:
            details = details_of(run.results, run.log, run.decks, whole, fail_under)
        kept = self.redaction.record(details._replace(sample=None), tables)
        adapter = run.results.read_by(record.data)
        view = None if adapter is None else run.views.get(adapter.name)
        sections = record_sections(kept.record, asked_section(kept.asked), adapter, view, in_full=False)
        blocks_of_sections = tuple(section.blocks for section in sections)
        if self.redaction.asked:  # what a text of Markdown or JSON says is not always how it is spelled
            names = self.redaction.record([section.heading for section in sections], tables)
            sections = tuple(section._replace(heading=name) for section, name in zip(sections, names, strict=True))
            texts = [text for blocks in blocks_of_sections for text in texts_of(blocks)]
            said = dict(zip(texts, self.redaction.record(texts, tables), strict=True))
            blocks_of_sections = tuple(with_texts(blocks, said.__getitem__) for blocks in blocks_of_sections)
        return kept._replace(sections=sections, section_blocks=blocks_of_sections, viewed=view is not None)

    def is_shown(self, entry: Entry) -> bool:
        """Tell whether a record is shown in full."""
        shown = self.options.everything or failed(entry, self.options.question.fail_under)
        return shown or bool(self.run.log.by_reviewer(entry.digest))


def reviewed_run(results: Results, settings: Settings, options: ReportOptions, *, redacts: bool) -> ReviewedRun:
    """Return a run with its decks and decisions, as far as a report with these options needs them.

    Args:
        results: the run.
        settings: those of its folder.
        options: what the report is to have.
        redacts: whether values of records are to be replaced wherever they are.

    Raises:
        ResultsError: a file can no longer be read.
    """
    log = open_log(log_path(results.path))
    streams = size_of(results.path) >= MIN_STREAMED_BYTES and results.streams
    decided = bool(options.decks) or has_earlier(log)
    if options.shows_records or redacts or not streams:
        results.indexed()
    question = options.question
    compares = options.baseline is not None or options.previous
    asked = question.by or question.cluster or options.filter
    needs_decks = decided or options.in_full or redacts or asked or compares
    decks = _decks(results, options.decks, settings) if needs_decks else FoundDecks()
    reviews = _reviews(results, log, samples_in(results.base_dir, decks))
    return ReviewedRun(results, log, decks, reviews, settings.view)


def build_report(
    run: ReviewedRun,
    options: ReportOptions,
    redaction: Redaction,
    *,
    open_baseline: Callable[[Path], Results] = open_results,
    tell: Callable[[str], object] = lambda _: None,
) -> ReportContents | None:
    """Return the report of a run, and what its records are shown from; nothing is replaced yet.

    Args:
        run: the run.
        options: what the report is to have.
        redaction: takes note of what is to be replaced.
        open_baseline: opens an earlier run that is named or found.
        tell: is given what a reader is to know beside the report.

    Returns:
        The report, without a review and without records if the run has none; None if an earlier run was asked for
        and there is none, which is told.

    Raises:
        ResultsError: a file can no longer be read, or a field is filtered by that nothing has.
        StatisticsError: a score cannot be one, or a sample is in two clusters.
        PathError: what is asked for cannot be a field.
    """
    results, question = run.results, options.question
    runs = timed_runs(results, tell) if options.series or options.previous else []
    over_time = series_of(runs, results.path, question) if options.series or options.previous else None
    baseline = options.baseline
    if baseline is None and options.previous and over_time is not None:
        baseline = _newest_earlier(results, over_time, tell)
        if baseline is None:
            return None
    earlier = None if baseline is None else open_baseline(baseline)
    if earlier is not None and (same := same_evaluation_words(earlier, results)):
        tell(same)
    if earlier is not None and size_of(earlier.path) < MIN_STREAMED_BYTES:
        earlier.indexed()
    others = (*(() if earlier is None else (earlier,)), *(each.results for each in runs if options.series))
    narrowed = _narrowed(options.filter, run, question.fail_under) if options.filter else None
    listed = tuple(
        redaction.whole_error(entry, partial(tables_of, results, entry, run.sample_of))
        for entry in _listed(run, options.records, question.fail_under, narrowed)
    )
    answered = AnsweredSamples(run.decks.sample if question.by else no_deck)
    figures = figures_of(
        results,
        question,
        log=run.log,
        reviews=run.reviews,
        baseline=earlier,
        sample_of=with_codes(run.sample_of, run.log) if "code" in question.by else run.sample_of,
        coverage=coverage_of(run.decks.samples, answered, question.by),
        on_record=answered.add,
        is_gone=run.decks.lacks,
    )._replace(series=over_time if options.series else None)
    report = Report(figures, None)
    if figures.run.counts.records:
        report = dataclasses.replace(
            report_of(
                results,
                run.log,
                question,
                figures,
                listed=listed,
                reviews=run.reviews,
                baseline=_decided(earlier, run) if earlier is not None and figures.run.counts.ungraded else None,
                sample_of=run.sample_of,
            ),
            matrix=_matrix((results, *others), options, narrowed),
            filter=options.filter,
            plots=tuple(plots_of(figures, spreads_of(results))) if options.plots else (),
            codes=None
            if options.codes is None
            else code_figures(
                results.counted, run.log, partial(tables_of, results, sample_of=run.sample_of), options.codes
            ),
        )
        for each in (results, *others) if redaction.asked else ():  # wherever a report shows it
            for entry in each.indexed().counted:
                redaction.see_record(entry, partial(tables_of, each, entry, run.sample_of))
    return ReportContents(report, run, redaction, options, listed)


def _newest_earlier(results: Results, over_time: SeriesFigures, tell: Callable[[str], object]) -> Path | None:
    """Return the path of the run to compare with, None if there is none; say which were passed over, and why."""
    for words in passed_over_words(over_time):
        tell(words)
    if over_time.baseline is None:
        tell(f"{results.path}: no earlier run of the same deck and targets lies beside it to compare with")
        return None
    return Path(over_time.baseline)


def _decks(opened: Results, paths: tuple[Path, ...], settings: Settings) -> FoundDecks:
    """Return the decks that were run. Of a file that is read only once, its first records say which."""
    if opened.complete:
        return decks_of_run(opened, paths, settings)
    first, _ = scored_results(opened.path, settings)
    next(first.index(FIRST), None)
    return decks_of_run(first, paths, settings)


def _reviews(opened: Results, log: Log, samples: RunSamples) -> Reviews | None:
    """Carry over decisions about earlier records; for a file that is read only once, return what does so later."""
    if not opened.complete:
        return Reviews(log, named_by_logs(log), lambda record: carry_over(record, log, samples))
    if has_earlier(log):
        carry_over(opened, log, samples)
    return None


def _decided(earlier: Results, run: ReviewedRun) -> JudgedRun | None:
    """Return an earlier run of the same decks with what was decided; None of a large file if that is nothing."""
    if not (earlier.complete or open_log(log_path(earlier.path)).decisions):
        return None
    samples = run_samples(earlier.base_dir, partial(_sample_digest, run.decks))
    return JudgedRun(earlier, judged_log(earlier.indexed(), samples))


def _sample_digest(decks: ReportedDecks, entry: Entry) -> str | None:
    sample = decks.sample(entry)
    return None if sample is None else sample_digest(sample.data)


def _listed(
    run: ReviewedRun, which: str | None, fail_under: float | None, narrowed: FilteredRecords | None
) -> Sequence[Entry]:
    """Return the records to list: all, those that failed, as people say where nobody graded them, or none."""
    if which is None:
        return ()
    counted = run.results.counted
    listed = [entry for entry in counted if narrowed is None or entry.index in narrowed.records]
    if which == "all":
        return listed
    judged = with_findings(listed, found_by_all(run.log), fail_under)
    return [entry for entry, found in zip(listed, judged, strict=True) if failed(found, fail_under)]


class FilteredRecords(NamedTuple):
    """Filters, and the indexes of the records that pass them."""

    filters: Filters
    records: frozenset[int]


def _narrowed(words: str, run: ReviewedRun, fail_under: float | None) -> FilteredRecords:
    """Return the records that the search of the queue would show.

    Raises:
        ResultsError: a field is asked for that no record and no sample has, or a word that it never holds, or a
            record can no longer be read.
    """
    results, log, decks = run.results, run.log, run.decks

    filters = filters_of(words, results, decks)
    if unknown := unknown_in(filters.terms, results, decks):
        raise ResultsError(f"no record has {', '.join(unknown)}", results.path)
    if wrong := unknown_words(filters.terms):
        raise ResultsError(wrong, results.path)
    items = items_of(results.entries, log.current, partial(_sample_digest, decks), fail_under, log.view)
    return FilteredRecords(filters, frozenset(passing(items, filters)))


def _matrix(runs: Iterable[Results], options: ReportOptions, narrowed: FilteredRecords | None) -> Matrix | None:
    if options.matrix is None:
        return None
    matrix = matrix_of_results(runs, options.question.fail_under)
    if narrowed is not None:
        matrix = matrix.narrowed(narrowed.records, narrowed.filters)
    return matrix.ordered(options.matrix)
