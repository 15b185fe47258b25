"""What is known of AgentV."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sampleui.integrations.integration import Integration

if TYPE_CHECKING:
    from pathlib import Path

    from sampleui.formats.data import Table
    from sampleui.grading.graded import Graded
    from sampleui.review.record import Record
    from sampleui.review.results.adapters import Adapter
    from sampleui.review.results.artifacts import Hydrated, Sharing
    from sampleui.sample.model import Sample


class AgentV(Integration):
    """AgentV."""

    def adapters(self) -> Sequence[Adapter]:
        """Return the reader of its rows, and of those of others that are like them."""
        from sampleui.integrations.agentv.results import claims, has_own_id, is_told, parse_entry, parse_record
        from sampleui.review.results.adapters import Adapter

        return (Adapter("agentv", claims, parse_entry, parse_record, signed=has_own_id, told=is_told),)

    def with_grading(self, row: Table, folder: Path) -> Table:
        """Read the grading alone, which decides whether the record failed."""
        from sampleui.integrations.agentv.artifacts import with_grading

        return with_grading(row, folder)

    def hydrated(self, row: Table, folder: Path, sharing: Sharing) -> Hydrated:
        """Read gradings, answers, timings and transcripts."""
        from sampleui.integrations.agentv.artifacts import hydrated

        return hydrated(row, folder, sharing=sharing)

    def tries(self, row: Table, folder: Path) -> tuple[Table, ...]:
        """Return the samples of a row of AgentV 5."""
        from sampleui.integrations.agentv.artifacts import tries_of

        return tries_of(row, folder)

    def artifact(self, row: Table) -> str | None:
        """Return the folder or the first file that a row names."""
        from sampleui.integrations.agentv.artifacts import artifact_of

        return artifact_of(row)

    def graded(self, record: Record, sample: Sample, answer: str | None, enough: float) -> tuple[Graded, ...]:
        """Return the outcomes of the assertions of a test and of its suite."""
        from sampleui.integrations.agentv.assertions import graded

        return graded(sample.data, sample.context, answer)

    def score(self, record: Record, outcomes: Sequence[Graded]) -> float | None:
        """Return the weighted mean of all scores; 0 where one that is required is too low."""
        from sampleui.integrations.agentv.assertions import score

        return score(record, outcomes)


INTEGRATION = AgentV()
