"""How far graders can be trusted: compared with the truth and with reviewers, and reviewers with each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from sampleui.review.log.store import Log
from sampleui.review.record import Entry, passed
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


@dataclass(frozen=True, slots=True)
class ReviewerAgreement:
    """Two reviewers on the records that both decided. `kappa` is None if it is not defined."""

    first: str
    other: str
    records: int
    agreed: int
    kappa: float | None


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
        (not outcome, decision.verdict)
        for entry in entries
        if (outcome := passed(entry, fail_under)) is not None
        and (decision := log.current(entry.digest)) is not None
        and decision.verdict is not None
    ]
    counted = Counter(pairs)
    settled = [
        (outcome, wrong) for outcome, verdict in pairs if (wrong := _answer_wrong(outcome, verdict)) is not None
    ]
    passes = tuple((verdict, counted[False, verdict]) for verdict in Verdict)
    failures = tuple((verdict, counted[True, verdict]) for verdict in Verdict)
    agreed = sum(outcome == wrong for outcome, wrong in settled)
    return VerdictTable(passes, failures, len(settled), agreed) if pairs else None


def between_reviewers(entries: Iterable[Entry], log: Log) -> tuple[ReviewerAgreement, ...]:
    """Compare every two reviewers who decided some of the same records. Skipped records were not decided."""
    by_record = [
        {
            who: decision.verdict
            for who, decision in log.by_reviewer(digest).items()
            if decision.verdict not in {None, Verdict.SKIP}
        }
        for digest in dict.fromkeys(entry.digest for entry in entries)
    ]
    agreements = []
    for first, other in combinations(log.reviewers, 2):
        pairs = [
            (str(verdicts[first]), str(verdicts[other]))
            for verdicts in by_record
            if first in verdicts and other in verdicts
        ]
        if pairs:
            agreed = sum(mine == theirs for mine, theirs in pairs)
            agreements.append(ReviewerAgreement(first, other, len(pairs), agreed, cohens_kappa(pairs)))
    return tuple(agreements)


def cohens_kappa(pairs: Sequence[tuple[str, str]]) -> float | None:
    """Return Cohen's kappa of two raters' labels, (observed - expected) / (1 - expected) agreement.

    1 is perfect agreement, 0 what chance would give, below 0 worse than that. It is None without pairs, and when
    both raters gave all the same single label: chance alone explains that too, so nothing is measured.
    """
    total = len(pairs)
    mine, theirs = Counter(mark for mark, _ in pairs), Counter(other for _, other in pairs)
    by_chance = sum(times * theirs[label] for label, times in mine.items())
    if by_chance == total * total:
        return None
    agreed = sum(mark == other for mark, other in pairs)
    return (agreed * total - by_chance) / (total * total - by_chance)


def _answer_wrong(outcome_failed: bool, verdict: Verdict) -> bool | None:
    """Tell whether a verdict says that the answer is wrong; None if it does not say."""
    if verdict is Verdict.MODEL_WRONG:
        return True
    if verdict in {Verdict.EXPECTED_WRONG, Verdict.OK}:
        return False
    return not outcome_failed if verdict is Verdict.GRADER_WRONG else None


def _rounded(values: Iterable[float], digits: int | None) -> set[float]:
    return {_to_places(value, digits) for value in values}


def _to_places(value: float, digits: int | None) -> float:
    return value if digits is None else round(value, digits) + 0.0
