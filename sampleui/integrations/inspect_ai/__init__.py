"""What shows that a file may be Inspect's. It is read at every start, so it imports nothing slow."""

from sampleui.integrations.entry import IndexEntry, LogSigns

ENTRY = IndexEntry(
    "inspect_ai",
    modules=(
        "dialect",
        "grading",
        "rerun",
        "results",
    ),
    dialects=("inspect",),
    signs=("input target", "input choices"),
    result_dialect="inspect",
    row_signs=("inspect_log id",),
    log=LogSigns(".eval", (b"PK\3\4", b"PK\5\6"), (b'"eval"', b'"dataset"')),
    summaries=("eval_set_id", ".eval", ".json"),
    takes_verdicts=True,
)
