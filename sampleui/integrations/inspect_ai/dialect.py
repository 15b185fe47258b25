"""Inspect's data sets: samples with an input and a target."""

from __future__ import annotations

from sampleui.sample.dialects.dialect import Cells, Contents, Conversion, Dialect, Expected, Mark, Turns, keys
from sampleui.sample.dialects.marks import RAN, USUAL_KEYS

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
    integration="inspect_ai",
    containers=((),),
    formats=("jsonl", "json", "csv"),
    message_paths=(("input",),),
    expected=Expected(paths=(("target",),), any_of=True),
    tag_paths=(("metadata", "tags"),),
    marks=(
        Mark((("input",), ("target",)), USUAL_KEYS | RAN | keys("expected ideal expected_output epoch doc")),
        Mark((("input",), ("choices",)), USUAL_KEYS | RAN | keys("expected ideal expected_output epoch answer")),
    ),
    turns=Turns(shorthand=True, text_path=("input",)),
    contents=Contents(
        own={
            "image": ("image_url", "image"),
            "audio": ("audio_url", "audio"),
            "video": ("video_url", "video"),
            "document": ("file_url", "document"),
        }
    ),
    options_path=("choices",),
    begins={"target": ""},
    fields=_INSPECT_FIELDS,
    required=keys("input"),
    known=frozenset(_INSPECT_FIELDS),
    conversion=Conversion(
        turn_roles=("system", "user", "assistant", "tool"),
        cells=Cells(
            structured=keys("metadata files sandbox checkpoint"),
            lists={"choices": ","},
            filled={"metadata": {}, "files": {}, "sandbox": None},
        ),
    ),
)
