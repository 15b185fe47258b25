"""A report as text for a terminal and as Markdown."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from sampleui.page.codes_text import codes_sections
from sampleui.page.tables import (
    Blocks,
    Drawing,
    ReportSection,
    ReportTable,
    TextLines,
    markdown_lines,
    markdown_text,
    text_lines,
)
from sampleui.review.record import line_words
from sampleui.review.reports.against_baselines import AgainstTarget, Discrimination
from sampleui.review.reports.by_people import ByPeople
from sampleui.review.reports.figures import (
    MANY_GROUPS,
    Agreement,
    AttemptFigures,
    ComparedSeries,
    CrossedGroups,
    EvaluatorFigures,
    Figures,
    GraderFigures,
    Group,
    Grouping,
    ReviewerFigures,
    RunFigures,
    ScoreBin,
    SeriesFigures,
    VerdictTable,
)
from sampleui.review.reports.matrix import LEGEND, NOT_RUN
from sampleui.review.reports.report import Report, ReviewFigures
from sampleui.review.reports.words import (
    LOPSIDED,
    NOT_KNOWN,
    apart_words,
    caught_text,
    comparison_words,
    counted_units,
    coverage_words,
    estimate_text,
    flipped_at_words,
    flipped_words,
    grader_words,
    let_pass_text,
    mean_interval,
    missing_words,
    number,
    p_text,
    pairing_words,
    passed_over_words,
    percent,
    rate_interval,
    rate_of_text,
    records_words,
    reviewed_text,
    run_words,
    score_bin_words,
    signed,
    signed_interval,
    under_words,
)
from sampleui.review.verdict import Verdict
from sampleui.statistics.means import VERY_FEW_UNITS
from sampleui.text.visible import one_line
from sampleui.text.wording import counted, sentence

_Item = TypeVar("_Item")

_LISTED = 20
"""Samples or evaluators that are listed where there are many."""

_STATEMENTS = 50
"""Statements of one kind that are listed."""

_BY_CHANCE = "groups are looked at: of so many intervals some miss by chance, one of 20 on average."

NOT_LOOKED_AT = ("Review: not looked at", ("Verdicts on this run and on earlier ones are not looked at.",))
"""What a report says of the review of a run whose records it does not keep."""


def as_text(report: Report, width: int = 0) -> TextLines:
    """Return a report as lines for a terminal: tables in so many cells, as wide as they are for 0."""
    sections = _everything(report, width)
    return tuple(line for title, blocks in sections for line in (title, *text_lines(blocks, width), ""))[:-1]


def as_markdown(report: Report) -> TextLines:
    """Return a report as lines of Markdown."""
    return tuple(
        line
        for index, (title, blocks) in enumerate(_everything(report, 0))
        for line in (f"{'##' if index else '#'} {markdown_text(title)}", "", *markdown_lines(blocks), "")
    )[:-1]


def _everything(report: Report, width: int) -> Iterator[ReportSection]:
    """Yield the parts of a report, with its plots in a width, its matrix and its records."""
    yield from sections_of(report)
    if report.plots:
        from sampleui.page.terminal_plots import plot_sections  # its library is slow to import

        yield from ((title, (Drawing(lines),)) for title, lines in plot_sections(report.plots, width))
    yield from _matrix(report)
    yield from _records(report)


def comparison_text(report: Report, width: int) -> tuple[tuple[str, TextLines], ...]:
    """Return how a run fares against its baseline, in words first: titles and lines; nothing without one."""
    return tuple((title, text_lines(blocks, width)) for title, blocks in _comparisons(report))


def sections_of(report: Report) -> Iterator[ReportSection]:
    """Yield the parts of a report, each a title with sentences and tables."""
    figures, review = report.figures, report.review
    redacted = () if report.redacted is None else (f"{counted(report.redacted, 'place')} redacted.",)
    yield figures.run.name, (*_summary(figures.run), *redacted)
    yield from _comparisons(report)
    for against in report.against:
        yield from _against(against)
    yield from _figures(figures)
    yield from ((NOT_LOOKED_AT,) if review is None else _review(figures.run, review))
    yield from _parts(figures)
    if review is not None:
        yield from _review_parts(review, kinds=report.codes is None)
    if report.codes is not None:
        yield from codes_sections(report.codes)
    if figures.graders:
        yield from _graders(figures.graders)
    if review is not None and review.verdicts_by_outcome is not None:
        yield from _outcomes(review.verdicts_by_outcome)
    if report.figures.truth is not None:
        yield from _truth(report.figures.truth)
    if figures.reviewers is not None:
        yield from _reviewers(figures.reviewers)
    if figures.series is not None:
        yield from _series(figures.series)


def _summary(run: RunFigures) -> TextLines:
    counts = run.counts
    records = counted(counts.records, "record") + ("" if run.scorer is None else f" by {run.scorer}")
    left = f", {counts.ungraded:,} ungraded" if counts.ungraded else ""
    skipped = f" {counted(run.skipped, 'row')} could not be read." if run.skipped else ""
    replaced = f" {counted(run.replaced, 'row')} replaced by a rerun." if run.replaced else ""
    failed = f"{counts.failed:,} failed{under_words(run)}"
    passed = f"{counts.passed:,} passed, {failed}{left}, {counted(counts.errors, 'error')}"
    lines = [f"{records}: {passed}; mean score {number(run.mean_score.value)}.{skipped}{replaced}"]
    lines += [sentence(run.ended)] if run.ended else []
    lines += [f"{run.untold}."] if run.untold else []
    return (*lines, *run_words(run))


def _most(items: Sequence[_Item], size: Callable[[_Item], int]) -> Sequence[_Item]:
    """Return items in their order, or if there are too many to be read, those of the largest sizes."""
    return items if len(items) <= _LISTED else sorted(items, key=size, reverse=True)[:_LISTED]


def _listed(title: str, items: int) -> str:
    return f"{title}, {_LISTED} of {items:,} listed" if items > _LISTED else title


def _comparisons(report: Report) -> Iterator[ReportSection]:
    for found in report.comparisons:
        measure = "" if found.measure == "passed" else " By their scores, since nobody says what passed."
        measure += "" if found.bounded else " Whether more is better is not known."
        yield (
            found.title,
            (
                f"{comparison_words(found)}.",
                f"{pairing_words(found)}{measure}",
                *missing_words(found.missing, several_targets=found.several_targets),
                *records_words(found),
                *apart_words(found),
            ),
        )
    graders = report.figures.comparison
    if graders is not None and graders.evaluators:
        shown = _most(graders.evaluators, lambda item: item.comparison.n_paired)
        title = _listed("Scores of evaluators against the baseline", len(graders.evaluators))
        yield title, _compared(("evaluator", "run", "baseline"), shown)
    if report.figures.compared_targets is not None and not report.against:
        targets = report.figures.compared_targets
        against = f"Each against {targets.against}"
        words = f"{against}." if targets.chosen else f"{against}, which has the highest pass rate."
        compared = _compared(("target", "rate", "against"), targets.targets)
        yield "Targets compared, paired by sample", (words, *compared)


def _compared(heads: tuple[str, str, str], compared: Sequence[ComparedSeries]) -> Blocks:
    """Return comparisons that are made side by side; `heads` names what they are of and both sides."""
    what, run, baseline = heads
    some_missing = any(item.comparison.n_dropped_baseline for item in compared)
    rows = []
    for item in compared:
        found = item.comparison
        changed = found.better + found.worse
        cells = (f"{found.better:,}", f"{found.worse:,}") if item.bounded else (f"{changed:,} other", "-")
        rows.append(
            (
                item.name,
                item.shown or NOT_KNOWN,
                signed(found.mean_difference),
                signed_interval(found.interval),
                p_text(item.adjusted_p_value),
                f"{found.n_paired:,}",
                *((f"{found.n_dropped_baseline:,}",) if some_missing else ()),
                *cells,
                number(found.run_mean),
                number(found.baseline_mean),
            )
        )
    missing = ("missing",) if some_missing else ()
    head = (what, "shown", "difference", "95%", "p (Holm)", "pairs", *missing, "better", "worse", run, baseline)
    notes = [f"{item.name}: {LOPSIDED}." for item in compared if item.comparison.lopsided]
    if len(compared) > 1:
        notes.insert(
            0, "Shown is a difference whose interval leaves 0 out and whose p, corrected by Holm, is below 0.05."
        )
    return (ReportTable(head, rows), *notes)


def _against(against: AgainstTarget) -> Iterator[ReportSection]:
    """Yield how a target fares against its baseline in the same run, and which statements tell something of it."""
    rows = [
        (
            item.name,
            f"{item.comparison.n_paired:,}",
            number(item.comparison.baseline_mean),
            number(item.comparison.run_mean),
            signed(item.comparison.mean_difference),
            signed_interval(item.comparison.interval),
            p_text(item.comparison.p_value),
        )
        for item in against.measures
    ]
    head = ("measure", "samples", against.baseline, against.target, "difference", "95%", "p")
    title = f"{against.target} against {against.baseline}, paired by sample"
    yield title, (ReportTable(head, rows) if rows else "Nothing is known of both.",)
    for tells in Discrimination:
        of_kind = [item for item in against.statements if item.tells is tells]
        if not of_kind:
            continue
        lines = [
            (item.sample, item.statement, "{} of {}".format(*item.target), "{} of {}".format(*item.baseline))
            for item in of_kind[:_STATEMENTS]
        ]
        what = tells.words(against.target, against.baseline)
        more = f", the first {_STATEMENTS}" if len(of_kind) > _STATEMENTS else ""
        title = f"Statements that {what}: {len(of_kind):,}{more}"
        yield title, (ReportTable(("sample", "statement", against.target, against.baseline), lines),)


def _figures(figures: Figures) -> Iterator[ReportSection]:
    run, single = figures.run, figures.single_evaluators
    if run.metrics:
        rows = [(item.name, item.text, item.reducer or "-") for item in run.metrics]
        yield "Metrics of the run", (ReportTable(("score", "metrics", "over epochs"), rows),)
    if figures.evaluators or single.evaluators:
        shown = _most(figures.evaluators, lambda item: item.records)
        blocks: list[str | ReportTable] = [_evaluators(shown)] if shown else []
        if single.evaluators:
            alone = counted(single.evaluators, "evaluator")
            blocks.append(f"{alone} of one record each: {single.failed:,} failed.")
        if few := [item for item in shown if item.mean.very_few or item.pass_rate.very_few]:
            some = f"those of {len(few):,} of {counted(len(shown), 'evaluator')}"
            blocks.append(f"Intervals are wide where samples are very few, under {VERY_FEW_UNITS}: {some}.")
        if run.marks_by_default:
            blocks.append(f"Scores without a verdict fail under {line_words(None)}.")
        yield _listed("Evaluators", len(figures.evaluators)), blocks


def _evaluators(evaluators: Sequence[EvaluatorFigures]) -> ReportTable:
    rows = [
        (
            item.name,
            f"{item.records:,}",
            f"{item.failed:,}",
            number(item.mean.value) if item.bounded else "-",
            mean_interval(item.mean.interval) if item.bounded else "-",
            percent(item.pass_rate.value, item.pass_rate.interval),
            rate_interval(item.pass_rate.interval),
            "-" if item.bounded else f"{number(item.mean.value)} ({mean_interval(item.mean.interval)})",
        )
        for item in evaluators
    ]
    head = ("evaluator", "records", "failed", "mean", "95%", "passed", "95% of that", "no score, its mean")
    shown = len(head)
    if all(item.bounded for item in evaluators):
        shown -= 1
    return ReportTable(head[:shown], [row[:shown] for row in rows])


def _review(run: RunFigures, review: ReviewFigures) -> Iterator[ReportSection]:
    verdicts = [(str(verdict), f"{times:,}", verdict.route) for verdict, times in review.verdicts.items() if times]
    title = f"Review: {decided_words(run, review)}"
    title += f", {review.carried:,} on an earlier run" if review.carried else ""
    people, said = review.by_people, people_words(review)
    if people is not None and said:
        yield "By people", (said, *_not_by_people(people))
    yield title, (ReportTable(("verdict", "records", "what now"), verdicts) if verdicts else "No verdicts yet.",)


def decided_words(run: RunFigures, review: ReviewFigures) -> str:
    """Say how many of the records to be decided are."""
    which = "failed records and errors" if run.counts.errors else "failed records"
    failures = run.counts.failed + run.counts.errors
    people = review.by_people
    parts = [f"{review.reviewed:,} of {failures:,} {which} decided"] if failures or people is None else []
    if people is not None:
        parts.append(f"{people.decided:,} of {counted(people.records, 'ungraded record')} decided")
    return ", ".join(parts)


def people_words(review: ReviewFigures) -> str:
    """Say how records came out, as people say, of which the run does not say it; empty where people do not."""
    people = review.by_people
    if people is None or not people.passed + people.failed:
        return ""
    rate, judged = people.rate, people.passed + people.failed
    unknown = f"95% {NOT_KNOWN}: neither all records nor the first ones of a draw without strata"
    share = unknown if rate.interval is None else f"95% {rate_interval(rate.interval)}"
    if rate.n < judged:
        share = f"{percent(rate.value, rate.interval)} of {counted(rate.n, 'sample')}, {share}"
    return f"{people.passed:,} of {judged:,} passed ({share})."


def _not_by_people(people: ByPeople) -> TextLines:
    """Say of how many records people do not say whether they passed."""
    others = people.decided - people.passed - people.failed
    return tuple(
        f"{counted(number, 'ungraded record')} {words}."
        for number, words in (
            (others, f"decided otherwise than as {Verdict.OK} or {Verdict.MODEL_WRONG}, which says neither"),
            (people.records - people.decided, "not decided yet"),
        )
        if number
    )


def _parts(figures: Figures) -> Iterator[ReportSection]:
    if figures.targets and (figures.groups is None or figures.groups.fields != ("target",)):
        yield "Targets", _groups(("target",), figures.targets)
    if figures.groups is not None:
        yield from _grouping(figures.groups)
    if figures.attempts is not None:
        yield from _attempts(figures.attempts, several_targets=len(figures.run.targets) > 1)


def _groups(fields: Sequence[str], groups: Sequence[Group]) -> Blocks:
    some_small = any(group.small for group in groups)
    rows = [
        (
            *(value or "-" for value in group.values),
            f"{group.counts.records:,}",
            f"{group.counts.passed:,}",
            f"{group.counts.failed:,}",
            percent(group.pass_rate.value, group.pass_rate.interval),
            rate_interval(group.pass_rate.interval),
            *(("small" if group.small else "",) if some_small else ()),
            f"{group.counts.ungraded:,}",
            f"{group.counts.errors:,}",
        )
        for group in groups
    ]
    size = ("size",) if some_small else ()
    names = (", ".join(value or "-" for value in group.values) for group in groups if group.pass_rate.lopsided)
    return (
        ReportTable((*fields, "records", "passed", "failed", "rate", "95%", *size, "ungraded", "errors"), rows),
        *(f"{name}: {LOPSIDED}." for name in names),
        *([f"{len(groups):,} {_BY_CHANCE}"] if len(groups) >= MANY_GROUPS else []),
    )


def _grouping(grouping: Grouping) -> Iterator[ReportSection]:
    if grouping.grid is not None:
        yield " by ".join(grouping.fields), _grid(grouping, grouping.grid)
    yield f"By {', '.join(grouping.fields)}", _groups(grouping.fields, grouping.groups)
    if grouping.n_empty:
        more = f", {_LISTED} listed" if grouping.n_empty > _LISTED else ""
        title = f"{counted(grouping.n_empty, 'combination')} without a record{more}"
        yield title, (ReportTable(grouping.fields, grouping.empty[:_LISTED]),)
    if grouping.coverage:
        rows = [
            (item.field, item.value, f"{item.samples:,}", f"{item.answered:,}", coverage_words(item))
            for item in grouping.coverage
            if item.is_thin
        ]
        title = "Values with few samples in the deck, or with samples without a record"
        head = ("field", "value", "samples", "answered", "coverage")
        yield title, (ReportTable(head, rows) if rows else "None.",)


def _grid(grouping: Grouping, grid: CrossedGroups) -> Blocks:
    heads = (" / ".join(grouping.fields), *(column or "-" for column in grid.columns))
    cells = [
        [NOT_RUN if place is None else rate_of_text(grouping.groups[place]) for place in row] for row in grid.cells
    ]
    rows = [(name or "-", *line) for name, line in zip(grid.rows, cells, strict=True)]
    return (ReportTable(heads, rows), "The share of samples that passed, and of how many.")


def _attempts(attempts: AttemptFigures, *, several_targets: bool) -> Iterator[ReportSection]:
    rows = [
        (f"{item.k}", percent(item.pass_at_k), percent(item.pass_hat_k), f"{item.n:,}", f"{item.left_out:,}")
        for item in attempts.by_k
    ]
    if rows:
        units = "pairs" if several_targets else "samples"
        yield "Some of k attempts pass, and all", (ReportTable(("k", "pass@k", "pass^k", units, "left out"), rows),)
    tried = [
        (sample, target or "-", _tries(passed, known, times))
        for sample, target, passed, known, times in attempts.samples
        if 0 < passed < known
    ]
    unstable = f"{counted_units(attempts.unstable, several_targets=several_targets)} unstable"
    shown = (ReportTable(("sample", "target", "outcome"), tried[:_LISTED]) if tried else "None.",)
    yield _listed(f"Attempts: {unstable}", len(tried)), shown


def _tries(passed: int, tried: int, attempts: int) -> str:
    unknown = f", {attempts - tried} without an outcome" if tried < attempts else ""
    return f"{passed} of {tried} passed{unknown}" if tried else f"{attempts} without an outcome"


def _review_parts(review: ReviewFigures, *, kinds: bool) -> Iterator[ReportSection]:
    if review.codes and kinds:
        yield (
            "Kinds of failure",
            (ReportTable(("kind", "records"), [(name, f"{times:,}") for name, times in review.codes.items()]),),
        )
    if review.disputed_records or review.adjudicated:
        named = f" ({', '.join(review.disputed_records)})" if review.disputed_records else ""
        opened = f"{counted(len(review.disputed_records), 'record')} open{named}"
        yield "Disagreement", (f"{opened}, {review.adjudicated:,} adjudicated.",)
    if comments := [item for item in review.decisions if item[1].comment]:
        rows = [
            (record_id, decision.reviewer, decision.verdict_words, one_line(decision.comment, 2_000))
            for record_id, decision in comments
        ]
        yield "Comments", (ReportTable(("record", "reviewer", "verdict", "comment"), rows),)
    if review.orphans:
        left = [(item.record_id, item.verdict_words, item.reviewer) for item in review.orphans]
        yield "Verdicts without a record", (ReportTable(("record", "verdict", "reviewer"), left),)


def _graders(graders: Sequence[GraderFigures]) -> Iterator[ReportSection]:
    title = _listed("Graders against people", len(graders))
    graders = _most(graders, lambda item: item.records)
    rows = [
        (
            item.evaluator or "all together",
            reviewed_text(item),
            caught_text(item),
            let_pass_text(item),
            estimate_text(item.precision),
            estimate_text(item.negative_predictive_value),
            estimate_text(item.agreement),
        )
        for item in graders
    ]
    heads = ("catches failures", "passes good ones", "its passes right", "its failures wrong", "agreement")
    head = ("evaluator", "reviewed", *heads)
    sentences: dict[str, str] = {}
    for item in graders:
        for words in grader_words(item):
            sentences.setdefault(words, words if item.evaluator is None else f"{item.evaluator}: {words}")
    yield title, (ReportTable(head, rows), *sentences.values())
    for item in graders:
        if any(found.right.value is not None for found in item.bins):
            yield f"Right answers by score: {item.evaluator or 'all together'}", (_bins(item.bins),)


def _bins(bins: Sequence[ScoreBin]) -> ReportTable:
    rows = [
        (
            score_bin_words(item),
            f"{item.records:,}",
            f"{item.reviewed:,}",
            percent(item.right.value),
            rate_interval(item.right.interval),
        )
        for item in bins
    ]
    return ReportTable(("score", "records", "reviewed", "right", "95%"), rows)


def _outcomes(outcomes: VerdictTable) -> Iterator[ReportSection]:
    share = percent(outcomes.agreed / outcomes.judged) if outcomes.judged else "-"
    rows = [
        ("passed", *(f"{times:,}" for times in outcomes.passed.values())),
        ("failed", *(f"{times:,}" for times in outcomes.failed.values())),
    ]
    yield (
        f"Outcome against verdicts: {outcomes.agreed:,} of {outcomes.judged:,} agree ({share})",
        (ReportTable(("outcome", *Verdict), rows),),
    )


def _truth(truth: Agreement) -> Iterator[ReportSection]:
    labels = truth.confusion.labels
    rows = [(label, *map(str, counts)) for label, counts in zip(labels, truth.confusion.counts, strict=True)]
    yield (
        f"Score against truth: {truth.agreed:,} of {truth.records:,} agree ({percent(truth.rate)}),"
        f" average distance {truth.average_distance:.2f}",
        (ReportTable(("truth \\ score", *labels), rows),),
    )


def _reviewers(reviewers: ReviewerFigures) -> Iterator[ReportSection]:
    rows = [
        (
            f"{pair.first}, {pair.second}",
            f"{pair.records:,}",
            f"{pair.agreed:,}",
            number(pair.kappa),
            percent(pair.agreement),
        )
        for pair in reviewers.pairs
    ]
    labels = ", ".join(f"{label} {times:,}" for label, times in reviewers.labels.items())
    together = (
        f"All together, {percent(reviewers.agreement)} alike and Krippendorff's alpha {number(reviewers.alpha)}"
        f" on {counted(reviewers.records, 'record')} ({labels})."
    )
    yield "Reviewers", (ReportTable(("reviewers", "records", "agreed", "Cohen's kappa", "alike"), rows), together)


def _series(series: SeriesFigures) -> Iterator[ReportSection]:
    rows = [
        (
            item.name,
            f"{item.counts.records:,}",
            f"{item.counts.failed:,}",
            percent(item.pass_rate.value, item.pass_rate.interval),
            rate_interval(item.pass_rate.interval),
            flipped_at_words(item),
            item.time,
        )
        for item in series.runs
    ]
    yield "Runs over time", (ReportTable(("run", "records", "failed", "rate", "95%", "flipped", "time"), rows),)
    if series.flipped:
        flips = [
            (
                item.sample,
                item.target or "-",
                ", ".join(f"{'passes' if passes else 'fails'} at {run}" for run, passes in item.runs),
            )
            for item in series.flips[:_LISTED]
        ]
        more = f", {_LISTED} listed" if series.flipped > _LISTED else ""
        yield f"{flipped_words(series)}{more}", (ReportTable(("sample", "target", "when"), flips),)
    lines = [f"{words}." for words in passed_over_words(series)]
    if series.baseline is not None:
        lines.append(f"The newest earlier run of the same deck and targets: --baseline {series.baseline}")
    if lines:
        yield "Baseline", (*lines,)


def _matrix(report: Report) -> Iterator[ReportSection]:
    if (matrix := report.matrix) is None:
        return
    legend = ", ".join(f"{sign} {words}" for sign, words in LEGEND)
    rows = [
        (name, *(str(cell) or NOT_RUN for cell in row.cells))
        for name, row in zip(matrix.names, matrix.rows, strict=True)
    ]
    heads = [target or "-" for target in matrix.targets]
    narrowed = f" with records that are {report.filter}" if report.filter else ""
    title = f"Matrix: {counted(len(rows), 'sample')} by {counted(len(heads), 'column')}{narrowed}"
    yield title, (legend, ReportTable(("sample", *heads), rows, of_signs=True))


def _records(report: Report) -> Iterator[ReportSection]:
    if not report.records:
        if report.filter and report.matrix is None:
            yield f"Records that are {report.filter}", ("None.",)
        return
    rows = [
        (
            item.id,
            item.target or "-",
            item.outcome,
            number(item.score) if item.score is not None else "-",
            item.why or "-",
            item.verdict or "-",
        )
        for item in report.records
    ]
    head = ("record", "target", "outcome", "score", "why", "verdict")
    yield f"Records that are {report.filter}" if report.filter else "Records", (ReportTable(head, rows),)
