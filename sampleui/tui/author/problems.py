"""The problems of a deck that is being edited."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from sampleui.formats.data import DataPath
from sampleui.sample import rules
from sampleui.text.diagnostic import Diagnostic, Finding, Severity
from sampleui.tui.author.nodes import waits
from sampleui.workspace import Deck

_RANK = {severity: rank for rank, severity in enumerate(Severity)}


class Problems:
    """The findings about a deck, kept by sample so that an edit looks at one sample alone, and a step at none.

    A new deck is looked through in small portions, so that a large one can be used at once.
    """

    def __init__(self, deck: Deck) -> None:
        self._deck = deck
        self._findings: dict[int, tuple[Finding, ...]] = {}
        self._counts = Counter[Severity]()
        self._ids = rules.Ids()
        self._looked_at = 0
        self._unfinished: dict[int, DataPath] = {}
        # Made when they are asked for, and forgotten when they no longer hold.
        self._placed: dict[int, list[Diagnostic]] = {}

    @property
    def complete(self) -> bool:
        """Whether every sample has been looked at."""
        return self._looked_at >= len(self._deck.samples)

    @property
    def progress(self) -> tuple[int, int]:
        """How many samples have been looked at, of how many."""
        return self._looked_at, len(self._deck.samples)

    def look(self, samples: int) -> None:
        """Look at some more samples."""
        end = min(self._looked_at + samples, len(self._deck.samples))
        for index in range(self._looked_at, end):
            self._see(index)
        self._looked_at = end

    def touch(self, deck: Deck, index: int, unfinished: DataPath = ()) -> None:
        """Take the deck as it is now, in which one sample has changed. An unfinished value is not a problem yet."""
        self._deck = deck
        self._unfinished = {index: unfinished}
        if 0 <= index < len(deck.samples):
            self._see(index)

    def of(self, index: int) -> tuple[Finding, ...]:
        """Return the findings about one sample, looking at it if need be."""
        if index < 0:  # what is beside the samples
            return ()
        if index not in self._ids:
            self._see(index)
        return self.known(index)

    def severity(self, index: int) -> str:
        """Return the worst severity among what is known of a sample so far; empty for none."""
        return min((one.severity for one in self.known(index)), key=_RANK.__getitem__, default="")

    def counts(self) -> Counter[Severity]:
        """Return how many findings of each severity are known so far."""
        notes = Counter(note.severity for note in self._deck.notes)
        return self._counts + notes + Counter(double.severity for double in self._ids.findings().values())

    def placed(self, limit: int = 1000) -> list[Diagnostic]:
        """Return what is known so far with lines and columns, in deck order, at most `limit` of it."""
        if limit not in self._placed:
            found = list(self._deck.notes)
            for index, finding in self._all():
                if len(found) >= limit:
                    break
                found.append(self._deck.place(index, finding))
            self._placed[limit] = found
        return self._placed[limit]

    def known(self, index: int) -> tuple[Finding, ...]:
        """Return what is known so far of one sample."""
        own, double = self._findings.get(index, ()), self._ids.findings().get(index)
        return own if double is None else (*own, double)

    def _all(self) -> Iterator[tuple[int, Finding]]:
        for index in sorted(self._findings.keys() | self._ids.findings().keys()):
            for finding in self.known(index):
                yield index, finding

    def _see(self, index: int) -> None:
        self._placed = {}
        sample = self._deck.samples[index]
        unfinished = self._unfinished.get(index, ())
        found = tuple(one for one in self._deck.findings(sample) if not waits(one.node, unfinished))
        self._counts.subtract(one.severity for one in self._findings.pop(index, ()))
        if found:
            self._findings[index] = found
            self._counts.update(one.severity for one in found)
        self._ids.put(index, self._deck.own_id(sample) if self._deck.kind.unique_ids else None)
