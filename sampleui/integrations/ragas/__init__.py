"""What is known of Ragas."""

from __future__ import annotations

from sampleui.integrations.integration import Integration


class Ragas(Integration):
    """Ragas."""


INTEGRATION = Ragas()
