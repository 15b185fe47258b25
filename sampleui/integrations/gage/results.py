"""Rows of gage-eval: samples with the results that a run wrote back, and the rows of a run's `samples.jsonl`.

In a sample (gage-eval standardized sample, §1.4) `predict_result` is a list of inferences, of which the last one
counts; `eval_result` is an object of metrics. The document does not define their shapes any further, so both are
read leniently: a metric is a number, true or false, or an object with a score.

A row of a run is `{sample_id, sample, model_output, judge_output, metrics}`: `sample` is the standardized sample as
it was run, with its own id; `sample_id` puts the task before it. A metric is `{values: {NAME: number}, metadata}`.

The score of a record is the metric of that name, or that of the judge, or else the mean of the metrics.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from sampleui.formats.data import Plain, Table, as_table, tables_in
from sampleui.integrations.integration import ReadingResults
from sampleui.review.record import (
    Details,
    Entry,
    EvaluatorScore,
    Grade,
    ParsedRow,
    SampleDigests,
    Usage,
    digest_of,
    overall_verdict,
)
from sampleui.review.results import fields
from sampleui.review.results.adapters import Adapter

OVERALL = ("score", "overall", "overall_score")
NOT_METRICS = frozenset({*OVERALL, "verdict", "status", "reason", "reasoning", "error", "passed", "pass"})
REASONS = ("reasoning", "reason", "explanation")
JUDGE = "judge"
SCORES = (*OVERALL, "resolved", "passed")
"""The values of a metric of a run that may be its score, the first that it has."""


def claims(row: Table) -> bool:
    """A sample with a result in it."""
    return "predict_result" in row or "eval_result" in row


def claims_of_run(row: Table) -> bool:
    """A sample with the answer to it beside it."""
    return isinstance(row.get("sample"), dict) and ("model_output" in row or "metrics" in row)


def parse_row(row: Table) -> ParsedRow:
    """Read a sample with a result in it."""
    result, last = as_table(row.get("eval_result")), _last(row)
    sample_id, evaluators = fields.text(row.get("id")), _evaluators(result)
    if sample_id is None:
        return ParsedRow()
    entry = Entry(
        sample_id=sample_id,
        score=_score(result, evaluators),
        error=fields.error_line(result.get("error")) or fields.error_line(last.get("error")),
        verdict=verdict_of(result),
        tags=fields.texts(row.get("data_tag")),
        target=fields.text(fields.first(last, ("model", "backend"))),
    )
    return _parsed(
        entry, row, result, evaluators, usage=lambda: fields.usage(last), answer=lambda: _answer(row, last)
    )


def parse_row_of_run(row: Table) -> ParsedRow:
    """Read a row of a run."""
    sample, answer = as_table(row.get("sample")), as_table(row.get("model_output"))
    judge, time = as_table(row.get("judge_output")), fields.text(row.get("timestamp"))
    metrics = [_values(name, value) for name, value in as_table(row.get("metrics")).items()]
    evaluators = (*_judged(judge), *(item for values in metrics for item in values))
    sample_id = fields.text(sample.get("id")) or fields.text(row.get("sample_id"))
    if sample_id is None:
        return ParsedRow()
    entry = Entry(
        sample_id=sample_id,
        score=_score(judge, [item for item in evaluators if "/" not in item.name]),
        error=_error(judge, answer),
        tags=(*fields.texts(sample.get("data_tag")), *fields.texts(row.get("task_id"))),
        target=fields.text(fields.first(answer, ("model", "backend", "backend_id", "adapter_id"))),
        suite=fields.text(fields.first(row, ("task_id", "namespace"))),
    )
    said: Plain = {key: answer[key] for key in ("answer", "text", "message", "content", "output") if key in answer}
    return _parsed(
        entry,
        sample,
        judge,
        evaluators,
        usage=lambda: replace(fields.usage(answer), timestamp=time),
        answer=lambda: (fields.spoken(said) if said else None) or _answer(sample, _last(sample)),
    )


def _parsed(
    entry: Entry,
    sample: Table,
    result: Table,
    evaluators: Sequence[EvaluatorScore],
    *,
    usage: Callable[[], Usage],
    answer: Callable[[], str | None],
) -> ParsedRow:
    """Return a row, given what is told of it alone, its sample, the whole result, and what evaluators gave."""
    grades = tuple(Grade(item.name, item.score, item.verdict, item.bounded) for item in evaluators)
    references = sample.get("references")
    reference = references[0] if isinstance(references, list) and references else sample.get("label")
    return ParsedRow(
        replace(entry, verdict=overall_verdict(entry.verdict, grades), grades=grades),
        usage,
        lambda: Details(
            hits=tuple(item.name for item in evaluators if item.verdict == "pass"),
            misses=tuple(item.name for item in evaluators if item.verdict == "fail"),
            reasoning=fields.spoken(fields.first(result, REASONS)),
            actual=answer() or "",
            expected=fields.spoken(reference),
            evaluators=tuple(evaluators),
        ),
        lambda: SampleDigests(
            digest_of(sample.get("messages")), digest_of(fields.first(sample, ("references", "label")))
        ),
    )


def _last(row: Table) -> Table:
    prediction = row.get("predict_result")
    return (tables_in(prediction) or [{}])[-1] if isinstance(prediction, list) else as_table(prediction)


def _answer(row: Table, last: Table) -> str | None:
    if last:
        asked: Plain = {key: value for key, value in last.items() if key not in {"usage", "error", "model"}}
        return fields.spoken(asked) if asked else None
    return fields.spoken(row.get("predict_result"))


def verdict_of(result: Table) -> str | None:
    """Return what a result says of itself: `pass`, `fail`, or any other word it uses."""
    word = fields.text(fields.first(result, ("verdict", "status")))
    if word is not None:
        return {"failed": "fail", "passed": "pass"}.get(word.lower(), word.lower())
    passed = fields.first(result, ("passed", "pass"))
    return fields.verdict_of(passed)


def _score(result: Table, evaluators: Sequence[EvaluatorScore]) -> float | None:
    named = fields.number(fields.first(result, OVERALL))
    if named is not None:
        return named
    scores = [item.score for item in evaluators if item.score is not None]
    return sum(scores) / len(scores) if scores else None


def _evaluators(result: Table) -> tuple[EvaluatorScore, ...]:
    flat = {key: value for key, value in result.items() if key not in NOT_METRICS and key != "metrics"}
    metrics = flat | as_table(result.get("metrics"))
    return tuple(score for name, value in metrics.items() if (score := _metric(name, value)))


def _metric(name: str, value: Plain) -> EvaluatorScore | None:
    if isinstance(value, bool):
        return EvaluatorScore(name, None, float(value), "pass" if value else "fail", None, ())
    if (score := fields.number(value)) is not None:
        return EvaluatorScore(name, None, score, None, None, ())
    row = as_table(value)
    raw_score = fields.first(row, ("score", "value")) if row else value
    inner, verdict, within = fields.number(raw_score), verdict_of(row), not fields.infinite(raw_score)
    if inner is None and verdict is None and within:
        return None
    reasoning = fields.spoken(fields.first(row, ("reasoning", "reason")))
    return EvaluatorScore(
        name, None, inner, verdict, reasoning, fields.assertions(row.get("assertions")), bounded=within
    )


def repeated_sample(row: Table) -> tuple[Table, str] | None:
    """Return the standardized sample that a run wrote its results into, and its dialect; None if there is none."""
    if "references" not in row:
        return None
    return {key: value for key, value in row.items() if key not in {"predict_result", "eval_result"}}, "gage"


def _error(judge: Table, answer: Table) -> str | None:
    failure = judge.get("failure") if judge.get("status") in ("failed", "error", "aborted") else None
    failure_text = fields.first(as_table(failure), ("message", "summary", "failure_code", "code", "reason"))
    return fields.error_line(failure_text) or fields.error_line(failure) or fields.error_line(answer.get("error"))


def _judged(judge: Table) -> tuple[EvaluatorScore, ...]:
    score, verdict = fields.number(fields.first(judge, OVERALL)), verdict_of(judge)
    if score is None and verdict is None:
        return ()
    reasoning = fields.spoken(fields.first(judge, REASONS))
    grader_input, answered = fields.first(judge, fields.GIVEN), fields.first(judge, fields.DETAILS)
    return (EvaluatorScore(JUDGE, None, score, verdict, reasoning, (), grader_input, answered),)


def _values(name: str, value: Plain) -> tuple[EvaluatorScore, ...]:
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


ADAPTER, ADAPTER_OF_RUNS = Adapter("gage", claims, parse_row), Adapter("gage", claims_of_run, parse_row_of_run)
RESULTS = ReadingResults((ADAPTER_OF_RUNS, ADAPTER), repeated_sample=repeated_sample)
