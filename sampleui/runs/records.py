"""The records of a results file beside the samples of the decks they ran: what both faces show of a trace."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

from sampleui.errors import OtherFileError, ResultsError
from sampleui.formats.data import Table, tables_in
from sampleui.garbage import collector_off
from sampleui.review.record import Entry, ParsedRow, Record
from sampleui.review.results.adapters import adapter_of
from sampleui.review.results.file import UNREAD_ROW, Results, open_results, scored_results
from sampleui.review.results.run_paths import base_of, is_log, run_of
from sampleui.runs.decks import FoundDecks
from sampleui.sample.model import Sample
from sampleui.sample.parse import as_followed, conversation
from sampleui.settings.options import COMMAND_LINE, Settings
from sampleui.text.confined import is_folder
from sampleui.text.diagnostic import Finding
from sampleui.trace.golden import Alignment, closest, golden_trajectories
from sampleui.trace.reading.extract import RecordTrace, TraceSource, read_trace, untold
from sampleui.trace.reading.files import FileRecord, records_of
from sampleui.trace.reading.response import ProviderResponse
from sampleui.trace.summary import summarize
from sampleui.trace.timeline import timeline
from sampleui.trace.trajectory_checks import TrajectoryResult, check_record
from sampleui.trace.transcript import Transcript, transcript
from sampleui.workspace.deck import Deck


class TracedRecord(NamedTuple):
    """One record, and what its sample asks of it.

    Attributes:
        record: the record.
        trace: what it did.
        sample: its sample, None if no deck is known or the deck has none of its id.
        checks: the trajectory checks of the sample, run.
        alignments: its calls beside each golden trajectory, the closest first; None where its calls are not known.
        entry: what lists tell of the record, None if no tool writes such records.
    """

    record: FileRecord
    trace: RecordTrace
    sample: Sample | None = None
    checks: tuple[TrajectoryResult, ...] = ()
    alignments: tuple[Alignment, ...] | None = ()
    entry: Entry | None = None

    def transcript(self) -> Transcript:
        """Return what was asked, as its sample or the row says it, then what the run did."""
        asked = conversation(self.sample) if self.sample else ()
        sample = self.sample
        tools = tables_in({**sample.context, **sample.data}.get("tools")) if sample is not None else ()
        return transcript(self.record.data, self.trace, asked or self._asked(), tools)

    def part(self, numbers: Sequence[int], took_ms: float | None = None) -> TracedRecord:
        """Return what happened in a part of the trace, as a record that did this alone.

        Args:
            numbers: the events of the part by their numbers, from 1, in ascending order.
            took_ms: how long it took in milliseconds, None if that is not known.
        """
        events = tuple(self.trace.events[number - 1] for number in numbers)
        trace = RecordTrace(self.trace.source, events, replace(summarize(events), duration_ms=took_ms))
        goldens = golden_trajectories(_expecting(self.record, self.sample)) if self.alignments != () else ()
        return TracedRecord(self.record._replace(data={}), trace, None, (), closest(events, goldens), self.entry)

    def inside(self, number: int) -> TracedRecord:
        """Return what happened in a call or a span, by its number from 1, as a record that did this alone.

        Raises:
            ResultsError: when nothing happened in that event.
        """
        rows = iter(timeline(self.trace.events))
        holder = next((row for row in rows if row.number == number), None)
        depth = 0 if holder is None else holder.depth + 1
        below = takewhile(lambda row: row.depth >= depth, rows)
        inside = sorted(row.number for row in below if row.depth > depth or not row.answers)
        if holder is None or not inside:
            raise ResultsError(f"nothing happened in event {number} of {self.record.id}")
        return self.part(inside, holder.duration_ms)

    def _asked(self) -> Sequence[Table]:
        adapter = adapter_of(self.record.data)
        return () if adapter is None else adapter.parse(self.record.data).details().asked


@dataclass(frozen=True)
class RunRecords:
    """The records of one file.

    Attributes:
        path: the results file.
        records: its records, in file order.
        decks: the decks that were run, if they are known.
        broken: what is wrong with the lines that could not be read.
    """

    path: Path
    records: Sequence[FileRecord]
    decks: tuple[Deck, ...] = ()
    broken: Sequence[ResultsError] = ()

    def find_all(self, record_id: str) -> tuple[int, ...]:
        """Return the places of the records of an id, their own or that of their sample; else the N-th for `#N`."""
        ids = tuple(index for index in range(len(self.records)) if record_id in self._ids(index))
        return ids or tuple(index for index in range(len(self.records)) if record_id == f"#{index + 1}")

    def find(self, record_id: str) -> int | None:
        """Return the place of the first record that `find_all` finds, one of that very id if there is one."""
        indexes = self.find_all(record_id)
        return next((index for index in indexes if self.id(index) == record_id), next(iter(indexes), None))

    def id(self, index: int) -> str:
        """Return the id of a record, as `FileRecord` has it; the record is not read for it."""
        return self._ids(index)[0]

    def _ids(self, index: int) -> tuple[str, str]:
        """Return the id of a record and that of the sample it answers."""
        named = self.records.entry(index) if isinstance(self.records, _Kept) else self.records[index]
        return named.id, named.sample_id

    def entry(self, index: int) -> Entry | None:
        """Return what lists tell of a record, such as its target; None if no tool writes such records."""
        if isinstance(self.records, _Kept):
            return self.records.entry(index)
        record = self.records[index]
        adapter = adapter_of(record.data)
        parsed = ParsedRow() if adapter is None else adapter.parse(record.data)
        if (entry := parsed.joined) is None:
            return None
        return replace(entry, sample_id=record.sample_id).placed(
            index, record.id, record.line, "", parsed.digests()
        )

    def trace(self, index: int) -> RecordTrace:
        """Return what a record did."""
        return trace_of(self.records[index], base_of(self.path))

    def is_empty(self, index: int) -> bool:
        """Tell whether a row is no result: no tool writes such records, and nothing in it was done or answered."""
        entry = self.entry(index)
        return entry is None and is_no_result(None, self.trace(index))

    def subject(self, index: int) -> TracedRecord:
        """Return a record with what its sample asks of it."""
        record, entry = self.records[index], self.entry(index)
        with collector_off():
            trace = trace_of(record, base_of(self.path))
            asked = entry or Entry(sample_id=record.sample_id, score=None)
            sample = self._found.sample(asked) if self.decks else None
            return subject_of(record, trace, sample, entry)

    @cached_property
    def _found(self) -> FoundDecks:
        return FoundDecks(self.decks)


def is_no_result(entry: Entry | None, trace: RecordTrace) -> bool:
    """Tell whether a row is no result, by what lists tell of it and by what was done in it."""
    return entry is None and _is_answer(trace) and trace.response == ProviderResponse()


def _is_answer(trace: RecordTrace) -> bool:
    """Tell whether no more was done than an answer given, with what was thought before it."""
    return trace.source in (None, TraceSource.ANSWER) and not trace.diagnostics


def trace_of(record: FileRecord, base_dir: Path) -> RecordTrace:
    """Return what a record did, with what could not be read for it among the diagnostics."""
    trace = read_trace(record.data, base_dir, record.answer)
    return replace(trace, diagnostics=(*record.notes, *trace.diagnostics)) if record.notes else trace


def file_record(record: Record) -> FileRecord:
    """Return a record of a run as its trace is read, what could not be read for it among the notes."""
    notes = tuple(Finding(note.rule, note.severity, note.message, ()) for note in record.notes)
    return FileRecord(record.line, record.data, record.id, record.sample_id, notes, record.thinking_answer)


def subject_of(
    record: FileRecord, trace: RecordTrace, sample: Sample | None, entry: Entry | None = None
) -> TracedRecord:
    """Return a record beside its sample. One without a sample may itself say what was expected of it."""
    data, context = _expecting(record, sample), {} if sample is None else sample.context
    checks = check_record(record.data, trace, data, context)
    goldens = golden_trajectories(data)
    alignments = closest(trace.events, goldens) if not goldens or not untold(trace) else None
    return TracedRecord(record, trace, sample, checks, alignments, entry)


def _expecting(record: FileRecord, sample: Sample | None) -> Table:
    """Return what says what was expected: the sample, or the record itself."""
    return record.data if sample is None else as_followed(sample).data


class _Kept(Sequence[FileRecord]):
    """The records of a run folder or a log, each read with its files when it is asked for."""

    def __init__(self, results: Results) -> None:
        self._results = results

    def __len__(self) -> int:
        return len(self._results.entries)

    def entry(self, index: int) -> Entry:
        return self._results.entries[index]

    def __getitem__(self, index: int) -> FileRecord:  # type: ignore[override] # nobody wants a part of them
        return file_record(self._results.record(self._results.entries[index].index))


_TABLES = (".csv", ".tsv")
"""How the names of tables end, which hold no transcript."""


def open_run(path: Path, *decks: Deck, settings: Settings | None = None) -> RunRecords:
    """Read the records of a results file, a run folder, its index or a log; what cannot be read is left out.

    Args:
        path: where they are.
        decks: the decks that were run.
        settings: those that say which scorer decides; None for the first one.

    Raises:
        OtherFileError: if it is told for a file of another tool in which nothing was done that is read here.
        ResultsError: if there is no record at all, or what is wrong if none could be read.
    """
    settings = settings or Settings()
    asked = settings.scorer is not None and settings.origins["scorer"] == COMMAND_LINE
    if is_folder(path) or run_of(path) is not None or is_log(path) or asked:
        return _of_results(path, decks, settings)
    results = _results_of(path)
    by_table = results is not None and results.by_table and results.guess is None
    if by_table or (results is not None and path.suffix.lower() in _TABLES):
        return _of_results(path, decks, settings)
    broken: list[ResultsError] = []
    records = [*records_of(path, broken)]
    if not records:
        raise broken[0] if broken else ResultsError("the file has no records", path)
    run = RunRecords(path, records, decks, broken)
    # A transcript is read as it is; where a guessed table alone tells what was done, by that.
    guessed = results is not None and results.by_table
    indexes = range(len(records))
    alike = guessed and len({*map(run.is_empty, indexes)}) == 1
    nothing_done = alike and all(_is_answer(run.trace(index)) for index in indexes)
    return _of_results(path, decks, settings) if nothing_done else run


def _results_of(path: Path) -> Results | None:
    """Return a file as results; None if it is none, and may yet hold a trace. Raises OtherFileError."""
    try:
        return open_results(path, asked=True)
    except OtherFileError as error:
        if not error.traced:
            raise
    except (ResultsError, OSError):
        pass
    return None


def _of_results(path: Path, decks: tuple[Deck, ...], settings: Settings) -> RunRecords:
    results = scored_results(path, settings).results.indexed()
    unread = (diagnostic for diagnostic in results.diagnostics if diagnostic.rule == UNREAD_ROW)
    broken = [ResultsError(problem.message, problem.path, problem.line, problem.column) for problem in unread]
    if not results.entries:
        raise broken[0] if broken else ResultsError("the run has no records", path)
    return RunRecords(results.path, _Kept(results), decks, broken)
