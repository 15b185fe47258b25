"""Decisions about a log as edits of its scores, in the form that the tool of the log takes them."""

from __future__ import annotations

from collections.abc import Iterator

from sampleui.errors import ResultsError
from sampleui.formats.data import Table
from sampleui.review.log.store import Log
from sampleui.review.results.adapters import reader_of
from sampleui.review.results.file import Results


def score_edits(results: Results, log: Log) -> Iterator[Table]:
    """Yield the edits that the decisions about records amount to; none of a record that is disputed.

    Raises:
        ResultsError: when the tool of the results takes no edits of scores.
    """
    for entry in results.counted:
        decision = log.current(entry.digest)
        if decision is None or decision.verdict is None:
            continue
        record = results.record(entry.index)
        reader = reader_of(record.data)
        if reader is None or reader.score_edits is None:
            raise ResultsError("only the scores of Inspect's logs have edits", results.path, record.line)
        yield from reader.score_edits(record, decision)
