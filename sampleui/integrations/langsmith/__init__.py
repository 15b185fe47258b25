"""What shows that a file may be LangSmith's. It is read at every start, so it imports nothing slow."""

from sampleui.integrations.entry import IndexEntry

ENTRY = IndexEntry(
    "langsmith",
    modules=("dialect",),
    dialects=("langsmith",),
    signs=("inputs outputs",),
    result_dialect="langsmith",
    row_signs=("execution_time example_id", "evaluation_results run", "evaluationResults run"),
)
