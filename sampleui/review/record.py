"""What a run answered for one sample: the facts a queue needs, and the whole record."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from sampleui.formats.data import Table
from sampleui.text.diagnostic import Diagnostic

FAIL_UNDER = 0.8


class Mark(NamedTuple):
    """What one evaluator gave, in short: its name, a score and a verdict (`pass`, `borderline`, `fail`) if any."""

    name: str
    score: float | None
    verdict: str | None


@dataclass(frozen=True, slots=True)
class Assertion:
    """One thing an evaluator looked for. `passed` is None where the file does not say."""

    text: str
    passed: bool | None
    evidence: str | None


@dataclass(frozen=True, slots=True)
class EvaluatorScore:
    """What one evaluator gave, in full."""

    name: str
    type: str | None
    score: float | None
    verdict: str | None
    reasoning: str | None
    assertions: tuple[Assertion, ...]


@dataclass(frozen=True, slots=True)
class Tokens:
    """Tokens used, each None where the file does not say."""

    input: int | None
    output: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """The facts of a record that lists, filters and counts need; kept for every record of a file.

    Attributes:
        index: its place in the file, from 0, malformed rows not counted.
        id: unique in the file: the sample's id, with `#2`, `#3`, … where several records answer the same sample.
        sample_id: the id of the sample it answers.
        line: the 1-based line it starts on.
        digest: 16 hex digits that stand for the record's content; a verdict is about this content.
        score: as the file gives it: 0 to 1 for AgentV and gage, the grader's own scale for calibrate.
        truth_score: what a person had scored before the run (calibrate), on the scale of `score`.
        error: why there is no answer, in one line.
        verdict: `fail` when the record or one of its evaluators says so, else what the record itself says.
        marks: what each evaluator gave, in short.
        target: the model, agent or grader that answered.
    """

    index: int
    id: str
    sample_id: str
    line: int
    digest: str
    score: float | None
    truth_score: float | None
    error: str | None
    verdict: str | None
    marks: tuple[Mark, ...]
    tags: tuple[str, ...]
    target: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Record(Entry):
    """A whole record.

    Attributes:
        hits: what was found, in words; of the assertions that passed, where the file lists no hits.
        misses: what was not.
        actual: the answer; empty when there is none.
        expected: what should have been answered, where the record itself says so.
        cost_usd: US dollars.
        latency_ms: milliseconds.
        data: the row as the file gives it, files it points to included, for the trace; not to be changed.
        notes: what could not be read for it.
    """

    hits: tuple[str, ...]
    misses: tuple[str, ...]
    reasoning: str | None
    actual: str
    expected: str | None
    evaluators: tuple[EvaluatorScore, ...]
    assertions: tuple[Assertion, ...]
    cost_usd: float | None
    latency_ms: float | None
    tokens: Tokens | None
    timestamp: str | None
    data: Table
    notes: tuple[Diagnostic, ...] = field(default=())


def failed(entry: Entry, fail_under: float = FAIL_UNDER) -> bool:
    """Tell whether a record failed.

    An error, a verdict `fail` of the record or of one of its evaluators, a score that differs from the truth where
    there is one, else a score under the threshold.
    """
    if entry.error is not None or entry.verdict == "fail":
        return True
    if entry.truth_score is not None:
        return entry.score != entry.truth_score
    return entry.score is not None and entry.score < fail_under


def failing_evaluators(entry: Entry, fail_under: float = FAIL_UNDER) -> tuple[str, ...]:
    """Return the names of the evaluators that said `fail` or gave a score under the threshold.

    Where a truth is known, an evaluator fails that missed it: its scale is its own and no threshold applies.
    """
    if entry.truth_score is not None:
        return tuple(mark.name for mark in entry.marks if mark.score != entry.truth_score)
    return tuple(mark.name for mark in entry.marks if _missed(mark, fail_under))


def why_failed(entry: Entry, fail_under: float = FAIL_UNDER) -> tuple[str, ...]:
    """Return the reasons why a record failed, in words, the gravest first; empty when it did not fail."""
    reasons = []
    if entry.error is not None:
        reasons.append(f"error: {entry.error}")
    verdicts = [mark.name for mark in entry.marks if mark.verdict == "fail"]
    if verdicts:
        reasons.append(f"verdict fail by {', '.join(verdicts)}")
    elif entry.verdict == "fail":
        reasons.append("verdict fail")
    if entry.truth_score is not None:
        if entry.score is None:
            reasons.append(f"no score, the truth is {entry.truth_score:g}")
        elif entry.score != entry.truth_score:
            reasons.append(f"score {entry.score:g} differs from the truth {entry.truth_score:g}")
    elif entry.error is None and entry.score is not None and entry.score < fail_under:
        reasons.append(f"score {entry.score:g} is under {fail_under:g}")
    return tuple(reasons)


def _missed(mark: Mark, fail_under: float) -> bool:
    return mark.verdict == "fail" or (mark.score is not None and mark.score < fail_under)
