"""What is known of Langfuse."""

from __future__ import annotations

from sampleui.integrations.integration import Integration


class Langfuse(Integration):
    """Langfuse."""


INTEGRATION = Langfuse()
