"""What is known of Inspect."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from sampleui.integrations.integration import Integration

if TYPE_CHECKING:
    from pathlib import Path

    from sampleui.formats.data import Table
    from sampleui.grading.graded import Graded
    from sampleui.review.record import Record
    from sampleui.review.results.adapters import Adapter
    from sampleui.review.results.sources import Source
    from sampleui.review.verdict import Decision
    from sampleui.sample.dialects.dialect import Dialect
    from sampleui.sample.model import Sample


class InspectAI(Integration):
    """Inspect."""

    def dialects(self) -> Sequence[Dialect]:
        from sampleui.integrations.inspect_ai.dialect import INSPECT

        return (INSPECT,)

    def adapters(self) -> Sequence[Adapter]:
        """Return the reader of its rows."""
        from sampleui.integrations.inspect_ai.results import claims, parse_entry, parse_record
        from sampleui.review.results.adapters import Adapter, always

        return (Adapter("inspect", claims, parse_entry, parse_record, self_evident=always),)

    def log(self, path: Path, head: bytes) -> Source | None:
        """Return the records of an archive or of a log in JSON."""
        from sampleui.integrations.inspect_ai.log import log_source

        return log_source(path, head)

    def repeated_sample(self, row: Table) -> tuple[Table, str] | None:
        """Return the fields of a record that its sample has."""
        from sampleui.sample.dialects.shipped import DIALECTS

        return {key: row[key] for key in DIALECTS["inspect"].known if key in row}, "inspect"

    def score_edits(self, record: Record, decision: Decision) -> Iterator[Table]:
        """Return the arguments of Inspect's `edit_score`."""
        from sampleui.integrations.inspect_ai.edits import score_edits

        return score_edits(record, decision)

    def grades(self, record: Record) -> bool:
        """Tell whether a record is of a log: its scorers judge, whatever deck the samples are in."""
        from sampleui.integrations.inspect_ai.grading import is_of_log

        return is_of_log(record)

    def graded(self, record: Record, sample: Sample, answer: str | None, enough: float) -> tuple[Graded, ...]:
        """Return what the scorers of a log say; a deck alone names none."""
        from sampleui.integrations.inspect_ai.grading import by_log

        return by_log(record, sample, answer, enough)

    def target_is_open(self, record: Record, sample: Sample) -> bool:
        """Tell whether it is not known which target the task of a log makes of a row as it is now."""
        from sampleui.integrations.inspect_ai.grading import target_is_open

        return target_is_open(record, sample)

    def summary(self, document: Table, path: Path) -> str:
        """Return what a document is that has scores or headers alone."""
        from sampleui.integrations.inspect_ai.header import summary_of

        return summary_of(document, path)


INTEGRATION = InspectAI()
