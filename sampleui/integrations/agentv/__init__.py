"""What is known of AgentV."""

from __future__ import annotations

from sampleui.integrations.integration import Integration


class AgentV(Integration):
    """AgentV."""


INTEGRATION = AgentV()
