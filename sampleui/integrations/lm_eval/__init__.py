"""lm-eval: its documents, which are questions with choices, and what else is known of it."""

from __future__ import annotations

from collections.abc import Sequence

from sampleui.integrations.integration import Answers, Integration, Results
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


class LMEval(Integration):
    """lm-eval."""

    def dialects(self) -> Sequence[Dialect]:
        return (LM_EVAL,)

    def answers(self) -> Answers:
        return Answers(choices_path=LM_EVAL.options_path)

    def results(self) -> Results:
        """Return the reader of its rows, and what its files of scores are."""
        from sampleui.integrations.lm_eval.results import ROWS, parse_record, summary_of
        from sampleui.review.results.adapters import adapter_by

        return Results((adapter_by(ROWS)._replace(parse_record=parse_record),), describe_summary=summary_of)


INTEGRATION = LMEval()
