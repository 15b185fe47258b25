"""A report as data for JSON: the names and types of `docs/report.schema.json`, which has a version."""

from __future__ import annotations

from sampleui.formats.data import Plain, Table
from sampleui.review.reports.figures import (
    Agreement,
    AttemptFigures,
    BaselineFigures,
    Counts,
    Coverage,
    EvaluatorFigures,
    GraderFigures,
    Group,
    Grouping,
    Measure,
    ReviewerFigures,
    RunFigures,
    SeriesFigures,
    VerdictTable,
)
from sampleui.review.reports.matrix import Matrix
from sampleui.review.reports.report import RecordLine, Report, ReviewState
from sampleui.review.verdict import Verdict
from sampleui.statistics import Interval
from sampleui.statistics.comparison import Comparison

VERSION = 1
"""Of the schema. It changes when a name goes or means something else; new names may come at any time."""


def as_data(report: Report) -> Table:
    """Return a report as data. What is not known is null; a part that was not asked for is null or empty."""
    figures = report.figures
    return {
        "version": VERSION,
        "run": _run(figures.run),
        "evaluators": [_evaluator(item) for item in figures.evaluators],
        "targets": [_group(item, ("target",)) for item in figures.targets],
        "groups": None if figures.groups is None else _groups(figures.groups),
        "comparison": None if figures.comparison is None else _baseline(figures.comparison),
        "attempts": None if figures.attempts is None else _attempts(figures.attempts),
        "graders": [_grader(item) for item in figures.graders],
        "reviewers": None if figures.reviewers is None else _reviewers(figures.reviewers),
        "series": None if figures.series is None else _series(figures.series),
        "review": None if report.review is None else _review(report.review),
        "truth": None if report.figures.truth is None else _truth(report.figures.truth),
        "records": [_record(item) for item in report.records],
        "matrix": None if report.matrix is None else _matrix(report.matrix),
        "filter": report.filter or None,
        "redacted": report.redacted,
    }


def _matrix(matrix: Matrix) -> Table:
    return {
        "columns": [{"name": column.head, "target": column.target or None} for column in matrix.columns],
        "rows": [
            {
                "sample": row.sample,
                "deck": row.case[0],
                "suite": row.case[1],
                "cells": [
                    {"passed": cell.passed, "failed": cell.failed, "errors": cell.errors, "ungraded": cell.ungraded}
                    for cell in row.cells
                ],
            }
            for row in matrix.rows
        ],
    }


def _run(run: RunFigures) -> Table:
    return {
        "name": run.name,
        "file": run.file,
        **_counts(run.counts),
        "samples": run.samples,
        "targets": [*run.targets],
        "skipped": run.skipped,
        "replaced": run.replaced,
        "fail_under": run.fail_under,
        "scorer": run.scorer,
        "untold": run.untold or None,
        "metrics": [item.as_data() for item in run.metrics],
        "clustered_by": run.clustered_by,
        "pass_rate": _measure(run.pass_rate),
        "least_pass_rate": run.least_pass_rate,
        "mean_score": _measure(run.mean_score),
        "scored": run.scored,
    }


def _counts(counts: Counts) -> Table:
    return {
        "records": counts.records,
        "passed": counts.passed,
        "failed": counts.failed,
        "errors": counts.errors,
        "ungraded": counts.ungraded,
    }


def _measure(measure: Measure) -> Table:
    return {
        "value": measure.value,
        "standard_error": measure.standard_error,
        "interval": _interval(measure.interval),
        "method": measure.method,
        "n": measure.n,
        "missing": measure.missing,
        "units": measure.units,
    }


def _interval(interval: Interval | None) -> Plain:
    return None if interval is None else [interval.low, interval.high]


def _evaluator(evaluator: EvaluatorFigures) -> Table:
    return {
        "name": evaluator.name,
        "records": evaluator.records,
        "failed": evaluator.failed,
        "bounded": evaluator.bounded,
        "pass_rate": _measure(evaluator.pass_rate),
        "mean": _measure(evaluator.mean),
    }


def _group(group: Group, fields: tuple[str, ...]) -> Table:
    return {
        "values": dict(zip(fields, group.values, strict=True)),
        **_counts(group.counts),
        "pass_rate": _measure(group.pass_rate),
        "small": group.small,
    }


def _groups(grouping: Grouping) -> Table:
    return {
        "by": [*grouping.fields],
        "groups": [_group(item, grouping.fields) for item in grouping.groups],
        "coverage": [_coverage(item) for item in grouping.coverage],
        "empty": [dict(zip(grouping.fields, values, strict=True)) for values in grouping.empty],
        "n_empty": grouping.n_empty,
    }


def _coverage(coverage: Coverage) -> Table:
    return {
        "field": coverage.field,
        "value": coverage.value,
        "samples": coverage.samples,
        "answered": coverage.answered,
    }


def _baseline(found: BaselineFigures) -> Table:
    return {
        "baseline": found.baseline,
        "measure": found.measure,
        **(_comparison if found.bounded else _undirected)(found.comparison),
        "evaluators": [
            {
                "name": item.name,
                "bounded": item.bounded,
                **(_comparison if item.bounded else _undirected)(item.comparison),
                "adjusted_p_value": item.adjusted_p,
            }
            for item in found.evaluators
        ],
        "only_run": [*found.only_run],
        "only_baseline": [*found.only_baseline],
    }


def _comparison(found: Comparison) -> Table:
    return {
        "n_paired": found.n_paired,
        "n_dropped_run": found.n_dropped_run,
        "n_dropped_baseline": found.n_dropped_baseline,
        "n_unscored": found.n_unscored,
        "better": found.better,
        "worse": found.worse,
        "same": found.same,
        "run_mean": found.run_mean,
        "baseline_mean": found.baseline_mean,
        "mean_difference": found.mean_difference,
        "standard_error": found.standard_error,
        "interval": _interval(found.interval),
        "interval_method": found.interval_method,
        "units": found.units,
        "clustered": found.clustered,
        "method": found.p_method,
        "p_value": found.p_value,
        "smallest_detectable": found.smallest_detectable,
    }


def _undirected(found: Comparison) -> Table:
    """Return a comparison of values of which more need not be better."""
    return {**_comparison(found), "better": None, "worse": None}


def _attempts(attempts: AttemptFigures) -> Table:
    return {
        **{
            name: {str(summary.k): getattr(summary, name) for summary in attempts.by_k}
            for name in ("n", "left_out", "pass_at_k", "pass_at_k_error", "pass_hat_k", "pass_hat_k_error")
        },
        "unstable": attempts.unstable,
        "samples": [
            {
                "sample": item.sample,
                "target": item.target or None,
                "passed": item.passed,
                "tried": item.tried,
                "attempts": item.attempts,
            }
            for item in attempts.samples
        ],
    }


def _grader(grader: GraderFigures) -> Table:
    rates = {
        "true_positive_rate": grader.true_positive_rate,
        "true_negative_rate": grader.true_negative_rate,
        "precision": grader.precision,
        "agreement": grader.agreement,
        "false_positive_rate": grader.false_positive_rate,
    }
    limits, bounds = grader.limits, grader.bounds
    return {
        "evaluator": grader.evaluator,
        "records": grader.records,
        "reviewed": grader.reviewed,
        "by_hand": grader.by_hand,
        "skipped": grader.skipped,
        **{name: rate.value for name, rate in rates.items()},
        "intervals": {name: _interval(rate.interval) for name, rate in rates.items()},
        "weighted": grader.weighted,
        "no_variation": grader.no_variation,
        "reason": grader.reason or None,
        "least_true_negative_rate": None if bounds is None else bounds.true_negative_rate,
        "wrong_passes": None if limits is None or limits.wrong_passes is None else [*limits.wrong_passes],
        "true_negative_rate_limits": None if limits is None else [limits.lowest_rate, limits.highest_rate],
        "counts": {**grader.counts._asdict()},
        "bins": [
            {
                "low": item.low,
                "high": item.high,
                "records": item.records,
                "reviewed": item.reviewed,
                "right": item.right.value,
                "interval": _interval(item.right.interval),
            }
            for item in grader.bins
        ],
    }


def _reviewers(reviewers: ReviewerFigures) -> Table:
    everyone = reviewers.all
    return {
        "pairs": [
            {
                "first": pair.first,
                "second": pair.second,
                "records": pair.kappa.n,
                "agreed": pair.agreed,
                "agreement": pair.kappa.agreement,
                "kappa": pair.kappa.kappa,
            }
            for pair in reviewers.pairs
        ],
        "records": everyone.items,
        "agreement": everyone.agreement,
        "alpha": everyone.alpha,
        "labels": {str(label): times for label, times in everyone.labels},
    }


def _series(series: SeriesFigures) -> Table:
    return {
        "runs": [
            {
                "name": item.name,
                "path": item.path,
                "time": item.time,
                "flipped": item.flipped,
                **_counts(item.counts),
                "pass_rate": _measure(item.pass_rate),
            }
            for item in series.runs
        ],
        "flipped": series.flipped,
        "flips": [
            {
                "sample": item.sample,
                "target": item.target or None,
                "runs": [{"run": run, "passes": passes} for run, passes in item.runs],
            }
            for item in series.flips
        ],
        "baseline": series.baseline,
        "passed_over": [{"run": run, "reason": reason} for run, reason in series.passed_over],
    }


def _review(review: ReviewState) -> Table:
    return {
        "reviewed": review.reviewed,
        "carried": review.carried,
        "verdicts": _verdicts(review.verdicts),
        "orphans": [{"id": item.record_id, "verdict": str(item.verdict)} for item in review.orphans],
        "disputed": len(review.disputed),
        "disputed_records": [*review.disputed],
        "adjudicated": review.adjudicated,
        "failure_tags": dict(review.kinds),
        "verdicts_by_outcome": None if review.outcomes is None else _outcomes(review.outcomes),
    }


def _outcomes(outcomes: VerdictTable) -> Table:
    return {
        "settled": outcomes.settled,
        "agreed": outcomes.agreed,
        "passed": _verdicts(outcomes.passed),
        "failed": _verdicts(outcomes.failed),
    }


def _verdicts(counted: tuple[tuple[Verdict, int], ...]) -> Table:
    return {str(verdict): times for verdict, times in counted}


def _truth(truth: Agreement) -> Table:
    labels: list[Plain] = [*truth.confusion.labels]
    return {
        "records": truth.records,
        "agreed": truth.agreed,
        "average_distance": truth.average_distance,
        "labels": labels,
        "confusion": [[*counts] for counts in truth.confusion.counts],
    }


def _record(record: RecordLine) -> Table:
    return {
        "id": record.id,
        "target": record.target or None,
        "outcome": record.outcome,
        "score": record.score,
        "why": record.why or None,
        "verdict": record.verdict or None,
    }
