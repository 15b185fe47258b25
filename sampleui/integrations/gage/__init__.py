"""What is known of gage-eval."""

from __future__ import annotations

from sampleui.integrations.integration import Integration


class Gage(Integration):
    """gage-eval."""


INTEGRATION = Gage()
