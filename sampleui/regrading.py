"""What the assertions of today's deck say of the answers that a run recorded."""

from __future__ import annotations

from dataclasses import dataclass

from sampleui.grading import assertions, promptfoo
from sampleui.grading.graded import Graded
from sampleui.review.record import Record
from sampleui.review.results import Results
from sampleui.review.runfolder import base_of
from sampleui.sample.model import Sample
from sampleui.trace.checking import check_record
from sampleui.trace.extract import extract_trace, is_whole
from sampleui.trace.found import TrajectoryResult
from sampleui.trace.trajectories import TRAJECTORY

_PASSES = {True: "would pass now", False: "passes still"}
_RULES = {"promptfoo": promptfoo.graded}
"""Whose rules the samples of a dialect are evaluated by, where they are not AgentV's."""

_FAILS = {True: "still fails", False: "would fail now"}


@dataclass(frozen=True, slots=True)
class Regraded:
    """The assertions of a record's sample, evaluated on what was recorded."""

    record: Record
    outcomes: tuple[Graded, ...]

    @property
    def failing(self) -> tuple[Graded, ...]:
        """Those that do not hold."""
        return tuple(one for one in self.outcomes if one.passed is False)

    @property
    def open(self) -> tuple[Graded, ...]:
        """Those that cannot be told here."""
        return tuple(one for one in self.outcomes if one.passed is None)

    @property
    def told(self) -> bool:
        """Whether anything could be told."""
        return any(one.passed is not None for one in self.outcomes)

    def words(self, failed: bool) -> str:
        """Return in one line what the assertions say now.

        Args:
            failed: whether the record failed when it was run.
        """
        left = ", ".join(map(_told, self.open))
        if self.failing:
            said = f"{_FAILS[failed]}: {', '.join(map(_told, self.failing))}"
        elif not self.told:
            return f"cannot be told: {left or 'it has no assertions'}"
        else:
            said = _PASSES[failed]
        return f"{said}; open: {left}" if left else said


def _told(one: Graded) -> str:
    return f"{one.text} ({one.reason})" if one.reason else one.text


def regraded(results: Results, record: Record, sample: Sample) -> Regraded:
    """Return what the assertions and trajectory checks of a sample say of a record.

    A record with an error has no answer, whatever its file puts in the answer's place, nor has one that lost it.
    """
    answer = None if record.error is not None or record.lost else record.whole or record.actual
    trace = extract_trace(record.data, base_of(results.path))
    graded = _RULES.get(sample.dialect, assertions.graded)
    outcomes = graded(sample.data, sample.context, answer)
    if is_whole(trace):
        checks = check_record(record.data, trace, sample.data, sample.context)
        outcomes = (*(one for one in outcomes if not one.of_trace), *map(_of_check, checks))
    return Regraded(record, outcomes)


def _of_check(check: TrajectoryResult) -> Graded:
    text = f"{'not ' * check.negated}{TRAJECTORY} {check.name!r}"
    return Graded(check.name, text, check.passed, ", ".join(check.misses) if check.passed is None else "")
