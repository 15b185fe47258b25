"""Which deck's sample a record answers, where several decks were run."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from pathlib import Path, PurePath


class Joiner:
    """Finds the deck of a record by the deck it names and the id of its sample."""

    def __init__(self, decks: Sequence[tuple[Path, Container[str]]]) -> None:
        """Take the path of each deck and the ids in it."""
        self._decks = decks
        self._meant: dict[str | None, tuple[int, ...]] = {}

    def deck_of(self, source: str | None, sample_id: str) -> int | None:
        """Return which deck has the sample of a record, None when none has.

        Args:
            source: the deck that the record names, as its run saw the path; None where it names none.
            sample_id: the id of the sample.
        """
        meant = self._meant.get(source)
        if meant is None:
            meant = self._meant[source] = tuple(self._likest(source))
        return next((at for at in meant if sample_id in self._decks[at][1]), None)

    def _likest(self, source: str | None) -> Iterator[int]:
        """Yield the decks whose paths end most like a source; all of them where nothing is alike."""
        shared = [0 if source is None else _shared(path, PurePath(source)) for path, _ in self._decks]
        yield from (at for at, parts in enumerate(shared) if parts == max(shared))


def _shared(path: PurePath, other: PurePath) -> int:
    """Return how many parts two paths share at their ends."""
    count = 0
    for one, two in zip(reversed(path.parts), reversed(other.parts), strict=False):
        if one != two:
            break
        count += 1
    return count
