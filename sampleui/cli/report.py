"""`sampleui report`: the figures of a run and its review."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Literal, NamedTuple

import click

from sampleui.cli import output
from sampleui.cli.opened_run import OpenedRun, tell_repeated, tell_unreadable, unread
from sampleui.cli.processes import spread
from sampleui.cli.run_options import Share, deck_option, scorer_option, threshold_option
from sampleui.formats.data import Plain, Table
from sampleui.page.data import as_data
from sampleui.page.markdown_records import record_lines
from sampleui.page.page import page_of
from sampleui.page.record_data import record_data
from sampleui.page.run_report import ReportContents, ReportOptions, ReviewedRun, build_report, reviewed_run
from sampleui.page.text import as_markdown, as_text
from sampleui.review.attempts import attempt_numbers
from sampleui.review.code_figures import CodeQuestion, open_test_parts
from sampleui.review.labels import codes_of
from sampleui.review.log.store import Log
from sampleui.review.record import Entry
from sampleui.review.reports.export import score_edits
from sampleui.review.reports.figures import BaselineFigures, RunFigures, ShownDifference
from sampleui.review.reports.joined_judges import graders_named
from sampleui.review.reports.matrix import MatrixOrder
from sampleui.review.reports.record_measures import Question
from sampleui.review.reports.redacting import Redaction
from sampleui.review.reports.report import Report
from sampleui.review.reports.run_figures import figures_of
from sampleui.review.reports.words import (
    NOT_KNOWN,
    changed_words,
    comparison_words,
    counted_units,
    missing_words,
    number,
    percent_under,
)
from sampleui.review.results.columns import is_in_columns, opened_columns
from sampleui.review.results.file import Results
from sampleui.review.sampling import LabelPart
from sampleui.runs.decks import FoundDecks
from sampleui.runs.labelling import transcript_id
from sampleui.runs.rerun.joining import count_reruns
from sampleui.settings.options import Settings
from sampleui.statistics.comparison import Comparison
from sampleui.text.confined import named
from sampleui.text.limits import MAX_ANSWERED_RECORDS
from sampleui.text.wording import counted

NOTHING = 1

_TARGET_FIELDS = ("target", "model", "provider")
"""Columns that may name who answered."""

_UNREDACTED = "--redact does not go with score-edits, which say what the log is to have"
_IDLE = "--filter goes with --matrix or --records: figures and page cover all records"
_LONE = "--fail-if-worse and --max-drop go with --baseline or --previous"
_UNDRAWN = "--plots goes with text and Markdown; the page has plots, and JSON their figures"

_AT_WORST = " with what is not known counted as not passed"


class Demands(NamedTuple):
    """What is demanded of a run.

    Attributes:
        min_pass_rate: the least pass rate; what is not known counts as not passed.
        fail_if_worse: whether it must not be worse than its baseline by more than chance, not even if nothing
            passed of which that is not known.
        max_drop: how much lower the pass rate may be with 95% certainty at the most, likewise.
        changed_too: whether records whose sample asks or expects something else now count in that; else the run
            must not be worse without them.
    """

    min_pass_rate: float | None
    fail_if_worse: bool
    max_drop: float | None
    changed_too: bool = False

    def remarks(self, report: Report) -> Iterator[str]:
        """Yield what is to be known beside the demands: what they cannot tell, though they are met."""
        found = next(iter(report.comparisons), None)
        if found is None or not (self.fail_if_worse or self.max_drop is not None):
            return
        records, compared = found.records, self._counted(found).comparison
        if records.worse_changed:
            otherwise = changed_words(records, records.worse_changed)
            named = ", ".join(records.changed) + (" …" if records.worse_changed > len(records.changed) else "")
            counts = (
                "counted all the same" if self.changed_too else "left out of what fails; --changed-too counts them"
            )
            yield (f"{records.worse_changed:,} of {found.comparison.worse:,} worse {otherwise}, {counts}: {named}")
        told = found.bounded and compared.too_few and compared.n_paired
        if self.fail_if_worse and told and not compared.worse:
            yield f"{_too_few(compared)}; none fell"

    def _counted(self, found: BaselineFigures) -> BaselineFigures:
        """Return a comparison of the samples that count: those that did not change, unless these do too."""
        if found.unchanged is None or self.changed_too:
            return found
        return found._replace(comparison=found.unchanged, at_worst=found.unchanged_at_worst)

    def missed(self, report: Report) -> Iterator[str]:
        """Yield the demands that a run does not meet, in words. What is not known is not met."""
        run, found = report.figures.run, next(iter(report.comparisons), None)
        if self.min_pass_rate is not None:
            yield from self._low(run, self.min_pass_rate)
        if found is None:
            return
        if not found.bounded and (self.fail_if_worse or self.max_drop is not None):
            yield f"whether the run is worse is {NOT_KNOWN}: of its scores, nobody knows whether more is better"
            return
        counted = self._counted(found)
        if counted is not found and not counted.comparison.n_paired and counted.at_worst is None:
            return  # all that can be compared has changed, which `remarks` tells
        if self.fail_if_worse:
            yield from self._worse(counted)
        if self.max_drop is not None:
            yield from self._dropped(counted, self.max_drop)

    def _low(self, run: RunFigures, least: float) -> Iterator[str]:
        if run.pass_rate.value is None or run.least_pass_rate is None:
            yield f"the pass rate is {NOT_KNOWN}"
        elif run.least_pass_rate < least:
            known = run.least_pass_rate == run.pass_rate.value
            rate, limit = percent_under(run.least_pass_rate, least)
            yield f"the pass rate is {rate}{'' if known else _AT_WORST}, under {limit}"

    def _worse(self, found: BaselineFigures) -> Iterator[str]:
        unknown = f"whether the run is worse is {NOT_KNOWN}"
        compared, words = found.comparison, comparison_words(found)
        if found.shown is ShownDifference.WORSE:
            yield words
        elif found.shown is None:
            yield f"{unknown}: {words}"
        elif compared.too_few and compared.worse:
            yield f"{unknown}: {_too_few(compared)}, and {compared.worse:,} of them fell"
        elif found.by_people and found.missing.samples:
            yield f"{unknown}: {' '.join(missing_words(found.missing, several_targets=found.several_targets))}"
        elif found.at_worst is not None:
            worst = found._replace(comparison=found.at_worst)
            if worst.shown is ShownDifference.WORSE or worst.shown is None:
                yield f"{unknown}:{_at_worst(found)}, {comparison_words(worst)}"
            elif found.at_worst.too_few and found.at_worst.worse:
                fell = f"{_too_few(found.at_worst)}, and {found.at_worst.worse:,} of them fell"
                yield f"{unknown}:{_at_worst(found)}, {fell}"

    def _dropped(self, found: BaselineFigures, most: float) -> Iterator[str]:
        of_rates = found.measure == "passed"
        measure = "pass rate" if of_rates else "mean score"
        if found.by_people and found.missing.samples:
            yield f"by how much the {measure} may have dropped is {NOT_KNOWN}: samples are missing"
            return
        for comparison, unknown in ((found.comparison, ""), (found.at_worst, _at_worst(found))):
            if comparison is None:
                continue
            if comparison.interval is None:
                yield f"by how much the {measure} may have dropped is {NOT_KNOWN}"
                return
            if (drop := -comparison.interval.low) > most:
                by, over = (
                    (f"{100 * drop:.1f} points", f"{100 * most:g}") if of_rates else (number(drop), f"{most:g}")
                )
                yield f"the {measure} may have dropped by {by}{unknown}, over {over}"
                return


def _at_worst(found: BaselineFigures) -> str:
    """Say that what is not known is taken for the worst, and how many samples are missing in the run."""
    if not found.missing.samples:
        return _AT_WORST
    units = counted_units(found.missing.samples, several_targets=found.several_targets)
    return f"{_AT_WORST}, {units} of the baseline missing in this run"


def _too_few(compared: Comparison) -> str:
    units = counted(compared.units, "cluster" if compared.clustered else "pair")
    return f"{units} cannot show that a run is worse, not if all fell"


@click.command("report")
@click.argument("results")
@threshold_option
@scorer_option
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "html", "json", "markdown", "score-edits"]),
    default="text",
    help="How to print.",
)
@deck_option
@click.option("--previous", is_flag=True, help="Compare with the newest earlier run of the same deck and targets.")
@click.option(
    "--series",
    is_flag=True,
    help="Show the runs in the same folder over time, and the samples that flipped.",
)
@click.option(
    "--against",
    metavar="NAME",
    help="Compare targets with this one, not with the best of them. With --codes: hold this evaluator, or a column"
    " of another table (FILE or FILE:COLUMN), against labels.",
)
@click.option("--codes", is_flag=True, help="Show how many records fail in the way of each code.")
@click.option("--code", "named_codes", multiple=True, metavar="CODE", help="The same of this code alone.")
@click.option(
    "--part",
    type=click.Choice([str(part) for part in LabelPart]),
    default=str(LabelPart.DEV),
    help="The part of split labels that an evaluator is held against; that of test is noted as opened.",
)
@click.option("--baseline", metavar="OLD", help="An earlier run to compare with, sample by sample.")
@click.option(
    "--by",
    multiple=True,
    metavar="FIELD",
    callback=lambda _context, _option, fields: (*dict.fromkeys(fields),),
    help="Group by target, tag, suite, deck or a field such as metadata.topic; several are crossed.",
)
@click.option(
    "--cluster",
    metavar="FIELD",
    help="The field whose values tell which samples go right and wrong together.",
)
@click.option("--errors-fail", is_flag=True, help="Count errors as failures instead of leaving them out of rates.")
@click.option(
    "--redact",
    "redacted",
    multiple=True,
    metavar="PATTERN",
    help="Replace what a regular expression matches, or the values of a field such as metadata.email.",
)
@click.option("--with-secrets", is_flag=True, help="Leave what looks like a key or a token, and the home's path.")
@click.option("--records", type=click.Choice(["failed", "all"]), help="List these records too.")
@click.option("--matrix", is_flag=True, help="Show samples by targets, and by runs with --baseline or --series.")
@click.option(
    "--filter",
    "words",
    metavar="WORDS",
    default="",
    help="Narrow matrix and records as the queue's search does: 'tag:math score<0.5'.",
)
@click.option("--plots", is_flag=True, help="Draw distributions, rates, and runs over time.")
@click.option(
    "--sort",
    type=click.Choice([str(order) for order in MatrixOrder]),
    default=str(MatrixOrder.DISAGREEMENT),
    help="How the matrix is sorted.",
)
@click.option("--min-pass-rate", type=Share(), help="Exit with 1 if less is known to have passed.")
@click.option("--reruns", is_flag=True, help="Count what was answered when samples were run again as attempts.")
@click.option(
    "--changed-too",
    is_flag=True,
    help="Count records in that whose sample asks or expects something else than in the baseline.",
)
@click.option(
    "--fail-if-worse",
    is_flag=True,
    help="Exit with 1 if it is worse than the baseline, or that is not known.",
)
@click.option("--max-drop", type=Share(), help="Exit with 1 if the pass rate may have dropped by more.")
def command(
    *,
    results: str,
    fail_under: float | None,
    scorer: str | None,
    form: str,
    decks: tuple[Path, ...],
    against: str | None,
    codes: bool,
    named_codes: tuple[str, ...],
    part: str,
    baseline: str | None,
    previous: bool,
    series: bool,
    by: tuple[str, ...],
    cluster: str | None,
    errors_fail: bool,
    records: Literal["failed", "all"] | None,
    min_pass_rate: float | None,
    fail_if_worse: bool,
    changed_too: bool,
    max_drop: float | None,
    redacted: tuple[str, ...],
    with_secrets: bool,
    matrix: bool,
    words: str,
    plots: bool,
    sort: str,
    reruns: bool,
) -> int:
    """Print the figures of RESULTS and of the verdicts on them.

    Rates and means with their 95% intervals, by evaluator, target and attempt, and by any field; a comparison with
    an earlier run; how graders do against reviewers, and reviewers against each other; how much is decided and
    how. Samples are what is counted: attempts are averaged first, and an error is no outcome. A record that
    reviewers disagree about counts under no verdict, and is named, until it is adjudicated. docs/statistics.md
    defines the figures, `sampleui schema report` prints that of the JSON.

    With --codes it has how many records fail in the way of each code, by people's labels of records that a pass
    drew at random, and how right evaluators are: that of --against, or those of a code's name.

    With --reruns the answers that `sampleui rerun` kept count as further attempts at the samples, but for those
    whose sample asks or expects something else than in the run.

    html is one page to share, with every record that failed or was decided. score-edits prints the verdicts on a
    log as its tool takes edits of scores, one line each; the log is never written.

    Exit codes: 0 the report is printed, and the run meets what was demanded; 1 it does not, or that is not known,
    or there are no records or no edits of scores to print; 2 a file, or every row of it, could not be read.
    """
    compares = baseline is not None or previous
    for refused, why in (
        (redacted and form == "score-edits", _UNREDACTED),
        (words and (form == "html" or not (matrix or records)), _IDLE),
        ((fail_if_worse or max_drop is not None) and not compares, _LONE),
        (plots and form in ("json", "score-edits"), _UNDRAWN),
    ):
        if refused:
            raise click.UsageError(why)
    codes = codes or bool(named_codes)
    redaction = Redaction(redacted, secrets=not with_secrets)
    demands = Demands(min_pass_rate, fail_if_worse, max_drop, changed_too)
    if is_in_columns(results):
        of_records = any((decks, scorer, records, previous, series, matrix, plots, words, reruns, codes))
        if of_records or form in ("html", "score-edits"):
            raise click.UsageError("a run in columns has only figures: no decks, scorers, records, matrix or page")
        report = _of_columns(results, Question(fail_under, by, cluster, errors_fail, against), baseline)
        redaction.see({name: target} for target in report.figures.run.targets for name in _TARGET_FIELDS)
        _print(report, form, redaction)
        return _code_of(report, demands, redaction, cluster)
    path = named(results)
    asked_run = OpenedRun(path, fail_under=fail_under, scorer=scorer)
    settings, opened = asked_run.settings, asked_run.results
    if reruns and (left_out := count_reruns(opened, settings)):
        output.complain(left_out)
    options = ReportOptions(
        question=Question(settings.asked_threshold, by, cluster, errors_fail, None if codes else against),
        decks=decks,
        baseline=None if baseline is None else named(baseline),
        previous=previous,
        series=series,
        records=None if form == "html" else records,
        matrix=MatrixOrder(sort) if matrix or form == "html" else None,
        filter=words,
        plots=plots,
        in_full=form == "html" or (form in ("markdown", "json") and records is not None),
        everything=records == "all",
        keeps_records=codes or form in ("html", "score-edits"),
    )
    run = reviewed_run(opened, settings, options, redacts=redaction.asked)
    if codes:
        options = options._replace(codes=_code_question(run, settings, against, named_codes, LabelPart(part)))
    tell_unreadable(run.log)
    tell_repeated(run.log.codebook)
    if form == "score-edits":
        return _score_edits(opened, run.log)
    contents = build_report(
        run,
        options,
        redaction,
        open_baseline=lambda path: OpenedRun(path, scorer=opened.scorer).results,
        tell=output.complain,
    )
    return NOTHING if contents is None else _report_records(contents, form, demands)


def _code_question(
    run: ReviewedRun, settings: Settings, against: str | None, names: tuple[str, ...], part: LabelPart
) -> CodeQuestion:
    """Return what is asked of codes; what is looked at in the test part of labels is recorded."""
    entries, under = run.results.counted, settings.asked_threshold
    run.log.codebook.checked()
    known = codes_of(run.log)
    for name in names:
        if run.log.codebook.now(name) not in known:
            raise click.BadParameter(
                f"there is no code {name}: {', '.join(known) or 'none yet'}", param_hint="--code"
            )

    def other_id(entry: Entry) -> str:
        return transcript_id(run.results.record(entry.index))

    graders = () if against is None else graders_named(against, entries, known, under, other_id)
    question = CodeQuestion(graders, names, part, under, run.results.scorer)
    if part is LabelPart.TEST:
        open_test_parts(entries, run.log, question, settings.reviewer_name)
    return question


def _of_columns(results: str, asked: Question, baseline: str | None) -> Report:
    """Return the report of a run in columns."""
    with ExitStack() as stack:
        earlier = None if baseline is None else stack.enter_context(opened_columns(baseline))
        figures = figures_of(stack.enter_context(opened_columns(results)), asked, baseline=earlier)
    return Report(figures._replace(run=figures.run._replace(file=results)), None)


def _report_records(contents: ReportContents, form: str, demands: Demands) -> int:
    """Print the report of a run that has records, and return the exit code."""
    opened, options = contents.run.results, contents.options
    for note in opened.diagnostics:
        output.complain(str(note))
    report = contents.report
    if not report.figures.run.counts.records:
        if not opened.skipped:
            output.complain(f"{opened.path}: there are no records")
        return unread(opened) or NOTHING
    if form == "json":
        _print_json(contents)
    elif options.in_full:
        _print_in_full(contents, form)
    else:
        _print(report, form, contents.redaction)
    return _code_of(report, demands, contents.redaction, options.question.cluster)


def _print_in_full(shown: ReportContents, form: str) -> None:
    """Print a page, or a report in Markdown with its records in full below."""
    if form == "html":
        output.text_value(page_of(shown, spread))
        return
    in_full = [*record_lines(shown, shown.listed)]  # first, for it counts what is replaced
    _print(shown.report, form, shown.redaction)
    for line in in_full:
        output.line(line)


def _print_json(shown: ReportContents) -> None:
    """Print a report as JSON, with its records in full as far as there is room for them."""
    results, found = shown.run.results, shown.run.decks
    numbers = attempt_numbers(results.counted) if shown.listed else {}
    decks = found if isinstance(found, FoundDecks) and not shown.redaction.asked else FoundDecks()
    records: list[Table] = []
    left = MAX_ANSWERED_RECORDS
    for entry in shown.listed:
        if left < 0:
            break
        details, sample = shown.details(results.record(entry.index)), decks.sample(entry)
        if sample is not None and not details.asked:
            details = details._replace(asked=shown.redaction.record(tuple(sample.messages), (sample.data,)))
        attempt = numbers.get(entry.index)
        data = record_data(details, str(results.path), decks.address(entry), details.decisions, attempt)
        records.append(data)
        left -= len(json.dumps(data))
    report = shown.redaction.report(shown.report)  # last, for it counts what is replaced
    listed: list[Plain] = [{**record, "file": report.figures.run.file} for record in records]
    output.json_value({**as_data(report), "records": listed, "records_left_out": len(shown.listed) - len(records)})


def _code_of(report: Report, demands: Demands, redaction: Redaction, cluster: str | None) -> int:
    """Print what was redacted or not found, and which demands the run misses, and return the exit code."""
    if cluster is not None and report.figures.run.clustered_by is None:
        output.complain(f"{report.figures.run.name}: nothing is clustered, for no record has {cluster}")
    for name in report.figures.groups.without_values if report.figures.groups is not None else ():
        output.complain(f"{report.figures.run.name}: nothing is grouped by {name}, for no record has it")
    for remark in redaction.words():
        output.complain(remark)
    for remark in demands.remarks(report):
        output.complain(f"{report.figures.run.name}: {remark}")
    missed = [*demands.missed(report)]
    for demand in missed:
        output.complain(f"{report.figures.run.name}: {demand}")
    return NOTHING if missed else 0


def _print(report: Report, form: str, redaction: Redaction) -> None:
    report = redaction.report(report)
    if form == "json":
        output.json_value(as_data(report))
        return
    width = shutil.get_terminal_size((0, 0)).columns
    for line in as_markdown(report) if form == "markdown" else as_text(report, width):
        output.line(line)


def _score_edits(opened: Results, log: Log) -> int:
    """Print the verdicts as edits of scores, and return the exit code."""
    edits, left_out = score_edits(opened, log)
    for edit in edits:
        output.json_value(edit, compact=True)
    for line in left_out:
        output.complain(line)
    if code := unread(opened):
        return code
    if edits:
        return 0
    output.complain(f"{opened.path}: no verdict changes a score")
    return NOTHING
