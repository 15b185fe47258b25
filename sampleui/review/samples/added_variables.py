"""Tests by their variables, where a run has added others: `promptfoo eval --var name=value` (promptfoo 0.123)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from sampleui.formats.data import Table
from sampleui.review.results.adapters.join_keys import parts_of
from sampleui.review.results.adapters.variables import known, spelled


class Given(Protocol):
    """The variables of one test: its own, and those that all tests have, below them."""

    @property
    def own(self) -> Table:
        """Those of the test."""

    @property
    def shared(self) -> Table:
        """Those of all tests."""

    @property
    def merged(self) -> Table:
        """All of them; those of the test count where both have one."""


class _Names(NamedTuple):
    """The names of the variables of tests: their own, sorted, and those of all tests."""

    own: tuple[str, ...]
    shared: frozenset[str]

    def fit(self, parts: Mapping[str, str]) -> bool:
        """Tell whether a run that adds variables makes a row of such a test that has these, in this order.

        What is added on the command line goes behind the variables of all tests and before those of the test.
        """
        if not (parts.keys() >= self.shared and all(name in parts for name in self.own)):
            return False
        order = {name: at for at, name in enumerate(parts)}
        added = [at for name, at in order.items() if name not in self.shared and name not in self.own]
        fresh = [order[name] for name in self.own if name not in self.shared]
        return max(added, default=-1) < min(fresh, default=len(order))


@dataclass(frozen=True, slots=True)
class Added:
    """The tests of a deck, each by the names of its variables and then by what stands for their values."""

    _held: dict[_Names, dict[tuple[str, ...], list[int]]] = field(default_factory=dict)

    def put(self, index: int, given: Given) -> None:
        """Put in a test of a sample."""
        for parts in (parts_of(known(own)) for own in spelled(given.own)):
            names = _Names(tuple(sorted(parts)), frozenset(given.shared))
            held = self._held.setdefault(names, {}).setdefault(tuple(parts[name] for name in names.own), [])
            if index not in held[-1:]:
                held.append(index)

    def holding(self, parts: Mapping[str, str]) -> tuple[Sequence[int], int]:
        """Return the samples with the greatest number of the variables of a row, and that number.

        Args:
            parts: what stands for the variables of the row by their names, in its order.
        """
        found: list[int] = []
        most = -1
        for names, held in self._held.items():
            if len(names.own) < most or not names.fit(parts):
                continue
            if here := held.get(tuple(parts[name] for name in names.own)):
                found = [*found, *here] if len(names.own) == most else here
                most = len(names.own)
        return found, most
