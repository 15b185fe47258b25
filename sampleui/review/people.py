"""Records that nobody graded, with what people found as their outcome."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TypeAlias

from sampleui.review.log.store import Log
from sampleui.review.record import Entry, ungraded
from sampleui.review.verdict import passes_by

PassesOf: TypeAlias = Callable[[str], bool | None]
"""Returns whether people found that the record of a digest passed; None if they do not say it."""


def found_by_all(log: Log) -> PassesOf:
    """Return what people found by a log: the verdict that stands, if nobody disputes it."""

    def passes(digest: str) -> bool | None:
        if not log.is_about(digest) or log.disputed(digest):
            return None
        decision = log.current(digest)
        return None if decision is None else passes_by(decision.verdict)

    return passes


def with_findings(entries: Iterable[Entry], passes_of: PassesOf, fail_under: float | None) -> Iterator[Entry]:
    """Yield records, those that nobody graded as people found that they came out; what evaluators gave is kept."""
    for entry in entries:
        passes = passes_of(entry.digest) if ungraded(entry, fail_under) else None
        if passes is None:
            yield entry
        else:
            yield replace(entry, outcome=passes, judged=True, score=None, decider=None, outcome_unclear=False)


def by_people_alone(entries: Iterable[Entry], passes_of: PassesOf, fail_under: float | None) -> Iterator[Entry]:
    """Yield records as people alone say that they came out: whatever a grader gave is left out of all of them."""
    for entry in entries:
        nobody_graded = ungraded(entry, fail_under)
        passes = passes_of(entry.digest) if nobody_graded else None
        if nobody_graded and passes is None and not entry.grades:
            yield entry  # as most are in a long log
            continue
        yield replace(
            entry,
            outcome=passes,
            judged=passes is not None,
            outcome_unclear=passes is None,
            score=None,
            truth_score=None,
            verdict=None,
            grades=(),
            decider=None,
            trials=None,
        )
