"""The cases of pydantic-evals' reports as rows of results."""

from __future__ import annotations

from sampleui.formats.data import Table, as_table, tables_in
from sampleui.review.results.dialect import Graders, Outcomes, ResultDialect, Spent
from sampleui.sample.dialects.dialect import Mark

OUTCOME = "\0outcome"
"""Where a case has whether it passed, a key that no tool uses."""


def prepare(row: Table) -> Table:
    """Let a case pass whose assertions all hold; one that an evaluator crashed on does not."""
    values = [as_table(item).get("value") for item in as_table(row.get("assertions")).values()]
    crashed = tables_in(row.get("evaluator_failures"))
    outcome = all(values) if values else None
    if not crashed:
        return {**row, OUTCOME: outcome}
    return {**row, OUTCOME: False, "evaluator_failures": [{**item, OUTCOME: False} for item in crashed]}


REPORTS = ResultDialect(
    name="pydantic-evals",
    title="pydantic-evals",
    marks=(
        Mark((("name",), ("inputs",), ("output",), ("assertions",))),
        Mark((("name",), ("inputs",), ("error_message",), ("error_stacktrace",))),
    ),
    containers=(("cases",), ("failures",)),
    ids=(("source_case_name",), ("name",)),
    matters=((("inputs",), ("inputs",)),),
    outcomes=Outcomes(paths=((OUTCOME,),), mean=True),
    errors=(("error_message",),),
    actual=(("output",),),
    whole=True,
    expected=(("expected_output",),),
    prompts=(("inputs",),),
    graders=(
        Graders(("assertions",), beside=(("source",),)),
        Graders(("scores",), outcomes=(), beside=(("source",),)),
        Graders(("labels",), outcomes=(), scores=(), beside=(("value",), ("source",))),
        Graders(("evaluator_failures",), outcomes=((OUTCOME,),), reasons=(("error_message",),)),
    ),
    tags=(("metadata", "tags"),),
    spent=Spent(seconds=(("task_duration",),), tokens=(("metrics",),)),
    prepare=prepare,
)
