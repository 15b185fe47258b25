"""Records side by side: the attempts of one target at one sample, and all that answer it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from sampleui.review.record import Case, Entry, passed, ungraded


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
