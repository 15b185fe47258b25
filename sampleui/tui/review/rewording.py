"""Which records have samples that now expect something else than when they were run."""

from __future__ import annotations

from collections.abc import Iterable

from sampleui.errors import ResultsError
from sampleui.review.record import Entry
from sampleui.review.results.file import Results
from sampleui.review.samples.expected import criteria_in, expectation
from sampleui.runs.archive import as_run
from sampleui.sample.model import Sample
from sampleui.sample.variables.interpolation import with_variables
from sampleui.tui.review.decks import Decks

MOST_BYTES = 64 << 20
"""Bytes up to which the records of a file are looked through for it."""


def reworded(results: Results, decks: Decks, entries: Iterable[Entry]) -> frozenset[int]:
    """Return those of entries whose sample expects something else now: than the copy that the run keeps of it, else
    than the record says was expected. Nothing of files so large that looking through them would take long.
    """
    if not decks or results.path.stat().st_size > MOST_BYTES:
        return frozenset()
    samples = ((entry.index, decks.sample(entry)) for entry in entries)
    return frozenset(at for at, sample in samples if sample is not None and _otherwise(results, at, sample))


def _otherwise(results: Results, at: int, sample: Sample) -> bool:
    try:
        record = results.record(at)
    except ResultsError:
        return False
    kept = as_run(record, results.base_dir, sample)
    if kept is not None:
        return kept.expects_otherwise
    wanted = expectation(sample)
    if wanted is None or criteria_in(sample) or (record.expected is None and not record.wanted):
        return False
    if record.wanted:
        return wanted.text.split() not in [one.split() for one in record.wanted]
    assert record.expected is not None
    variables = sample.data.get("vars")
    filled = with_variables(wanted.text, variables if isinstance(variables, dict) else None)
    return record.expected.split() not in (wanted.text.split(), str(filled).split())
