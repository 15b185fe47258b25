"""What is known of calibrate."""

from __future__ import annotations

from sampleui.integrations.integration import Integration


class Calibrate(Integration):
    """calibrate."""


INTEGRATION = Calibrate()
