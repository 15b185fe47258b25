"""A report as data for JSON: its fields, by the names of `sampleui schema report`, which has a version.

Of a named tuple or a dataclass come its fields, and what `_DERIVED` names; counts and a comparison stand among the
fields of what has them. What is a table by names in JSON and not here is said below.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any

from sampleui.formats.data import Plain, Table
from sampleui.review.code_figures import CodeFigures, JudgedCode
from sampleui.review.reports.against_baselines import AgainstTarget, Measured
from sampleui.review.reports.by_people import ByPeople
from sampleui.review.reports.figures import (
    Agreement,
    AttemptFigures,
    BaselineFigures,
    ComparedSeries,
    Counts,
    GraderFigures,
    Group,
    Grouping,
    ScoreBin,
    VerdictTable,
)
from sampleui.review.reports.matrix import Matrix
from sampleui.review.reports.report import Report, ReviewFigures
from sampleui.review.results.scoring import ReportedMetrics
from sampleui.review.verdict import Decision
from sampleui.statistics import Interval
from sampleui.statistics.comparison import Comparison
from sampleui.statistics.graders import Estimate

VERSION = 3
"""Of the schema. It changes when a name goes or means something else; new names may come at any time."""

_DERIVED: Mapping[type, tuple[str, ...]] = {
    Counts: ("passed",),
    Group: ("small",),
    ComparedSeries: ("shown",),
    BaselineFigures: ("shown",),
    GraderFigures: ("false_positive_rate",),
}
"""What is told beside the fields, though it follows from them."""


def as_data(report: Report) -> Table:
    """Return a report as data. What is not known is null; a part that was not asked for is null or empty."""
    figures, review = report.figures, report.review
    data = _fields(figures)
    data["targets"] = [_group(item, ("target",)) for item in figures.targets]
    return {
        "version": VERSION,
        **data,
        "against": _plain(report.against),
        "review": _plain(review),
        "records": _plain(report.records),
        "records_left_out": 0,
        "matrix": _plain(report.matrix),
        "codes": _plain(report.codes),
        "filter": report.filter or None,
        "redacted": report.redacted,
    }


def _plain(value: Any) -> Plain:
    """Return a value as plain data; an empty text is null, an interval or another tuple a list."""
    if (special := _SPECIAL.get(type(value))) is not None:
        return special(value)
    if value == "" or value is None:
        return None
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if dataclasses.is_dataclass(value) or hasattr(value, "_fields"):
        return _fields(value)
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    plain: Plain = value
    return plain


def _fields(value: Any, **others: Plain) -> Table:
    """Return the fields of a value, with others in place or beside."""
    names = value._fields if hasattr(value, "_fields") else [field.name for field in dataclasses.fields(value)]
    data: Table = {}
    for name in (*names, *_DERIVED.get(type(value), ())):
        item = getattr(value, name)
        if isinstance(item, Counts) or (name == "comparison" and isinstance(item, Comparison)):
            data |= _fields(item)
        else:
            data[name] = _plain(item)
    return {**data, **others}


def _compared(value: BaselineFigures | ComparedSeries) -> Table:
    """Return a comparison; where more need not be better, nothing is better or worse."""
    return _fields(value, **({} if value.bounded else {"better": None, "worse": None}))


def _group(group: Group, fields: tuple[str, ...]) -> Table:
    return _fields(group, values=dict(zip(fields, group.values, strict=True)))


def _groups(grouping: Grouping) -> Table:
    return {
        "by": [*grouping.fields],
        "groups": [_group(item, grouping.fields) for item in grouping.groups],
        "grid": _plain(grouping.grid),
        "coverage": _plain(grouping.coverage),
        "empty": [dict(zip(grouping.fields, values, strict=True)) for values in grouping.empty],
        "n_empty": grouping.n_empty,
    }


def _attempts(attempts: AttemptFigures) -> Table:
    names = ("n", "left_out", "pass_at_k", "pass_at_k_error", "pass_hat_k", "pass_hat_k_error")
    by_k = {name: {str(summary.k): getattr(summary, name) for summary in attempts.by_k} for name in names}
    return {**by_k, "unstable": attempts.unstable, "samples": _plain(attempts.samples)}


def _estimated(value: GraderFigures | CodeFigures | JudgedCode) -> Table:
    """Return the fields of what has estimates, with the intervals of these by their names."""
    names = (*value._fields, *_DERIVED.get(type(value), ()))
    estimates = {name: item for name in names if isinstance(item := getattr(value, name), Estimate)}
    return _fields(value, intervals={name: _plain(item.interval) for name, item in estimates.items()})


def _against(item: AgainstTarget) -> Table:
    statements: list[Plain] = [_fields(each, tells=each.tells.name.lower()) for each in item.statements]
    return _fields(item, statements=statements)


def _review(review: ReviewFigures) -> Table:
    orphans: list[Plain] = [{"id": item.record_id, "verdict": item.verdict_words} for item in review.orphans]
    decisions: list[Plain] = [
        {"record": record_id, **_decision(decision)} for record_id, decision in review.decisions
    ]
    return _fields(review, orphans=orphans, decisions=decisions, disputed=len(review.disputed_records))


def _decision(decision: Decision) -> Table:
    names = ("reviewer", "kind", "verdict", "proposed_by", "comment", "time", "carried")
    where: Table = {} if decision.place is None else {"place": decision.place.data}
    return {
        **{name: _plain(getattr(decision, name)) for name in names},
        "code": decision.code,
        "label": decision.label and str(decision.label),
        **where,
    }


def _by_people(people: ByPeople) -> Table:
    return _fields(people, interval=_plain(people.rate.interval))


def _truth(truth: Agreement) -> Table:
    return _fields(truth, labels=_plain(truth.confusion.labels), confusion=_plain(truth.confusion.counts))


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


_SPECIAL: Mapping[type, Callable[[Any], Plain]] = {
    AgainstTarget: _against,
    Agreement: _truth,
    AttemptFigures: _attempts,
    BaselineFigures: _compared,
    ByPeople: _by_people,
    ComparedSeries: _compared,
    Estimate: lambda estimate: estimate.value,
    CodeFigures: _estimated,
    GraderFigures: _estimated,
    JudgedCode: _estimated,
    Grouping: _groups,
    Interval: lambda interval: [*interval],
    Matrix: _matrix,
    Measured: lambda measured: _fields(measured, target_mean=measured.comparison.run_mean),
    ReportedMetrics: ReportedMetrics.as_data,
    ReviewFigures: _review,
    ScoreBin: lambda item: _fields(item, interval=_plain(item.right.interval)),
    VerdictTable: lambda table: _fields(table, settled=table.judged),
}
