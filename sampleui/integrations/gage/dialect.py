"""gage-eval's standardized samples, and the older records that are read as such."""

from __future__ import annotations

from sampleui.sample.dialects.dialect import Answers, Contents, Conversion, Dialect, Expected, Older, Weights, keys

_MESSAGE = keys("role content name tool_calls tool_call_id")

_FEW_SHOT = keys("messages options references label tools tool_choice")
GAGE_RUNTIME = keys("predict_result eval_result")

GAGE = Dialect(
    name="gage",
    title="gage-eval",
    integration="gage",
    containers=((), ("samples",)),
    formats=("jsonl", "json"),
    message_paths=(("messages",),),
    weights=Weights(
        signs=keys(
            """
        schema_version task_type options references label few_shot_examples golden_trajectories sandbox
        data_tag raw_assets sampling_params generation_params eval_config unconditioned_input
        predict_result eval_result choices question_type model_prompt_tmpl model_prompt_placeholder
        """
        ),
        telling=keys(
            """
        schema_version task_type references few_shot_examples golden_trajectories data_tag raw_assets
        sampling_params generation_params eval_config unconditioned_input predict_result eval_result
        """
        ),
    ),
    expected=Expected(paths=(("references",), ("label",)), answers=Answers.REFERENCES, label="label"),
    tag_paths=(("tags",), ("metadata", "tags"), ("data_tag",)),
    known=GAGE_RUNTIME
    | _FEW_SHOT
    | keys(
        """
        schema_version id task_type few_shot_examples golden_trajectories sandbox metadata data_tag
        raw_assets sampling_params generation_params eval_config unconditioned_input question_type
        model_prompt_tmpl model_prompt_placeholder question prompt text choices answer
        """
    ),
    nested={
        "messages": _MESSAGE,
        "options": keys("id content"),
        "references": keys("answer meta"),
        "few_shot_examples": _FEW_SHOT,
        "sandbox": keys("image files setup env"),
    },
    contents=Contents(segments=keys("text image_url audio_url video_url file_url")),
    options_path=("options",),
    rules=(
        "id-missing",
        "label-mismatch",
        "few-shot-nested",
        "few-shot-field",
        "tool-choice",
        "tool-unnamed",
        "options-missing",
        "option-map",
        "call-unnamed",
        "option-duplicate",
        "answer-no-option",
        "references-empty",
        "sandbox-path",
        "question-type",
        "prompt-deprecated",
        "task-type-unknown",
        "legacy-record",
    ),
    older=Older.READ,
    conversion=Conversion(
        taken_back=keys(
            """
            schema_version task_type options label few_shot_examples golden_trajectories sandbox data_tag
            raw_assets tools tool_choice sampling_params generation_params eval_config unconditioned_input
            predict_result eval_result
            """
        ),
        own=keys("question prompt text choices answer question_type"),
    ),
)
