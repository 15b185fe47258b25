"""Verdicts that hold for a new run too: what was decided about the same answer to the same sample.

A decision refers to a record by its digest, which changes with every time and cost. Two more digests are noted with
it: that of the answer, and that of everything a reviewer saw except times and costs. A run that is written again
keeps the decisions about records with the same content; another run takes over those about the same answers.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Iterable
from pathlib import Path

from sampleui.errors import ResultsError
from sampleui.review.log.store import SUFFIX, Log, open_log
from sampleui.review.record import Record
from sampleui.review.results.file import Results
from sampleui.review.verdict import Decision, Verdict

MOST_LOGS = 200


def answer_digest(record: Record) -> str:
    """Return 16 hex digits that stand for an answer to a sample."""
    return _digest(record.sample_id, record.actual, record.error)


def content_digest(record: Record) -> str:
    """Return 16 hex digits that stand for an answer and everything that was made of it, except times and costs."""
    told = (record.target, record.attempt, record.score, record.outcome, record.reasoning, record.evaluators)
    return _digest(record.sample_id, record.actual, record.error, *told)


def carry_over(results: Results, log: Log) -> bool:
    """Let decisions that were made about other records count for records of results, and tell whether any does.

    The log is told: a decision of its own about a record of the same content counts as made about that record, one
    about the same answer, and those of the logs beside it, as made on an earlier run. Decisions of its own that
    match nothing are its orphans.

    Raises:
        ResultsError: when the results cannot be read.
    """
    known = {entry.digest for entry in results.entries}
    own = [one for one in log.standing if one.record not in known]
    earlier = [one for other in _beside(log.path) for one in other.standing]
    log.flaky = frozenset(one.sample for one in (*own, *earlier) if one.verdict is Verdict.FLAKY)
    matched: set[str] = set()
    about: dict[str, list[Decision]] = {}
    for one in sorted((*earlier, *own), key=lambda made: made.time):
        about.setdefault(one.sample, []).append(one)
    mine = {one.id for one in own}
    for entry in results.counted if about else ():
        if entry.sample_id in about:
            record = results.record(entry.index)
            content, answer = content_digest(record), answer_digest(record)
            for one in about[entry.sample_id]:
                if answer == one.answer:
                    same = one.id in mine and one.content == content
                    log.carry(dataclasses.replace(one, record=entry.digest, carried=not same))
                    matched.add(one.id)
    log.orphans = tuple(one for one in own if one.id not in matched)
    return bool(matched or log.orphans or log.flaky)


def has_earlier(log: Log) -> bool:
    """Tell whether there are decisions that could hold for other records than those they are about."""
    return bool(log.standing) or any(path != log.path for path in log.path.parent.glob(f"*{SUFFIX}"))


def _beside(path: Path) -> Iterable[Log]:
    """Yield the logs of other runs that lie beside one. What is wrong with them is no matter of this run."""
    for other in sorted(path.parent.glob(f"*{SUFFIX}"))[:MOST_LOGS]:
        if other != path:
            try:
                yield open_log(other)
            except ResultsError:
                continue


def _digest(*parts: object) -> str:
    said = json.dumps(parts, sort_keys=True, separators=(",", ":"), default=str)
    return hashlib.blake2b(said.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
