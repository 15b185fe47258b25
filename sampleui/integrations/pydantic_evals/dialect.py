"""pydantic-evals' data sets: cases with inputs and what is expected of them."""

from __future__ import annotations

from sampleui.sample.dialects.dialect import Conversion, Dialect, Expected, Mark, Turns, keys
from sampleui.sample.dialects.marks import USUAL_KEYS

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
    integration="pydantic_evals",
    containers=(("cases",),),
    formats=("yaml", "json"),
    message_paths=(("inputs",), ("inputs", "messages")),
    expected=Expected(paths=(("expected_output",),)),
    tag_paths=(("metadata", "tags"),),
    marks=(Mark((("inputs",),), USUAL_KEYS | keys("output id"), under=(("cases",),)),),
    turns=Turns(shorthand=True, any_input=True, text_path=("inputs",)),
    id_paths=(("name",),),
    fields=_CASE_FIELDS,
    required=keys("inputs"),
    known=frozenset(_CASE_FIELDS),
    conversion=Conversion(own=keys("evaluators")),
)
