"""gage-eval samples with the results a run wrote back (gage-eval standardized sample, §1.4).

`predict_result` is a list of inferences, of which the last one counts; `eval_result` is an object of metrics. The
document does not define their shapes any further, so both are read leniently: a metric is a number, true or false,
or an object with a score; the record's score is the metric of that name, or else the mean of the metrics.
"""

from __future__ import annotations

from sampleui.formats.data import Plain, Table, as_table, tables_in
from sampleui.integrations.gage import run_results
from sampleui.integrations.integration import ReadingResults
from sampleui.review.record import (
    Details,
    Entry,
    EvaluatorScore,
    Grade,
    ParsedRow,
    SampleDigests,
    digest_of,
    overall_verdict,
)
from sampleui.review.results import fields
from sampleui.review.results.adapters import Adapter

OVERALL = ("score", "overall", "overall_score")
NOT_METRICS = frozenset({*OVERALL, "verdict", "status", "reason", "reasoning", "error", "passed", "pass"})


def claims(row: Table) -> bool:
    """A sample with a result in it."""
    return "predict_result" in row or "eval_result" in row


def parse_row(row: Table) -> ParsedRow:
    """Read a row."""
    evaluators = _evaluators(as_table(row.get("eval_result")))
    return ParsedRow(
        _entry(row, evaluators),
        lambda: fields.usage(_last(row)),
        lambda: _details(row, evaluators),
        lambda: digests(row),
    )


def digests(sample: Table) -> SampleDigests:
    """Return the digests of what a sample asks and expects."""
    return SampleDigests(
        digest_of(sample.get("messages")), digest_of(fields.first(sample, ("references", "label")))
    )


def _entry(row: Table, evaluators: tuple[EvaluatorScore, ...]) -> Entry | None:
    sample_id = fields.text(row.get("id"))
    if sample_id is None:
        return None
    result = as_table(row.get("eval_result"))
    grades = tuple(Grade(item.name, item.score, item.verdict, item.bounded) for item in evaluators)
    return Entry(
        sample_id=sample_id,
        score=_score(result, evaluators),
        error=fields.error_line(result.get("error")) or fields.error_line(_last(row).get("error")),
        verdict=overall_verdict(verdict_of(result), grades),
        grades=grades,
        tags=fields.texts(row.get("data_tag")),
        target=fields.text(fields.first(_last(row), ("model", "backend"))),
    )


def _details(row: Table, evaluators: tuple[EvaluatorScore, ...]) -> Details:
    result, last = as_table(row.get("eval_result")), _last(row)
    references = row.get("references")
    reference = references[0] if isinstance(references, list) and references else row.get("label")
    return Details(
        hits=tuple(item.name for item in evaluators if item.verdict == "pass"),
        misses=tuple(item.name for item in evaluators if item.verdict == "fail"),
        reasoning=fields.spoken(fields.first(result, ("reasoning", "reason"))),
        actual=_answer(row, last) or "",
        expected=fields.spoken(reference),
        evaluators=evaluators,
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


def _score(result: Table, evaluators: tuple[EvaluatorScore, ...]) -> float | None:
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


ADAPTER = Adapter("gage", claims, parse_row)


RESULTS = ReadingResults((run_results.ADAPTER, ADAPTER), repeated_sample=repeated_sample)
