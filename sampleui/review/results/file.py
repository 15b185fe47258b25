"""A results file: indexed while it is read, its records read again one at a time.

A file of 100,000 records (1 GB) is never in memory as a whole: the index keeps the facts and the place of each
record, and a record is read from its place when it is shown. One thread may index while others look at what is
there already, because entries are only ever added; at the end they are replaced where the scale of a score turned
out to be unknown.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from sampleui.errors import ResultsError, results_errors
from sampleui.formats.data import Table, as_list, deeper, tables_in, texts_in
from sampleui.garbage import collector_off
from sampleui.integrations.index import integration, keeper
from sampleui.integrations.integration import Hydrated, Integration, RunFiles, Sharing
from sampleui.review.record import (
    Details,
    Entry,
    Identity,
    ParsedRow,
    Record,
    SampleDigests,
    Usage,
    telling_names,
    ungraded,
)
from sampleui.review.results import run_paths
from sampleui.review.results.adapter_selection import (
    FileAdapters,
    adapters_of_file,
    first_rows,
    has_head,
    is_signed,
    user_result_dialects,
)
from sampleui.review.results.adapters import Adapter, reader_of
from sampleui.review.results.dialect import ResultDialect
from sampleui.review.results.documents import lists_of, read_record_files, result_source
from sampleui.review.results.record_names import RecordNames, digest_of_copy
from sampleui.review.results.rerun_files import KeptRerun, rerun_in
from sampleui.review.results.scoring import Scoring
from sampleui.review.results.sources import FILE, NOTES, TOO_DEEP, Malformed, ResultRow, ResultSource
from sampleui.sample.dialects.dialect import value_at
from sampleui.sample.message import behind_thinking
from sampleui.settings.options import COMMAND_LINE, Settings
from sampleui.text.confined import START, is_folder, opened
from sampleui.text.diagnostic import Diagnostic, Severity
from sampleui.text.limits import MAX_DIAGNOSTICS, MAX_JSON_DEPTH
from sampleui.text.wording import counted

if TYPE_CHECKING:
    from sampleui.review.handing_back import HandsBack

BATCH = 200
_STEP_BYTES = 16 << 20
"""Bytes after which the index tells how far it is, though it has no whole batch yet: rows may be large."""

UNREAD_ROW = "result-row"
"""The rule of a diagnostic about a row that cannot be read."""


class IndexProgress(NamedTuple):
    """How far an index is: `done` of `size` (bytes of JSONL, or else rows), and how many records there are."""

    done: int
    size: int
    records: int


class Streamed(NamedTuple):
    """A record that is read once and not kept.

    Attributes:
        record_index: its number among the records, from 0.
        entry: its facts, without its place.
        row: the row.
        replaceable: whether a later record of the same identity replaces it.
    """

    record_index: int
    entry: Entry
    row: ResultRow
    replaceable: bool


Keeps = Callable[[str, str], bool]
"""Tells by the digest of a record and the id of its sample whether it is to be kept."""


class Results:
    """The records of one file. Made by `open_results`.

    Attributes:
        path: the file.
        source: where its rows come from, with what it says of the whole run.
        base_dir: the folder that paths in records are relative to.
        entries: the records indexed so far, in file order. Not to be changed.
        diagnostics: what could not be read, the first 1,000 of it.
        skipped: how many rows could not be read.
        superseded: the records that no longer count, each with the later one of the same identity.
        complete: whether all of the file is indexed.
        revised: how often the records so far were decided anew, since a later one showed what their scores mean.
        guess: the table that its rows are read by, where it had to be guessed.
        scorer: the scorer that is asked to decide about its records; None for the first one, or for its runner.
        stream_was_final: whether the last `stream` told all records as they are.
        excerpt: the records that the last `stream` was to keep; None before the first one.
    """

    def __init__(self, path: Path, source: ResultSource, adapters: FileAdapters, scorer: str | None = None) -> None:
        self.path = path
        self.scorer = scorer
        self.guess = adapters.guess
        self.base_dir = run_paths.base_of(path)
        self.entries: list[Entry] = []
        self.diagnostics: list[Diagnostic] = []
        self.skipped = 0
        self.superseded: dict[int, int] = {}
        self.complete = False
        self.stream_was_final = True
        self.excerpt: Excerpt | None = None
        self.revised = 0
        self.source = source
        self._scoring = source.scoring
        self._adapters = adapters
        self._positions = array("Q")
        self._names = RecordNames(self.entries)
        self._doubled: dict[int, str] = {}
        self._telling_names: dict[int, str] = {}
        self._artifacts: dict[str, dict[str | None, Identity | None]] = {}
        self._retried: set[tuple[str, str | None]] = set()
        self._indexing: Iterator[ResultRow | Malformed] | None = None
        self._attempts: dict[int, tuple[Results, int]] = {}

    def __len__(self) -> int:
        """Return how many records are indexed so far."""
        return len(self.entries)

    def index(self, batch: int = BATCH) -> Iterator[IndexProgress]:
        """Index the file, a batch of rows a step, beginning where the last call was left.

        Raises:
            ResultsError: when the file can no longer be read.
        """
        if self._indexing is None:
            self._indexing = self.source.scan()
        count, done, told = 0, 0, 0
        with results_errors(self.path):
            for row in self._indexing:
                count, done = count + 1, row.end
                if isinstance(row, Malformed):
                    self._skip(row.line, row.column, row.message)
                else:
                    self._add(row)
                if count % batch == 0 or (not self.source.whole and done - told > _STEP_BYTES):
                    told = done
                    self._note_scoring(self.source.scoring)
                    yield IndexProgress(done, self.source.size, len(self.entries))
        if not self.complete:  # else it was asked once more
            self._note_scoring(self.source.scoring.having(self.entries), last=True)
            self.complete = True
            self.diagnostics += (self._note("run-partial", 1, 1, note) for note in self.source.notes)
        yield IndexProgress(self.source.size, self.source.size, len(self.entries))

    def count_attempt(self, entry: Entry, other: Results, attempt: Entry) -> None:
        """Count a record of another run as one more attempt at the sample of a record, once all of this is indexed.

        Args:
            entry: the record.
            other: the other run.
            attempt: the record of that.
        """
        same = [
            known.attempt or 1
            for known in self.entries
            if known.case == entry.case and known.target == entry.target
        ]
        number, index = max(same, default=1) + 1, len(self.entries)
        placed = replace(
            attempt,
            index=index,
            id=f"{entry.id} (attempt {number})",
            digest=digest_of_copy(attempt.digest, number),
            sample_id=entry.sample_id,
            source=entry.source,
            suite=entry.suite,
            target=entry.target,
            position=entry.position,
            join_keys=entry.join_keys,
            attempt=number,
        )
        self._attempts[index] = (other, attempt.index)
        self.entries.append(self._decided(placed))

    def _note_scoring(self, scoring: Scoring, *, last: bool = False) -> None:
        """Note what is known of the scorers by now, and decide the records so far anew if that changes them.

        It matters at once who decides and whether the scale of that is known; what the scales of others are, which
        is only shown, when all is read.
        """
        before, self._scoring = self._scoring, scoring
        decider = self.decider
        if (last and scoring.rescales) or (scoring.first, decider in scoring.beyond) != (
            before.first,
            decider in before.beyond,
        ):
            self.entries[:] = [self._decided(entry) for entry in self.entries]
            self.revised += 1

    @collector_off()
    def indexed(self) -> Results:
        """Index all that is left, and return these results."""
        for _ in self.index():
            pass
        return self

    @property
    def streams(self) -> bool:
        """Whether its records can be read one by one without keeping any of them."""
        return not self.source.whole and not self.source.known and not self._attempts

    def stream(self, keeps: Keeps | None = None) -> Iterator[Streamed]:
        """Read all records from the file, keeping none but those in `excerpt`.

        What a score of another scale means is known when one is read. Where that changes what was told before,
        `settled` is false afterwards, and a second reading tells it.

        Args:
            keeps: tells by the digest of a record and the id of its sample whether it is kept; None keeps nothing.

        Raises:
            ResultsError: when the file can no longer be read.
        """
        self.skipped, self.diagnostics[:] = 0, []
        kept, positions = Results(self.path, self.source, self._adapters, self.scorer), list[int]()
        scoring, seen = self._with_scales_of(self.first_rows), set[str]()
        self.stream_was_final = True
        index = 0
        with results_errors(self.path):
            for row in self.source.scan():
                if isinstance(row, Malformed):
                    self._skip(row.line, row.column, row.message)
                elif (facts := self._facts(row)) is not None:
                    adapter, parsed, _ = facts
                    entry = scoring.decided(parsed, self.scorer)
                    if (known := scoring.including(entry)) is not scoring:
                        changed = not seen.isdisjoint(known.beyond - scoring.beyond)
                        if changed or (index and known.unbounded != scoring.unbounded):
                            self.stream_was_final = False
                        scoring = known
                        entry = scoring.decided(parsed, self.scorer)
                    seen.update([grade.name for grade in entry.grades])
                    identified = not adapter.repeats and entry.identity is not None
                    if keeps is not None:
                        if keeps(row.digest, entry.sample_id):
                            kept._add(row)
                            positions.append(index)
                        else:
                            kept._note_artifact(row.data, entry)
                    yield Streamed(index, entry, row, identified)
                    index += 1
        self._scoring = scoring
        kept._note_scoring(scoring, last=True)
        kept.complete = True
        self.excerpt = Excerpt(kept, positions)

    def _with_scales_of(self, rows: Iterable[Table]) -> Scoring:
        """Return what is known of the scorers, with the scales that some rows tell of."""
        graded = (_files_of_run(row).add_grading(row, self.base_dir) for row in rows)
        read = ((self._adapters.adapter_of(row), row) for row in graded)
        entries = (entry for adapter, row in read if adapter and (entry := adapter.parse(row).entry))
        return self._scoring.having(self._decided(entry) for entry in entries)

    def row(self, index: int) -> Table:
        """Read the row of an indexed record without the files that it points to. Raises as `record` does."""
        return self._row(index)

    def record(self, index: int) -> Record:
        """Read a record that is indexed.

        Raises:
            ResultsError: when the file changed since it was indexed, or cannot be read.
        """
        entry = self.entries[index]
        if index in self._attempts:
            other, offset = self._attempts[index]
            facts: dict[str, Any] = {name: getattr(entry, name) for name in entry.__slots__}
            return replace(other.record(offset), **facts)
        return self._read(entry, self._row(index))

    def tries(self, index: int) -> tuple[Record, ...]:
        """Read the tries that a record stands for, each as a record; the record itself if it stands for itself.

        Raises:
            ResultsError: as `record` does.
        """
        entry = self.entries[index]
        row = self._row(index)
        rows = _files_of_run(row).split_attempts(row, self.base_dir)
        return tuple(self._read(self._tried(entry, other), other) for other in rows) or (self._read(entry, row),)

    def _read(self, entry: Entry, row: Table) -> Record:
        read = _hydrated(row, self.base_dir, self._sharing(row, entry.target))
        if deeper(read.row, MAX_JSON_DEPTH):
            raise ResultsError(TOO_DEEP, self.path, entry.line)
        adapter = self._adapters.adapter_of(read.row)
        if adapter is None:
            raise ResultsError("the file changed since it was read; open it again", self.path, entry.line)
        notes = tuple(self._note("result-file", entry.line, 1, problem, entry.id) for problem in read.problems)
        parsed = adapter.parse(read.row)
        written = parsed.details()
        details = _without_thinking(written)
        if details is not written:
            note = "what the model thought stands before its answer and is left out of it; graders saw the whole"
            notes += (Diagnostic("answer-thought", Severity.INFO, note, self.path, entry.line, 1, entry.id),)
        judged = (entry.score, entry.outcome, entry.verdict, entry.error)
        if judged == (None,) * len(judged) and not entry.grades and details.reasoning == read.row.get("reasoning"):
            details = replace(details, reasoning=None)  # nobody judged it, so it is what the model thought
        facts: dict[str, Any] = {name: getattr(entry, name) for name in entry.__slots__}
        values = {**facts, **vars(parsed.usage()), **vars(details)}
        values["evaluators"] = self._scoring.bounded(details.evaluators)
        data: Table = {**read.row, "output_messages": [*details.done]} if details.done else read.row
        return Record(**values, data=data, notes=notes, lost=read.lost, doubtful=read.doubtful)

    def _row(self, index: int) -> Table:
        """Read the row of a record, by the digest of the row where the record needed another one."""
        if index in self._attempts:
            other, offset = self._attempts[index]
            return other.row(offset)
        return self.source.row(self._positions[index], self._doubled.get(index, self.entries[index].digest))

    @cached_property
    def first_rows(self) -> Sequence[Table]:
        """Some rows to guess from, read once.

        Raises:
            ResultsError: when the file can no longer be read.
        """
        if self._adapters.rows is not None:
            return self._adapters.rows
        with results_errors(self.path):
            return first_rows(self.source)

    @property
    def reads_most(self) -> bool:
        """Whether most of its first rows are read by somebody's table. Raises as `first_rows` does."""
        read = sum(self._adapters.adapter_of(row) is not None for row in self.first_rows)
        return 2 * read > len(self.first_rows)

    @property
    def of_one_tool(self) -> bool:
        """Whether its rows are made of what one tool writes, which names its decks itself."""
        return self.source.known

    @cached_property
    def tool(self) -> str:
        """The name of the adapter that reads the first of its rows that one reads; empty if there is none."""
        return self._adapter.name if self._adapter is not None else ""

    @cached_property
    def _adapter(self) -> Adapter | None:
        if self.of_one_tool:
            return None
        adapters = (self._adapters.adapter_of(row) for row in self.first_rows)
        return next((adapter for adapter in adapters if adapter is not None), None)

    @cached_property
    def evaluation(self) -> str:
        """The tool's own id of the evaluation that it is of; empty where the tool gives none."""
        row, adapter = next(iter(self.first_rows), None), self._adapter
        return self.source.evaluation or ("" if row is None or adapter is None else adapter.evaluation(row))

    @property
    def baselines(self) -> tuple[str, ...]:
        """The names of targets that its tool has for a baseline of the others; none if it has no such."""
        dialect = None if self._adapter is None else self._adapter.dialect
        return () if dialect is None else dialect.baselines

    @property
    def hands_back(self) -> HandsBack | None:
        """How its tool keeps what people say of its runs; None if it does not, or has no records."""
        row = next(iter(self.first_rows), None)
        reader = None if row is None else reader_of(row)
        return None if reader is None or reader.hands_back is None else reader.hands_back()

    def read_by(self, row: Table) -> Adapter | None:
        """Return the adapter that reads a row of it, None if nobody does."""
        return self._adapters.adapter_of(row)

    def usage(self, index: int) -> Usage:
        """Return what a record took, as its row says it. Raises as `record` does."""
        row = self._row(index)
        adapter = self._adapters.adapter_of(row)
        return Usage() if adapter is None else adapter.parse(row).usage()

    @property
    def deck_dialect(self) -> str:
        """The dialect of its tool's decks, for a deck that shows none; empty if that is not known."""
        return self.tool if self.by_table else ""

    @property
    def grades(self) -> bool:
        """Whether its rows may say how they came out; else they are records that only people judge.

        Of what one tool writes that is known when all of it is read.
        """
        if self.of_one_tool and self.complete and self.entries:
            return self.decider is not None or not all(map(ungraded, self.entries))
        return self._may_grade

    @cached_property
    def _may_grade(self) -> bool:
        adapter = self._adapter
        if adapter is None:
            return True
        may = adapter.dialect is None or adapter.dialect.grades
        parsed = (adapter.parse(row).entry for row in self.first_rows) if may else ()
        return any(entry is not None and not ungraded(entry) for entry in parsed)

    @property
    def by_table(self) -> bool:
        """Whether its rows are read by a table, and so may be of a tool that has decks of its own."""
        return self.guess is not None or (self._adapter is not None and self._adapter.dialect is not None)

    @property
    def scorers(self) -> tuple[str, ...]:
        """The scorers that may be asked to decide: those of a log, or else those of the records read so far."""
        return self._scoring.names or (*dict.fromkeys(m.name for entry in self.entries for m in entry.grades),)

    @property
    def decider(self) -> str | None:
        """The scorer that decides about its records; None where its runner says what passed."""
        return self.scorer or self._scoring.first

    @property
    def unbounded(self) -> frozenset[str]:
        """The scorers whose values are no scores from 0 to 1."""
        return self._scoring.beyond

    @property
    def untold(self) -> str:
        """Why the scorer that decides about its records cannot say what passed; empty where it can."""
        return self._scoring.untold(self.decider) if self.decider else ""

    @property
    def ended(self) -> str:
        """What of another run it repeats, how much was run and how that ended, in one line; "" if all is well."""
        again = f"{counted(len(self._attempts), 'answer')} of samples that were run again counted as attempts"
        repeats = "" if self.repeats is None else self.repeats.words
        return "; ".join(filter(None, (repeats, again if self._attempts else "", *self.source.notes)))

    @property
    def warns(self) -> bool:
        """Whether what `ended` says is a warning, and not only that it is a rerun or has some."""
        return bool(self.source.notes) or (self.repeats is not None and bool(self.repeats.problem))

    @cached_property
    def repeats(self) -> KeptRerun | None:
        """What it repeats, where it is a rerun of records of another run."""
        return rerun_in(self.path.parent)

    @property
    def name(self) -> str:
        """What people call it: the folder of a run, or else the file."""
        return (run_paths.run_of(self.path) or self.path).name

    @property
    def counted(self) -> Sequence[Entry]:
        """The records that count: each identity once, by its last record."""
        if not self.superseded:
            return self.entries
        return [entry for entry in self.entries if entry.index not in self.superseded]

    def telling_name(self, entry: Entry) -> str:
        """Return what a record is called for people: its id, and what tells it from others of the same sample."""
        if len(self._telling_names) != len(self.counted):
            self._telling_names = telling_names(self.counted)
        return self._telling_names.get(entry.index, entry.id)

    def find(self, record_id: str) -> Entry | None:
        """Return the entry of a record id, or of `#N` the N-th; None when none is indexed."""
        index = self._names.find(record_id)
        if index is None and record_id.startswith("#") and record_id[1:].isascii() and record_id[1:].isdigit():
            index = int(record_id[1:]) - 1
        return None if index is None or not 0 <= index < len(self.entries) else self.entries[index]

    def search(self, needle: str, batch: int = BATCH) -> Iterator[tuple[int, ...]]:
        """Look for a text, upper and lower case alike, in all texts of the records indexed.

        Returns after each batch of records the indexes of those that hold it.

        Raises:
            ResultsError: when the file changed since it was indexed, or cannot be read.
        """
        wanted = needle.casefold()
        # Plain words are written in JSON as they are, so a line without them need not be parsed.
        plain = wanted.encode() if wanted.isascii() and wanted.replace(" ", "").isalnum() else b""
        for start in range(0, len(self.entries), batch):
            yield tuple(
                index
                for index in range(start, min(start + batch, len(self.entries)))
                if self._holds(index, wanted, plain)
            )

    def _holds(self, index: int, wanted: str, plain: bytes) -> bool:
        raw = self.source.raw(self._positions[index])
        if plain and plain not in raw.lower() and b'_path"' not in raw:
            return False
        row = self._row(index)
        return any(wanted in text.casefold() for text in texts_in(_hydrated(row, self.base_dir).row))

    def _add(self, row: ResultRow) -> None:
        read = self._facts(row)
        if read is None:
            return
        adapter, facts, digests = read
        row_digest = row.digest
        facts, record_id, digest, before = self._names.named(facts, row_digest, repeats=adapter.repeats)
        entry = self._decided(facts.placed(len(self.entries), record_id, row.line, digest, digests()))
        if digest != row_digest:
            self._doubled[entry.index] = row_digest
        self._note_artifact(row.data, entry)
        self._positions.append(row.position)
        self.entries.append(entry)
        if before is not None:
            self.superseded[before] = entry.index

    def _facts(self, row: ResultRow) -> tuple[Adapter, Entry, Callable[[], SampleDigests]] | None:
        """Read the facts of a row, and what returns its digests; None, and a note, if it is no result."""
        graded = _files_of_run(row.data).add_grading(row.data, self.base_dir)
        adapter = self._adapters.adapter_of(graded)
        parsed = ParsedRow() if adapter is None else adapter.parse(graded)
        facts = parsed.listed
        if adapter is None or facts is None:
            is_head = row.line == 1 and has_head(self.first_rows)
            self._skip(row.line, 1, _HEAD if is_head else "not a result: no id with a score, an answer or an error")
            return None
        return adapter, facts, parsed.digests

    def _note_artifact(self, row: Table, entry: Entry) -> None:
        path = _files_of_run(row).artifact_path(row)
        if path is not None:
            by_target = self._artifacts.setdefault(path, {})
            if by_target.setdefault(entry.target, entry.identity) != entry.identity:
                self._retried.add((path, entry.target))

    def _sharing(self, row: Table, target: str | None) -> Sharing:
        """Return with whose records a row shares its files."""
        path = _files_of_run(row).artifact_path(row)
        if path is None:
            return Sharing.NOBODY
        if (path, target) in self._retried:
            return Sharing.TARGET
        several = len(self._artifacts.get(path, ())) > 1
        return Sharing.OTHERS if several else Sharing.NOBODY

    def _tried(self, entry: Entry, row: Table) -> Entry:
        """Return the entry of one of the attempts that a row stands for."""
        adapter = self._adapters.adapter_of(row)
        parsed = ParsedRow() if adapter is None else adapter.parse(row)
        facts = parsed.listed
        if facts is None:
            return entry
        return self._decided(facts.placed(entry.index, entry.id, entry.line, entry.digest, parsed.digests()))

    def _decided(self, entry: Entry) -> Entry:
        return self._scoring.decided(entry, self.scorer)

    def _skip(self, line: int, column: int, message: str) -> None:
        self.skipped += 1
        if len(self.diagnostics) < MAX_DIAGNOSTICS:
            self.diagnostics.append(self._note(UNREAD_ROW, line, column, message))

    def _note(self, rule: str, line: int, column: int, message: str, sample: str | None = None) -> Diagnostic:
        return Diagnostic(rule, Severity.WARNING, message, self.path, line, column, sample)


class Excerpt(NamedTuple):
    """Some records of a file.

    Attributes:
        results: these alone, named as they are among all.
        indexes: the number of each among all records of the file.
    """

    results: Results
    indexes: list[int]


def open_results(
    path: Path,
    user_dialects: Sequence[ResultDialect] | None = None,
    first: Sequence[ResultDialect] = (),
    scorer: str | None = None,
    *,
    start: bytes | None = None,
    anyones: bool = False,
    asked: bool = False,
) -> Results:
    """Open a results file or the folder of a run. Of JSONL only the first rows are read yet; call `index`.

    Args:
        path: the file or folder.
        user_dialects: the result dialects that go before those that are shipped; None for those of the settings.
        first: the ones that go before these.
        scorer: the scorer that is to decide about its records; None for the first one, or for its runner.
        start: the first 64 KiB of the file, where they were read before.
        anyones: whether to open a file that is told for one of another tool without results, too.
        asked: whether somebody said that these are results, so that a table is read that nobody graded.

    Raises:
        OtherFileError: when it is told for a file of another tool that has no results.
        ResultsError: when the file is missing, unreadable, binary or not in its format.
        SettingsError: when the settings cannot be used.
    """
    try:
        file = run_paths.index_of(path) if is_folder(path) else path
        dialects = (*first, *(user_result_dialects(file.parent) if user_dialects is None else user_dialects))
        if not is_folder(file):
            if start is None:
                with opened(file) as begun:
                    start = begun.read(START)
            source: ResultSource = result_source(file, dialects, start, anyones=anyones, asked=asked)
            return Results(file, source, adapters_of_file(source, dialects, file.stem), scorer)
        source = run_paths.folder_source(file) or read_record_files(file)
        if named := _first_run_in(source, dialects):
            raise ResultsError(f"the folder holds results files, {named} among them; name one of them", file)
        results = Results(file, source, adapters_of_file(source, dialects, file.name), scorer)
        if not (source.known or results.reads_most):
            described = run_paths.described(file) or "holds no results: most of its JSON files are no records"
            raise ResultsError(f"the folder {described}", file)
        return results
    except OSError as error:
        raise ResultsError(_words(error), path) from error


def _first_run_in(source: ResultSource, dialects: Sequence[ResultDialect]) -> str:
    """Return the name of a file of a folder that is a run of a tool and no record; empty if there is none."""
    for row in () if source.known else first_rows(source):
        lists = [tables_in(value_at(row, path)) for path in lists_of(row, dialects)]
        if not is_signed([row], dialects) and any(rows and is_signed(rows, dialects) for rows in lists):
            return str(row.get(FILE, ""))
    return ""


_HEAD = "no record, for it has no key of those that follow: what it says of the run is not read"
"""What is said of a first line that is none."""


def _hydrated(row: Table, folder: Path, sharing: Sharing = Sharing.NOBODY) -> Hydrated:
    """Return a row with every file in it that it names."""
    read = _files_of_run(row).hydrate(row, folder, sharing) or Hydrated(row)
    if NOTES not in read.row:
        return read
    rest = {key: value for key, value in read.row.items() if key != NOTES}
    return read._replace(row=rest, problems=(*read.problems, *map(str, as_list(read.row[NOTES]))))


def _files_of_run(row: Table) -> RunFiles:
    return _run_files(integration(keeper(row)))


@cache
def _run_files(of: Integration) -> RunFiles:
    return of.run_files()


def _words(error: OSError) -> str:
    return {FileNotFoundError: "no such file", PermissionError: "not allowed to read it"}.get(
        type(error), error.strerror or str(error)
    )


class Scored(NamedTuple):
    """Results, and a note on the scorer that was asked for; empty if there is nothing to say."""

    results: Results
    note: str = ""


def scored_results(
    path: Path, settings: Settings, first: Sequence[ResultDialect] = (), as_it_is: Results | None = None
) -> Scored:
    """Open results, decided by the scorer that is asked for.

    A setting is for all runs of a project: where one has no such scorer, its first one decides, and that is noted.
    `as_it_is` is the results as their first scorer decides, if they are open.

    Raises:
        ResultsError: as `open_results` does, and if the command line names a scorer that the run does not have.
    """
    name, is_demanded = settings.scorer, settings.origins.get("scorer") == COMMAND_LINE
    if name is not None:
        asked = open_results(path, first=first, scorer=name, asked=True)
        if has_scorer(asked, name, certain=is_demanded):
            return Scored(asked)
        if is_demanded:
            known = f"it has {', '.join(asked.scorers)}" if asked.scorers else "it has none"
            raise ResultsError(f"the run has no scorer {name}; {known}", path)
    plain = open_results(path, first=first, asked=True) if as_it_is is None else as_it_is
    if name is None or plain.decider is None:
        return Scored(plain)
    return Scored(plain, f"the setting scorer is {name}, which this run does not have; {plain.decider} decides")


def _without_thinking(details: Details) -> Details:
    """Return details whose answer is what was said behind what was thought; graders see the whole of it."""
    said = details.actual if details.files else behind_thinking(details.actual)
    return (
        details if said == details.actual else replace(details, actual=said, whole=details.whole or details.actual)
    )


def has_scorer(results: Results, name: str, *, certain: bool = False) -> bool:
    """Tell whether a run has a scorer, by its log or its first records; by all records if it must be certain."""
    if name not in results.scorers:
        next(results.index(), None)
    if name not in results.scorers and certain:
        results.indexed()
    return name in results.scorers
