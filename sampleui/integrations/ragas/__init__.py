"""What is known of Ragas."""

from __future__ import annotations

from sampleui.integrations.integration import Integration, Results


class Ragas(Integration):
    """Ragas."""

    def results(self) -> Results:
        """Return the reader of its rows."""
        from sampleui.integrations.ragas.results import RAGAS
        from sampleui.review.results.adapters import adapter_by

        return Results((adapter_by(RAGAS),))


INTEGRATION = Ragas()
