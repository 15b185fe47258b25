"""Scores against truths, and outcomes against verdicts, as they stand: tables of counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from sampleui.review.log.store import Log
from sampleui.review.record import Entry, passed
from sampleui.review.reports.figures import Agreement, Confusion
from sampleui.review.reports.graders import answer_right
from sampleui.review.verdict import Verdict

MAX_LABELS = 11


@dataclass(frozen=True, slots=True)
class VerdictTable:
    """Outcomes against verdicts.

    Attributes:
        passed: how often each verdict was given to a record that passed.
        failed: the same of records that failed.
        settled: decided records whose verdict says whether the answer is right.
        agreed: of these, where the outcome says the same.
    """

    passed: tuple[tuple[Verdict, int], ...]
    failed: tuple[tuple[Verdict, int], ...]
    settled: int
    agreed: int


def against_truth(pairs: Iterable[tuple[float, float]]) -> Agreement | None:
    """Compare scores with truths, given as pairs of (truth, score); None when there are none."""
    count, agreed, distance = 0, 0, 0.0

    def counted() -> Iterator[tuple[float, float]]:
        nonlocal count, agreed, distance
        for truth, score in pairs:
            count += 1
            distance += abs(truth - score)
            if truth == score:
                agreed += 1
            yield truth, score

    table = confusion(counted())
    return Agreement(count, agreed, distance / count, table) if count else None


def confusion(pairs: Iterable[tuple[float, float]]) -> Confusion:
    """Count pairs of (truth, score). With more than eleven different values they are rounded to make a table."""
    tables = {places: Counter[tuple[float, float]]() for places in (None, 1, 0)}
    for truth, score in pairs:
        for places, table in [*tables.items()]:
            pair = _to_places(truth, places), _to_places(score, places)
            table[pair] += 1
            if places != 0 and table[pair] == 1 and len(_labels(table)) > MAX_LABELS:
                del tables[places]
    table = next(iter(tables.values()))
    labels = sorted(_labels(table))
    counts = tuple(tuple(table[row, column] for column in labels) for row in labels)
    return Confusion(tuple(f"{label:g}" for label in labels), counts)


def _labels(table: Iterable[tuple[float, float]]) -> set[float]:
    return {value for pair in table for value in pair}


def against_verdicts(entries: Iterable[Entry], log: Log, fail_under: float | None = None) -> VerdictTable | None:
    """Compare outcomes with the verdicts that stand; None when nothing is decided of which the outcome is known."""
    pairs = [
        (outcome, decision.verdict)
        for entry in entries
        if (outcome := passed(entry, fail_under)) is not None
        and (decision := log.current(entry.digest)) is not None
        and decision.verdict is not None
    ]
    counted = Counter(pairs)
    settled = [
        outcome is right for outcome, verdict in pairs if (right := answer_right(outcome, verdict)) is not None
    ]
    passes, failures = (
        tuple((verdict, counted[outcome, verdict]) for verdict in Verdict) for outcome in (True, False)
    )
    return VerdictTable(passes, failures, len(settled), settled.count(True)) if pairs else None


def _to_places(value: float, digits: int | None) -> float:
    return value if digits is None else round(value, digits) + 0.0
