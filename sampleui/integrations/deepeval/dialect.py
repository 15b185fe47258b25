"""DeepEval's goldens and conversational goldens."""

from __future__ import annotations

from sampleui.sample.dialects.dialect import Cells, Conversion, Dialect, Expected, Mark, Turns, keys
from sampleui.sample.dialects.marks import RAN

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
    integration="deepeval",
    containers=((),),
    formats=("json", "jsonl", "csv"),
    message_paths=(("turns",), ("input",)),
    expected=Expected(
        beside={("turns",): ("expected_outcome",)}, paths=(("expected_output",), ("expected_outcome",))
    ),
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
    turns=Turns(shorthand=True, text_path=("input",)),
    elsewhere=True,
    begins={"expected_output": "", "additional_metadata": {}},
    id_paths=(("name",),),
    unique_ids=False,
    metadata="additional_metadata",
    fields=_GOLDEN_FIELDS,
    known=frozenset(_GOLDEN_FIELDS),
    conversion=Conversion(
        turn_roles=("user", "assistant"),
        text_content=True,
        cells=Cells(
            structured=keys(
                "turns tools_called expected_tools additional_metadata custom_column_key_values expectations"
            ),
            lists={"context": "|", "retrieval_context": "|"},
            guessed=True,
        ),
    ),
)
