"""The dialects that belong to programs of their own: calibrate, AgentV, gage-eval."""

from __future__ import annotations

from sampleui.formats.data import Table
from sampleui.sample.dialects.dialect import (
    ALL,
    Answers,
    Asserted,
    Conversion,
    Dialect,
    Mark,
    Today,
    Updated,
    keys,
)
from sampleui.settings.options import AGENTV_4

_MESSAGE = keys("role content name tool_calls tool_call_id")


def _from_older(record: Table) -> Updated | None:
    """Return an older record of gage-eval as a standardized sample, or None; a start without one is not to wait."""
    from sampleui.sample.dialects.legacy import updated

    return updated(record)


def _from_pairs(sample: Table) -> Updated | None:
    """Return an old sample of calibrate with messages, or None."""
    from sampleui.sample.dialects.pairs import updated

    return updated(sample)


CALIBRATE = Dialect(
    name="calibrate",
    title="calibrate",
    containers=(("samples",), ()),
    formats=("toml", "markdown"),
    message_paths=(("messages",),),
    signs=keys("expected score"),
    telling=frozenset(),
    context_signs=keys("meta"),
    expected_paths=(("expected",),),
    tag_paths=(("tags",),),
    known=keys("id messages expected score description tags"),
    nested={"messages": _MESSAGE},
    text_key="value",
    attaches_files=True,
    metadata="",
    rules=("content-segments", "segment-invalid", "legacy-record"),
    updated=_from_pairs,
    answers=Answers.TURN,
    models="calibrate",
    conversion=Conversion(taken_back=keys("score description tags")),
)

_TELLING = keys("input_messages expected_messages expected_outcome evaluators assertions conversation_id")

_PROMPTFOOS = keys("providers targets defaultTest")

AGENTV = Dialect(
    name="agentv",
    title="AgentV",
    containers=(("evalcases",), ("tests",), ("cases",), ("eval_cases",), ()),
    formats=("yaml",),
    message_paths=(("input_messages",), ("input",), ("vars", "input")),
    signs=keys(
        """
        input_messages input input_files vars expected_messages expected_output expected_outcome outcome
        criteria assert assertions evaluator evaluators rubrics execution conversation_id
        """
    ),
    telling=_TELLING,
    marks=(
        Mark((("id",),), texts=keys("assert")),  # promptfoo ends with an error at a text among assertions
        Mark((("vars", "input", ALL, "role"),), under=(("tests",),), beside=keys("prompts"), apart=_PROMPTFOOS),
        *(
            Mark((("id",), ("vars",), own), under=(("tests",),), beside=keys("prompts"))
            for own in (("criteria",), ("assert", ALL, "command"))
        ),
        *(
            Mark((("id",), ("vars",)), under=(("tests",),), beside=keys(f"prompts {own}"))
            for own in ("default_test", "evaluate_options", "environment")
        ),
    ),
    context_signs=keys("$schema prompts providers default_test target execution evaluators assertions"),
    context_messages=("prompts", "input"),
    expected_paths=(
        ("expected_messages",),
        ("expected_output",),
        ("vars", "expected_output"),
        ("expected_outcome",),
        ("criteria",),
        ("outcome",),
    ),
    tag_paths=(("tags",), ("metadata", "tags")),
    known=keys(
        """
        id name description suite input_messages input input_files vars expected_messages
        expected_output expected_outcome outcome criteria assert assertions evaluator evaluators rubrics
        execution conversation_id metadata workspace depends_on on_dependency_failure mode turns
        aggregation on_turn_failure window_size provider prompts threshold run note
        """
    ),
    nested={"input_messages": _MESSAGE, "expected_messages": _MESSAGE},
    segments=keys("text file"),
    object_content=True,
    shorthand=True,
    text_key="value",
    attaches_files=True,
    rules=("id-missing", "segment-invalid", "expected-messages-multiple"),
    answers=Answers.MESSAGES,
    answer_paths={("vars", "input"): ("vars", "expected_output")},
    criteria=("expected_outcome", "criteria", "outcome"),
    fills=True,
    style=AGENTV_4,
    folds=True,
    today=Today(
        container=("tests",),
        messages=("input",),
        answer="expected_output",
        judged_by=("criteria", "expected_output", "assert", "assertions"),
        renamed={
            "input_messages": "input",
            "expected_messages": "expected_output",
            "expected_outcome": "criteria",
            "outcome": "criteria",
        },
    ),
    models="agentv",
    names_made=True,
    broken_signs=_TELLING,
    conversion=Conversion(
        taken_back=keys("description conversation_id execution rubrics evaluators assert assertions vars"),
        own=keys("evaluators name threshold"),
        turn_roles=("system", "user", "assistant", "tool"),
        refused_roles=("tool",),
        unsent_calls=True,
        asserted={
            "assert": Asserted(
                {
                    **dict.fromkeys(keys("contains icontains starts-with ends-with regex equals"), "text"),
                    **dict.fromkeys(keys("contains-any contains-all icontains-any icontains-all"), "texts"),
                    "is-json": "",
                },
                keys("name type value weight required min_score negate flags"),
            )
        },
    ),
)

_FEW_SHOT = keys("messages options references label tools tool_choice")
GAGE_RUNTIME = keys("predict_result eval_result")

GAGE = Dialect(
    name="gage",
    title="gage-eval",
    containers=((), ("samples",)),
    formats=("jsonl", "json"),
    message_paths=(("messages",),),
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
    expected_paths=(("references",), ("label",)),
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
    segments=keys("text image_url audio_url video_url file_url"),
    options_path=("options",),
    reads_media=True,
    few_shot="few_shot_examples",
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
    updated=_from_older,
    reads_older=True,
    told_apart=keys("question_type model_prompt_tmpl model_prompt_placeholder"),
    answers=Answers.REFERENCES,
    label="label",
    models="gage",
    conversion=Conversion(
        taken_back=keys(
            """
            schema_version task_type options label few_shot_examples golden_trajectories sandbox data_tag
            raw_assets tools tool_choice sampling_params generation_params eval_config unconditioned_input
            predict_result eval_result
            """
        ),
        own=keys("question prompt text choices answer question_type"),
        written_first={"schema_version": "v1"},
    ),
)
