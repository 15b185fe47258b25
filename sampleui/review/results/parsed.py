"""What adapters make of a row beside its entry: a record without the parts that only the file knows."""

from __future__ import annotations

from sampleui.formats.data import Table
from sampleui.review.record import Assertion, EvaluatorScore, Mark, Tokens
from sampleui.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedRecord:
    """The other half of a record; see `sampleui.review.record.Record`."""

    hits: tuple[str, ...] = ()
    misses: tuple[str, ...] = ()
    reasoning: str | None = None
    actual: str = ""
    expected: str | None = None
    wanted: tuple[str, ...] = ()
    any_of: tuple[str, ...] = ()
    evaluators: tuple[EvaluatorScore, ...] = ()
    assertions: tuple[Assertion, ...] = ()
    cost_usd: float | None = None
    latency_ms: float | None = None
    tokens: Tokens | None = None
    timestamp: str | None = None
    whole: str = ""
    extracted: str = ""
    asked: tuple[Table, ...] = ()
    sample_messages: tuple[Table, ...] = ()
    done: tuple[Table, ...] = ()


def overall_verdict(own: str | None, marks: tuple[Mark, ...]) -> str | None:
    """Return `fail` when the record or an evaluator says so, or else what the record itself says."""
    return "fail" if any(mark.verdict == "fail" for mark in marks) else own
