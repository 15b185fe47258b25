"""The answers to one sample, from all targets and in all attempts of each."""

from __future__ import annotations

import contextlib
from collections import Counter
from typing import NamedTuple

from sampleui.errors import ResultsError
from sampleui.review.record import Record
from sampleui.review.results.file import Results
from sampleui.review.targets import Attempts
from sampleui.tui.limits import MAX_SIDES


class Side(NamedTuple):
    """One answer.

    Attributes:
        name: who answered, and in which try.
        here: whether it is of the record that is shown.
    """

    name: str
    here: bool
    record: Record


class Sides(NamedTuple):
    """The answers to one sample, read when they are looked at.

    Attributes:
        results: where the records are.
        indexes: those of the records that answer the sample.
        here: the index of the one that is shown.
        attempts: of each target, how many of its attempts passed.
    """

    results: Results
    indexes: tuple[int, ...]
    here: int
    attempts: tuple[Attempts, ...] = ()
    fail_under: float | None = None

    @property
    def several(self) -> bool:
        """Whether there is more than one answer."""
        return len(self.indexes) > 1 or any(attempt.total > 1 for attempt in self.attempts)

    def read(self) -> list[Side]:
        """Return the answers, at most `MAX_SIDES`; those of records that cannot be read are left out."""
        read: list[Record] = []
        for index in self.indexes[:MAX_SIDES]:
            with contextlib.suppress(ResultsError):
                read += self.results.tries(index)
        times, seen = Counter(answer.target for answer in read), Counter[str | None]()
        answers = []
        for item in read[:MAX_SIDES]:
            seen[item.target] += 1
            name = item.target or item.id
            tried = f" · {seen[item.target]}" if times[item.target] > 1 and item.target else ""
            answers.append(Side(name + tried, item.index == self.here, item))
        return answers
