"""LangSmith's examples: inputs and outputs as tables."""

from __future__ import annotations

from sampleui.sample.dialects.dialect import Dialect, Expected, Mark, Turns, keys
from sampleui.sample.dialects.marks import RAN, USUAL_KEYS

_EXAMPLE_FIELDS = {"id": "text", "inputs": "table", "outputs": "table", "metadata": "table", "dataset_id": "text"}
LANGSMITH = Dialect(
    name="langsmith",
    title="LangSmith",
    integration="langsmith",
    containers=((),),
    formats=("jsonl", "json"),
    message_paths=(("inputs", "messages"), ("inputs", "question"), ("inputs", "input"), ("inputs",)),
    expected=Expected(paths=(("outputs", "answer"), ("outputs", "output"), ("outputs",))),
    tag_paths=(("metadata", "tags"), ("metadata", "dataset_split")),
    marks=(
        Mark(
            (("inputs",), ("outputs",)),
            USUAL_KEYS | RAN | keys("name cases expected_output"),
            tables=(("inputs",),),
        ),
        Mark((("inputs",), ("outputs",), ("dataset_id",)), USUAL_KEYS | RAN, tables=(("inputs",),)),
    ),
    turns=Turns(shorthand=True, any_input=True, text_path=("inputs", "question")),
    begins={"outputs": {"answer": ""}},
    fields=_EXAMPLE_FIELDS,
    required=keys("inputs"),
    known=frozenset(_EXAMPLE_FIELDS),
)
