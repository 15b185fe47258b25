"""What is known of gage-eval."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from sampleui.integrations import index
from sampleui.integrations.integration import Integration

if TYPE_CHECKING:
    from sampleui.formats.data import Table
    from sampleui.grading.graded import Graded
    from sampleui.review.record import Record
    from sampleui.review.results.adapters import Adapter
    from sampleui.sample.dialects.dialect import Dialect, Updated
    from sampleui.sample.model import Sample
    from sampleui.sample.models.base import Models
    from sampleui.sample.models.ordinary import Ordinary
    from sampleui.sample.rules.common import Rule
    from sampleui.trace.reading.extract import Trace


class Gage(Integration):
    """gage-eval."""

    def dialects(self) -> Sequence[Dialect]:
        from sampleui.integrations.gage.dialect import GAGE

        return (GAGE,)

    def rules(self) -> Mapping[str, Rule]:
        from sampleui.integrations.gage.rules import RULES

        return RULES

    def updated(self, sample: Table) -> Updated | None:
        from sampleui.integrations.gage.older import updated

        return updated(sample)

    def uncounted(self, sample: Table) -> frozenset[str]:
        from sampleui.integrations.gage.recognition import uncounted

        return uncounted(sample)

    def claims(self, samples: Sequence[Table]) -> str:
        from sampleui.integrations.gage.recognition import claims

        return claims(samples)

    def models(self) -> Models:
        from sampleui.integrations.gage.models import MODELS

        return MODELS

    def ordinary(self) -> Ordinary:
        from sampleui.sample.models.ordinary import Ordinary

        return Ordinary()

    def adapters(self) -> Sequence[Adapter]:
        """Return the readers of its rows."""
        from sampleui.integrations.gage import results, run_results
        from sampleui.review.results.adapters import Adapter

        return (
            Adapter("gage run", run_results.claims, run_results.parse_entry, run_results.parse_record),
            Adapter("gage", results.claims, results.parse_entry, results.parse_record),
        )

    def repeated_sample(self, row: Table) -> tuple[Table, str] | None:
        """Return the standardized sample that a run wrote its results into."""
        if "references" not in row:
            return None
        return {key: value for key, value in row.items() if key not in {"predict_result", "eval_result"}}, "gage"

    def graded(self, record: Record, sample: Sample, answer: str | None, enough: float) -> tuple[Graded, ...]:
        """Return what AgentV makes of its assertions: they are spelled as AgentV's are."""
        return index.integration("agentv").graded(record, sample, answer, enough)

    def score(self, record: Record, trace: Trace, outcomes: Sequence[Graded]) -> float | None:
        """Return what AgentV makes of the scores of its assertions."""
        return index.integration("agentv").score(record, trace, outcomes)


INTEGRATION = Gage()
