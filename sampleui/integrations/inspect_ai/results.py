"""Records of Inspect's logs, as `log.py` makes rows of them.

Inspect says what each scorer gave, but not whether a sample passed: that is left to one of its scorers
(`sampleui.review.results.scoring`). Samples without an id are numbered from 1 after the
dataset was shuffled; in that case they are recognized by what they ask.
"""

from __future__ import annotations

from sampleui.formats.data import Plain, Table, as_table, tables_in
from sampleui.integrations.inspect_ai import INSPECT, MARK
from sampleui.integrations.inspect_ai import scores as given
from sampleui.review.record import Entry, ParsedRecord, join_key
from sampleui.review.results import fields


def claims(row: Table) -> bool:
    """A row that was read from a log."""
    return isinstance(row.get(MARK), dict) and "id" in row


def parse_entry(row: Table) -> Entry | None:
    """Read what the queue needs; None when the sample has no id."""
    sample_id = fields.text(row.get("id"))
    if sample_id is None:
        return None
    run, marks = as_table(row.get(MARK)), given.marks(as_table(row.get("scores")))
    dataset = fields.text(run.get("dataset"))
    number, shuffled = row.get("id"), run.get("shuffled") is True
    return Entry(
        sample_id=sample_id,
        score=None,
        error=fields.error_line(row.get("error")),
        marks=marks,
        tags=tuple(_tags(row)),
        target=fields.text(run.get("model")),
        attempt=fields.whole(row.get("epoch")),
        source=dataset,
        suite=fields.text(run.get("named")) if dataset is None else None,
        join_keys=(join_key(("input",), _asked(row.get("input"))),) if shuffled else (),
        position=number - 1 if isinstance(number, int) and not shuffled else None,
    )


def parse_record(row: Table) -> ParsedRecord:
    """Read the rest of the row."""
    actual, scores = fields.text(row.get("text")) or "", as_table(row.get("scores"))
    targets = fields.texts(row.get("target"))
    return ParsedRecord(
        reasoning=limit_of(row),
        actual=actual,
        extracted=given.extracted(scores, actual),
        expected="\n".join(targets) or None,
        any_of=targets if len(targets) > 1 else (),
        evaluators=given.evaluators(scores),
        cost_usd=fields.number(row.get("cost_usd")),
        latency_ms=fields.number(row.get("duration_ms")),
        tokens=fields.tokens(as_table(row.get("token_usage"))),
        timestamp=fields.text(row.get("timestamp")),
        sample_messages=_own_messages(row.get("input")),
    )


def limit_of(row: Table) -> str | None:
    """Return which limit ended a sample, in words."""
    limit = row.get("limit")
    table = as_table(limit)
    kind = fields.text(table.get("type")) or fields.text(limit)
    if kind is None:
        return None
    return f"ended by the {kind} limit" + (f": {why}" if (why := fields.text(table.get("reason"))) else "")


def _own_messages(given: Plain) -> tuple[Table, ...]:
    if isinstance(given, str):
        return ({"role": "user", "content": given},)
    return tuple({key: table.get(key) for key in ("role", "content")} for table in tables_in(given))


def _asked(given: Plain) -> Plain:
    """Return what a sample asks as its dataset has it: messages without what the log alone says of them."""
    return [*_own_messages(given)] if isinstance(given, list) else given


def _tags(row: Table) -> list[str]:
    metadata = as_table(row.get("metadata"))
    limit = row.get("limit")
    kind = fields.text(as_table(limit).get("type")) or fields.text(limit)
    ended = [f"limit:{kind}"] if kind else []
    return [*fields.texts(metadata.get("tags")), *ended, *(["invalidated"] if row.get("invalidation") else [])]


def repeated_sample(row: Table) -> tuple[Table, str]:
    """Return the fields of a record that its sample has, and their dialect."""
    return {key: row[key] for key in INSPECT.known if key in row}, INSPECT.name
