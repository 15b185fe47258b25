"""Which values of a field the samples of a run's decks have, and of how many of these the run has records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from sampleui.review.record import Entry
from sampleui.review.reports.figures import Coverage
from sampleui.review.reports.observing import sample_values
from sampleui.runs.decks import FoundDecks


def coverage_of(decks: FoundDecks, entries: Iterable[Entry], fields: Sequence[str]) -> tuple[Coverage, ...]:
    """Return the values that samples of the decks have of fields, the rarest first; nothing if no deck is known."""
    if not (decks.decks and fields):
        return ()
    answered = {(sample.path, sample.index) for entry in entries if (sample := decks.sample(entry)) is not None}
    samples, with_records = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for deck in decks.decks:
        for sample in deck.samples:
            values = [(field, value) for field in fields for value in sample_values(field, sample.data)]
            samples.update(values)
            if (sample.path, sample.index) in answered:
                with_records.update(values)
    ordered = sorted(samples.items(), key=lambda pair: (pair[1], pair[0]))
    return tuple(Coverage(field, value, times, with_records[field, value]) for (field, value), times in ordered)
