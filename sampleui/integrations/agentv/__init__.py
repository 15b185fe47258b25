"""What is known of AgentV."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sampleui.integrations.integration import Integration

if TYPE_CHECKING:
    from sampleui.grading.graded import Graded
    from sampleui.review.record import Record
    from sampleui.review.results.adapters import Adapter
    from sampleui.sample.model import Sample


class AgentV(Integration):
    """AgentV."""

    def adapters(self) -> Sequence[Adapter]:
        """Return the readers of its rows."""
        from sampleui.review.results.adapters import Adapter
        from sampleui.review.results.adapters import agentv as rows

        return (
            Adapter(
                "agentv",
                rows.claims,
                rows.parse_entry,
                rows.parse_record,
                signed=rows.has_own_id,
                told=rows.is_told,
            ),
        )

    def graded(self, record: Record, sample: Sample, answer: str | None, enough: float) -> tuple[Graded, ...]:
        """Return the outcomes of the assertions of a test and of its suite."""
        from sampleui.integrations.agentv.assertions import graded

        return graded(sample.data, sample.context, answer)

    def score(self, record: Record, outcomes: Sequence[Graded]) -> float | None:
        """Return the weighted mean of all scores; 0 where one that is required is too low."""
        from sampleui.integrations.agentv.assertions import score

        return score(record, outcomes)


INTEGRATION = AgentV()
