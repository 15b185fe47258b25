"""lm-eval's documents: questions with choices, and which is right."""

from __future__ import annotations

from sampleui.sample.dialects.dialect import Conversion, Dialect, Expected, Mark, Turns, keys
from sampleui.sample.dialects.marks import RAN, USUAL_KEYS

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
    integration="lm_eval",
    containers=((),),
    formats=("jsonl", "json"),
    message_paths=(("question",), ("query",), ("q",), ("prompt",), ("text",)),
    expected=Expected(paths=(("answer",), ("gold",), ("target",), ("label",))),
    options_path=("choices",),
    marks=(Mark((("choices",), ("gold",)), USUAL_KEYS | RAN | keys("answer question_type task_type")),),
    turns=Turns(shorthand=True, text_path=("question",)),
    id_paths=(("id",), ("doc_id",)),
    metadata="",
    begins={"choices": [], "gold": 0},
    fields=_DOC_FIELDS,
    known=frozenset(_DOC_FIELDS),
    conversion=Conversion(text_only=True),
)
