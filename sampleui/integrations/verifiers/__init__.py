"""What is known of verifiers."""

from __future__ import annotations

from sampleui.integrations.integration import Integration, Results


class Verifiers(Integration):
    """verifiers."""

    def results(self) -> Results:
        """Return the reader of its rows."""
        from sampleui.integrations.verifiers.results import VERIFIERS
        from sampleui.review.results.adapters import adapter_by

        return Results((adapter_by(VERIFIERS),))


INTEGRATION = Verifiers()
