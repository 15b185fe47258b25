"""The values that a run's records were made with, and those that their samples have now."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from sampleui.review.log.verdict_migration import Samples, values_digest
from sampleui.review.record import Entry, Record
from sampleui.review.verdict import sample_digest
from sampleui.runs.archive import as_run
from sampleui.runs.decks import FoundDecks


def samples_of(base_dir: Path, digest: Callable[[Entry], str | None]) -> Samples:
    """Return what is known of the samples of records.

    Args:
        base_dir: the folder of the run.
        digest: returns what stands for the sample of a record as its deck has it now.
    """

    def values(record: Record) -> str:
        kept = as_run(record, base_dir, None)
        return values_digest(record, None if kept is None else [(field.name, field.run) for field in kept.fields])

    return Samples(values, digest)


def samples_in(base_dir: Path, decks: FoundDecks) -> Samples:
    """Return what is known of the samples of records whose decks were found."""

    def digest(entry: Entry) -> str | None:
        sample = decks.sample(entry)
        return None if sample is None else sample_digest(sample.data)

    return samples_of(base_dir, digest)
