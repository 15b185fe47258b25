"""What is known of pydantic-evals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from sampleui.integrations.integration import Grading, Integration, Results

if TYPE_CHECKING:
    from sampleui.formats.data import DataPath
    from sampleui.grading.graded import Graded
    from sampleui.review.record import Record
    from sampleui.sample.dialects.dialect import Dialect
    from sampleui.sample.model import Sample


class PydanticEvals(Integration):
    """pydantic-evals."""

    def dialects(self) -> Sequence[Dialect]:
        from sampleui.integrations.pydantic_evals.dialect import PYDANTIC_EVALS

        return (PYDANTIC_EVALS,)

    def grading(self) -> Grading:
        """Return how the evaluators of a case are judged, on any value that its task gave."""
        return Grading(_graded, held=_held)

    def results(self) -> Results:
        """Return the reader of its rows."""
        from sampleui.integrations.pydantic_evals.results import PYDANTIC_EVALS
        from sampleui.review.results.adapters import adapter_by

        return Results((adapter_by(PYDANTIC_EVALS),))


def _graded(record: Record, sample: Sample, answer: str | None, _enough: float) -> tuple[Graded, ...]:
    from sampleui.integrations.pydantic_evals.grading import graded

    output = record.data.get("output", answer)
    return graded(sample.data, sample.context, output, answered=answer is not None)


def _held(record: Record, sample: Sample, _changed: bool) -> Mapping[DataPath, bool | None]:
    """Match evaluators by their names and arguments, which a report repeats as the source of a result."""
    from sampleui.integrations.pydantic_evals.grading import held

    return held(record.data, sample.data, sample.context)


INTEGRATION = PydanticEvals()
