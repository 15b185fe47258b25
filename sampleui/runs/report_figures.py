"""What reports say beside the records of a run: the runs of its folder, and the values that its samples have."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from sampleui.errors import ResultsError
from sampleui.review.record import Entry
from sampleui.review.reports.figures import Coverage
from sampleui.review.reports.record_measures import sample_values
from sampleui.review.reports.series import TimedRun
from sampleui.review.results.file import Results, open_results
from sampleui.review.results.run_paths import run_name, runs_around, time_named, time_written
from sampleui.sample.model import Sample


class Answered:
    """Which samples of decks records answer, and the tags that these have.

    Attributes:
        samples: the samples, each by its path and its index.
        tags: those of records.
    """

    def __init__(self, sample_of: Callable[[Entry], Sample | None], entries: Iterable[Entry] = ()) -> None:
        """Take what returns the sample that a record answers, None if no deck has it."""
        self.samples, self.tags = set[tuple[object, int]](), set[str]()
        self._sample_of = sample_of
        for entry in entries:
            self.add(entry)

    def add(self, entry: Entry) -> None:
        """Take note of a record."""
        if (sample := self._sample_of(entry)) is not None:
            self.samples.add((sample.path, sample.index))
        self.tags.update(entry.tags)


def coverage_of(samples: Iterable[Sample], answered: Answered, fields: Sequence[str]) -> Iterator[Coverage]:
    """Yield the values that samples of decks have of fields, the rarest first.

    A tag that records have and no sample is among them, of no samples.

    Args:
        samples: those of all decks; none if no deck is known, and then nothing is returned.
        answered: those that records answer; looked at when the first value is asked for.
        fields: the fields.
    """
    if not fields:
        return
    times, with_records = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    known = False
    for sample in samples:
        known = True
        values = [(field, value) for field in fields for value in sample_values(field, sample.data)]
        times.update(values)
        if (sample.path, sample.index) in answered.samples:
            with_records.update(values)
    if not known:
        return
    named = [field for field in fields if field in ("tag", "tags")]
    times.update(dict.fromkeys(((field, tag) for field in named for tag in answered.tags), 0))
    ordered = sorted(times.items(), key=lambda pair: (pair[1], pair[0]))
    yield from (Coverage(field, value, count, with_records[field, value]) for (field, value), count in ordered)


MOST_RUNS = 50
"""The newest runs that a series shows."""


def timed_runs(results: Results) -> list[TimedRun]:
    """Return the runs that results lie among, oldest first, 50 at most; what cannot be read is left out.

    A run's time is its own, or else that of its file.
    """
    runs = [*_opened(runs_around(results.path)[-MOST_RUNS:], results)]
    return sorted(runs, key=lambda run: run.time)


def _opened(paths: tuple[Path, ...], results: Results) -> Iterator[TimedRun]:
    for path in paths:
        try:
            opened = open_results(path, scorer=results.scorer)
            yield TimedRun(run_name(path, path.parent), path.absolute(), _time(opened), opened)
        except (ResultsError, OSError):
            continue


def _time(results: Results) -> str:
    """Return when a run was made, in UTC."""
    moment = own_time(results) or dt.datetime.fromtimestamp(time_written(results.path), dt.UTC)
    return moment.isoformat(timespec="seconds")


def own_time(results: Results) -> dt.datetime | None:
    """Return when a run was made, in UTC, as its first record, its file or its name says; None if none does.

    When the file was written says nothing of it: that is the time of a copy or of a checkout as well.

    Raises:
        ResultsError: when the first record can no longer be read.
    """
    next(results.index(1), None)
    noted = (results.record(0).timestamp if results.entries else None, results.time)
    moment = next((found for text in noted if (found := _moment(text)) is not None), None)
    return moment or time_named(results.path)


def _moment(text: str | None) -> dt.datetime | None:
    """Return a time of ISO 8601 in UTC, which it is where it names no zone; None for other texts."""
    try:
        moment = dt.datetime.fromisoformat(text) if text else None
        return moment and (moment if moment.tzinfo else moment.replace(tzinfo=dt.UTC)).astimezone(dt.UTC)
    except (ValueError, OverflowError):
        return None
