"""The decks beside a review: which of them has the sample of a record."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sampleui.review.joining import Candidate, Joiner, join, suite_of
from sampleui.review.record import Entry
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

    def digest(self, entry: Entry) -> str | None:
        """Return what stands for the values of a record's sample, None where no deck has it."""
        at = self.place(entry)
        return None if at is None else self[at].digest(entry.sample_id)

    def sample(self, entry: Entry) -> Sample | None:
        """Return the sample that a record answers, None where no deck has it."""
        at = self.place(entry)
        return None if at is None else self[at].sample(entry.sample_id)

    def holding(self, words: str, entries: Sequence[Entry]) -> frozenset[int]:
        """Return the records whose sample holds a text."""
        held = [deck.holding(words) for deck in self]
        found = ((entry, self.place(entry)) for entry in entries)
        return frozenset(one.index for one, at in found if at is not None and one.sample_id in held[at])

    def not_run(self, entries: Sequence[Entry]) -> Iterator[Missing]:
        """Yield the samples without a record of the decks that have any."""
        answered: dict[int, list[str]] = {}
        for entry in entries:
            at = self.place(entry)
            if at is not None:
                answered.setdefault(at, []).append(entry.sample_id)
        for at, ids in sorted(answered.items() or ([(0, [])] if len(self) == 1 else [])):
            listed = self[at].ids
            yield from (Missing(listed[one], deck=at) for one in join(ids, listed).samples_without_record)
