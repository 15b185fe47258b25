"""Scores against truths, and outcomes against verdicts, as they stand: tables of counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sampleui.review.log.store import Log
from sampleui.review.record import Entry, passed
from sampleui.review.reports.graders import answer_right
from sampleui.review.verdict import Verdict

MAX_LABELS = 11


@dataclass(frozen=True, slots=True)
class Confusion:
    """Counts of pairs: `counts[row][column]`; rows are what should be, columns what was given."""

    labels: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Agreement:
    """Grader scores against truths.

    Attributes:
        count: records that have both.
        agreed: of these, with equal scores.
        average_distance: the mean of |score - truth|, on the scores' own scale.
    """

    count: int
    agreed: int
    average_distance: float
    confusion: Confusion

    @property
    def rate(self) -> float:
        """The part that agrees, 0 to 1."""
        return self.agreed / self.count


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


def against_truth(entries: Iterable[Entry]) -> Agreement | None:
    """Compare scores with truths; None when no record has both."""
    pairs = [
        (entry.truth_score, entry.score)
        for entry in entries
        if entry.truth_score is not None and entry.score is not None
    ]
    if not pairs:
        return None
    distance = sum(abs(truth - score) for truth, score in pairs) / len(pairs)
    return Agreement(len(pairs), sum(truth == score for truth, score in pairs), distance, confusion(pairs))


def confusion(pairs: Sequence[tuple[float, float]]) -> Confusion:
    """Count pairs of (truth, score). With more than eleven different values they are rounded to make a table."""
    values = {value for pair in pairs for value in pair}
    places = next((digits for digits in (None, 1) if len(_rounded(values, digits)) <= MAX_LABELS), 0)
    labels = sorted(_rounded(values, places))
    counted = Counter((_to_places(truth, places), _to_places(score, places)) for truth, score in pairs)
    counts = tuple(tuple(counted[row, column] for column in labels) for row in labels)
    return Confusion(tuple(f"{label:g}" for label in labels), counts)


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


def _rounded(values: Iterable[float], digits: int | None) -> set[float]:
    return {_to_places(value, digits) for value in values}


def _to_places(value: float, digits: int | None) -> float:
    return value if digits is None else round(value, digits) + 0.0
