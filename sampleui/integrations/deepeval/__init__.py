"""DeepEval: its goldens and conversational goldens, and what else is known of it.

A conversation has a scenario, and stands in a file of conversations alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from sampleui.formats.data import Plain, Table
from sampleui.integrations.integration import Converting, Integration, Results
from sampleui.sample.dialects.dialect import Cells, Conversion, Dialect, Expected, Mark, Turns, keys
from sampleui.sample.dialects.marks import RAN

if TYPE_CHECKING:
    from sampleui.sample.convert.tabled import Case

SCENARIO = "scenario"
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


class DeepEval(Integration):
    """DeepEval."""

    def dialects(self) -> Sequence[Dialect]:
        return (DEEPEVAL,)

    def conversion(self, dialect: Dialect) -> Converting:
        return Converting(
            finish_sample=finished,
            asks_without_messages=asks,
            open_conversations=frozenset({("turns",)}),
            one_kind=True,
        )

    def results(self) -> Results:
        """Return the reader of its rows."""
        from sampleui.integrations.deepeval.results import TEST_CASES
        from sampleui.review.results.adapters import adapter_by

        return Results((adapter_by(TEST_CASES),))


def asks(data: Table) -> bool:
    """Tell whether a golden says what a conversation is about."""
    return SCENARIO in data


def finished(data: Table, case: Case) -> tuple[Table, Sequence[str]]:
    """Return a conversation with a scenario: where it has none, the first text of the user."""
    if not isinstance(data.get("turns"), list) or data.get(SCENARIO) or case.rest.get(SCENARIO):
        return data, ()
    asked = (
        message for message in case.messages or () if isinstance(message, dict) and message.get("role") == "user"
    )
    text = next((text for message in asked for text in _texts_of(message.get("content")) if text.strip()), "")
    if not text:
        return data, ()
    return {SCENARIO: text, **data}, (f"{SCENARIO}: written as the first text of the user, for DeepEval wants one",)


def _texts_of(content: Plain) -> Iterator[str]:
    from sampleui.sample.message import TextSegment, segments

    yield from (part.text for part in segments(content) or () if isinstance(part, TextSegment))


INTEGRATION = DeepEval()
