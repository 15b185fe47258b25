"""Braintrust's rows of data sets."""

from __future__ import annotations

from sampleui.sample.dialects.dialect import Dialect, Expected, Mark, Turns, keys
from sampleui.sample.dialects.marks import RAN, USUAL_KEYS

_ROW_FIELDS = {"id": "text", "input": "any", "expected": "any", "metadata": "table", "tags": "texts"}
BRAINTRUST = Dialect(
    name="braintrust",
    title="Braintrust",
    integration="braintrust",
    containers=((),),
    formats=("jsonl", "json", "csv"),
    message_paths=(("input",), ("input", "messages"), ("input", "question")),
    expected=Expected(paths=(("expected",),)),
    tag_paths=(("tags",), ("metadata", "tags")),
    marks=(Mark((("input",), ("expected",)), USUAL_KEYS | RAN | keys("target ideal expected_output vars")),),
    turns=Turns(shorthand=True, any_input=True, text_path=("input",)),
    begins={"expected": ""},
    fields=_ROW_FIELDS,
    known=frozenset(_ROW_FIELDS),
)
