"""Samples by targets: how each target fares at each sample."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple

from sampleui.review.record import SIGNS, Case, Entry, Outcome, outcome_of


class MatrixOrder(StrEnum):
    """How the samples of a matrix are sorted; those that are alike keep the order of the file.

    Those first about which targets disagree most, those first whose attempts do, or by name.
    """

    DISAGREEMENT = "disagreement"
    INSTABILITY = "instability"
    NAME = "name"


class Cell(NamedTuple):
    """What a target made of a sample.

    Attributes:
        records: the records by index, in the order of the file.
        outcomes: how many attempts passed, failed, ended in an error and are ungraded.
    """

    records: tuple[int, ...] = ()
    passed: int = 0
    failed: int = 0
    errors: int = 0
    ungraded: int = 0

    @property
    def attempts(self) -> int:
        """How many attempts there are."""
        return self.passed + self.failed + self.errors + self.ungraded

    @property
    def share(self) -> float | None:
        """The share of attempts that passed, of those with an outcome; None where there is none."""
        known = self.passed + self.failed
        return self.passed / known if known else None

    @property
    def outcome(self) -> Outcome | None:
        """The outcome that all attempts have; None where they differ, or there are none."""
        counts = zip(Outcome, (self.passed, self.failed, self.errors, self.ungraded), strict=True)
        outcomes = [outcome for outcome, times in counts if times]
        return outcomes[0] if len(outcomes) == 1 else None

    def __str__(self) -> str:
        """Return it as a sign, or how many of several attempts passed; empty where nothing was attempted."""
        if self.attempts > 1 and (self.passed or self.failed):
            return f"{self.passed}/{self.attempts}"
        return "" if self.outcome is None else SIGNS[self.outcome]


class MatrixRow(NamedTuple):
    """A sample, and what each target made of it, in the order of the targets."""

    case: Case
    cells: tuple[Cell, ...]

    @property
    def sample(self) -> str:
        """The id of the sample."""
        return self.case[2]

    @property
    def disagreement(self) -> float:
        """How far targets are apart in the share of attempts that passed, 0 to 1."""
        shares = [share for cell in self.cells if (share := cell.share) is not None]
        return max(shares) - min(shares) if shares else 0.0

    @property
    def instability(self) -> float:
        """How far the least stable target is from always passing or always failing, 0 to 0.5."""
        return max((min(share, 1 - share) for cell in self.cells if (share := cell.share) is not None), default=0.0)


class Matrix(NamedTuple):
    """A run as a table: samples down, targets across. A target without a name is an empty text."""

    targets: tuple[str, ...]
    rows: tuple[MatrixRow, ...]

    def ordered(self, order: MatrixOrder) -> Matrix:
        """Return it with its samples in an order."""
        match order:
            case MatrixOrder.DISAGREEMENT:
                rows = sorted(self.rows, key=lambda row: (-row.disagreement, -row.instability))
            case MatrixOrder.INSTABILITY:
                rows = sorted(self.rows, key=lambda row: (-row.instability, -row.disagreement))
            case MatrixOrder.NAME:
                rows = sorted(self.rows, key=lambda row: row.sample)
        return self._replace(rows=tuple(rows))


def matrix_of(entries: Iterable[Entry], fail_under: float | None = None) -> Matrix:
    """Return what each target made of each sample, samples and targets in the order of the file.

    A row that stands for several attempts counts as so many.
    """
    targets: dict[str, int] = {}
    table: dict[Case, dict[int, list[Entry]]] = {}
    for entry in entries:
        target = targets.setdefault(entry.target or "", len(targets))
        table.setdefault(entry.case, {}).setdefault(target, []).append(entry)
    empty = Cell()
    rows = []
    for case, by_target in table.items():
        cells = [empty] * len(targets)
        for target, attempts in by_target.items():
            cells[target] = _cell(attempts, fail_under)
        rows.append(MatrixRow(case, tuple(cells)))
    return Matrix((*targets,), tuple(rows))


def _cell(entries: list[Entry], fail_under: float | None) -> Cell:
    counts = dict.fromkeys(Outcome, 0)
    for entry in entries:
        if entry.trials is None:
            counts[outcome_of(entry, fail_under)] += 1
        else:
            passed, tried = entry.trials
            counts[Outcome.PASSED] += passed
            counts[Outcome.FAILED] += tried - passed
    return Cell(tuple(entry.index for entry in entries), *counts.values())
