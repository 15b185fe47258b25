"""The problems of a deck that is being edited."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice

from sampleui.deck.diff import touched_samples
from sampleui.deck.history import Focus
from sampleui.sample import rules
from sampleui.text.diagnostic import Diagnostic, Finding, Severity
from sampleui.text.limits import MAX_JUDGED_AT_ONCE
from sampleui.tui.author.nodes import waits
from sampleui.workspace.deck import Deck

_NOWHERE = Focus(-1)
_RANK = {severity: rank for rank, severity in enumerate(Severity)}


class Problems:
    """The findings about a deck, kept by sample, so that an edit has only the samples judged again that it touched.

    A new deck is looked through in small portions, so that a large one can be used at once.
    """

    def __init__(self, deck: Deck) -> None:
        self._begin(deck)

    def _begin(self, deck: Deck) -> None:
        self._deck = deck
        self._findings: dict[int, tuple[Finding, ...]] = {}
        self._counts = Counter[Severity]()
        self._shared = Counter[Finding]()
        self._ids = rules.Ids()
        self._looked_at = 0
        self._again: set[int] = set()
        self._unfinished = _NOWHERE
        self._by_files: dict[int, None] = {}
        # Made when they are asked for, and forgotten when they no longer hold.
        self._placed: dict[int, list[Diagnostic]] = {}

    @property
    def complete(self) -> bool:
        """Whether every sample has been looked at as it is."""
        return self._looked_at >= len(self._deck.samples) and not self._again

    @property
    def progress(self) -> tuple[int, int]:
        """How many samples have been looked at, of how many."""
        return self._looked_at - len(self._again), len(self._deck.samples)

    def look(self, samples: int) -> None:
        """Look at some more samples."""
        again = sorted(self._again)[:samples]
        for index in again:
            self._see(index)
        end = min(self._looked_at + samples - len(again), len(self._deck.samples))
        for index in range(self._looked_at, end):
            self._see(index)
        self._looked_at = end

    def look_at_files(self) -> bool:
        """Look again at some samples with files beside the deck, others each time; tell whether they differ now."""
        differs = False
        for index in [*islice(self._by_files, MAX_JUDGED_AT_ONCE)]:
            if index not in self._again:
                before = self.found_in(index)
                self._see(index)
                differs |= self.found_in(index) != before
        return differs

    def follow(self, deck: Deck, unfinished: Focus = _NOWHERE) -> None:
        """Take the deck as it is now; what was said of samples that differ holds no longer.

        An unfinished value, such as an empty text that is being written, is not a problem yet.
        """
        before, self._deck, self._placed = self._deck, deck, {}
        known = before.kind is deck.kind and before.prompts is deck.prompts
        changed = touched_samples(before.files, deck.files) if known else None
        if changed is None:
            self._begin(deck)
            self._unfinished = unfinished
            self._see_if_there(unfinished.sample)
            return
        last, self._unfinished = self._unfinished, unfinished
        self._again |= {index for index in changed if index in self._ids}
        for index in self._again:
            self._forget(index)
        if len(self._again) <= MAX_JUDGED_AT_ONCE:
            self.look(len(self._again))
        for index in {last.sample, unfinished.sample}:
            self._see_if_there(index)

    def of(self, index: int) -> tuple[Finding, ...]:
        """Return the findings about one sample, looking at it if need be."""
        if index < 0:  # what is beside the samples
            return ()
        if index not in self._ids or index in self._again:
            self._see(index)
        return self.found_in(index)

    def severity(self, index: int) -> str:
        """Return the worst severity among what is known of a sample so far; empty for none."""
        return min((item.severity for item in self.found_in(index)), key=_RANK.__getitem__, default="")

    def counts(self) -> Counter[Severity]:
        """Return how many findings of each severity are known so far."""
        shared = Counter(finding.severity for finding in (*(+self._shared), *self._ids.findings().values()))
        return self._counts + shared + Counter(note.severity for note in self._deck.notes)

    def placed(self, limit: int = 1000) -> list[Diagnostic]:
        """Return what is known so far with lines and columns, in deck order, at most `limit` of it."""
        if limit not in self._placed:
            diagnostics = dict.fromkeys(self._deck.notes)
            for index, finding in self._all():
                if len(diagnostics) >= limit:
                    break
                diagnostics[self._deck.place(index, finding)] = None
            self._placed[limit] = [*diagnostics]
        return self._placed[limit]

    def found_in(self, index: int) -> tuple[Finding, ...]:
        """Return what is known so far of one sample."""
        findings, double = self._findings.get(index, ()), self._ids.findings().get(index)
        return findings if double is None else (*findings, double)

    def _all(self) -> Iterator[tuple[int, Finding]]:
        for index in sorted(self._findings.keys() | self._ids.findings().keys()):
            for finding in self.found_in(index):
                yield index, finding

    def _see_if_there(self, index: int) -> None:
        if 0 <= index < len(self._deck.samples):
            self._see(index)

    def _see(self, index: int) -> None:
        self._placed = {}
        self._again.discard(index)
        self._forget(index)
        sample = self._deck.samples[index]
        unfinished = self._unfinished.path if index == self._unfinished.sample else ()
        judged = self._deck.judged(sample)
        self._by_files.pop(index, None)
        if judged.by_files:
            self._by_files[index] = None  # behind all others
        findings = tuple(finding for finding in judged.findings if not waits(finding.node, unfinished))
        if findings:
            self._findings[index] = findings
            self._count(findings, 1)
        self._ids.put(index, self._deck.unique_id(sample))

    def _forget(self, index: int) -> None:
        self._count(self._findings.pop(index, ()), -1)

    def _count(self, findings: tuple[Finding, ...], by: int) -> None:
        """Count findings, or no longer; those about what samples share are one each."""
        for finding in findings:
            if finding.beside:
                self._shared[finding] += by
            else:
                self._counts[finding.severity] += by
