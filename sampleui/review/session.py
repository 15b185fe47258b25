"""Stepping and deciding without a screen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import get_close_matches

from sampleui.errors import ResultsError
from sampleui.review.queue import Order, items_of
from sampleui.review.record import Entry, Record, failed
from sampleui.review.results import Results
from sampleui.review.runfolder import run_of
from sampleui.review.store import Log
from sampleui.review.verdict import Decision, Verdict


def next_record(
    results: Results,
    log: Log,
    reviewer: str | None = None,
    fail_under: float | None = None,
    order: Order = Order.SCORE,
) -> Record | None:
    """Return the first failed record that the reviewer (None: that anyone) has not decided; None when all are.

    Raises:
        ResultsError: when the file cannot be read.
    """
    open_ones = (
        entry
        for entry in _counting(results)
        if failed(entry, fail_under) and log.current(entry.digest, reviewer) is None
    )
    if order is Order.FILE:
        entry = next(open_ones, None)  # and the rest of the file need not be read
    else:
        items = items_of([*open_ones], lambda _: None, fail_under=fail_under)
        entry = min(items, key=lambda item: item.rank).entry if items else None
    return results.record(entry.index) if entry else None


def decide(
    results: Results,
    log: Log,
    record_id: str,
    verdict: Verdict,
    reviewer: str,
    *,
    comment: str = "",
    sample_hash: str | None = None,
) -> Decision:
    """Record a verdict about a record by its id, and return it when it is on the disk.

    Args:
        results: where the record stands.
        log: where the decision is kept.
        record_id: the record's id; the sample's where only one record answers it.
        verdict: what is decided.
        reviewer: who decides.
        comment: why.
        sample_hash: `sample_digest` of the sample, where a deck is at hand.

    Raises:
        ResultsError: when there is no such record, or the log cannot be written.
    """
    return log.append(decision_about(found_entry(results, record_id), verdict, reviewer, comment, sample_hash))


def decision_about(
    entry: Entry, verdict: Verdict, reviewer: str, comment: str = "", sample_hash: str | None = None
) -> Decision:
    """Return the decision that gives a record a verdict, not recorded yet."""
    return Decision(
        reviewer=reviewer,
        record=entry.digest,
        record_id=entry.id,
        sample=entry.sample_id,
        sample_hash=sample_hash,
        verdict=verdict,
        comment=comment,
    )


def _counting(results: Results) -> Iterable[Entry]:
    """Return the records that count: of a run, which may hold reruns, when all of it is read."""
    return _as_indexed(results) if run_of(results.path) is None else results.indexed().counted


def _as_indexed(results: Results) -> Iterator[Entry]:
    at = 0
    for _ in results.index():
        yield from results.entries[at:]
        at = len(results.entries)


def found_entry(results: Results, record_id: str) -> Entry:
    """Return the entry of a record id.

    Raises:
        ResultsError: when there is none; the message names the nearest ids.
    """
    entry = results.indexed().find(record_id)
    if entry is None:
        near = get_close_matches(record_id, [one.id for one in results.entries], 3)
        meant = f"; did you mean {' or '.join(near)}?" if near else ""
        raise ResultsError(f"no record {record_id}{meant}", results.path)
    return entry
