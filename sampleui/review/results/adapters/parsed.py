"""What adapters make of a row: an entry and a record without the parts that only the file knows."""

from __future__ import annotations

import sys
from dataclasses import dataclass

from sampleui.formats.data import Table
from sampleui.review.record import Assertion, Entry, EvaluatorScore, Mark, Tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedEntry:
    """The cheap half of a record; see `sampleui.review.record.Entry`."""

    sample_id: str
    score: float | None
    truth_score: float | None = None
    error: str | None = None
    verdict: str | None = None
    marks: tuple[Mark, ...] = ()
    tags: tuple[str, ...] = ()
    target: str | None = None
    attempt: int | None = None
    source: str | None = None
    suite: str | None = None
    outcome: bool | None = None
    trials: tuple[int, int] | None = None
    matters: tuple[str, ...] = ()
    position: int | None = None
    unsettled: bool = False
    averaged: bool = False

    def entry(self, index: int, record_id: str, line: int, digest: str) -> Entry:
        """Return the entry of a row; strings that recur in a file are held once for all of its entries."""
        return Entry(
            index=index,
            id=record_id,
            sample_id=self.sample_id,
            line=line,
            digest=digest,
            score=self.score,
            truth_score=self.truth_score,
            error=self.error,
            verdict=self.verdict and sys.intern(self.verdict),
            marks=tuple(
                [Mark(sys.intern(m.name), m.score, m.verdict and sys.intern(m.verdict)) for m in self.marks]
            ),
            tags=tuple(map(sys.intern, self.tags)),
            target=self.target and sys.intern(self.target),
            attempt=self.attempt,
            source=self.source and sys.intern(self.source),
            suite=self.suite and sys.intern(self.suite),
            outcome=self.outcome,
            trials=self.trials,
            matters=self.matters,
            position=self.position,
            unsettled=self.unsettled,
            averaged=self.averaged,
        )


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
