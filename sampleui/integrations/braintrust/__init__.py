"""What is known of Braintrust."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sampleui.integrations.integration import Integration, Results

if TYPE_CHECKING:
    from sampleui.sample.dialects.dialect import Dialect


class Braintrust(Integration):
    """Braintrust."""

    def dialects(self) -> Sequence[Dialect]:
        from sampleui.integrations.braintrust.dialect import BRAINTRUST

        return (BRAINTRUST,)

    def results(self) -> Results:
        """Return the reader of its rows."""
        from sampleui.integrations.braintrust.results import BRAINTRUST
        from sampleui.review.results.adapters import adapter_by

        return Results((adapter_by(BRAINTRUST),))


INTEGRATION = Braintrust()
