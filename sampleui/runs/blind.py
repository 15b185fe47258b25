"""A record without how it came out: what people read who label it and are to judge for themselves.

Nothing is hidden afterwards. Of a tool's rows, what is not known to be asked, answered or done is left out; of
rows that a table of the user's own or a guess reads, and of what is told of an event, whatever has the name of a
grade, of a judge, or of what people say.
"""

from __future__ import annotations

from collections.abc import Set
from functools import lru_cache

from sampleui.formats.data import DataPath, Plain, Table
from sampleui.review.record import Record
from sampleui.review.results.adapters import Adapter
from sampleui.review.results.dialect import ResultDialect
from sampleui.runs.records import TracedRecord
from sampleui.sample.dialects.table_paths import words_in
from sampleui.settings.vocabulary import SHIPPED_RESULTS
from sampleui.trace.events import TraceEvent
from sampleui.trace.reading.extract import RecordTrace
from sampleui.trace.reading.files import FileRecord
from sampleui.trace.reading.response import ProviderResponse
from sampleui.trace.summary import summarize

_JUDGING = frozenset(
    """
    acc accepted accuracy approved assert asserts assertion assertions assessment assessments assessor autorater
    bewertung calificación check checks checker commentaire comentario correct correctness criteria criterion
    critic critique decided decision em eval evals expert f1 faithfulness gold grade graded grader graders grades
    grading groundedness hallucination helpfulness human justification kommentar manual match metric metrics nota
    note notes outcome overall pass passed passes passing person points punkte quality rank rater rating ratings
    rationale relevance relevancy remark remarks resolved review reviewed reviewer reviewers reviews reward
    rewards similarity success succeeded thumbs threshold toxicity urteil vote votes
    """.split()  # noqa: SIM905
)
"""Words in the names of what is found of an answer, by programs and by people."""

_JUDGING_PARTS = ("annotat", "comment", "evaluat", "feedback", "judg", "label", "rubric", "score", "verdict")
"""Parts of such names, which may be one word with others: `llmjudge`, `humanlabel`, `judgescore`."""

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
        return _without(row, _COMING_OUT)
    told = {
        *(*dialect.outcomes.paths, *dialect.outcomes.scores, *dialect.outcomes.thresholds, *dialect.people),
        *(*dialect.errors, *dialect.reasons, dialect.metrics, *(graders.path for graders in dialect.graders)),
    }
    read = {*dialect.prompts, *dialect.messages, *dialect.actual, *dialect.expected}

    def unjudged(value: Table, path: DataPath, judging: bool) -> Table:
        """Return a table of the row without what is called as judgements are, or stands in one that is.

        What was asked, answered or expected stays, whatever its name, and so does the way to it.
        """
        kept: Table = {}
        for key, item in value.items():
            here = (*path, key)
            is_judging = judging or _is_named(key, _COMING_OUT)
            if here in read - told:
                kept[key] = item
            elif isinstance(item, dict) and any(other[: len(here)] == here for other in read):
                kept[key] = unjudged(item, here, is_judging)
            elif here not in told and not is_judging:
                kept[key] = _inside(item, _COMING_OUT)
        return kept

    return unjudged(row, (), judging=False)


def _without(value: Table, words: Set[str] = frozenset()) -> Table:
    """Return a table without the keys, at any depth, that are called as judgements or have one of some words."""
    return {key: _inside(item, words) for key, item in value.items() if not _is_named(key, words)}


def _inside(value: Plain, words: Set[str]) -> Plain:
    if isinstance(value, dict):
        return _without(value, words)
    return [_inside(item, words) for item in value] if isinstance(value, list) else value


def _is_named(key: str, words: Set[str]) -> bool:
    """Tell whether a key is called as judgements are, or has one of some words."""
    named, parts = _words(key)
    return parts or not (named.isdisjoint(_JUDGING) and named.isdisjoint(words))


@lru_cache(maxsize=1024)
def _words(key: str) -> tuple[frozenset[str], bool]:
    """Return the words of a key, and whether it has a part of the name of a judgement."""
    return frozenset(words_in(key)), any(part in key.casefold() for part in _JUDGING_PARTS)


def blind_trace(record: Record, trace: RecordTrace) -> TracedRecord:
    """Return what a record did, failures of calls too, without what judges it and what its sample asks of it.

    Args:
        record: the record, blind.
        trace: what it did.
    """
    events = tuple(_unjudged(trace.events))
    told = RecordTrace(
        trace.source,
        events,
        summarize(events),
        response=ProviderResponse(wire_messages=trace.response.wire_messages),
    )
    return TracedRecord(FileRecord(record.line, {}, record.id, record.sample_id), told)


def _unjudged(events: tuple[TraceEvent, ...]) -> list[TraceEvent]:
    kept, judging = list[TraceEvent](), set[object]()
    for event in events:
        span, above = event.extra.get("span"), event.extra.get("parent")
        if (isinstance(span, str) and span.lower() in _JUDGES) or (above is not None and above in judging):
            judging.add(event.id)
            continue
        metadata = event.metadata and _without(event.metadata)
        kept.append(event._replace(metadata=metadata, extra=_without(event.extra)))
    return kept
