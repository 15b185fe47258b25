"""What is known of LangSmith."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sampleui.integrations.integration import Integration

if TYPE_CHECKING:
    from sampleui.review.results.adapters import Adapter
    from sampleui.sample.dialects.dialect import Dialect


class LangSmith(Integration):
    """LangSmith."""

    def dialects(self) -> Sequence[Dialect]:
        from sampleui.integrations.langsmith.dialect import LANGSMITH

        return (LANGSMITH,)

    def adapters(self) -> Sequence[Adapter]:
        """Return the reader of its rows."""
        from sampleui.integrations.langsmith.results import LANGSMITH
        from sampleui.review.results.adapters import adapter_by

        return (adapter_by(LANGSMITH),)


INTEGRATION = LangSmith()
