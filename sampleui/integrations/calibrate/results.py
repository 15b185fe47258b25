"""calibrate results: TOML with `graderResults.GRADER.models.MODEL.results`, `grader_score` against `truth_score`.

It is the grader that is tested, so the record's target is the grader and its model, and the reasoning is the
grader's. Older files have no `models` level; otherwise they read the same.
"""

from __future__ import annotations

from collections.abc import Iterator

from sampleui.formats.data import Table, as_table, tables_in
from sampleui.integrations.integration import ReadingResults
from sampleui.review.record import Details, Entry, EvaluatorScore, Grade, ParsedRow, SampleDigests, digest_of
from sampleui.review.results import fields
from sampleui.review.results.adapters import Adapter

GRADER, MODEL, STAMP = "grader", "model", "timestamp"


def claims(row: Table) -> bool:
    """A row that a grader scored."""
    return "grader_score" in row or ("truth_score" in row and "id" in row)


def rows(document: Table) -> Iterator[tuple[tuple[str, ...], Table]]:
    """Return the rows of a whole file with the keys that lead to the list each stands in.

    Each row is the file's own, with `grader`, `model` and `timestamp` of the tables around it put in.
    """
    for grader, graded in as_table(document.get("graderResults")).items():
        results = as_table(graded)
        path = ("graderResults", grader)
        yield from _listed(results, (*path, "results"), grader, results)
        for model, inner in as_table(results.get("models")).items():
            yield from _listed(
                as_table(inner), (*path, "models", model, "results"), grader, {MODEL: model, **results}
            )


def parse_row(row: Table) -> ParsedRow:
    """Read a row."""
    return ParsedRow(
        _entry(row),
        lambda: fields.usage(row),
        lambda: _details(row),
        lambda: SampleDigests(expected=digest_of(row.get("truth_score"))),
    )


def _entry(row: Table) -> Entry | None:
    sample_id = fields.text(row.get("id"))
    if sample_id is None:
        return None
    score = fields.number(row.get("grader_score"))
    target = " · ".join(filter(None, (fields.text(row.get(GRADER)), fields.text(row.get(MODEL)))))
    return Entry(
        sample_id=sample_id,
        score=score,
        truth_score=fields.number(row.get("truth_score")),
        error=fields.error_line(row.get("error")),
        grades=(Grade(target or "grader", score, None),),
        tags=fields.texts(row.get("tags")),
        target=target or None,
    )


def _details(row: Table) -> Details:
    notes = fields.spoken(fields.first(row, ("notes", "reason")))
    grader = fields.text(row.get(GRADER)) or "grader"
    score = fields.number(row.get("grader_score"))
    return Details(
        reasoning=notes,
        actual=fields.spoken(fields.first(row, ("messages", "rawOutput"))) or "",
        expected=fields.spoken(row.get("expected")),
        evaluators=(EvaluatorScore(grader, "grader", score, None, notes, ()),),
    )


def _listed(
    results: Table, path: tuple[str, ...], grader: str, around: Table
) -> Iterator[tuple[tuple[str, ...], Table]]:
    for row in tables_in(results.get("results")):
        context: Table = {GRADER: grader}
        context |= {key: around[key] for key in (MODEL, STAMP) if key in around}
        context |= {key: results[key] for key in (MODEL, STAMP) if key in results}
        yield path, context | row


ADAPTER = Adapter("calibrate", claims, parse_row)


RESULTS = ReadingResults((ADAPTER,), rows)
