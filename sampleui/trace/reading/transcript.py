"""Transcripts that runners write to files of their own, read by the integrations that know them."""

from __future__ import annotations

from collections.abc import Iterator

from sampleui.formats.data import Plain, Table
from sampleui.integrations.index import integration, transcribers
from sampleui.integrations.integration import Transcripts


def record_of(data: Plain) -> Table | None:
    """Return the record that a transcript stands for, None when it is not a transcript.

    Its `output_messages` are the messages in order; `id`, `target`, `schema_version`, `token_usage`, `duration_ms`,
    `cost_usd` and `start_time` are given where the transcript says them.
    """
    rows = data if isinstance(data, list) else [data]
    first = next((row for row in rows if isinstance(row, dict)), {})
    found = (one.record_of(data) for one in _readers(first))
    return next((record for record in found if record is not None), None)


def is_line(row: Table) -> bool:
    """Tell whether a row is one message of a transcript in JSON lines, and no record of a results file."""
    return any(one.is_line(row) for one in _readers(row))


def same_run(one: Table, other: Table) -> bool:
    """Tell whether two lines of a transcript are of one record."""
    return all(reader.is_same_run(one, other) for reader in _readers(one))


def _readers(row: Table) -> Iterator[Transcripts]:
    return (integration(name).transcripts() for name in transcribers(row))
