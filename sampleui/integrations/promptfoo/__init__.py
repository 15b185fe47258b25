"""What shows that a file may be promptfoo's. It is read at every start, so it imports nothing slow."""

from sampleui.integrations.entry import IndexEntry

ENTRY = IndexEntry(
    "promptfoo",
    modules=(
        "dialect",
        "rules",
        "references",
        "prompts",
        "grading",
        "results",
        "joining",
        "rerun",
        "trajectories",
    ),
    dialects=("promptfoo",),
    signs=(
        *("prompts providers", "prompts targets", "defaultTest", "evaluateOptions", "commandLineOptions"),
        *("derivedMetrics", "nunjucksFilters", "redteam", "vars", "assert", "scenarios"),
        *("__expected", "__expected1", "__description"),
    ),
    result_dialect="promptfoo",
    row_signs=("vars promptIdx", "vars gradingResult", "vars prompt success", "testCase promptIdx success"),
    yaml_results=r"evalId:|results:\s+version:",
    takes_verdicts=True,
    makes=("scenarios", "config"),
    checks=("trajectory:",),
)
