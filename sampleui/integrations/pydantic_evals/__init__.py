"""What is known of pydantic-evals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sampleui.integrations.integration import Integration

if TYPE_CHECKING:
    from sampleui.grading.graded import Graded
    from sampleui.review.record import Record
    from sampleui.review.results.adapters import Adapter
    from sampleui.sample.dialects.dialect import Dialect
    from sampleui.sample.model import Sample


class PydanticEvals(Integration):
    """pydantic-evals."""

    def dialects(self) -> Sequence[Dialect]:
        from sampleui.integrations.pydantic_evals.dialect import PYDANTIC_EVALS

        return (PYDANTIC_EVALS,)

    def adapters(self) -> Sequence[Adapter]:
        """Return the reader of its rows."""
        from sampleui.integrations.pydantic_evals.results import PYDANTIC_EVALS
        from sampleui.review.results.adapters import adapter_by

        return (adapter_by(PYDANTIC_EVALS),)

    def graded(self, record: Record, sample: Sample, answer: str | None, enough: float) -> tuple[Graded, ...]:
        """Return the outcomes of the evaluators of a case, on any value that its task gave."""
        from sampleui.integrations.pydantic_evals.grading import graded

        output = record.data.get("output", answer)
        return graded(sample.data, sample.context, output, answered=answer is not None)


INTEGRATION = PydanticEvals()
