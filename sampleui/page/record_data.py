"""A record in one answer, for a program: what was asked, expected and answered, who said what of it, and the names
by which commands take the record, its sample and its deck.

A text of more than MAX_ANSWERED_TEXT characters is cut, and says how many more it has.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from sampleui.formats.data import Table
from sampleui.page.records import RecordDetails
from sampleui.review.decided import as_data
from sampleui.review.record import Assertion, EvaluatorScore, Record, contentment
from sampleui.review.results.requests import text_said
from sampleui.review.samples.comparing import unseen_differences
from sampleui.review.verdict import Decision
from sampleui.settings.reviewers import is_program
from sampleui.text.limits import MAX_ANSWERED_TEXT
from sampleui.text.wording import ELLIPSIS, counted
from sampleui.workspace.edit_requests import SampleAddress


def record_data(
    details: RecordDetails,
    results: str,
    address: SampleAddress | None,
    said: Iterable[Decision],
    attempt: int | None,
) -> Table:
    """Return a record as the JSON object that `next` and `report --records` print.

    Args:
        details: the record, and what is known of it.
        results: the file that it is in.
        address: its sample as commands on decks take it; None where no deck is known to have it.
        said: what people and programs said of it, as far as that may be seen.
        attempt: which attempt at its sample it is; None where there is one.
    """
    record, (expected, criteria, any_of) = details.record, details.expected
    scores = [_evaluator(item, record, details.fail_under) for item in record.evaluators]
    told = {item.text for evaluator in record.evaluators for item in evaluator.assertions}
    told |= {item.name for item in record.evaluators}
    failing = {item["name"] for item in scores if item["passed"] is False}
    reasons = {item.reasoning for item in record.evaluators}
    messages = details.asked or (() if details.sample is None else details.sample.messages)
    of_people = (item.verdict for item in details.decisions if not is_program(item.reviewer))
    standing = next(filter(None, of_people), None)
    data: Table = {
        "id": record.id,
        "deck": None if address is None else str(address.deck),
        "sample": record.sample_id if address is None else address.name,
        "target": record.target,
        "attempt": attempt if record.attempt is None else record.attempt,
        "file": results,
        "line": record.line,
        "outcome": str(details.outcome),
        "score": record.score,
        "scorer": record.decider,
        "why": _cut("; ".join(details.why)) or None,
        "verdict": None if standing is None or details.disputed else str(standing),
        "asked": [*map(_message, messages)],
        "expected": _cut(expected),
        "any_of": [*map(_cut, any_of)],
        "criteria": None if criteria is None else _cut(criteria.text),
        "actual": None if record.unanswered else _cut(record.actual),
        "unanswered": record.unanswered or None,
        "in_its_place": _cut(record.actual) or None if record.unanswered else None,
        "differs": [*unseen_in(record, expected)],
        "evaluators": [*scores, *_others(record, told)],
        "misses": [] if failing == {*record.misses} else [*map(_cut, record.misses)],
        "reasoning": None if record.reasoning in reasons else _cut(record.reasoning),
        "said": [{key: value for key, value in as_data(item).items() if key not in _NAMED} for item in said],
    }
    return {key: value for key, value in data.items() if key not in _MAY_LACK or value not in (None, [])}


_MAY_LACK = frozenset(
    [
        "attempt",
        "scorer",
        "any_of",
        "criteria",
        "unanswered",
        "in_its_place",
        "differs",
        "misses",
        "reasoning",
        "said",
    ]
)
"""What is left out where there is nothing."""

_NAMED = frozenset({"record", "deck", "sample"})


def _cut(text: str | None) -> str | None:
    if text is None or len(text) <= MAX_ANSWERED_TEXT:
        return text
    return f"{text[:MAX_ANSWERED_TEXT]}{ELLIPSIS} ({counted(len(text) - MAX_ANSWERED_TEXT, 'character')} more)"


def _message(message: Table) -> Table:
    return {"role": str(message.get("role")), "content": _cut(text_said(message.get("content")))}


def _evaluator(evaluator: EvaluatorScore, record: Record, fail_under: float | None) -> Table:
    return {
        "name": _cut(evaluator.name),
        "passed": contentment(evaluator, record, fail_under),
        "score": evaluator.score,
        "reason": _cut(evaluator.reasoning),
        **({"assertions": [*map(_assertion, evaluator.assertions)]} if evaluator.assertions else {}),
    }


def _others(record: Record, told: set[str]) -> Iterator[Table]:
    """Yield the assertions that no evaluator lists, as evaluators."""
    for item in record.assertions:
        if item.text not in told:
            yield {
                "name": _cut(item.text),
                "passed": item.passed,
                "score": None,
                "reason": _cut(item.evidence),
            }


def _assertion(item: Assertion) -> Table:
    return {"text": _cut(item.text), "passed": item.passed, "evidence": _cut(item.evidence)}


def unseen_in(record: Record, expected: str | None) -> Sequence[str]:
    """Return how an answer differs that looks the same as what is expected, or as one of several answers."""
    answers = record.any_of or ((expected,) if expected is not None else ())
    found = (unseen_differences(answer, record.actual) for answer in answers if not record.unanswered)
    return next(filter(None, found), ())
