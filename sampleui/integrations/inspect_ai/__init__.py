"""What is known of Inspect."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sampleui.integrations.integration import Integration

if TYPE_CHECKING:
    from sampleui.review.results.adapters import Adapter


class InspectAI(Integration):
    """Inspect."""

    def adapters(self) -> Sequence[Adapter]:
        """Return the readers of its rows."""
        from sampleui.review.results.adapters import Adapter, inspectlog

        return (
            Adapter(
                "inspect", inspectlog.claims, inspectlog.parse_entry, inspectlog.parse_record, self_evident=True
            ),
        )


INTEGRATION = InspectAI()
