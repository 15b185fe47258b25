"""What is known of Inspect."""

from __future__ import annotations

from sampleui.integrations.integration import Integration


class InspectAI(Integration):
    """Inspect."""


INTEGRATION = InspectAI()
