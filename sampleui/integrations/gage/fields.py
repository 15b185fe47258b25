"""The fields of gage-eval's standardized sample (§1.2). Its entry reads them: this imports nothing slow."""

from sampleui.sample.dialects.field import MESSAGE, Edited, Field, Tells, keys, unoffered

FIELDS = {
    "schema_version": Field(
        "version", required=True, purpose="Schema version", tells=Tells.ALL, edited=Edited.LINE
    ),
    "id": Field("name", required=True, purpose="Unique sample id", edited=Edited.LINE, returns=False),
    "messages": Field("turns", required=True, purpose="OpenAI-style messages", returns=False, holds=MESSAGE),
    "references": Field(
        "references",
        required=True,
        purpose="Ground-truth answers",
        tells=Tells.ALL,
        returns=False,
        holds=keys("answer meta"),
    ),
    "task_type": Field("text", purpose="Task or question type", tells=Tells.ALL, edited=Edited.LINE),
    "options": Field(
        "options",
        purpose="Multiple-choice candidates, in display order",
        tells=Tells.MUCH,
        holds=keys("id content"),
    ),
    "label": Field("text", purpose="The first reference as a string", tells=Tells.MUCH, edited=Edited.LINE),
    "few_shot_examples": Field(
        "examples",
        purpose="In-sample few-shot items",
        tells=Tells.ALL,
        holds=keys("messages options references label tools tool_choice"),
    ),
    "golden_trajectories": Field("conversations", purpose="Reference trajectories", tells=Tells.ALL),
    "sandbox": Field(
        "sandbox", purpose="Execution environment", tells=Tells.MUCH, holds=keys("image files setup env")
    ),
    "metadata": Field("table", purpose="Task and runtime metadata", returns=False),
    "data_tag": Field("table", purpose="Slicing labels for statistics", tells=Tells.ALL),
    "raw_assets": Field("table", purpose="Raw or large assets, never rendered directly", tells=Tells.ALL),
    "tools": Field("tools", purpose="OpenAI tool definitions"),
    "tool_choice": Field("choice", purpose="Tool choice strategy", edited=Edited.LINE),
    "sampling_params": Field("table", purpose="Sampling parameters", tells=Tells.ALL),
    "generation_params": Field("table", purpose="Generation parameters", tells=Tells.ALL),
    "eval_config": Field("table", purpose="Per-sample evaluation control", tells=Tells.ALL),
    "unconditioned_input": Field("text|list", purpose="Debiasing input", tells=Tells.ALL),
    "predict_result": Field("list", purpose="Runtime inference results", tells=Tells.ALL),
    "eval_result": Field("table", purpose="Runtime evaluation results", tells=Tells.ALL),
    **unoffered("choices question_type model_prompt_tmpl model_prompt_placeholder", Tells.MUCH),
    **unoffered("question prompt text answer"),
}
