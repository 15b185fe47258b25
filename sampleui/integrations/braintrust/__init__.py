"""Braintrust: the rows of its data sets, and what else is known of it."""

from __future__ import annotations

from collections.abc import Sequence

from sampleui.integrations.integration import Integration, Results
from sampleui.sample.dialects.dialect import Dialect, Expected, Mark, Turns, keys
from sampleui.sample.dialects.marks import RAN, USUAL_KEYS

_ROW_FIELDS = {"id": "text", "input": "any", "expected": "any", "metadata": "table", "tags": "texts"}
BRAINTRUST = Dialect(
    name="braintrust",
    title="Braintrust",
    integration="braintrust",
    containers=((),),
    formats=("jsonl", "json", "csv"),
    message_paths=(("input",), ("input", "messages"), ("input", "question")),
    expected=Expected(paths=(("expected",),)),
    tag_paths=(("tags",), ("metadata", "tags")),
    marks=(Mark((("input",), ("expected",)), USUAL_KEYS | RAN | keys("target ideal expected_output vars")),),
    turns=Turns(shorthand=True, any_input=True, text_path=("input",)),
    begins={"expected": ""},
    fields=_ROW_FIELDS,
    known=frozenset(_ROW_FIELDS),
)


class Braintrust(Integration):
    """Braintrust."""

    def dialects(self) -> Sequence[Dialect]:
        return (BRAINTRUST,)

    def results(self) -> Results:
        """Return the reader of its rows."""
        from sampleui.integrations.braintrust.results import EXPERIMENTS
        from sampleui.review.results.adapters import adapter_by

        return Results((adapter_by(EXPERIMENTS),))


INTEGRATION = Braintrust()
