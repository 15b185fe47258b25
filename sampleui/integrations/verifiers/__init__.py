"""What is known of verifiers."""

from __future__ import annotations

from sampleui.integrations.integration import Integration


class Verifiers(Integration):
    """verifiers."""


INTEGRATION = Verifiers()
