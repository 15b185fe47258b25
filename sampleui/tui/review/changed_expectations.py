"""Which records have samples that now expect something else than when they were run."""

from __future__ import annotations

from collections.abc import Iterable

from sampleui.errors import ResultsError
from sampleui.review.record import Entry
from sampleui.review.results.file import Results
from sampleui.runs.rewording import expects_otherwise
from sampleui.sample.model import Sample
from sampleui.tui.limits import MAX_REWORDING_BYTES
from sampleui.tui.review.decks import Decks


def reworded(results: Results, decks: Decks, entries: Iterable[Entry]) -> frozenset[int]:
    """Return those of entries whose sample expects something else now: than the copy that the run keeps of it, else
    than the record says was expected. Nothing of files so large that looking through them would take long.
    """
    if not decks or results.path.stat().st_size > MAX_REWORDING_BYTES:
        return frozenset()
    samples = ((entry.index, decks.sample(entry)) for entry in entries)
    return frozenset(
        index for index, sample in samples if sample is not None and _otherwise(results, index, sample)
    )


def _otherwise(results: Results, index: int, sample: Sample) -> bool:
    try:
        record = results.record(index)
    except ResultsError:
        return False
    return expects_otherwise(record, results.base_dir, sample)
