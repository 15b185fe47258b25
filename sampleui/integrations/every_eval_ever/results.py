"""Every Eval Ever: its files of instances, a row for each sample that a model answered.

As `instance_level_eval.schema.json` of the project has them in version 0.2.1: answers and references are lists of
texts; before that version they were texts. What is agentic or has several turns has messages in place of an output,
whose calls are flat (`id`, `name`, `arguments`), and whose results name the calls that they answer in a list.
"""

from __future__ import annotations

from sampleui.formats.data import Plain, Table, as_list, as_table, tables_in
from sampleui.integrations.integration import ReadingResults
from sampleui.review.results.adapters import adapter_by
from sampleui.review.results.dialect import Outcomes, ResultDialect, Spent
from sampleui.sample.dialects.dialect import DialectMark, paths

REFERENCE, ANSWER, MESSAGES = "\0reference", "\0answer", "\0messages"


def prepare(row: Table) -> Table:
    """Return a row with one answer and one reference as texts, and its messages as others write them."""
    asked, answered = as_table(row.get("input")), as_table(row.get("output"))
    return {
        **row,
        REFERENCE: _single(asked.get("reference")),
        ANSWER: _single(answered.get("raw")),
        MESSAGES: [_message(message) for message in tables_in(row.get("messages") or row.get("interactions"))]
        or None,
    }


def _single(value: Plain) -> Plain:
    """Return the only one of a list; several stay a list, and none is nothing."""
    if not isinstance(value, list):
        return value
    return value[0] if len(value) == 1 else (value or None)


def _message(message: Table) -> Table:
    made = {key: message[key] for key in ("role", "reasoning_trace", "tool_calls") if message.get(key)}
    answers = as_list(message.get("tool_call_id"))
    if answers:
        made["tool_call_id"] = answers[0]
    return {**made, "content": message.get("content") or ""}


INSTANCES = ResultDialect(
    name="every-eval-ever",
    title="Every Eval Ever",
    marks=(DialectMark(paths("evaluation_id sample_id interaction_type")),),
    evaluations=paths("evaluation_id"),
    ids=paths("sample_id"),
    outcomes=Outcomes(paths=paths("evaluation.is_correct"), scores=paths("evaluation.score")),
    errors=paths("error"),
    actual=((ANSWER,),),
    expected=((REFERENCE,),),
    prompts=paths("input.raw"),
    messages=((MESSAGES,),),
    done=((MESSAGES,),),
    targets=(paths("model_id"),),
    suites=paths("evaluation_name"),
    spent=Spent(milliseconds=paths("performance.latency_ms"), tokens=paths("token_usage")),
    prepare=prepare,
)


RESULTS = ReadingResults((adapter_by(INSTANCES),))
