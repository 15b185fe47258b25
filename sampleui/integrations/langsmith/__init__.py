"""What is known of LangSmith."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sampleui.integrations.integration import Converting, Integration, Results

if TYPE_CHECKING:
    from sampleui.sample.dialects.dialect import Dialect


class LangSmith(Integration):
    """LangSmith."""

    def dialects(self) -> Sequence[Dialect]:
        from sampleui.integrations.langsmith.dialect import LANGSMITH

        return (LANGSMITH,)

    def conversion(self, dialect: Dialect) -> Converting:
        from sampleui.integrations.langsmith.conversion import finished

        return Converting(finished=finished)

    def results(self) -> Results:
        """Return the reader of its rows."""
        from sampleui.integrations.langsmith.results import LANGSMITH
        from sampleui.review.results.adapters import adapter_by

        return Results((adapter_by(LANGSMITH),))


INTEGRATION = LangSmith()
