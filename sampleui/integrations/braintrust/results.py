"""The rows of Braintrust's experiments."""

from __future__ import annotations

from sampleui.review.results.dialect import Graders, Outcomes, ResultDialect, Spent
from sampleui.sample.dialects.dialect import Mark, keys

_ANOTHERS = keys("epoch vars criteria eval_id test_id schema_version")
EXPERIMENTS = ResultDialect(
    name="braintrust",
    title="Braintrust",
    marks=(
        Mark((("scores",), ("input",), ("output",)), _ANOTHERS, tables=(("scores",),)),
        Mark((("scores",), ("input",), ("error",)), _ANOTHERS, tables=(("scores",),)),
    ),
    containers=(("results",),),
    ids=(("origin", "id"), ("dataset_record_id",)),
    labels=(("input",), ("id",)),
    matters=((("input",), ("input",)),),
    outcomes=Outcomes(mean=True),
    errors=(("error",),),
    actual=(("output",),),
    whole=True,
    expected=(("expected",),),
    prompts=(("input", "messages"), ("input", "question"), ("input",)),
    graders=(Graders(("scores",)),),
    targets=((("metadata", "model"),),),
    tags=(("tags",), ("metadata", "tags")),
    spent=Spent(
        cost=(("metrics", "estimated_cost"),),
        seconds=(("metrics", "duration"),),
        tokens=(("metrics",),),
        timestamps=(("created",),),
    ),
)
