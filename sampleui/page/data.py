"""A report as data for JSON: the names and types of `docs/report.schema.json`, which has a version.

The fields of figures have the names that they have there; what is named or shaped otherwise is said below.
"""

from __future__ import annotations

from typing import Any

from sampleui.formats.data import Plain, Table
from sampleui.review.baseline import RecordChanges
from sampleui.review.reports.against_baselines import AgainstTarget
from sampleui.review.reports.by_people import ByPeople
from sampleui.review.reports.figures import (
    Agreement,
    AttemptFigures,
    BaselineFigures,
    Counts,
    GraderFigures,
    Group,
    Grouping,
    ReviewerFigures,
    RunFigures,
    SeriesFigures,
    VerdictTable,
)
from sampleui.review.reports.matrix import Matrix
from sampleui.review.reports.report import RecordLine, Report, ReviewState
from sampleui.review.verdict import Decision, Verdict
from sampleui.statistics import Interval
from sampleui.statistics.comparison import Comparison

VERSION = 2
"""Of the schema. It changes when a name goes or means something else; new names may come at any time."""


def as_data(report: Report) -> Table:
    """Return a report as data. What is not known is null; a part that was not asked for is null or empty."""
    figures = report.figures
    return {
        "version": VERSION,
        "run": _run(figures.run),
        "evaluators": _plain(figures.evaluators),
        "targets": [_group(item, ("target",)) for item in figures.targets],
        "groups": None if figures.groups is None else _groups(figures.groups),
        "comparison": None if figures.comparison is None else _baseline(figures.comparison),
        "against": [_against(item) for item in report.against],
        "attempts": None if figures.attempts is None else _attempts(figures.attempts),
        "graders": [_grader(item) for item in figures.graders],
        "reviewers": None if figures.reviewers is None else _reviewers(figures.reviewers),
        "series": None if figures.series is None else _series(figures.series),
        "review": None if report.review is None else _review(report.review),
        "truth": None if figures.truth is None else _truth(figures.truth),
        "records": [_record(item) for item in report.records],
        "matrix": None if report.matrix is None else _matrix(report.matrix),
        "filter": report.filter or None,
        "redacted": report.redacted,
    }


def _against(item: AgainstTarget) -> Table:
    return {
        "target": item.target,
        "baseline": item.baseline,
        "measures": [
            {
                "name": each.name,
                "n_paired": each.comparison.n_paired,
                "baseline_mean": each.comparison.baseline_mean,
                "target_mean": each.comparison.run_mean,
                "mean_difference": each.comparison.mean_difference,
                "interval": _plain(each.comparison.interval),
            }
            for each in item.measures
        ],
        "statements": [
            {
                "sample": each.sample,
                "statement": each.statement,
                "tells": each.tells.name.lower(),
                "target": [*each.target],
                "baseline": [*each.baseline],
            }
            for each in item.tellings
        ],
    }


def _plain(value: Any) -> Plain:
    """Return a value of figures as plain data: a named tuple is a table, an interval or another tuple a list."""
    if isinstance(value, tuple):
        named = hasattr(value, "_asdict") and not isinstance(value, Interval)
        return _table(value) if named else [_plain(item) for item in value]
    plain: Plain = value
    return plain


def _table(value: Any, **others: Plain) -> Table:
    """Return the fields of a named tuple, counts of records among them, with others in place or beside."""
    data: Table = {}
    for name, item in value._asdict().items():
        data |= _counts(item) if isinstance(item, Counts) else {name: _plain(item)}
    return {**data, **others}


def _counts(counts: Counts) -> Table:
    return {"records": counts.records, "passed": counts.passed, **counts._asdict()}


def _matrix(matrix: Matrix) -> Table:
    outcomes = ("passed", "failed", "errors", "ungraded")
    return {
        "columns": [{"name": column.head, "target": column.target or None} for column in matrix.columns],
        "rows": [
            {
                "sample": row.sample,
                "deck": row.case[0],
                "suite": row.case[1],
                "cells": [{name: getattr(cell, name) for name in outcomes} for cell in row.cells],
            }
            for row in matrix.rows
        ],
    }


def _run(run: RunFigures) -> Table:
    return _table(
        run,
        untold=run.untold or None,
        ended=run.ended or None,
        metrics=[item.as_data() for item in run.metrics],
    )


def _group(group: Group, fields: tuple[str, ...]) -> Table:
    return _table(group, values=dict(zip(fields, group.values, strict=True)), small=group.small)


def _groups(grouping: Grouping) -> Table:
    return {
        "by": [*grouping.fields],
        "groups": [_group(item, grouping.fields) for item in grouping.groups],
        "coverage": _plain(grouping.coverage),
        "empty": [dict(zip(grouping.fields, values, strict=True)) for values in grouping.empty],
        "n_empty": grouping.n_empty,
    }


def _baseline(found: BaselineFigures) -> Table:
    return {
        "baseline": found.baseline,
        "measure": found.measure,
        **_comparison(found.comparison, bounded=found.bounded),
        "evaluators": [
            {
                "name": item.name,
                "bounded": item.bounded,
                **_comparison(item.comparison, bounded=item.bounded),
                "adjusted_p_value": item.adjusted_p,
            }
            for item in found.evaluators
        ],
        "only_run": [*found.only_run],
        "only_baseline": [*found.only_baseline],
        "records": None if found.records is None else _changes(found.records),
        "unchanged": None if found.unchanged is None else _comparison(found.unchanged, bounded=found.bounded),
    }


def _changes(changes: RecordChanges) -> Table:
    return {name: [*value] if isinstance(value, tuple) else value for name, value in changes._asdict().items()}


def _comparison(found: Comparison, *, bounded: bool) -> Table:
    """Return a comparison; where more need not be better, nothing is better or worse."""
    fields = [name for name in found.__slots__ if name not in ("discordant", "p_method")]
    data = {name: _plain(getattr(found, name)) for name in fields} | {"method": found.p_method}
    return data if bounded else {**data, "better": None, "worse": None}


def _attempts(attempts: AttemptFigures) -> Table:
    return {
        **{
            name: {str(summary.k): getattr(summary, name) for summary in attempts.by_k}
            for name in ("n", "left_out", "pass_at_k", "pass_at_k_error", "pass_hat_k", "pass_hat_k_error")
        },
        "unstable": attempts.unstable,
        "samples": [_table(item, target=item.target or None) for item in attempts.samples],
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
        "intervals": {name: _plain(rate.interval) for name, rate in rates.items()},
        "weighted": grader.weighted,
        "no_variation": grader.no_variation,
        "reason": grader.reason or None,
        "least_true_negative_rate": None if bounds is None else bounds.true_negative_rate,
        "wrong_passes": None if limits is None else _plain(limits.wrong_passes),
        "true_negative_rate_limits": None if limits is None else [limits.lowest_rate, limits.highest_rate],
        "counts": _table(grader.counts),
        "bins": [
            _table(item, right=item.right.value, interval=_plain(item.right.interval)) for item in grader.bins
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
        "runs": _plain(series.runs),
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
        "by_people": None if review.by_people is None else _by_people(review.by_people),
        "verdicts_by_outcome": None if review.outcomes is None else _outcomes(review.outcomes),
        "decisions": [_decision(record_id, decision) for record_id, decision in review.decisions],
    }


def _by_people(people: ByPeople) -> Table:
    counts = {name: getattr(people, name) for name in ("records", "decided", "passed", "failed")}
    found = people.comparison
    return {
        **counts,
        "interval": _plain(people.rate.interval),
        "comparison": None if found is None else _baseline(found),
    }


def _decision(record_id: str, decision: Decision) -> Table:
    return {
        "record": record_id,
        "reviewer": decision.reviewer,
        "kind": str(decision.kind),
        "verdict": None if decision.verdict is None else str(decision.verdict),
        "proposed_by": decision.proposed_by,
        "comment": decision.comment or None,
        "failure_tags": [*decision.tags],
        "time": decision.time,
        "carried": decision.carried,
    }


def _outcomes(outcomes: VerdictTable) -> Table:
    return {
        "settled": outcomes.judged,
        "agreed": outcomes.agreed,
        "passed": _verdicts(outcomes.passed),
        "failed": _verdicts(outcomes.failed),
    }


def _verdicts(counted: tuple[tuple[Verdict, int], ...]) -> Table:
    return {str(verdict): times for verdict, times in counted}


def _truth(truth: Agreement) -> Table:
    labels, counts = truth.confusion
    return _table(truth, labels=_plain(labels), confusion=_plain(counts))


def _record(record: RecordLine) -> Table:
    return _table(record, target=record.target or None, why=record.why or None, verdict=record.verdict or None)
