"""gage-eval's standardized samples, the older records read as such, and what tells both from other data."""

from __future__ import annotations

from collections.abc import Sequence

from sampleui.formats.data import Table
from sampleui.sample.dialects.dialect import Contents, Conversion, Dialect, Expected, Older, Weights, keys

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
    expected=Expected(paths=(("references",), ("label",))),
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


_ASKING = keys("messages question prompt text")
_OF_QUIZZES = keys("choices options label")
_KINDS = ("image", "audio", "video", "file")
_OF_OLDER = GAGE.known | {"visual", *(f"{kind}{end}" for kind in _KINDS for end in ("", "_url", "s", "_urls"))}
_OLDEST = keys("question answer")
_OWN = GAGE.weights.telling | keys("messages question_type")
_BESIDE_LABELS = keys("messages options references schema_version task_type choices")


def uncounted(sample: Table) -> frozenset[str]:
    """Return the keys of a sample that anyone's may have.

    A label alone, beside a text, is of any data set, and choices without a question are a model's. A question with
    choices is of any quiz if something is beside it that gage-eval does not know, as in the rows of MMLU and ARC.
    """
    others = frozenset[str]() if sample.keys() & _BESIDE_LABELS else keys("label")
    if sample.keys() - _OF_OLDER and not sample.keys() & _OWN:
        others |= _OF_QUIZZES
    return others if sample.keys() & _ASKING else others | keys("choices")


def claims(samples: Sequence[Table]) -> str:
    """Say that samples are a question and its answer, and nothing else (gage-eval standardized sample, §1.5).

    In a folder such a file is any data set; one that is named is known by it.
    """
    oldest = bool(samples) and all(sample.keys() == _OLDEST for sample in samples)
    return f"samples have a question and an answer alone, the oldest form of {GAGE.title}" if oldest else ""
