"""What is known of calibrate."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
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


class Calibrate(Integration):
    """calibrate."""

    def dialects(self) -> Sequence[Dialect]:
        from sampleui.integrations.calibrate.dialect import CALIBRATE

        return (CALIBRATE,)

    def rules(self) -> Mapping[str, Rule]:
        from sampleui.integrations.calibrate.rules import RULES

        return RULES

    def updated(self, sample: Table) -> Updated | None:
        from sampleui.integrations.calibrate.older import updated

        return updated(sample)

    def models(self) -> Models:
        from sampleui.integrations.calibrate.models import MODELS

        return MODELS

    def ordinary(self) -> Ordinary:
        from sampleui.integrations.calibrate.ordinary import ORDINARY

        return ORDINARY

    def adapters(self) -> Sequence[Adapter]:
        """Return the readers of its rows."""
        from sampleui.integrations.calibrate import results
        from sampleui.review.results.adapters import Adapter

        return (Adapter("calibrate", results.claims, results.parse_entry, results.parse_record),)

    def rows_in(self, document: Table) -> Iterator[tuple[tuple[str, ...], Table]]:
        """Yield the rows below `graderResults`, each with the keys that lead to its list."""
        from sampleui.integrations.calibrate.results import rows

        return rows(document)

    def graded(self, record: Record, sample: Sample, answer: str | None, enough: float) -> tuple[Graded, ...]:
        """Return what AgentV makes of its assertions: they are spelled as AgentV's are."""
        return index.integration("agentv").graded(record, sample, answer, enough)

    def score(self, record: Record, trace: Trace, outcomes: Sequence[Graded]) -> float | None:
        """Return what AgentV makes of the scores of its assertions."""
        return index.integration("agentv").score(record, trace, outcomes)


INTEGRATION = Calibrate()
