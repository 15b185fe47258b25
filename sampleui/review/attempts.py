"""Records side by side: the attempts of one target at one sample, and all that answer it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from sampleui.review.record import CaseKey, Entry, Outcome, outcome_of
from sampleui.statistics.attempts import SampleAttempts
from sampleui.text.wording import counted


class Attempts(NamedTuple):
    """How many of a target's attempts at a sample passed, are ungraded, or ended in an error.

    Neither of these is known to have failed.
    """

    sample: str
    target: str | None
    passed: int
    total: int
    ungraded: int = 0
    errors: int = 0

    @property
    def known(self) -> SampleAttempts:
        """Those with an outcome."""
        return SampleAttempts(self.total - self.ungraded - self.errors, self.passed)

    @property
    def unstable(self) -> bool:
        """Whether some attempts passed and others failed."""
        return self.known.unstable

    def __str__(self) -> str:
        """Return it in words."""
        if self.ungraded == self.total:
            return f"{self.total} ungraded"
        words = [f"{self.passed} of {self.total} passed"]
        words += [f"{self.ungraded} ungraded"] if self.ungraded else []
        words += [counted(self.errors, "error")] if self.errors else []
        return ", ".join(words)


def attempt_numbers(entries: Iterable[Entry]) -> dict[int, int]:
    """Return, by the index of a record, which attempt of its target at its sample it is, if there are several."""
    return {
        entry.index: number for made in _by_target(entries) if len(made) > 1 for number, entry in enumerate(made, 1)
    }


def _by_target(entries: Iterable[Entry]) -> Iterable[list[Entry]]:
    grouped: dict[tuple[CaseKey, str | None], list[Entry]] = {}
    for entry in entries:
        grouped.setdefault((entry.case, entry.target), []).append(entry)
    return grouped.values()


def attempts_of(entries: Iterable[Entry], fail_under: float | None = None) -> dict[int, Attempts]:
    """Return, by the index of a record, how its target's attempts at its sample came out, if there are several."""
    attempts: dict[int, Attempts] = {}
    for entries_of in _by_target(entries):
        counts = outcome_counts(entries_of, fail_under)
        if (total := sum(counts.values())) > 1:
            tally = Attempts(
                entries_of[0].sample_id,
                entries_of[0].target,
                counts[Outcome.PASSED],
                total,
                counts[Outcome.UNGRADED],
                counts[Outcome.ERROR],
            )
            attempts |= {entry.index: tally for entry in entries_of}
    return attempts


_NONE = dict.fromkeys(Outcome, 0)


def outcome_counts(entries: Iterable[Entry], fail_under: float | None = None) -> dict[Outcome, int]:
    """Count attempts by their outcome; a row that stands for several attempts counts as several."""
    counts = _NONE.copy()
    for entry in entries:
        if entry.trials is None:
            counts[outcome_of(entry, fail_under)] += 1
        else:
            passed, tried = entry.trials
            counts[Outcome.PASSED] += passed
            counts[Outcome.FAILED] += tried - passed
    return counts


def ranks_by_stability(attempts: Mapping[int, Attempts]) -> dict[int, float]:
    """Rank records by how unstable their samples are; those that pass half of the time come first.

    The attempts of a sample stand together; samples that are as unstable keep the order of the file.
    """
    first: dict[int, int] = {}
    for index, tried in attempts.items():
        first.setdefault(id(tried), index)

    def rank_of(index: int) -> tuple[float, int, int]:
        tried = attempts[index]
        share = tried.passed / tried.known.tried if tried.unstable else 0.0
        return -share * (1 - share), first[id(tried)], index

    return {index: float(rank) for rank, index in enumerate(sorted(attempts, key=rank_of))}


def cases_of(entries: Iterable[Entry]) -> dict[CaseKey, tuple[int, ...]]:
    """Return the indexes of the records of each case that has several."""
    grouped: dict[CaseKey, list[int]] = {}
    for entry in entries:
        grouped.setdefault(entry.case, []).append(entry.index)
    return {case: tuple(entries_of) for case, entries_of in grouped.items() if len(entries_of) > 1}
