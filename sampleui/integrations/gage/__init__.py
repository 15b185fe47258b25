"""What is known of gage-eval."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sampleui.integrations.integration import Integration

if TYPE_CHECKING:
    from sampleui.review.results.adapters import Adapter


class Gage(Integration):
    """gage-eval."""

    def adapters(self) -> Sequence[Adapter]:
        """Return the readers of its rows."""
        from sampleui.integrations.gage import results, run_results
        from sampleui.review.results.adapters import Adapter

        return (
            Adapter("gage run", run_results.claims, run_results.parse_entry, run_results.parse_record),
            Adapter("gage", results.claims, results.parse_entry, results.parse_record),
        )


INTEGRATION = Gage()
