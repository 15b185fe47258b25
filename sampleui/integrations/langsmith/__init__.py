"""LangSmith: its examples, with inputs and outputs as tables, and what else is known of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from sampleui.integrations.integration import Converting, Integration, Results
from sampleui.sample.dialects.dialect import Dialect, Expected, Mark, Turns, keys
from sampleui.sample.dialects.marks import RAN, USUAL_KEYS

if TYPE_CHECKING:
    from sampleui.formats.data import Table
    from sampleui.sample.convert.tabled import Case

_UUID = r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"
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


class LangSmith(Integration):
    """LangSmith."""

    def dialects(self) -> Sequence[Dialect]:
        return (LANGSMITH,)

    def conversion(self, dialect: Dialect) -> Converting:
        return Converting(finish_sample=finished)

    def results(self) -> Results:
        """Return the reader of its rows."""
        from sampleui.integrations.langsmith.results import EXPERIMENTS
        from sampleui.review.results.adapters import adapter_by

        return Results((adapter_by(EXPERIMENTS),))


def finished(data: Table, case: Case) -> tuple[Table, Sequence[str]]:
    """Return an example as it is, and a line about an id that LangSmith does not take."""
    if "id" not in case.rest or re.fullmatch(_UUID, str(case.rest["id"]), re.IGNORECASE):
        return data, ()
    return data, (f"{case.spelled.get('id', 'id')}: kept; LangSmith itself takes UUIDs alone",)


INTEGRATION = LangSmith()
