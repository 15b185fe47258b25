"""Verdicts that hold for a later run too: what was decided about the same answer of the same target to a sample of
the same values.

A decision refers to a record by its digest, which changes with every time and cost. What else stands for the record
is noted with it: a digest of the answer, of what the record says of its sample, and of everything a reviewer saw
except times and costs; who answered; how it came out. A decision is carried over only where both answers are known
and these agree. One about another target, or about a sample that may be another, is offered and does not count.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from sampleui.errors import ResultsError
from sampleui.review.log.store import SUFFIX, Earlier, Log, Seat, log_path, open_log, seat_of
from sampleui.review.record import Entry, Record, outcome_of
from sampleui.review.results.file import Keeps, Results
from sampleui.review.results.record_names import stem_of
from sampleui.review.results.requests import sent
from sampleui.review.verdict import Decision, Verdict, is_stale
from sampleui.text.confined import listed
from sampleui.text.limits import MAX_EARLIER_LOGS


def answer_digest(record: Record) -> str:
    """Return a digest of an answer to a sample: 16 hex digits."""
    return _digest(record.sample_id, record.actual, record.error)


def sameness(record: Record) -> str:
    """Return a digest of an answer, whatever was asked, or of an error; empty if there is neither."""
    if record.error is not None:
        return _digest("error", record.error)
    return _digest("answer", record.actual.strip()) if answer_known(record) else ""


def content_digest(record: Record) -> str:
    """Return a digest of an answer and everything that was made of it, except times and costs."""
    content = (record.target, record.attempt, record.score, record.outcome, record.reasoning, record.evaluators)
    return _digest(record.sample_id, record.actual, record.error, *content)


def values_digest(record: Record, kept: object = None) -> str:
    """Return a digest of what a record says of its sample; empty if it says nothing.

    Args:
        record: the record.
        kept: what the run keeps of the sample beside its records, None for nothing.
    """
    values = (record.asked or sent(record.data), record.expected, record.wanted, record.join_keys, kept)
    return _digest(*values) if any(values) else ""


def answer_known(record: Record) -> bool:
    """Tell whether a record has an answer of its own: not missing, failed, or overwritten by another record's."""
    return bool(record.actual.strip()) and record.error is None and not record.lost and not record.doubtful


class RunSamples(NamedTuple):
    """What is known of the samples of records.

    Attributes:
        values: the digest of the values a record was run with, empty if that is not known.
        digest: the digest of its sample as the deck has it now, None if no deck has it.
    """

    values: Callable[[Record], str] = values_digest
    digest: Callable[[Entry], str | None] = lambda _: None


NO_DECKS = RunSamples()


def carry_over(results: Results, log: Log, samples: RunSamples = NO_DECKS) -> bool:
    """Carry decisions about other records over to the records of results, and tell whether there were any.

    The log is told: a decision of its own about a record of the same content counts as made about that record, one
    about the same answer, and those of the logs beside it, as made on an earlier run. Decisions of its own that
    count for nothing are its orphans.

    Raises:
        ResultsError: when the results cannot be read.
    """
    known = {entry.digest for entry in results.entries}
    unknown = [decision for decision in log.standing if decision.record not in known]
    others = (decision for other in _sibling_logs(log.path) for decision in other.standing)
    about = _by_sample((*others, *unknown))
    mine = frozenset(decision.id for decision in unknown)
    found: dict[str, _Earlier] = {}
    flaky: set[str] = set()
    for entry in results.counted if about else ():
        if entry.sample_id not in about:
            continue
        record, decisions = results.record(entry.index), about[entry.sample_id]
        values = samples.values(record)
        if _was_flaky(decisions, record, values):
            flaky.add(entry.digest)
        if alike := _of_answer(decisions, record):
            found[entry.digest] = _earlier(alike, record, values, samples.digest(entry), mine)
    matched = frozenset(decision for earlier in found.values() for decision in earlier.matched)
    log.earlier = Earlier(
        {digest: earlier.carried for digest, earlier in found.items()},
        {digest: earlier.offered for digest, earlier in found.items()},
        {digest: earlier.sample for digest, earlier in found.items()},
    )
    log.flaky = frozenset(flaky)
    log.orphans = tuple(decision for decision in unknown if decision.id not in matched)
    return bool(found or log.orphans or log.flaky)


def judged_log(results: Results, samples: RunSamples) -> Log:
    """Return the log of results that are indexed, with what was decided elsewhere about the same answers.

    Raises:
        ResultsError: when the log or the results cannot be read.
    """
    log = open_log(log_path(results.path))
    if has_earlier(log):
        carry_over(results, log, samples)
    return log


class _Earlier(NamedTuple):
    """What was decided about the same answer as that of a record.

    Attributes:
        carried: what counts for it.
        offered: what may be about another sample or target, and does not count.
        sample: the digest of its sample, as of `RunSamples.digest`.
        matched: the ids of the decisions that hold for its sample as it is now.
    """

    carried: dict[Seat, Decision]
    offered: dict[Seat, Decision]
    sample: str | None
    matched: frozenset[str]


def _by_sample(decisions: Iterable[Decision]) -> dict[str, list[Decision]]:
    """Return decisions by the sample that they are about, in the order they were made."""
    about: dict[str, list[Decision]] = {}
    for decision in sorted(decisions, key=lambda decision: (decision.time, decision.id)):
        about.setdefault(decision.sample, []).append(decision)
    return about


def _was_flaky(decisions: Iterable[Decision], record: Record, values: str) -> bool:
    return any(item.verdict is Verdict.FLAKY and _may_be_of(item, record, values) for item in decisions)


def _of_answer(decisions: Iterable[Decision], record: Record) -> list[Decision]:
    """Return the decisions about the same answer as that of a record; none if it has no answer of its own."""
    if not answer_known(record):
        return []
    answer = answer_digest(record)
    return [decision for decision in decisions if decision.answer == answer]


def _earlier(
    alike: Sequence[Decision], record: Record, values: str, sample: str | None, mine: frozenset[str]
) -> _Earlier:
    """Return what decisions about the same answer say of a record.

    Args:
        alike: the decisions, in the order they were made.
        record: the record.
        values: the digest of the values that it was run with.
        sample: the digest of its sample as the deck has it now.
        mine: the ids of the decisions of its own log.
    """
    same = [
        decision for decision in alike if decision.target == (record.target or "") and decision.values == values
    ]
    others = [decision for decision in alike if decision not in same and _may_be_of(decision, None, values)]
    return _Earlier(
        _counting(same, record, mine),
        {seat_of(decision): decision for decision in others if _lasts(decision, record)},
        sample,
        frozenset(decision.id for decision in same if _lasts(decision, record) and not is_stale(decision, sample)),
    )


def _may_be_of(decision: Decision, record: Record | None, values: str) -> bool:
    """Tell whether a decision may be about the same values of a sample and the same target.

    Without a record, whoever answered makes no difference.
    """
    same_target = record is None or decision.target in (None, record.target or "")
    return same_target and (not decision.values or not values or decision.values == values)


def _lasts(decision: Decision, record: Record) -> bool:
    """Tell whether a verdict holds for a record of a later run. One about the grader depends on the outcome."""
    if decision.verdict is Verdict.GRADER_WRONG:
        return decision.outcome == outcome_of(record)
    return decision.verdict is None or decision.verdict.lasts


def _counting(same: Iterable[Decision], record: Record, mine: frozenset[str]) -> dict[Seat, Decision]:
    """Return the last decision of each seat that counts for a record; none below a ruling that does not count."""
    content = content_digest(record)
    last = {seat_of(decision): decision for decision in same}
    if any(settles and not _lasts(decision, record) for (_, settles), decision in last.items()):
        return {}
    return {
        seat: dataclasses.replace(
            decision, record=record.digest, carried=decision.id not in mine or decision.content != content
        )
        for seat, decision in last.items()
        if _lasts(decision, record)
    }


def offer_words(decision: Decision, record: Record) -> str:
    """Say what was decided about the same answer without counting for a record, and why it does not count."""
    if decision.target is None:
        why = "of whom, the log does not say"
    elif decision.target != (record.target or ""):
        why = f"of {decision.target or 'no named target'}"
    else:
        why = "whether to the same values of the sample is not known"
    return f"an earlier verdict on this answer, {why}: {decision.verdict}; it does not count here"


def named_by_logs(log: Log) -> Keeps | None:
    """Return a test of whether a record may have decisions in a log or those beside it; None if they have none.

    Records that were drawn by fields pass it too, for they stay in the stratum that they were drawn from.
    """
    decisions = (*log.standing, *(decision for other in _sibling_logs(log.path) for decision in other.standing))
    stems = {stem_of(decision.sample) for decision in decisions}
    if not stems:
        return None
    strata = [stratum.records for draw in log.draws if draw.design.by for stratum in draw.strata]
    stems.update(stem_of(name) for stratum in strata for name in stratum.values())
    records = log.records | {digest for stratum in strata for digest in stratum}
    return lambda record, sample: stem_of(sample) in stems or record in records


def has_earlier(log: Log) -> bool:
    """Tell whether there are decisions that could hold for other records than those they are about."""
    return bool(log.standing) or any(path != log.path for path in _logs_in(log.path.parent))


def _logs_in(folder: Path) -> list[Path]:
    return [path for path in listed(folder).paths if path.name.endswith(SUFFIX)]


def _sibling_logs(path: Path) -> Iterable[Log]:
    """Yield the logs of other runs beside one. Those that cannot be read are left out: they are not of this run."""
    for other in _logs_in(path.parent)[:MAX_EARLIER_LOGS]:
        if other != path:
            try:
                yield open_log(other)
            except ResultsError:
                continue


def _digest(*parts: object) -> str:
    text = json.dumps(parts, sort_keys=True, separators=(",", ":"), default=str)
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
