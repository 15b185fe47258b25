"""Records side by side: those of several targets, and the attempts of one target at one sample."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from typing import NamedTuple

from sampleui.review.record import Case, Entry, failed, passed, ungraded


class TargetSummary(NamedTuple):
    """One target over all its records.

    Attributes:
        means: the mean score by evaluator, of those that gave it any.
    """

    name: str
    records: int
    failed: int
    ungraded: int
    errors: int
    mean: float | None
    means: tuple[tuple[str, float], ...]


class Attempts(NamedTuple):
    """How many attempts of a target at a sample passed, of how many, and of how many nothing says that."""

    sample: str
    target: str | None
    passed: int
    total: int
    ungraded: int = 0

    @property
    def unstable(self) -> bool:
        """Whether some attempts passed and others did not."""
        return 0 < self.passed < self.total - self.ungraded

    def __str__(self) -> str:
        """Return it in words."""
        if self.ungraded == self.total:
            return f"{self.total} ungraded"
        passed = f"{self.passed} of {self.total} passed"
        return f"{passed}, {self.ungraded} ungraded" if self.ungraded else passed


def targets_of(entries: Iterable[Entry], fail_under: float | None = None) -> tuple[TargetSummary, ...]:
    """Return the targets in the order they occur; nothing if there are not several."""
    by_target: dict[str, list[Entry]] = {}
    for entry in entries:
        by_target.setdefault(entry.target or "-", []).append(entry)
    if len(by_target) < 2:
        return ()
    return tuple(_target(name, entries_of, fail_under) for name, entries_of in by_target.items())


def attempts_of(entries: Iterable[Entry], fail_under: float | None = None) -> dict[int, Attempts]:
    """Return by index of a record how the attempts of its target at its sample came out, if there are several."""
    grouped: dict[tuple[Case, str | None], list[Entry]] = {}
    for entry in entries:
        grouped.setdefault((entry.case, entry.target), []).append(entry)
    attempts: dict[int, Attempts] = {}
    for entries_of in grouped.values():
        tries = [_tries(entry, fail_under) for entry in entries_of]
        passed, total = sum(passes for passes, _ in tries), sum(of for _, of in tries)
        if total > 1:
            left = sum(entry.trials is None and ungraded(entry, fail_under) for entry in entries_of)
            told = Attempts(entries_of[0].sample_id, entries_of[0].target, passed, total, left)
            attempts |= {entry.index: told for entry in entries_of}
    return attempts


def ranks_by_stability(attempts: Mapping[int, Attempts]) -> dict[int, float]:
    """Return the places of records by how unstable their samples are, those first that pass half of the time.

    The attempts of a sample stand together; samples that are as unstable keep the order of the file.
    """
    first: dict[int, int] = {}
    for index, tried in attempts.items():
        first.setdefault(id(tried), index)

    def place(index: int) -> tuple[float, int, int]:
        tried = attempts[index]
        share = tried.passed / (tried.total - tried.ungraded) if tried.unstable else 0.0
        return -share * (1 - share), first[id(tried)], index

    return {index: float(rank) for rank, index in enumerate(sorted(attempts, key=place))}


def cases_of(entries: Iterable[Entry]) -> dict[Case, tuple[int, ...]]:
    """Return the indexes of the records of each case that has several."""
    grouped: dict[Case, list[int]] = {}
    for entry in entries:
        grouped.setdefault(entry.case, []).append(entry.index)
    return {case: tuple(entries_of) for case, entries_of in grouped.items() if len(entries_of) > 1}


def _tries(entry: Entry, fail_under: float | None) -> tuple[int, int]:
    return entry.trials or (int(passed(entry, fail_under) is True), 1)


def _target(name: str, entries: Sequence[Entry], fail_under: float | None) -> TargetSummary:
    given: dict[str, list[float]] = {}
    for entry in entries:
        for mark in entry.marks:
            if mark.score is not None:
                given.setdefault(mark.name, []).append(mark.score)
    scores = [entry.score for entry in entries if entry.score is not None]
    return TargetSummary(
        name,
        len(entries),
        sum(failed(entry, fail_under) for entry in entries),
        sum(ungraded(entry, fail_under) for entry in entries),
        sum(entry.error is not None for entry in entries),
        fmean(scores) if scores else None,
        tuple((evaluator, fmean(scores)) for evaluator, scores in given.items()),
    )
