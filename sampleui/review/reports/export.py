"""What a review gives to other files: samples of a deck, and edits of the scores in a log."""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass
from itertools import chain, count
from pathlib import Path
from typing import NamedTuple

from sampleui.errors import ResultsError
from sampleui.formats.data import Plain, Table, texts_in, with_set
from sampleui.review.handing_back import disputed_words
from sampleui.review.log.store import Log
from sampleui.review.record import CaseKey, Record
from sampleui.review.results.adapters import reader_of
from sampleui.review.results.file import Results
from sampleui.review.results.requests import sent
from sampleui.review.samples.expectation import no_place_for_answer, overlong, taking
from sampleui.review.verdict import Decision
from sampleui.sample.convert import convert
from sampleui.sample.dialects.shipped import DIALECTS, LEAST, Dialect
from sampleui.sample.message import without_thinking
from sampleui.sample.model import Sample
from sampleui.sample.parse import as_followed, dialect_of, unread_files
from sampleui.text.secrets import warned_of_secrets


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A record with the decision about it, and the sample it answers where a deck has it."""

    record: Record
    decision: Decision
    sample: Sample | None = None


@dataclass(frozen=True, slots=True)
class Exported:
    """Samples in the wanted dialect, and a line for everything that was changed or lost on the way."""

    samples: tuple[Table, ...]
    report: tuple[str, ...]


def export(reviewed: Iterable[Reviewed], dialect: Dialect, *, take_actual: bool = False) -> Exported:
    """Return reviewed records as samples.

    A record whose sample is known becomes that sample; another becomes what the record itself says was asked and
    expected. Where several records answer one sample the first one counts. A sample of another suite or deck that
    has an id already taken gets a number behind it.

    Args:
        reviewed: what to export.
        dialect: the dialect to write.
        take_actual: whether the actual answer becomes the expected one.
    """
    samples: dict[CaseKey, Table] = {}
    taken: set[str] = set()
    report: list[str] = []
    for item in reviewed:
        if item.record.case in samples:
            report.append(f"{item.record.id}: left out, its sample is exported already")
            continue
        sample = item.sample or _from_record(item.record, report)
        if item.sample is None:
            report += (f"{item.record.id}: {line}" for line in unread_files(sample.data))
        untaken = _untaken(sample, item.record) if take_actual else ""
        if untaken:
            report.append(f"{item.record.id}: its answer is not taken: {untaken}")
        data = _with_actual(sample, item.record) if take_actual and not untaken else sample.data
        converted = convert({"id": sample.id, **data}, dialect_of(sample), dialect)
        name = _free(sample.id, taken)
        if name != sample.id:
            report.append(f"{item.record.id}: is called {name}, for another suite has a sample {sample.id}")
        taken.add(name)
        samples[item.record.case] = converted.data if name == sample.id else {**converted.data, "id": name}
        report += (f"{item.record.id}: {line}" for line in converted.report)
    secrets = warned_of_secrets(texts_in([*samples.values()]))
    return Exported(tuple(samples.values()), (*secrets, *report))


def _free(name: str, taken: Container[str]) -> str:
    return next(free for free in chain((name,), (f"{name}-{number}" for number in count(2))) if free not in taken)


def _untaken(sample: Sample, record: Record) -> str:
    """Return why the answer of a record does not become what a sample expects; empty if it does."""
    doubt = "it may be that of another record" if record.doubtful else ""
    untaken = record.unanswered or doubt or no_place_for_answer(sample)
    return untaken or overlong(sample, taking(sample, record.compared))


def _with_actual(sample: Sample, record: Record) -> Table:
    settings = taking(sample, record.compared)
    data: Plain = as_followed(sample).data if settings else sample.data
    for setting in settings:
        data = with_set(data, setting.path, setting.value)
    return data if isinstance(data, dict) else sample.data


def _from_record(record: Record, report: list[str]) -> Sample:
    """Return what a record says as a sample of messages; one that it repeats as a whole as it is."""
    reader = reader_of(record.data)
    repeated = None if reader is None else reader.repeated_sample(record.data)
    if repeated is not None:
        data, dialect = repeated
        return _sample(record, data, DIALECTS[dialect])
    asked, least = record.asked or sent(record.data), DIALECTS[LEAST]
    data = {"id": record.sample_id}
    if asked:
        data[str(least.message_paths[0][0])] = [_without_thinking(message) for message in asked]
    else:
        report.append(f"{record.id}: no deck has its sample and the record does not say what was asked")
    if record.expected is not None:
        data[least.expected_keys[0]] = record.expected
    return _sample(record, data, least)


def _without_thinking(message: Table) -> Table:
    return {**message, "content": without_thinking(message["content"])} if "content" in message else message


def _sample(record: Record, data: Table, dialect: Dialect) -> Sample:
    path = next((path for path in dialect.message_paths if path[0] in data), dialect.message_paths[0])
    return Sample(record.sample_id, record.index, data, dialect.name, path, Path(), record.line)


class ScoreEdits(NamedTuple):
    """What decisions come to as edits of scores, and a line for each record that is left out, with the reason."""

    edits: tuple[Table, ...]
    left_out: tuple[str, ...]


def score_edits(results: Results, log: Log) -> ScoreEdits:
    """Return the edits that the decisions about records amount to.

    Raises:
        ResultsError: when the tool of the results takes no edits of scores.
    """
    edits: list[Table] = []
    left_out = [*disputed_words(results, log)]
    for entry in results.counted:
        decision = log.current(entry.digest)
        if decision is None or not decision.decides:
            continue
        record = results.record(entry.index)
        reader = reader_of(record.data)
        if reader is None or reader.score_edits is None:
            raise ResultsError("the scores of these results cannot be edited", results.path, record.line)
        of_record = [*reader.score_edits(record, decision)]
        edits += of_record
        left_out += [] if of_record else [f"{record.id}: left out, it has no score that could be edited"]
    return ScoreEdits(tuple(edits), tuple(left_out))
