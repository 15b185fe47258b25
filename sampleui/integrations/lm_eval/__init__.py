"""What shows that a file may be lm-eval's. It is read at every start, so it imports nothing slow."""

from sampleui.integrations.entry import IndexEntry

ENTRY = IndexEntry(
    "lm_eval",
    modules=(
        "dialect",
        "rerun",
    ),
    dialects=("lm-eval",),
    signs=("choices gold",),
    result_dialect="lm-eval",
    row_signs=("doc_id doc resps", "doc_id doc filtered_resps"),
    run_files=(r"samples_.+_\d{4}-\d\d-\d\dT[\d.-]+\.jsonl",),
    summaries=("n-shot",),
)
