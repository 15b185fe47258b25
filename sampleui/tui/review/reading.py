"""The records of a review, each read when the reviewer comes to it."""

from __future__ import annotations

from sampleui.review.record import Entry, Record
from sampleui.review.results.file import Results


class Reader:
    """Reads records; the one at hand is read once."""

    def __init__(self, results: Results, baseline: Results | None) -> None:
        self._results = results
        self._baseline = baseline
        self._held: Record | None = None

    def record(self, at: int) -> Record:
        """Return a record.

        Raises:
            ResultsError: when it cannot be read.
        """
        if self._held is None or self._held.index != at:
            self._held = self._results.record(at)
        return self._held

    def before(self, entry: Entry | None) -> Record | None:
        """Return a record of the baseline. Raises as `record` does."""
        return None if entry is None or self._baseline is None else self._baseline.record(entry.index)
