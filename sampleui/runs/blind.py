"""A record without how it came out: what people read who label it and are to judge for themselves.

Nothing is hidden afterwards. Of a tool's rows, what is not known to be asked, answered or done is left out; of
rows that a table of the user's own or a guess reads, and of what is told of an event, whatever has the name of a
grade, of a judge, or of what people say.
"""

from __future__ import annotations

from functools import lru_cache

from sampleui.formats.data import Plain, Table
from sampleui.review.record import Record
from sampleui.review.results.adapters import Adapter
from sampleui.review.results.dialect import ResultDialect
from sampleui.runs.records import TracedRecord
from sampleui.sample.dialects.table_paths import words_in
from sampleui.sample.model import Sample
from sampleui.settings.vocabulary import SHIPPED_RESULTS
from sampleui.trace.events import TraceEvent
from sampleui.trace.reading.extract import RecordTrace
from sampleui.trace.reading.files import FileRecord
from sampleui.trace.reading.response import ProviderResponse
from sampleui.trace.summary import summarize

_JUDGING = frozenset(
    """
    accuracy annotation annotations annotator annotators assert asserts assertion assertions autorater check
    checks checker comment comments correct correctness critic critique eval evals evaluation evaluations
    evaluator evaluators expert f1 feedback grade graded grader graders grades grading gold human judge judged
    judgement judgements judges judgment judgments label labeled labeler labelled labeller labels metric
    metrics outcome pass passed passes passing person points quality rank rater rating ratings review reviewer
    reviewers reviews reward rewards rubric rubrics score scored scorer scorers scores scoring success
    succeeded thumbs threshold verdict verdicts vote votes
    """.split()  # noqa: SIM905
)
"""Words in the names of what is found of an answer, by programs and by people."""

_COMING_OUT = frozenset(
    "error errors exception fail failed failing failure failures ok reason reasoning result status".split()  # noqa: SIM905
)
"""Words in the names of how a row came out, and why; of a call that is what happened, and stays."""

_BESIDE = frozenset(
    "attachments context contexts document documents input inputs passages retrieval retrieved vars".split()  # noqa: SIM905
)
"""Words in the names of what an answer had to go by, of which a tool's rows are asked for no more than that."""

_JUDGES = frozenset({"evaluator", "grader", "judge", "scorer", "scorers"})
"""Spans in which an answer is judged."""


def blind_record(record: Record, adapter: Adapter | None) -> Record:
    """Return a record with what was asked, answered and expected alone, and fields that judge nothing.

    Args:
        record: the record.
        adapter: what reads its row; None where nobody does.
    """
    answered = record.error is None
    return Record(
        index=record.index,
        id=record.id,
        sample_id=record.sample_id,
        line=record.line,
        digest=record.digest,
        score=None,
        actual=record.actual if answered else "",
        whole=record.whole if answered else "",
        files=record.files if answered else (),
        more_files=record.more_files,
        expected=record.expected,
        wanted=record.wanted,
        any_of=record.any_of,
        asked=record.asked,
        done=record.done,
        sample_messages=record.sample_messages,
        data=_neutral_row(record.data, None if adapter is None else adapter.dialect),
        lost=record.lost,
        doubtful=record.doubtful,
    )


def _neutral_row(row: Table, dialect: ResultDialect | None) -> Table:
    """Return the fields of a row that judge nothing."""
    if dialect is None or dialect.name in SHIPPED_RESULTS:
        row = {key: value for key, value in row.items() if not _BESIDE.isdisjoint(words_in(key))}
        return _without(row, _JUDGING | _COMING_OUT)
    told = (*dialect.outcomes.paths, *dialect.outcomes.scores, *dialect.outcomes.thresholds, *dialect.people)
    told += (*dialect.errors, *dialect.reasons, dialect.metrics, *(graders.path for graders in dialect.graders))
    read = (*dialect.prompts, *dialect.messages, *dialect.actual, *dialect.expected)
    kept = frozenset(str(path[0]) for path in read if path)
    row = {key: value for key, value in row.items() if (key,) not in told}
    beside = _without({key: value for key, value in row.items() if key not in kept}, _JUDGING | _COMING_OUT)
    return {key: row[key] if key in kept else beside[key] for key in row if key in kept or key in beside}


def _without(value: Table, words: frozenset[str]) -> Table:
    """Return a table without the keys, at any depth, whose names have one of some words."""
    return {key: _inside(item, words) for key, item in value.items() if words.isdisjoint(_words(key))}


def _inside(value: Plain, words: frozenset[str]) -> Plain:
    if isinstance(value, dict):
        return _without(value, words)
    return [_inside(item, words) for item in value] if isinstance(value, list) else value


@lru_cache(maxsize=1024)
def _words(key: str) -> frozenset[str]:
    return frozenset(words_in(key))


def blind_trace(record: Record, trace: RecordTrace, sample: Sample | None = None) -> TracedRecord:
    """Return what a record did, failures of calls too, without what judges it and what its sample asks of it.

    Args:
        record: the record, blind.
        trace: what it did.
        sample: its sample, for what was asked; None where that is not known.
    """
    events = tuple(_unjudged(trace.events))
    told = RecordTrace(
        trace.source,
        events,
        summarize(events),
        response=ProviderResponse(wire_messages=trace.response.wire_messages),
    )
    return TracedRecord(FileRecord(record.line, {}, record.id, record.sample_id), told, sample)


def _unjudged(events: tuple[TraceEvent, ...]) -> list[TraceEvent]:
    kept, judging = list[TraceEvent](), set[object]()
    for event in events:
        span, above = event.extra.get("span"), event.extra.get("parent")
        if (isinstance(span, str) and span.lower() in _JUDGES) or (above is not None and above in judging):
            judging.add(event.id)
            continue
        metadata = event.metadata and _without(event.metadata, _JUDGING)
        kept.append(event._replace(metadata=metadata, extra=_without(event.extra, _JUDGING)))
    return kept
