"""Rows of a list that are marked, to be acted on together."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence, Set
from typing import Generic, TypeVar

Place = TypeVar("Place", bound=Hashable)


class Marked(Generic[Place]):
    """What is marked in a list, each row by what it stands for.

    Attributes:
        places: what the marked rows stand for.
    """

    def __init__(self) -> None:
        self.places: frozenset[Place] = frozenset()
        self._last: int | None = None

    def toggle(self, row: int, rows: Sequence[Place]) -> None:
        """Mark a row, or remove its mark."""
        self.places ^= {rows[row]}
        self._last = row

    def extend(self, row: int, rows: Sequence[Place]) -> None:
        """Mark all from the row that was marked last to another one."""
        last = row if self._last is None else min(self._last, len(rows) - 1)
        self.places |= {*rows[min(last, row) : max(last, row) + 1]}
        self._last = row

    def toggle_all(self, every: Set[Place]) -> None:
        """Mark every one of some places; if all are marked, remove their marks."""
        self.places = self.places - every if every <= self.places else self.places | every

    def become(self, places: Iterable[Place] = ()) -> None:
        """Mark other places, in a list that is not what it was."""
        self.places, self._last = frozenset(places), None
