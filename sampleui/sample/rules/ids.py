"""The rule that two samples of a deck may not have one id."""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable, Mapping

from sampleui.text.diagnostic import Finding, Severity


class Ids:
    """The ids of a deck's samples, taken one by one in any order, and what is to be said of those that two have."""

    def __init__(self) -> None:
        self._names: dict[int, str | None] = {}
        self._first: dict[str, int] = {}
        self._shared: dict[str, list[int]] = {}
        self._findings: Mapping[int, Finding] | None = None

    def __contains__(self, index: int) -> bool:
        """Tell whether the id of a sample was taken."""
        return index in self._names

    def put(self, index: int, name: str | None) -> None:
        """Take the id of a sample, in place of the one that it had.

        Args:
            index: the sample's index in the deck.
            name: its id. None, and the `#N` that stands for a missing id, never count.
        """
        counted = None if name == f"#{index + 1}" else name
        before = self._names.get(index)
        self._names[index] = counted
        if counted == before:
            return
        if before is not None:
            self._leave(before, index)
        if counted is not None and (first := self._first.setdefault(counted, index)) != index:
            holders = self._shared.setdefault(counted, [first])
            insort(holders, index)
            self._hold(counted, holders)

    def findings(self) -> Mapping[int, Finding]:
        """Return a `duplicate-id` finding for the index of every sample whose id an earlier one has."""
        if self._findings is None:
            self._findings = {
                index: _duplicate(name, first) for name, (first, *rest) in self._shared.items() for index in rest
            }
        return self._findings

    def _leave(self, name: str, index: int) -> None:
        if name not in self._shared:
            del self._first[name]
        else:
            self._hold(name, [other for other in self._shared[name] if other != index])

    def _hold(self, name: str, holders: list[int]) -> None:
        self._findings = None
        self._first[name] = holders[0]
        if len(holders) > 1:
            self._shared[name] = holders
        else:
            del self._shared[name]


def duplicates(ids: Iterable[str | None]) -> tuple[tuple[int, Finding], ...]:
    """Return a `duplicate-id` finding, with the index of its sample, for every id that an earlier sample has.

    Args:
        ids: the ids of a deck's samples in order, as `Ids.put` takes them.
    """
    taken = Ids()
    for index, name in enumerate(ids):
        taken.put(index, name)
    return tuple(sorted(taken.findings().items()))


def _duplicate(name: str, first: int) -> Finding:
    message = f'The id "{name}" is already that of sample {first + 1}'
    return Finding("duplicate-id", Severity.ERROR, message, ("id",))
