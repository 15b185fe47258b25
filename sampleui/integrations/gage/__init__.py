"""What shows that a file may be gage-eval's. It is read at every start, so it imports nothing slow."""

from sampleui.integrations.entry import IndexEntry, RunFolder

ENTRY = IndexEntry(
    "gage",
    dialects=("gage",),
    signs=(
        *("schema_version", "task_type", "options", "references", "label", "few_shot_examples"),
        *("golden_trajectories", "sandbox", "data_tag", "raw_assets", "sampling_params", "generation_params"),
        *("eval_config", "unconditioned_input", "predict_result", "eval_result", "choices", "question_type"),
        *("model_prompt_tmpl", "model_prompt_placeholder"),
        *("tools", "tool_choice", "metadata", "question", "prompt", "text", "answer"),
    ),
    result_dialect="gage",
    row_signs=("sample model_output", "sample metrics", "predict_result", "eval_result"),
    reads_others=2,
    run_folders=(RunFolder("samples.jsonl", ("summary.json", "events.jsonl")),),
)
