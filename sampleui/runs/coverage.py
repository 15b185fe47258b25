"""Which values of a field the samples of a run's decks have, and of how many of these the run has records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from sampleui.review.record import Entry
from sampleui.review.reports.figures import Coverage
from sampleui.review.reports.observing import sample_values
from sampleui.sample.model import Sample


def coverage_of(
    samples: Iterable[Sample],
    sample_of: Callable[[Entry], Sample | None],
    entries: Iterable[Entry],
    fields: Sequence[str],
) -> tuple[Coverage, ...]:
    """Return the values that samples of decks have of fields, the rarest first.

    A tag that records have and no sample is among them, of no samples.

    Args:
        samples: those of all decks; none if no deck is known, and then nothing is returned.
        sample_of: returns the sample that a record answers, None if no deck has it.
        entries: the records.
        fields: the fields.
    """
    if not fields:
        return ()
    answered, tags = set[tuple[object, int]](), set[str]()
    for entry in entries:
        tags.update(entry.tags)
        if (sample := sample_of(entry)) is not None:
            answered.add((sample.path, sample.index))
    times, with_records = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    known = False
    for sample in samples:
        known = True
        values = [(field, value) for field in fields for value in sample_values(field, sample.data)]
        times.update(values)
        if (sample.path, sample.index) in answered:
            with_records.update(values)
    if not known:
        return ()
    named = [field for field in fields if field in ("tag", "tags")]
    times.update(dict.fromkeys(((field, tag) for field in named for tag in tags), 0))
    ordered = sorted(times.items(), key=lambda pair: (pair[1], pair[0]))
    return tuple(Coverage(field, value, count, with_records[field, value]) for (field, value), count in ordered)
