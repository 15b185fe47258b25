"""The decks beside a review: which of them has the sample of a record."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sampleui.review.record import Entry
from sampleui.review.samples.joining import Candidate, Joiner, suite_of
from sampleui.sample.model import Sample
from sampleui.tui.review.deck import ReviewDeck
from sampleui.tui.review.shown import Missing


class Decks(tuple[ReviewDeck, ...]):
    """The decks that were run, in the order they were named; none when they are not known."""

    def __init__(self, decks: Sequence[ReviewDeck] = ()) -> None:
        self._joiner = Joiner(
            [Candidate(one.deck.path, one, suite_of(one.deck.path, one.deck.around)) for one in self]
        )

    def place(self, entry: Entry) -> int | None:
        """Return which deck has the sample of a record."""
        return self._joiner.deck_of(entry)

    def name_of(self, entry: Entry) -> str | None:
        """Return what the sample of a record is called in its deck, None if no deck has it."""
        at = self.place(entry)
        return None if at is None else self[at].name_of(entry)

    def digest(self, entry: Entry) -> str | None:
        """Return what stands for the values of a record's sample, None if no deck has it."""
        at = self.place(entry)
        name = None if at is None else self[at].name_of(entry)
        return None if at is None or name is None else self[at].digest(name)

    def sample(self, entry: Entry) -> Sample | None:
        """Return the sample that a record answers, None if no deck has it."""
        at = self.place(entry)
        name = None if at is None else self[at].name_of(entry)
        return None if at is None or name is None else self[at].sample(name)

    def holding(self, words: str, entries: Sequence[Entry]) -> frozenset[int]:
        """Return the records whose sample holds a text."""
        held = [deck.holding(words) for deck in self]
        found = ((entry, self.place(entry)) for entry in entries)
        return frozenset(one.index for one, at in found if at is not None and self[at].name_of(one) in held[at])

    def not_run(self, entries: Sequence[Entry], chosen: frozenset[str] | None) -> Iterator[Missing]:
        """Yield the samples without a record of the decks that have any.

        Args:
            entries: the records.
            chosen: the ids of the samples that were to run, numbers for those without an id; None for all.
        """
        answered: dict[int, set[str]] = {}
        for entry in entries:
            at = self.place(entry)
            name = None if at is None else self[at].name_of(entry)
            if at is not None and name is not None:
                answered.setdefault(at, set()).add(name)
        for at, names in sorted(answered.items() or ([(0, set())] if len(self) == 1 else [])):
            lacking = (name for name in self[at].names if name not in names)
            yield from (Missing(one, deck=at) for one in lacking if chosen is None or _meant(one) & chosen)


def _meant(name: str) -> frozenset[str]:
    """Return the ids that may be meant by what a sample is called: `#N` is the N-th sample, or its own id."""
    return frozenset({name, name.removeprefix("#")})
