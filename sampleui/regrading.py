"""What the assertions of today's deck say of the answers that a run recorded."""

from __future__ import annotations

from dataclasses import dataclass

from sampleui.grading.assertions import Graded, graded
from sampleui.review.record import Record
from sampleui.review.results import Results
from sampleui.review.runfolder import base_of
from sampleui.runs import subject_of
from sampleui.sample.model import Sample
from sampleui.trace.extract import extract_trace, is_whole
from sampleui.trace.files import FileRecord

_PASSES = {True: "would pass now", False: "passes still"}
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
        left = ", ".join(f"{one.text} ({one.reason})" for one in self.open)
        if self.failing:
            said = f"{_FAILS[failed]}: {', '.join(one.text for one in self.failing)}"
        elif not self.told:
            return f"cannot be told: {left or 'it has no assertions'}"
        else:
            said = _PASSES[failed]
        return f"{said}; open: {left}" if left else said


def regraded(results: Results, record: Record, sample: Sample) -> Regraded:
    """Return what the assertions and trajectory checks of a sample say of a record.

    A record with an error has no answer, whatever its file puts in the answer's place.
    """
    answer = None if record.error is not None else record.actual
    outcomes = [*graded(sample.data, sample.context, answer), *_trajectories(results, record, sample)]
    return Regraded(record, tuple(outcomes))


def _trajectories(results: Results, record: Record, sample: Sample) -> list[Graded]:
    trace = extract_trace(record.data, base_of(results.path))
    subject = subject_of(FileRecord(record.line, record.data, record.id, record.sample_id), trace, sample)
    if is_whole(trace):
        return [Graded(one.name, f"tool-trajectory {one.name!r}", one.passed) for one in subject.checks]
    return []
