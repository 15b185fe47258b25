"""Rows of a gage-eval run's `samples.jsonl`: `{sample_id, sample, model_output, judge_output, metrics}`.

`sample` is the standardized sample as it was run, with its own id; `sample_id` puts the task before it. A metric is
`{values: {NAME: number}, metadata}`; the record's score is the judge's if it gave one, or else the mean of the
metrics.
"""

from __future__ import annotations

from dataclasses import replace

from sampleui.formats.data import Plain, Table, as_table
from sampleui.integrations.gage import results as gage
from sampleui.review.record import (
    Details,
    Entry,
    EvaluatorScore,
    Grade,
    ParsedRow,
    Usage,
    overall_verdict,
)
from sampleui.review.results import fields
from sampleui.review.results.adapters import Adapter

JUDGE = "judge"
REASONS = ("reasoning", "reason", "explanation")
SCORES = ("score", "overall", "overall_score", "resolved", "passed")


def claims(row: Table) -> bool:
    """A sample with the answer to it beside it."""
    return isinstance(row.get("sample"), dict) and ("model_output" in row or "metrics" in row)


def parse_row(row: Table) -> ParsedRow:
    """Read a row."""
    evaluators = _evaluators(row)
    return ParsedRow(
        _entry(row, evaluators),
        lambda: _usage(row),
        lambda: _details(row, evaluators),
        lambda: gage.digests(as_table(row.get("sample"))),
    )


def _usage(row: Table) -> Usage:
    return replace(fields.usage(as_table(row.get("model_output"))), timestamp=fields.text(row.get("timestamp")))


def _entry(row: Table, evaluators: tuple[EvaluatorScore, ...]) -> Entry | None:
    sample, answer = as_table(row.get("sample")), as_table(row.get("model_output"))
    sample_id = fields.text(sample.get("id")) or fields.text(row.get("sample_id"))
    if sample_id is None:
        return None
    grades = tuple(Grade(item.name, item.score, item.verdict, item.bounded) for item in evaluators)
    judge = as_table(row.get("judge_output"))
    return Entry(
        sample_id=sample_id,
        score=_score(judge, evaluators),
        error=_error(judge, answer),
        verdict=overall_verdict(None, grades),
        grades=grades,
        tags=(*fields.texts(sample.get("data_tag")), *fields.texts(row.get("task_id"))),
        target=fields.text(fields.first(answer, ("model", "backend", "backend_id", "adapter_id"))),
        suite=fields.text(fields.first(row, ("task_id", "namespace"))),
    )


def _details(row: Table, evaluators: tuple[EvaluatorScore, ...]) -> Details:
    sample, answer = as_table(row.get("sample")), as_table(row.get("model_output"))
    judge = as_table(row.get("judge_output"))
    inner = gage.parse_row(sample).details()
    answered: Plain = {
        key: answer[key] for key in ("answer", "text", "message", "content", "output") if key in answer
    }
    return Details(
        hits=tuple(item.name for item in evaluators if item.verdict == "pass"),
        misses=tuple(item.name for item in evaluators if item.verdict == "fail"),
        reasoning=fields.spoken(fields.first(judge, REASONS)),
        actual=(fields.spoken(answered) if answered else None) or inner.actual,
        expected=inner.expected,
        evaluators=evaluators,
    )


def _error(judge: Table, answer: Table) -> str | None:
    failure = judge.get("failure") if judge.get("status") in ("failed", "error", "aborted") else None
    failure_text = fields.first(as_table(failure), ("message", "summary", "failure_code", "code", "reason"))
    return fields.error_line(failure_text) or fields.error_line(failure) or fields.error_line(answer.get("error"))


def _score(judge: Table, evaluators: tuple[EvaluatorScore, ...]) -> float | None:
    judged = fields.number(fields.first(judge, gage.OVERALL))
    if judged is not None:
        return judged
    scores = [item.score for item in evaluators if item.score is not None and "/" not in item.name]
    return sum(scores) / len(scores) if scores else None


def _evaluators(row: Table) -> tuple[EvaluatorScore, ...]:
    judged = _judged(as_table(row.get("judge_output")))
    metrics = [_metric(name, value) for name, value in as_table(row.get("metrics")).items()]
    return (*judged, *(item for metric in metrics for item in metric))


def _judged(judge: Table) -> tuple[EvaluatorScore, ...]:
    score, verdict = fields.number(fields.first(judge, gage.OVERALL)), gage.verdict_of(judge)
    if score is None and verdict is None:
        return ()
    reasoning = fields.spoken(fields.first(judge, REASONS))
    grader_input, answered = fields.first(judge, fields.GIVEN), fields.first(judge, fields.DETAILS)
    return (EvaluatorScore(JUDGE, None, score, verdict, reasoning, (), grader_input, answered),)


def _metric(name: str, value: Plain) -> tuple[EvaluatorScore, ...]:
    """Return the values of a metric: the one that is the score under the metric's name, the others beside it."""
    metric = as_table(value)
    values = as_table(metric.get("values")) or metric
    scores = {key: score for key, figure in values.items() if (score := _figure(figure)) is not None}
    reasoning = fields.spoken(fields.first(as_table(metric.get("metadata")), REASONS))
    main = next((key for key in SCORES if key in scores), next(iter(scores), None))
    return tuple(
        EvaluatorScore(name if key == main else f"{name}/{key}", None, score, None, reasoning, ())
        for key, score in scores.items()
    )


def _figure(value: Plain) -> float | None:
    return float(value) if isinstance(value, bool) else fields.number(value)


ADAPTER = Adapter("gage", claims, parse_row)
