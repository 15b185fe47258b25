"""What is known of Braintrust."""

from __future__ import annotations

from sampleui.integrations.integration import Integration


class Braintrust(Integration):
    """Braintrust."""


INTEGRATION = Braintrust()
