"""What is known of DeepEval."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sampleui.integrations.integration import Converting, Integration, Results

if TYPE_CHECKING:
    from sampleui.sample.dialects.dialect import Dialect


class DeepEval(Integration):
    """DeepEval."""

    def dialects(self) -> Sequence[Dialect]:
        from sampleui.integrations.deepeval.dialect import DEEPEVAL

        return (DEEPEVAL,)

    def conversion(self, dialect: Dialect) -> Converting:
        from sampleui.integrations.deepeval.conversion import asks, finished

        return Converting(finished=finished, asks=asks, keeps_last=frozenset({("turns",)}), one_kind=True)

    def results(self) -> Results:
        """Return the reader of its rows."""
        from sampleui.integrations.deepeval.results import DEEPEVAL
        from sampleui.review.results.adapters import adapter_by

        return Results((adapter_by(DEEPEVAL),))


INTEGRATION = DeepEval()
