"""What shows that a file may be gage-eval's. It is read at every start, so it imports nothing slow."""

from sampleui.integrations.entry import IndexEntry, RunFolder
from sampleui.integrations.gage.fields import FIELDS

ENTRY = IndexEntry(
    "gage",
    modules=(
        "dialect",
        "rules",
        "prompts",
        "conversion",
        "grading",
        "results",
    ),
    dialects=("gage",),
    signs=tuple(key for key in FIELDS if key not in ("id", "messages")),
    result_dialect="gage",
    row_signs=("sample model_output", "sample metrics", "predict_result", "eval_result"),
    reads_others=2,
    run_folders=(RunFolder("samples.jsonl", ("summary.json", "events.jsonl")),),
)
