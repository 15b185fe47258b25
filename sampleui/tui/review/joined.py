"""The decks that were run, with the samples that records answer, and what a run has no record of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from sampleui.review.record import Entry
from sampleui.review.verdict import Decision, sample_digest

if TYPE_CHECKING:
    from sampleui.formats.data import Table
    from sampleui.review.samples.lookup import Joiner
    from sampleui.sample.model import Sample
    from sampleui.tui.review.decks import ReviewDeck
    from sampleui.workspace.proposed_edits import ProposedEdit


class Unmatched(NamedTuple):
    """What this run has no record of: a sample, a record of the baseline, or what a verdict or an edit is about.

    Attributes:
        edit: the edit that a program proposes for it.
    """

    id: str
    deck: int | None = None
    verdict: Decision | None = None
    old: Entry | None = None
    edit: ProposedEdit | None = None


QueueRow: TypeAlias = int | Unmatched
"""A place in the queue: the index of a record, or what has none."""


class DecksOfRun(tuple["ReviewDeck", ...]):
    """The decks that were run, in the order they were named; none when they are not known."""

    @cached_property
    def _joiner(self) -> Joiner:
        from sampleui.review.samples.lookup import Candidate, Joiner, suite_of

        return Joiner(
            [Candidate(item.deck.path, item, suite_of(item.deck.path, item.deck.around)) for item in self]
        )

    @property
    def samples(self) -> Iterator[Sample]:
        """The samples of all decks, edits included."""
        return (sample for item in self for sample in item.deck.samples)

    def sample_index(self, entry: Entry) -> int | None:
        """Return which deck has the sample of a record."""
        return self._joiner.deck_of(entry) if self else None

    def place_of(self, entry: Entry) -> tuple[int, str] | None:
        """Return which deck has the sample of a record, and what that is called there; None if none has it."""
        index = self.sample_index(entry)
        name = None if index is None else self[index].name_of(entry)
        return None if index is None or name is None else (index, name)

    def digest(self, entry: Entry) -> str | None:
        """Return the digest of the values of a record's sample, None if no deck has it."""
        data = self.data(entry)
        return None if data is None else sample_digest(data)

    def sample(self, entry: Entry) -> Sample | None:
        """Return the sample that a record answers, None if no deck has it."""
        place = self.place_of(entry)
        return None if place is None else self[place[0]].sample(place[1])

    def data(self, entry: Entry) -> Table | None:
        """Return the data of the sample that a record answers, None if no deck has it."""
        sample = self.sample(entry)
        return None if sample is None else sample.data

    def lacks(self, entry: Entry) -> bool:
        """Tell whether the deck of a record is here and does not have its sample."""
        return self._joiner.lacks(entry)

    def holding(self, words: str, entries: Sequence[Entry]) -> frozenset[int]:
        """Return the records whose sample holds a text."""
        names = [deck.holding(words) for deck in self]
        places = ((entry.index, self.place_of(entry)) for entry in entries)
        return frozenset(index for index, place in places if place is not None and place[1] in names[place[0]])

    def not_run(self, entries: Sequence[Entry], chosen: frozenset[str] | None) -> Iterator[Unmatched]:
        """Yield the samples without a record of the decks that have any.

        Args:
            entries: the records.
            chosen: the ids of the samples that were to run, numbers for those without an id; None for all.
        """
        answered: dict[int, set[str]] = {}
        for entry in entries:
            if (place := self.place_of(entry)) is not None:
                answered.setdefault(place[0], set()).add(place[1])
        for deck_index, names in sorted(answered.items() or ([(0, set())] if len(self) == 1 else [])):
            lacking = (name for name in self[deck_index].names if name not in names)
            yield from (
                Unmatched(name, deck=deck_index)
                for name in lacking
                if chosen is None or {name, name.removeprefix("#")} & chosen  # `#N` is the N-th, or its id
            )
