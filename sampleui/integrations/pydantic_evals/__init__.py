"""What shows that a file may be Pydantic Evals'. It is read at every start, so it imports nothing slow."""

from sampleui.integrations.entry import IndexEntry

ENTRY = IndexEntry(
    "pydantic_evals",
    modules=(
        "dialect",
        "rules",
        "grading",
        "rerun",
    ),
    dialects=("pydantic-evals",),
    signs=("inputs",),
    result_dialect="pydantic-evals",
    row_signs=("name inputs output assertions", "name inputs error_message error_stacktrace"),
)
