"""What is known of AgentV."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sampleui.integrations.integration import Integration

if TYPE_CHECKING:
    from sampleui.review.results.adapters import Adapter


class AgentV(Integration):
    """AgentV."""

    def adapters(self) -> Sequence[Adapter]:
        """Return the readers of its rows."""
        from sampleui.review.results.adapters import Adapter
        from sampleui.review.results.adapters import agentv as rows

        return (
            Adapter(
                "agentv",
                rows.claims,
                rows.parse_entry,
                rows.parse_record,
                signed=rows.has_own_id,
                told=rows.is_told,
            ),
        )


INTEGRATION = AgentV()
