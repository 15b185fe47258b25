"""pydantic-evals: its data sets, which are cases with what is expected of them, and what else is known of it."""

from __future__ import annotations

from collections.abc import Sequence

from sampleui.integrations.integration import Grading, Integration, Results
from sampleui.sample.dialects.dialect import Conversion, Dialect, Expected, Mark, Turns, keys
from sampleui.sample.dialects.marks import USUAL_KEYS

_CASE_FIELDS = {
    "name": "text",
    "inputs": "any",
    "expected_output": "any",
    "metadata": "any",
    "evaluators": "list",
}
PYDANTIC_EVALS = Dialect(
    name="pydantic-evals",
    title="pydantic-evals",
    integration="pydantic_evals",
    containers=(("cases",),),
    formats=("yaml", "json"),
    message_paths=(("inputs",), ("inputs", "messages")),
    expected=Expected(paths=(("expected_output",),)),
    tag_paths=(("metadata", "tags"),),
    marks=(Mark((("inputs",),), USUAL_KEYS | keys("output id"), under=(("cases",),)),),
    turns=Turns(shorthand=True, any_input=True, text_path=("inputs",)),
    id_paths=(("name",),),
    fields=_CASE_FIELDS,
    required=keys("inputs"),
    known=frozenset(_CASE_FIELDS),
    conversion=Conversion(own=keys("evaluators")),
)


class PydanticEvals(Integration):
    """pydantic-evals."""

    def dialects(self) -> Sequence[Dialect]:
        return (PYDANTIC_EVALS,)

    def grading(self) -> Grading:
        """Return how the evaluators of a case are judged, on any value that its task gave."""
        from sampleui.integrations.pydantic_evals.grading import graded, held

        return Grading(
            lambda record, sample, answer, _enough: graded(
                sample.data, sample.context, record.data.get("output", answer), answered=answer is not None
            ),
            # Names and arguments tell evaluators, which a report repeats as the source of a result.
            recorded_outcomes=lambda record, sample, _changed: held(record.data, sample.data, sample.context),
        )

    def results(self) -> Results:
        """Return the reader of its rows."""
        from sampleui.integrations.pydantic_evals.results import REPORTS
        from sampleui.review.results.adapters import adapter_by

        return Results((adapter_by(REPORTS),))


INTEGRATION = PydanticEvals()
