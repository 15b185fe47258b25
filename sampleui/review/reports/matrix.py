"""Samples by targets: how each target fares at each sample."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence, Set
from enum import StrEnum
from functools import lru_cache
from pathlib import PurePath
from typing import NamedTuple

from sampleui.garbage import collector_off
from sampleui.review.attempts import outcome_counts
from sampleui.review.filters import Filters, targets_in
from sampleui.review.record import SIGNS, CaseKey, Entry, Outcome, outcome_of
from sampleui.review.results.file import Results
from sampleui.text.visible import one_line


class MatrixOrder(StrEnum):
    """How the samples of a matrix are sorted; those that are alike keep the order of the file.

    Those first about which targets disagree most, those first whose attempts do, or by name.
    """

    DISAGREEMENT = "disagreement"
    INSTABILITY = "instability"
    NAME = "name"


class Cell(NamedTuple):
    """The attempts of a target at a sample.

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
    def outcome(self) -> Outcome | None:
        """The outcome that all attempts have; None where they differ, or there are none."""
        return _outcome(self[1:])

    def __str__(self) -> str:
        """Return it as a sign, or how many of several attempts passed; empty where nothing was attempted.

        The sign of what is no outcome stands behind: an attempt is not known to have failed.
        """
        return _sign(self[1:])


@lru_cache(maxsize=1024)  # the cells of a matrix are many and much alike
def _outcome(counts: tuple[int, ...]) -> Outcome | None:
    if counts.count(0) != len(Outcome) - 1:
        return None
    return next(outcome for outcome, times in zip(Outcome, counts, strict=True) if times)


@lru_cache(maxsize=1024)
def _sign(counts: tuple[int, ...]) -> str:
    passed, failed, errors, ungraded = counts
    attempts = sum(counts)
    if attempts > 1 and (passed or failed):
        unknown = SIGNS[Outcome.ERROR] * bool(errors) + SIGNS[Outcome.UNGRADED] * bool(ungraded)
        return f"{passed}/{attempts}{unknown}"
    outcome = _outcome(counts)
    return "" if outcome is None else SIGNS[outcome]


class MatrixRow(NamedTuple):
    """A sample with a cell for each target, in their order."""

    case: CaseKey
    cells: tuple[Cell, ...]

    @property
    def sample(self) -> str:
        """The id of the sample."""
        return self.case[2]

    @property
    def unevenness(self) -> tuple[float, float]:
        """How far targets are apart in the share of attempts that passed, and how unstable attempts are.

        The second is how far the least stable target is from always passing or always failing, 0 to 0.5.
        """
        counts = {(cell.passed, cell.failed) for cell in self.cells}
        shares = [passed / (passed + failed) for passed, failed in counts if passed or failed]
        if not shares:
            return 0.0, 0.0
        return max(shares) - min(shares), max([min(share, 1 - share) for share in shares])


NOT_RUN = "·"
"""What stands in a cell without an attempt."""

LEGEND = (
    *((SIGNS[outcome], str(outcome)) for outcome in Outcome),
    (NOT_RUN, "not run"),
    ("1/3", "one of three passed"),
)
"""What cells show, and what that says."""


class Column(NamedTuple):
    """A column of the matrix: a target of a run.

    Attributes:
        head: what it is called in the matrix; empty for a target without a name.
        run: the place of the run among those that were given.
        target: the name of the target, empty if nobody says.
    """

    head: str
    run: int
    target: str


class Matrix(NamedTuple):
    """Runs as a table: samples down, targets across, both in the order of the files."""

    columns: tuple[Column, ...]
    rows: tuple[MatrixRow, ...]

    @property
    def targets(self) -> tuple[str, ...]:
        """What the columns are called."""
        return tuple(column.head for column in self.columns)

    @property
    def names(self) -> tuple[str, ...]:
        """What the samples are called: their ids, with suite and deck before those that several have."""
        times = Counter(row.sample for row in self.rows)
        return tuple(
            " · ".join(part for part in row.case if part) if times[row.sample] > 1 else row.sample
            for row in self.rows
        )

    def ordered(self, order: MatrixOrder) -> Matrix:
        """Return the matrix with its samples sorted."""
        match order:
            case MatrixOrder.DISAGREEMENT:
                rows = sorted(self.rows, key=lambda row: row.unevenness, reverse=True)
            case MatrixOrder.INSTABILITY:
                rows = sorted(self.rows, key=lambda row: row.unevenness[::-1], reverse=True)
            case MatrixOrder.NAME:
                rows = sorted(self.rows, key=lambda row: row.sample)
        return self._replace(rows=tuple(rows))

    def narrowed(self, records: Set[int], filters: Filters = Filters()) -> Matrix:  # noqa: B008 (it is a value)
        """Return the samples of which the first run has one of these records, by the targets that are asked for.

        Cells stay whole: all attempts of a target at a sample are in them.
        """
        first = [index for index, column in enumerate(self.columns) if column.run == 0]
        rows = [
            row for row in self.rows if any(not records.isdisjoint(row.cells[index].records) for index in first)
        ]
        targets = targets_in(filters, [column.target for column in self.columns])
        if targets is None:
            return Matrix(self.columns, tuple(rows))
        kept = [index for index, column in enumerate(self.columns) if column.target in targets]
        return Matrix(
            tuple(self.columns[index] for index in kept),
            tuple(MatrixRow(row.case, tuple(row.cells[index] for index in kept)) for row in rows),
        )


def matrix_of_results(runs: Iterable[Results], fail_under: float | None = None) -> Matrix:
    """Return the matrix of runs, each once; those of the same name are called by the folder that each is in too.

    Raises:
        ResultsError: a file can no longer be read.
    """
    once = {results.path.absolute(): results for results in reversed([*runs])}
    times = Counter(results.name for results in once.values())
    named = [
        (name if times[name := results.name] == 1 else f"{path.parent.name}/{name}", results.indexed().counted)
        for path, results in reversed(once.items())
    ]
    return matrix_of_runs([(one_line(name), entries) for name, entries in named], fail_under)


@collector_off()
def matrix_of_runs(runs: Sequence[tuple[str, Iterable[Entry]]], fail_under: float | None = None) -> Matrix:
    """Return the matrix of several runs, samples by targets, in the order of the files.

    A row that stands for several attempts counts as so many. Of several runs, columns are headed by the name of the
    run, and by the target if not all have the same. Samples of two runs are the same if the file names of their
    decks, suites and ids are.

    Args:
        runs: a name and the records of each; the first is the one that others are set beside.
        fail_under: scores under it fail.
    """
    columns: dict[tuple[int, str], int] = {}
    table: dict[CaseKey, dict[int, list[Entry]]] = {}
    several = len(runs) > 1
    for run, (_, entries) in enumerate(runs):
        for entry in entries:
            column = columns.setdefault((run, entry.target or ""), len(columns))
            case = _elsewhere(entry.case) if several else entry.case
            table.setdefault(case, {}).setdefault(column, []).append(entry)
    empty = Cell()
    rows = []
    for case, by_column in table.items():
        cells = [empty] * len(columns)
        for column, attempts in by_column.items():
            cells[column] = _cell(attempts, fail_under)
        rows.append(MatrixRow(case, tuple(cells)))
    return Matrix(_heads(list(columns), [name for name, _ in runs]), tuple(rows))


def _elsewhere(case: CaseKey) -> CaseKey:
    """Return a case without the folder of its deck, so that runs from different places agree on it."""
    source, suite, sample = case
    return None if source is None else PurePath(source).name, suite, sample


def _heads(columns: Sequence[tuple[int, str]], names: Sequence[str]) -> tuple[Column, ...]:
    """Return columns by what tells them apart: their target, their run, or both, the more telling one first."""
    targets = Counter(target for _, target in columns)

    def head(run: int, target: str) -> str:
        if len(names) < 2:
            return target
        if len(targets) == 1 or not target:
            return names[run]
        parts = (names[run], target) if max(targets.values()) > 1 else (target, names[run])
        return " · ".join(parts)

    return tuple(Column(head(run, target), run, target) for run, target in columns)


_SINGLE = {outcome: tuple(int(outcome is other) for other in Outcome) for outcome in Outcome}
"""The counts of a single attempt."""


def _cell(entries: list[Entry], fail_under: float | None) -> Cell:
    if len(entries) == 1 and (entry := entries[0]).trials is None:  # as nearly all are
        return Cell((entry.index,), *_SINGLE[outcome_of(entry, fail_under)])
    counts = outcome_counts(entries, fail_under)
    return Cell(tuple(entry.index for entry in entries), *counts.values())
