"""The records of a results file beside the samples of the deck they ran: what every face shows of a trace."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from sampleui.errors import ResultsError
from sampleui.formats.data import Table
from sampleui.sample.model import Sample
from sampleui.trace.checks import checks_of
from sampleui.trace.compare import TrajectoryResult, check_trace
from sampleui.trace.extract import Trace, extract_trace
from sampleui.trace.files import FileRecord, records_of
from sampleui.trace.golden import Alignment, closest, golden_trajectories
from sampleui.trace.promote import transcript
from sampleui.workspace import Deck


@dataclass(frozen=True, slots=True)
class Subject:
    """One record, and what its sample asks of it.

    Attributes:
        record: the record.
        trace: what it did.
        sample: its sample, None where no deck is known or the deck has none of its id.
        checks: the trajectory checks of the sample, run.
        alignments: its calls beside each golden trajectory, the closest first.
    """

    record: FileRecord
    trace: Trace
    sample: Sample | None = None
    checks: tuple[TrajectoryResult, ...] = ()
    alignments: tuple[Alignment, ...] = ()

    def turns(self) -> tuple[Table, ...]:
        """Return its transcript as messages: what was asked, then what the run did."""
        return transcript(self.record.data, self.trace, self.sample.messages if self.sample else ())


@dataclass(frozen=True)
class Run:
    """The records of one file.

    Attributes:
        path: the results file.
        records: its records, in file order.
        deck: the deck that was run, where it is known.
        broken: why reading stopped before the end of the file, if it did.
    """

    path: Path
    records: Sequence[FileRecord]
    deck: Deck | None = None
    broken: ResultsError | None = None

    def find(self, record_id: str) -> int | None:
        """Return the place of the first record with an id, or of the N-th for `#N`; None without any."""
        ids = (at for at, record in enumerate(self.records) if record.id == record_id)
        nth = (at for at in range(len(self.records)) if record_id == f"#{at + 1}")
        return next(ids, next(nth, None))

    def trace(self, index: int) -> Trace:
        """Return what a record did."""
        return extract_trace(self.records[index].data, self.path.parent)

    def subject(self, index: int) -> Subject:
        """Return a record with what its sample asks of it."""
        return subject_of(self.records[index], self.trace(index), self._samples.get(self.records[index].id))

    @cached_property
    def _samples(self) -> dict[str, Sample]:
        return {} if self.deck is None else {sample.id: sample for sample in reversed(self.deck.samples)}


def subject_of(record: FileRecord, trace: Trace, sample: Sample | None) -> Subject:
    """Return a record beside its sample. One without a sample may itself say what was expected of it."""
    data = sample.data if sample is not None else record.data
    checks = checks_of(data, sample.context if sample is not None else {})
    alignments = closest(trace.events, golden_trajectories(data))
    return Subject(record, trace, sample, check_trace(checks, trace), alignments)


def open_run(path: Path, deck: Deck | None = None) -> Run:
    """Read the records of a file. What follows a line that cannot be read is left out, and said.

    Raises:
        ResultsError: when there is no record before the fault, or none at all.
    """
    records: list[FileRecord] = []
    try:
        records.extend(records_of(path))
    except ResultsError as error:
        if not records:
            raise
        return Run(path, records, deck, error)
    if not records:
        raise ResultsError("the file has no records", path)
    return Run(path, records, deck)
