"""DeepEval: its goldens and conversational goldens, and the test cases of its test runs as rows of results.

A conversation has a scenario, and stands in a file of conversations alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from sampleui.formats.data import Plain, Table, tables_in
from sampleui.integrations.integration import Converting, ReadingResults, Spellings
from sampleui.review.record import ParsedRow
from sampleui.review.results import adapters
from sampleui.review.results.adapters import adapter_by
from sampleui.review.results.dialect import Graders, Outcomes, ResultDialect, Spent
from sampleui.sample.dialects.dialect import Cells, Conversion, Dialect, DialectMark, Expected, Turns, paths
from sampleui.sample.dialects.field import fields, keys
from sampleui.sample.dialects.marks import RAN
from sampleui.sample.message import TextSegment, segments

if TYPE_CHECKING:
    from sampleui.sample.convert.tabled import Case

SCENARIO = "scenario"
_FIELDS = fields(
    """
    input:text actual_output:text expected_output:text context:texts|text retrieval_context:texts|text name:text
    comments:text source_file:text tools_called:tables expected_tools:tables token_cost:number
    input_token_count:number output_token_count:number additional_metadata:table custom_column_key_values:table
    expectations:any scenario:text turns:messages expected_outcome:text user_description:text persona:any
    """
)
_GRADED = RAN - keys("output") | keys("messages input_messages criteria references schema_version metricsData id")
DEEPEVAL = Dialect(
    name="deepeval",
    title="DeepEval",
    purpose="goldens: input, expected output, context, tools",
    integration="deepeval",
    containers=((),),
    formats=("json", "jsonl", "csv"),
    message_paths=paths("turns input"),
    expected=Expected(beside={("turns",): ("expected_outcome",)}, paths=paths("expected_output expected_outcome")),
    marks=(
        DialectMark(paths("input retrieval_context"), _GRADED),
        DialectMark(paths("input additional_metadata"), _GRADED),
        DialectMark(paths("input expected_tools"), _GRADED),
        DialectMark(paths("input source_file"), _GRADED),
        DialectMark(paths("input context expected_output"), _GRADED),
        DialectMark(paths("input actual_output expected_output"), _GRADED),
        DialectMark(paths("input actual_output"), _GRADED, only=frozenset(_FIELDS)),
        DialectMark(paths("scenario turns"), _GRADED),
        DialectMark(paths("scenario expected_outcome"), _GRADED),
    ),
    turns=Turns(shorthand=True, text_path=("input",)),
    elsewhere=True,
    begins={"expected_output": "", "additional_metadata": {}},
    id_paths=paths("name"),
    unique_ids=False,
    metadata="additional_metadata",
    fields=_FIELDS,
    conversion=Conversion(
        turn_roles=("user", "assistant"),
        text_content=True,
        asking=keys(SCENARIO),
        open_conversations=frozenset({("turns",)}),
        one_kind=True,
        cells=Cells(
            structured=keys(
                "turns tools_called expected_tools additional_metadata custom_column_key_values expectations"
            ),
            lists={"context": "|", "retrieval_context": "|"},
            guessed=True,
        ),
    ),
)


def finished(data: Table, case: Case) -> tuple[Table, Sequence[str]]:
    """Return a conversation with a scenario: where it has none, the first text of the user."""
    if not isinstance(data.get("turns"), list) or data.get(SCENARIO) or case.rest.get(SCENARIO):
        return data, ()
    asked = (message for message in tables_in(case.messages) if message.get("role") == "user")
    parts = (part for message in asked for part in segments(message.get("content")) or ())
    texts = (part.text for part in parts if isinstance(part, TextSegment) and part.text.strip())
    text = next(texts, "")
    if not text:
        return data, ()
    return {SCENARIO: text, **data}, (f"{SCENARIO}: written as the first text of the user, for DeepEval wants one",)


DONE, TOKENS = "\0done", "\0tokens"
"""Where a prepared row has what was done, and the counts of tokens: keys that no tool uses."""


def prepare(row: Table) -> Table:
    """Put the counts of tokens where counts are looked for, and the tools called before the answer."""
    used: Table = {"input": row.get("inputTokenCount"), "output": row.get("outputTokenCount")}
    calls: list[Plain] = [_call(table) for table in tables_in(row.get("toolsCalled"))]
    answer: list[Plain] = [
        {"role": "assistant", "content": "", "tool_calls": calls},
        {"role": "assistant", "content": row.get("actualOutput")},
    ]
    return {**row, TOKENS: used, DONE: answer if calls else row.get("turns")}


def _call(tool: Table) -> Table:
    return {"tool": tool.get("name"), "input": tool.get("inputParameters"), "output": tool.get("output")}


_ANOTHERS = keys("id test_id")
TEST_CASES = ResultDialect(
    name="deepeval",
    title="DeepEval",
    marks=(
        DialectMark(paths("metricsData name"), _ANOTHERS),
        DialectMark(paths("metricsMetadata"), _ANOTHERS),
        DialectMark(paths("actualOutput success"), _ANOTHERS),
        DialectMark(paths("metrics_data success"), _ANOTHERS, lists=paths("metrics_data")),
    ),
    evaluations=paths("test_run_id"),
    containers=paths(
        """
        testCases conversationalTestCases testRunData.testCases testRunData.conversationalTestCases test_results
        test_cases
        """
    ),
    ids=paths("name"),
    labels=paths("input scenario"),
    join_paths=tuple(zip(paths("input scenario"), paths("input scenario"), strict=True)),
    outcomes=Outcomes(paths=paths("success"), mean=True),
    actual=paths("actualOutput actual_output"),
    expected=paths("expectedOutput expectedOutcome expected_output"),
    prompts=paths("input scenario"),
    messages=paths("turns"),
    done=((DONE,),),
    graders=tuple(
        Graders(
            (key,),
            names=paths("name metric"),
            outcomes=paths("success"),
            details=paths("threshold flaky"),
            setups=paths("threshold strictMode"),
        )
        for key in ("metricsData", "metricsMetadata", "metrics_data")
    ),
    tags=paths("tags metadata.tags"),
    spent=Spent(cost=paths("tokenCost"), seconds=paths("completionTime runDuration"), tokens=((TOKENS,),)),
    prepare=prepare,
)


def parse_row(row: Table) -> ParsedRow:
    """Read a row. Where a metric raised and no other failed the case, nobody knows how it came out."""
    parsed = adapters.parse_row(TEST_CASES, row)
    metrics = [metric for graders in TEST_CASES.graders for metric in tables_in(row.get(str(graders.path[0])))]
    failing = [metric for metric in metrics if metric.get("success") is False and metric.get("flaky") is not True]
    if parsed.entry is None or not any(map(_raised, metrics)) or not all(map(_raised, failing)):
        return parsed
    return parsed._replace(entry=replace(parsed.entry, outcome=None, verdict=None, outcome_unclear=True))


def _raised(metric: Table) -> bool:
    return bool(metric.get("error")) and metric.get("score") is None


DIALECTS = Spellings((DEEPEVAL,))
CONVERSION = Converting(finish_sample=finished)
RESULTS = ReadingResults((adapter_by(TEST_CASES)._replace(parse=parse_row),))
