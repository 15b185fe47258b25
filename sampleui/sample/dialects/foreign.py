"""The dialects of other tools, each recognized by its marks alone. `docs/formats.md` says what they write."""

from __future__ import annotations

from sampleui.sample.dialects.chatdata import OPENAI, RAN, SHAREGPT, USUAL_KEYS
from sampleui.sample.dialects.dialect import Cells, Conversion, Dialect, Mark, keys
from sampleui.sample.dialects.promptfoo import PROMPTFOO

_INSPECT_FIELDS = {
    "input": "text|messages",
    "target": "text|number|list",
    "choices": "list|text",
    "id": "text|number",
    "description": "text",
    "metadata": "table|text",
    "sandbox": "text|list",
    "files": "table|text",
    "setup": "text",
    "checkpoint": "table|text",
}
INSPECT = Dialect(
    name="inspect",
    title="Inspect",
    containers=((),),
    formats=("jsonl", "json", "csv"),
    message_paths=(("input",),),
    expected_paths=(("target",),),
    any_expected=True,
    tag_paths=(("metadata", "tags"),),
    marks=(
        Mark((("input",), ("target",)), USUAL_KEYS | RAN | keys("expected ideal expected_output epoch doc")),
        Mark((("input",), ("choices",)), USUAL_KEYS | RAN | keys("expected ideal expected_output epoch answer")),
    ),
    shorthand=True,
    text_path=("input",),
    own_segments={
        "image": ("image_url", "image"),
        "audio": ("audio_url", "audio"),
        "video": ("video_url", "video"),
        "document": ("file_url", "document"),
    },
    options_path=("choices",),
    begins={"target": ""},
    fields=_INSPECT_FIELDS,
    required=keys("input"),
    known=frozenset(_INSPECT_FIELDS),
    conversion=Conversion(
        media_formats={
            "audio": {".wav": "wav", ".mp3": "mp3"},
            "video": {".mp4": "mp4", ".mpeg": "mpeg", ".mpg": "mpeg", ".mov": "mov"},
        },
        flat_calls=True,
        turn_roles=("system", "user", "assistant", "tool"),
        cells=Cells(
            structured=keys("metadata files sandbox checkpoint"),
            lists={"choices": ","},
            filled={"metadata": {}, "files": {}, "sandbox": None},
        ),
    ),
)

_CASE_FIELDS = {
    "name": "text",
    "inputs": "any",
    "expected_output": "any",
    "metadata": "any",
    "evaluators": "list",
}
PYDANTIC_EVALS = Dialect(
    name="pydantic-evals",
    title="pydantic-evals",
    containers=(("cases",),),
    formats=("yaml", "json"),
    message_paths=(("inputs",), ("inputs", "messages")),
    expected_paths=(("expected_output",),),
    tag_paths=(("metadata", "tags"),),
    marks=(Mark((("inputs",),), USUAL_KEYS | keys("output id"), under=(("cases",),)),),
    shorthand=True,
    any_input=True,
    text_path=("inputs",),
    id_paths=(("name",),),
    fields=_CASE_FIELDS,
    required=keys("inputs"),
    known=frozenset(_CASE_FIELDS),
    conversion=Conversion(own=keys("evaluators")),
)

_GOLDEN_FIELDS = {
    "input": "text",
    "actual_output": "text",
    "expected_output": "text",
    "context": "texts|text",
    "retrieval_context": "texts|text",
    "name": "text",
    "comments": "text",
    "source_file": "text",
    "tools_called": "tables",
    "expected_tools": "tables",
    "token_cost": "number",
    "input_token_count": "number",
    "output_token_count": "number",
    "additional_metadata": "table",
    "custom_column_key_values": "table",
    "expectations": "any",
    "scenario": "text",
    "turns": "messages",
    "expected_outcome": "text",
    "user_description": "text",
    "persona": "any",
}
_GRADED = RAN - keys("output") | keys("messages input_messages criteria references schema_version metricsData id")
DEEPEVAL = Dialect(
    name="deepeval",
    title="DeepEval",
    containers=((),),
    formats=("json", "jsonl", "csv"),
    message_paths=(("turns",), ("input",)),
    answer_paths={("turns",): ("expected_outcome",)},
    expected_paths=(("expected_output",), ("expected_outcome",)),
    marks=(
        *(
            Mark((("input",), (key,)), _GRADED)
            for key in ("retrieval_context", "additional_metadata", "expected_tools", "source_file")
        ),
        Mark((("input",), ("context",), ("expected_output",)), _GRADED),
        Mark((("input",), ("actual_output",), ("expected_output",)), _GRADED),
        Mark((("input",), ("actual_output",)), _GRADED, only=frozenset(_GOLDEN_FIELDS)),
        Mark((("scenario",), ("turns",)), _GRADED),
        Mark((("scenario",), ("expected_outcome",)), _GRADED),
    ),
    shorthand=True,
    text_path=("input",),
    elsewhere=True,
    begins={"expected_output": "", "additional_metadata": {}},
    id_paths=(("name",),),
    unique_ids=False,
    metadata="additional_metadata",
    fields=_GOLDEN_FIELDS,
    known=frozenset(_GOLDEN_FIELDS),
    conversion=Conversion(
        titled_by={("turns",): "scenario"},
        turn_roles=("user", "assistant"),
        text_content=True,
        one_kind=True,
        cells=Cells(
            structured=keys(
                "turns tools_called expected_tools additional_metadata custom_column_key_values expectations"
            ),
            lists={"context": "|", "retrieval_context": "|"},
            guessed=True,
        ),
    ),
)

_DOC_FIELDS = {
    "question": "text",
    "query": "text",
    "q": "text",
    "prompt": "text",
    "text": "text",
    "choices": "list",
    "gold": "number|list|text",
    "answer": "any",
    "target": "any",
    "label": "any",
    "id": "text|number",
    "doc_id": "text|number",
}
LM_EVAL = Dialect(
    name="lm-eval",
    title="lm-eval",
    containers=((),),
    formats=("jsonl", "json"),
    message_paths=(("question",), ("query",), ("q",), ("prompt",), ("text",)),
    expected_paths=(("answer",), ("gold",), ("target",), ("label",)),
    choices_path=("choices",),
    options_path=("choices",),
    marks=(Mark((("choices",), ("gold",)), USUAL_KEYS | RAN | keys("answer question_type task_type")),),
    shorthand=True,
    text_path=("question",),
    id_paths=(("id",), ("doc_id",)),
    metadata="",
    begins={"choices": [], "gold": 0},
    fields=_DOC_FIELDS,
    known=frozenset(_DOC_FIELDS),
    conversion=Conversion(text_only=True),
)

_EXAMPLE_FIELDS = {"id": "text", "inputs": "table", "outputs": "table", "metadata": "table", "dataset_id": "text"}
LANGSMITH = Dialect(
    name="langsmith",
    title="LangSmith",
    containers=((),),
    formats=("jsonl", "json"),
    message_paths=(("inputs", "messages"), ("inputs", "question"), ("inputs", "input"), ("inputs",)),
    expected_paths=(("outputs", "answer"), ("outputs", "output"), ("outputs",)),
    tag_paths=(("metadata", "tags"), ("metadata", "dataset_split")),
    marks=(
        Mark(
            (("inputs",), ("outputs",)),
            USUAL_KEYS | RAN | keys("name cases expected_output"),
            tables=(("inputs",),),
        ),
        Mark((("inputs",), ("outputs",), ("dataset_id",)), USUAL_KEYS | RAN, tables=(("inputs",),)),
    ),
    shorthand=True,
    any_input=True,
    text_path=("inputs", "question"),
    begins={"outputs": {"answer": ""}},
    fields=_EXAMPLE_FIELDS,
    required=keys("inputs"),
    known=frozenset(_EXAMPLE_FIELDS),
    conversion=Conversion(uuids=True),
)

_ITEM_FIELDS = {"id": "text", "input": "any", "expectedOutput": "any", "metadata": "any", "status": "text"}
LANGFUSE = Dialect(
    name="langfuse",
    title="Langfuse",
    containers=((),),
    formats=("jsonl", "json", "csv"),
    message_paths=(("input",), ("input", "messages"), ("input", "question")),
    expected_paths=(("expectedOutput",),),
    tag_paths=(("metadata", "tags"),),
    marks=(Mark((("input",), ("expectedOutput",)), USUAL_KEYS | RAN),),
    shorthand=True,
    any_input=True,
    text_path=("input",),
    begins={"expectedOutput": ""},
    fields=_ITEM_FIELDS,
    known=frozenset(_ITEM_FIELDS),
)

_ROW_FIELDS = {"id": "text", "input": "any", "expected": "any", "metadata": "table", "tags": "texts"}
BRAINTRUST = Dialect(
    name="braintrust",
    title="Braintrust",
    containers=((),),
    formats=("jsonl", "json", "csv"),
    message_paths=(("input",), ("input", "messages"), ("input", "question")),
    expected_paths=(("expected",),),
    tag_paths=(("tags",), ("metadata", "tags")),
    marks=(Mark((("input",), ("expected",)), USUAL_KEYS | RAN | keys("target ideal expected_output vars")),),
    shorthand=True,
    any_input=True,
    text_path=("input",),
    begins={"expected": ""},
    fields=_ROW_FIELDS,
    known=frozenset(_ROW_FIELDS),
)

FOREIGN = (
    PROMPTFOO,
    OPENAI,
    SHAREGPT,
    INSPECT,
    PYDANTIC_EVALS,
    DEEPEVAL,
    LM_EVAL,
    LANGSMITH,
    LANGFUSE,
    BRAINTRUST,
)
