"""Labels that come as lines: each of a record by its id, a code, and what is quoted for it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

from sampleui.errors import ResultsError
from sampleui.formats.data import texts_in
from sampleui.review.codes import Codebook, FailureCode
from sampleui.review.label_files import LabelRow
from sampleui.review.labels import known_code, label_about
from sampleui.review.log.store import Log
from sampleui.review.log.verdict_migration import RunSamples
from sampleui.review.record import Entry, Record
from sampleui.review.reports.joined_judges import same_name
from sampleui.review.results.file import Results
from sampleui.review.sampling import LabelPart, LabelSplit
from sampleui.review.session import decision_about, found_entry, place_of
from sampleui.review.verdict import Decision, LogAction, NotePlace
from sampleui.text.visible import one_line
from sampleui.trace.events import to_data
from sampleui.trace.reading.extract import read_trace


def transcript_id(record: Record) -> str:
    """Return what other tools call a record by: the id of its transcript or its trace, else its own."""
    named = (record.data.get(key) for key in ("transcript_id", "trace_id", "uuid"))
    return next((name for name in named if isinstance(name, str) and name), record.id)


def quoted_place(record: Record, quote: str, results: Results) -> NotePlace | None:
    """Return where a record says something, in its answer, what was asked or its trace; None if nowhere.

    Blanks and line breaks are alike: who quotes may have folded them. Of what was said marks are no difference.
    """
    if (place := place_of(quote, record)) is not None:
        return place
    words = re.compile(r"\s+".join(map(re.escape, quote.split())))
    for number, event in enumerate(read_trace(record.data, results.base_dir, record.thinking_answer).events):
        for text in texts_in(to_data(event)):
            if found := words.search(text):
                return NotePlace("event", number, found[0])
    return None


def decisions_of(
    results: Results,
    log: Log,
    lines: Iterable[LabelRow],
    reviewer: str,
    samples: RunSamples,
    *,
    undefined: bool = False,
) -> list[Decision]:
    """Return what lines say that the log does not have from the reviewer already, not recorded yet; as one step.

    Args:
        results: the records.
        log: their log.
        lines: the lines.
        reviewer: who says it.
        samples: what is known of the samples.
        undefined: whether a line may name a code that nobody defined.

    Raises:
        ResultsError: that says of each line that is wrong why; nothing is to be recorded then.
    """
    faults: list[str] = []
    made: list[Decision] = []
    find = _finder(results)
    for line in lines:
        try:
            record = results.record(find(line.id).index)
            made += _said_by(line, record, _Labelling(results, log, reviewer, samples, undefined))
        except ResultsError as error:
            faults.append(f"{line.where}: {error.message}")
    if faults:
        more = f"; and {len(faults) - _TOLD:,} lines more" if len(faults) > _TOLD else ""
        raise ResultsError("; ".join(faults[:_TOLD]) + more)
    return [*made[:1], *(replace(item, step=made[0].id) for item in made[1:])]


_TOLD = 20


def split_in(results: Results, log: Log, lines: Iterable[LabelRow], code: str, reviewer: str) -> LabelSplit | None:
    """Return the parts that labels of a code are in by their lines, as a split; None where they name none.

    Raises:
        ResultsError: if all records are in one part, or the parts cannot be those of a split.
    """
    find, parts = _finder(results), {part: set[str]() for part in LabelPart}
    for line in lines:
        if line.split and code in {named_code(log, name) for name in line.labels}:
            if line.split not in set(LabelPart):
                known = ", ".join(LabelPart)
                raise ResultsError(f"{line.where}: {one_line(line.split, 40)} is none of {known}")
            parts[LabelPart(line.split)].add(find(line.id).digest)
    kept = {part: frozenset(records) for part, records in parts.items() if records}
    if not kept:
        return None
    if len(kept) < 2:
        raise ResultsError("all records are in one")
    if sum(map(len, kept.values())) > len(frozenset().union(*kept.values())):
        raise ResultsError("a record is in two of them")
    whole = dict.fromkeys(LabelPart, frozenset[str]()) | kept
    return LabelSplit(reviewer=reviewer, code=code, definition=log.codebook.digest(code), seed="", parts=whole)


def named_code(log: Log, name: str) -> str:
    """Return the code that a file means: that of the name, or one whose name is alike but for case and blanks."""
    code = log.codebook.find(name)
    alike = [other.name for other in log.codebook.codes if same_name(other.name, name)]
    return code.name if code is not None else alike[0] if len(alike) == 1 else name


class _Labelling(NamedTuple):
    results: Results
    log: Log
    reviewer: str
    samples: RunSamples
    undefined: bool

    def code(self, name: str) -> FailureCode:
        """Return a code, one that waits as a program's proposal included."""
        named = named_code(self.log, name) if self.undefined else name
        if self.undefined and self.log.codebook.find(named) is None:
            return FailureCode(named)
        return known_code(self.log, named)


def _said_by(line: LabelRow, record: Record, labelling: _Labelling) -> Iterator[Decision]:
    log, who = labelling.log, labelling.reviewer
    place = quoted_place(record, line.quote, labelling.results) if line.quote.strip() else None
    if line.quote.strip() and place is None:
        raise ResultsError(f"{one_line(record.id, 80)} does not say “{one_line(line.quote, 80)}”")
    codes = {name: labelling.code(name) for name in line.labels}
    said = (
        *log.labels(record.digest, who),
        *(item for item in log.proposals(record.digest) if item.reviewer == who),
    )
    own = {(item.code, item.definition): item.label for item in said if item.label is not None}
    for name, label in line.labels.items():
        if own.get((codes[name].name, codes[name].digest)) is not label:
            book = Codebook(log.codebook.path, (codes[name],))
            about = decision_about(record, None, who, labelling.samples)
            yield label_about(about, book, codes[name].name, label, place=place)
    if line.comment and line.comment not in {note.comment for note in log.notes(record.digest, who)}:
        noted = decision_about(record, None, who, labelling.samples, line.comment)
        yield replace(noted, kind=LogAction.NOTE)
    if line.verdict is not None and log.own_decision(record.digest, who) is None:
        yield decision_about(record, line.verdict, who, labelling.samples)


def _finder(results: Results) -> Callable[[str], Entry]:
    """Return what finds records by their ids, or else by what their tool calls them."""
    by_transcript: dict[str, list[Entry]] = {}

    def find(name: str) -> Entry:
        try:
            return found_entry(results, name)
        except ResultsError:
            if not by_transcript:
                for entry in results.counted:
                    by_transcript.setdefault(transcript_id(results.record(entry.index)), []).append(entry)
            entries = by_transcript.get(name, [])
            if len(entries) > 1:
                raise ResultsError(f"{len(entries):,} records are called {one_line(name, 80)}") from None
            if not entries:
                raise
            return entries[0]

    return find
