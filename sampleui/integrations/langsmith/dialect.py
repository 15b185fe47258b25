"""LangSmith: its examples, with inputs and outputs as tables, and the rows of its experiments.

Source: langsmith 0.15. The columns of `to_pandas` are `inputs.KEY`, `outputs.KEY`, `reference.KEY`, `feedback.KEY`;
the rows of `evaluate` have `run`, `example` and `evaluation_results` (`evaluationResults` in JavaScript).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from sampleui.formats.data import Plain, Table, as_table, tables_in
from sampleui.integrations.integration import Converting, ReadingResults, Spellings
from sampleui.review.results.adapters import adapter_by
from sampleui.review.results.dialect import Graders, Outcomes, ResultDialect, Spent, indented
from sampleui.review.results.fields import spoken, text
from sampleui.sample.dialects.dialect import Dialect, DialectMark, Expected, Turns, paths
from sampleui.sample.dialects.field import fields, keys
from sampleui.sample.dialects.marks import RAN, USUAL_KEYS

if TYPE_CHECKING:
    from sampleui.sample.convert.tabled import Case

_UUID = r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"
LANGSMITH = Dialect(
    name="langsmith",
    title="LangSmith",
    purpose="examples of a dataset: named inputs and outputs",
    integration="langsmith",
    containers=((),),
    formats=("jsonl", "json"),
    message_paths=paths("inputs.messages inputs.question inputs.input inputs"),
    expected=Expected(paths=paths("outputs.answer outputs.output outputs")),
    tag_paths=paths("metadata.tags metadata.dataset_split"),
    marks=(
        DialectMark(
            paths("inputs outputs"),
            USUAL_KEYS | RAN | keys("name cases expected_output"),
            tables=paths("inputs"),
        ),
        DialectMark(paths("inputs outputs dataset_id"), USUAL_KEYS | RAN, tables=paths("inputs")),
    ),
    turns=Turns(shorthand=True, any_input=True, text_path=("inputs", "question")),
    begins={"outputs": {"answer": ""}},
    fields=fields("id:text inputs:table! outputs:table metadata:table dataset_id:text"),
    rules=("inputs-beside",),
)


def finished(data: Table, case: Case) -> tuple[Table, Sequence[str]]:
    """Return an example as it is, and a line about an id that LangSmith does not take."""
    if "id" not in case.rest or re.fullmatch(_UUID, str(case.rest["id"]), re.IGNORECASE):
        return data, ()
    return data, (f"{case.spelled.get('id', 'id')}: kept; LangSmith itself takes UUIDs alone",)


ERROR, EXAMPLE, FEEDBACK, INPUTS, OUTPUTS, REFERENCE = (
    f"\0{name}" for name in ("error", "example", "feedback", "inputs", "outputs", "reference")
)


def prepare(row: Table) -> Table:
    """Put inputs, outputs, what was expected and the feedback where they are looked for."""
    run, example = as_table(row.get("run")), as_table(row.get("example"))
    if not run and not example:
        feedback: list[Plain] = [_feedback(name, value) for name, value in _below(row, "feedback").items()]
        return {
            **row,
            INPUTS: _below(row, "inputs"),
            OUTPUTS: _below(row, "outputs") or None,
            REFERENCE: _below(row, "reference") or None,
            ERROR: row.get("error"),
            EXAMPLE: row.get("example_id"),
            FEEDBACK: feedback,
        }
    outputs = as_table(run.get("outputs"))
    judged = as_table(row.get("evaluation_results") or row.get("evaluationResults"))
    return {
        **row,
        INPUTS: example.get("inputs") or run.get("inputs"),
        # A run that broke may have an output that is null.
        OUTPUTS: outputs if any(value is not None for value in outputs.values()) else None,
        REFERENCE: example.get("outputs"),
        ERROR: run.get("error"),
        EXAMPLE: example.get("id") or run.get("reference_example_id"),
        FEEDBACK: [_judged(result) for result in tables_in(judged.get("results"))],
    }


def _below(row: Table, key: str) -> Table:
    """Return what the columns below a key have. A value that a row does not have is null: all share the columns."""
    start = f"{key}."
    return {
        name[len(start) :]: value for name, value in row.items() if name.startswith(start) and value is not None
    }


def _feedback(name: str, value: Plain) -> Table:
    if isinstance(value, bool | int | float):
        return {"name": name, "score": value}
    return {"name": name, "comment": spoken(value), "value": value}


def _judged(feedback: Table) -> Table:
    evaluation = _feedback(text(feedback.get("key")) or "feedback", feedback.get("score"))
    texts = [item for item in (spoken(feedback.get("value")), text(feedback.get("comment"))) if item]
    return {**evaluation, "comment": "\n".join(texts) or None}


EXPERIMENTS = ResultDialect(
    name="langsmith",
    title="LangSmith",
    marks=(
        DialectMark(paths("execution_time example_id")),
        DialectMark(paths("evaluation_results.results run"), tables=paths("run")),
        DialectMark(paths("evaluationResults.results run"), tables=paths("run")),
    ),
    containers=(("results",),),
    evaluations=paths("run.session_id"),
    ids=((EXAMPLE,),),
    labels=((INPUTS,),),
    join_paths=(((INPUTS,), ("inputs",)),),
    outcomes=Outcomes(mean=True),
    errors=((ERROR,),),
    actual=((OUTPUTS, "answer"), (OUTPUTS, "output"), (OUTPUTS,)),
    writes=indented,
    expected=((REFERENCE, "answer"), (REFERENCE, "output"), (REFERENCE,)),
    prompts=(
        (INPUTS, "messages"),
        (INPUTS, "question"),
        (INPUTS, "input"),
        (INPUTS,),
    ),
    graders=(Graders((FEEDBACK,), outcomes=(("score",),), reasons=(("comment",),)),),
    spent=Spent(seconds=(("execution_time",),)),
    prepare=prepare,
)


DIALECTS = Spellings((LANGSMITH,))
CONVERSION = Converting(finish_sample=finished)
RESULTS = ReadingResults((adapter_by(EXPERIMENTS),))
