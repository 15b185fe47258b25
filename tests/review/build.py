"""Builders for the tests of this folder."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from sampleui.formats.data import Table
from sampleui.review.codes import FailureCode
from sampleui.review.log.store import Log
from sampleui.review.log.verdict_migration import NO_DECKS, RunSamples
from sampleui.review.queue import Queue
from sampleui.review.record import Entry, Grade, Record
from sampleui.review.results.file import Results, open_results
from sampleui.review.session import Remark, what_is_said
from sampleui.review.verdict import Decision, Verdict


def write_jsonl(path: Path, rows: Iterable[Mapping[str, object]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def results_of(folder: Path, *rows: Mapping[str, object]) -> Results:
    return open_results(write_jsonl(folder / "run.jsonl", rows)).indexed()


def decide(
    results: Results,
    log: Log,
    record_id: str,
    verdict: Verdict | None,
    reviewer: str,
    *,
    comment: str | None = None,
    codes: Iterable[FailureCode] = (),
    adjudicate: bool = False,
    samples: RunSamples = NO_DECKS,
) -> Decision:
    """Record a verdict, or a comment alone, as commands do."""
    said = Remark(record_id, verdict, comment, tuple(codes), adjudicate)
    return log.append_all(what_is_said(results, log, said, reviewer, samples))[0]


def comment_on(results: Results, log: Log, record_id: str, text: str, reviewer: str) -> Decision:
    return decide(results, log, record_id, None, reviewer, comment=text)


def only_record(folder: Path, row: Mapping[str, object]) -> Record:
    results = results_of(folder, row)
    assert results.diagnostics == []
    return results.record(0)


def entry(
    index: int = 0,
    sample: str | None = None,
    *,
    score: float | None = 1.0,
    truth: float | None = None,
    error: str | None = None,
    verdict: str | None = None,
    grades: tuple[Grade, ...] = (),
    tags: tuple[str, ...] = (),
    target: str | None = None,
) -> Entry:
    sample = sample if sample is not None else f"case-{index}"
    return Entry(
        index=index,
        id=sample,
        sample_id=sample,
        line=index + 1,
        digest=f"digest-{index}",
        score=score,
        truth_score=truth,
        error=error,
        verdict=verdict,
        grades=grades,
        tags=tags,
        target=target,
    )


def decision(
    record: str = "digest-0", verdict: Verdict = Verdict.OK, reviewer: str = "ann", **more: str
) -> Decision:
    return Decision(
        reviewer=reviewer,
        record=record,
        record_id=record,
        sample="case",
        verdict=verdict,
        **more,  # type: ignore[arg-type]
    )


def drawn_labels(log: Log, record: str, reviewer: str | None = None) -> tuple[Decision, ...]:
    """Return the labels of a record for which a pass of its run asked, by time."""
    found = filter(None, map(log.drawn_label, log.label_histories(record, reviewer)))
    return tuple(sorted(found, key=lambda item: (item.time, item.id)))


def plain(value: object) -> Table:
    """Return data as JSON would give it back."""
    found: Table = json.loads(json.dumps(value))
    return found


def decided(queue: Queue, digest: str, made: Decision | None, sample_hash: str | None = None) -> Queue:
    """Return a queue after a decision about a record, or after it was taken back."""
    return queue.revised(lambda entry: entry.digest == digest, lambda _: made, lambda _: sample_hash)
