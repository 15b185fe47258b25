"""pydantic-evals: its data sets, cases with what is expected of them, and the cases of its reports as rows."""

from __future__ import annotations

from dataclasses import replace

from sampleui.formats.data import Table, as_table, tables_in
from sampleui.integrations.integration import ReadingResults, Spellings
from sampleui.review.record import ParsedRow
from sampleui.review.results import adapters
from sampleui.review.results.adapters import adapter_by
from sampleui.review.results.dialect import Graders, Outcomes, ResultDialect, Spent, indented
from sampleui.sample.dialects.dialect import Conversion, Dialect, DialectMark, Expected, Turns, paths
from sampleui.sample.dialects.field import fields, keys
from sampleui.sample.dialects.marks import USUAL_KEYS

PYDANTIC_EVALS = Dialect(
    name="pydantic-evals",
    title="pydantic-evals",
    purpose="cases of a dataset: inputs, expected, evaluators",
    integration="pydantic_evals",
    refuses=frozenset({"python-refuses"}),  # it reads by yaml.safe_load
    containers=(("cases",),),
    formats=("yaml", "json"),
    message_paths=paths("inputs inputs.messages"),
    expected=Expected(paths=paths("expected_output")),
    tag_paths=paths("metadata.tags"),
    marks=(DialectMark(paths("inputs"), USUAL_KEYS | keys("output id"), under=(("cases",),)),),
    turns=Turns(shorthand=True, any_input=True, text_path=("inputs",)),
    id_paths=paths("name"),
    fields=fields("name:text inputs:any! expected_output:any metadata:any evaluators:list"),
    rules=("keys-refused", "evaluators-refused", "inputs-beside"),
    conversion=Conversion(own=keys("evaluators")),
)

OUTCOME = "\0outcome"
"""Where a case has whether it passed, a key that no tool uses."""


def prepare(row: Table) -> Table:
    """Let a case pass whose assertions all hold."""
    values = [as_table(item).get("value") for item in as_table(row.get("assertions")).values()]
    return {**row, OUTCOME: all(values) if values else None}


def parse_row(row: Table) -> ParsedRow:
    """Read a row. Where an evaluator raised and no other failed the case, nobody knows how it came out."""
    parsed = adapters.parse_row(REPORTS, row)
    entry = parsed.entry
    if entry is None or entry.outcome is False or not tables_in(row.get("evaluator_failures")):
        return parsed
    return parsed._replace(entry=replace(entry, outcome=None, verdict=None, outcome_unclear=True))


REPORTS = ResultDialect(
    name="pydantic-evals",
    title="pydantic-evals",
    marks=(
        DialectMark(paths("name inputs output assertions")),
        DialectMark(paths("name inputs error_message error_stacktrace")),
    ),
    containers=paths("cases failures"),
    evaluations=paths("span_id"),
    ids=paths("source_case_name name"),
    join_paths=((("inputs",), ("inputs",)),),
    outcomes=Outcomes(paths=((OUTCOME,),), mean=True),
    errors=paths("error_message"),
    actual=paths("output"),
    writes=indented,
    expected=paths("expected_output"),
    prompts=paths("inputs"),
    graders=(
        Graders(("assertions",), details=paths("source"), setups=paths("source")),
        Graders(("scores",), outcomes=(), details=paths("source"), setups=paths("source")),
        Graders(("labels",), outcomes=(), scores=(), details=paths("value source")),
        Graders(("evaluator_failures",), outcomes=(), scores=(), reasons=paths("error_message")),
    ),
    tags=paths("metadata.tags"),
    spent=Spent(seconds=paths("task_duration"), tokens=paths("metrics")),
    prepare=prepare,
)


DIALECTS = Spellings((PYDANTIC_EVALS,))
RESULTS = ReadingResults((adapter_by(REPORTS)._replace(parse=parse_row),))
