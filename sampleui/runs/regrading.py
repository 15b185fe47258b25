"""What the assertions of today's deck say of the answers that a run recorded, whichever runner judges."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sampleui.formats.data import DataPath, Plain
from sampleui.integrations import index
from sampleui.integrations.integration import Grading
from sampleui.review.record import FAIL_UNDER, Record, deciding_grade, failed
from sampleui.review.results.file import Results
from sampleui.review.results.run_paths import base_of
from sampleui.sample.model import Sample
from sampleui.sample.parse import as_followed, integration_of
from sampleui.trace.reading.extract import read_trace
from sampleui.trace.trajectory_checks import TRAJECTORY, TrajectoryResult, check_record, unchecked

NO_ANSWER = "there is no answer"
"""Why an assertion cannot be judged where nothing was answered."""


class Graded(NamedTuple):
    """The outcome of one assertion.

    Attributes:
        name: its name, or the one that its runner gives it.
        text: its type and value in one line: `contains 'assistant'`, `not regex /a+/i`.
        passed: whether it holds; None if it cannot be judged without a model, a program or a trace.
        reason: why it cannot be judged; empty if it can.
        of_trace: whether it is about what was done and not about the answer, so that it is open here.
        under_threshold: whether a score of several decides, so that it stays open if it does not hold.
        left_out: whether its runner leaves it out, so that nothing is missing without it.
        score: how much of it holds, 0 to 1, where that is more than whether it does.
        weight: its part in the score of its sample.
        least: the score below which its sample fails, whatever the others say; None if it is one among others.
        decides: whether it is the score of them all, which alone says whether its sample passes.
    """

    name: str
    text: str
    passed: bool | None
    reason: str = ""
    of_trace: bool = False
    under_threshold: bool = False
    left_out: bool = False
    score: float | None = None
    weight: float = 1.0
    least: float | None = None
    decides: bool = False

    @property
    def share(self) -> float | None:
        """How much of it holds, 0 to 1; None if that cannot be judged."""
        return float(self.passed) if self.score is None and self.passed is not None else self.score


def paired(
    asked: Sequence[tuple[DataPath, str]], ran: Iterable[tuple[str, bool | None]]
) -> dict[DataPath, bool | None]:
    """Return which assertions of a sample held in a run, by their paths; None where that is not certain.

    Of several that are alike each is the one at its place among them, if the run has as many.

    Args:
        asked: where each is and what tells it from others, in the order of a run; those of the whole file, whose
            path is empty, are left out of what is returned.
        ran: what tells each that a run lists, in its order, and whether it held.
    """
    counts, listed = Counter(key for _, key in asked), [*ran]
    as_many = counts.items() & Counter(key for key, _ in listed).items()
    outcomes = {key: iter([passed for other, passed in listed if other == key]) for key, _ in as_many}
    by_path = {path: next(outcomes[key]) if key in outcomes else None for path, key in asked}
    return {path: passed for path, passed in by_path.items() if path}


def shown_value(kind: str, value: Plain, flags: Plain = None) -> str:
    """Return the value of an assertion as it is behind its type; a blank comes first."""
    if kind == "regex" and isinstance(value, str):
        return f" /{value}/{flags if isinstance(flags, str) else ''}"
    if isinstance(value, list):
        return " " + ", ".join(repr(item) if isinstance(item, str) else str(item) for item in value)
    return f" {value!r}" if isinstance(value, str | int | float) and not isinstance(value, bool) else ""


PASSES = {True: "passes still", False: "would pass now", None: "would pass now"}
_ROUNDED = 1e-9
FAILS = {True: "would fail now", False: "still fails", None: "would fail now"}


class Regraded(NamedTuple):
    """The assertions of a record's sample, evaluated on what was recorded.

    Attributes:
        record: the record.
        outcomes: the outcome of each assertion.
        passes: whether the record passes now, None if that cannot be judged. By the scorer that decides about it
            where one does; as its runner has it, by the score of all of them, where its program wrote it and the
            scores of what is open are in the record; else where nothing fails.
    """

    record: Record
    outcomes: tuple[Graded, ...]
    passes: bool | None

    @property
    def failing(self) -> tuple[Graded, ...]:
        """Those that do not hold."""
        return tuple(outcome for outcome in self.outcomes if outcome.passed is False)

    @property
    def open(self) -> tuple[Graded, ...]:
        """Those that cannot be judged here."""
        return tuple(outcome for outcome in self.outcomes if outcome.passed is None)

    @property
    def judged(self) -> bool:
        """Whether anything could be judged."""
        return self.passes is not None

    def words(self, passed: bool | None) -> str:
        """Return in one line what the assertions say now.

        Args:
            passed: whether the record passed when it was run; None if that is not known.
        """
        left = ", ".join(map(_named, self.open))
        named = ", ".join(map(_named, self.failing))
        if self.record.rated is not None:
            alone = f", though it fails {named}" if named and self.passes else ""
            return f"{'passes' if self.passes else 'fails'}, as a person rated it{alone}"
        if self.passes is None:
            return f"whether it passes cannot be told: {left or 'nothing that the sample says can be checked here'}"
        if self.passes:
            words = f"{PASSES[passed]}, though it fails {named}" if named else PASSES[passed]
        else:
            words = f"{FAILS[passed]}: {named or 'by what is open'}"
        return f"{words}; open: {left}" if left else words


def _named(outcome: Graded) -> str:
    return f"{outcome.text} ({outcome.reason})" if outcome.reason else outcome.text


def regraded(results: Results, record: Record, sample: Sample, fail_under: float | None = None) -> Regraded:
    """Return what the assertions and trajectory checks of a sample say of a record.

    What a person rated in the tool that ran it stays as rated. A record with an error has no answer, whatever its
    file puts in the answer's place. One that is not kept, or may be another record's, says nothing of this one.

    Args:
        results: the results that the record is of.
        record: the record.
        sample: its sample, as the deck has it now.
        fail_under: the score from which a record passes, None for what its runner takes.
    """
    doubt = _doubt(record)
    answer = None if record.error is not None or doubt else record.whole or record.actual
    trace = read_trace(record.data, base_of(results.path))
    judge = judge_of(record, sample)
    outcomes = judge.grade(record, sample, answer, FAIL_UNDER if fail_under is None else fail_under)
    if doubt:
        outcomes = tuple(
            outcome._replace(reason=doubt) if outcome.reason == NO_ANSWER else outcome for outcome in outcomes
        )
    if not unchecked(record.data, trace):
        meant = as_followed(sample)
        checks = check_record(record.data, trace, meant.data, meant.context)
        outcomes = _with_checks(outcomes, checks, nested=judge.nests_members)
    if record.rated is not None:
        return Regraded(record, outcomes, record.rated)
    if all(outcome.passed is None for outcome in outcomes):
        return Regraded(record, outcomes, None)
    if record.decider is not None:
        return Regraded(record, outcomes, _decided(record, outcomes))
    deciding = next((outcome for outcome in outcomes if outcome.decides), None)
    if deciding is not None:
        return Regraded(record, outcomes, deciding.passed)
    score = judge.score(record, trace, outcomes)
    passes = _passed_by_outcomes(record, outcomes) if score is None else _reached(record, score, fail_under)
    return Regraded(record, outcomes, passes)


def _doubt(record: Record) -> str:
    """Return why the answer of a record is not judged; empty if it is."""
    if record.lost:
        return "its answer is not kept"
    return "its answer may be that of another record" if record.doubtful else ""


def _passed_by_outcomes(record: Record, outcomes: Sequence[Graded]) -> bool | None:
    """Tell whether nothing fails. What is open counts as in the run; None if it may have been what failed there."""
    if any(outcome.passed is False for outcome in outcomes):
        return False
    ran = record.evaluators
    lost = [evaluator for evaluator in ran if evaluator.verdict == "fail"]
    if not failed(record) or not lost or all(outcome.passed is not None for outcome in outcomes):
        return True
    by_place = ran if len(ran) == len(outcomes) else (None,) * len(outcomes)
    by_name = {evaluator.name: evaluator for evaluator in ran}
    before = [
        by_name.get(outcome.name, by_order)
        for outcome, by_order in zip(outcomes, by_place, strict=True)
        if outcome.passed is None
    ]
    if all(evaluator is not None and evaluator.verdict != "fail" for evaluator in before):
        return True
    return False if all(any(evaluator is other for other in before) for evaluator in lost) else None


def _decided(record: Record, outcomes: Sequence[Graded]) -> bool | None:
    """Tell what the scorer says that decides about a record; None where it is open or on a scale of its own."""
    grade = deciding_grade(record)
    decisions = (outcome.passed for outcome in outcomes if outcome.name == record.decider)
    return next(decisions, None) if grade is not None and grade.bounded else None


def judge_of(record: Record, sample: Sample) -> Grading:
    """Return by whose rules a record is judged: those of its run, if these hold for all decks, or of its deck."""
    judges = (index.integration(name).grading() for name in index.readers(record.data))
    return (
        next((judge for judge in judges if judge.grades_record(record)), None) or integration_of(sample).grading()
    )


def _with_checks(
    outcomes: tuple[Graded, ...], checks: Sequence[TrajectoryResult], *, nested: bool
) -> tuple[Graded, ...]:
    """Return outcomes with those of the trajectory checks in their places.

    Members of other assertions come last, unless they are `nested` among the outcomes already.
    """
    left, placed = list(checks), []
    for outcome in outcomes:
        check = next((check for check in left if outcome.of_trace and check.name == outcome.name), None)
        if check is not None:
            left.remove(check)
        placed.append(outcome if check is None else _of_check(check, outcome))
    if nested:
        return tuple(placed)
    members = (_of_check(check, Graded(check.name, "", None, weight=0)) for check in left)
    return (*placed, *members)


def _of_check(check: TrajectoryResult, asked: Graded) -> Graded:
    if asked.under_threshold and check.passed is False:
        return asked
    return asked._replace(
        text=asked.text or f"{'not ' if check.negated else ''}{TRAJECTORY} {check.name!r}",
        passed=check.passed,
        reason=", ".join(check.misses) if check.passed is None else "",
        left_out=check.passed is None,
        score=check.score if check.passed is not None else None,
    )


def _reached(record: Record, score: float, fail_under: float | None) -> bool:
    """Tell whether a score is enough: by the threshold asked for, else by the one that the run may have had.

    A run does not say its own threshold. One that let a lower score pass had a lower one, and one that let 0.8 fail
    a higher one.
    """
    if fail_under is not None:
        return score >= fail_under - _ROUNDED
    before = record.score
    if before is not None and record.outcome is True:
        return score >= min(before, FAIL_UNDER) - _ROUNDED
    if before is not None and record.outcome is False and before >= FAIL_UNDER:
        return score > before + _ROUNDED
    return score >= FAIL_UNDER - _ROUNDED
