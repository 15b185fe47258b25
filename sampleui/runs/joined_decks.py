"""The decks of a run, and which of them has the sample that a record answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from sampleui.prompt.promptfoo.variables import tests_of
from sampleui.review.samples.index import SampleIndex
from sampleui.review.samples.joining import Answering, Candidate, Joiner, suite_of
from sampleui.sample.model import Sample
from sampleui.workspace import Deck


def index_of(samples: Sequence[Sample]) -> SampleIndex:
    """Return samples as records find them."""
    return SampleIndex(samples, tests_of)


@dataclass(frozen=True)
class FoundDecks:
    """The decks of a run, or why none is used and what to do about it."""

    decks: tuple[Deck, ...] = ()
    hint: str = ""

    def sample(self, record: Answering) -> Sample | None:
        """Return the sample that a record answers, None if no deck has it."""
        at = self._joiner.deck_of(record)
        found = None if at is None else self._places[at].find(record)
        return None if at is None or found is None else self.decks[at].samples[found]

    @cached_property
    def _places(self) -> tuple[SampleIndex, ...]:
        """The samples of each deck, as records find them."""
        return tuple(index_of(deck.samples) for deck in self.decks)

    @cached_property
    def _joiner(self) -> Joiner:
        held = zip(self.decks, self._places, strict=True)
        return Joiner([Candidate(deck.path, index, suite_of(deck.path, deck.around)) for deck, index in held])
