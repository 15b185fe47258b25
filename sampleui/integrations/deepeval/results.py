"""The test cases of DeepEval's test runs as rows of results."""

from __future__ import annotations

from sampleui.formats.data import Plain, Table, tables_in
from sampleui.review.results.dialect import Graders, Outcomes, ResultDialect, Spent
from sampleui.sample.dialects.dialect import Mark, keys

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


TEST_CASES = ResultDialect(
    name="deepeval",
    title="DeepEval",
    marks=(
        Mark((("metricsData",), ("name",)), keys("id test_id")),
        Mark((("metricsMetadata",),), keys("id test_id")),
        Mark((("actualOutput",), ("success",)), keys("id test_id")),
        Mark((("metrics_data",), ("success",)), keys("id test_id"), lists=(("metrics_data",),)),
    ),
    containers=(
        ("testCases",),
        ("conversationalTestCases",),
        ("testRunData", "testCases"),
        ("testRunData", "conversationalTestCases"),
        ("test_results",),
        ("test_cases",),
    ),
    ids=(("name",),),
    labels=(("input",), ("scenario",)),
    matters=((("input",), ("input",)), (("scenario",), ("scenario",))),
    outcomes=Outcomes(paths=(("success",),), mean=True),
    actual=(("actualOutput",), ("actual_output",)),
    expected=(("expectedOutput",), ("expectedOutcome",), ("expected_output",)),
    prompts=(("input",), ("scenario",)),
    messages=(("turns",),),
    done=((DONE,),),
    graders=tuple(
        Graders(
            (key,), names=(("name",), ("metric",)), outcomes=(("success",),), beside=(("threshold",), ("flaky",))
        )
        for key in ("metricsData", "metricsMetadata", "metrics_data")
    ),
    tags=(("tags",), ("metadata", "tags")),
    spent=Spent(cost=(("tokenCost",),), seconds=(("completionTime",), ("runDuration",)), tokens=((TOKENS,),)),
    prepare=prepare,
)
