"""What is known of lm-eval."""

from __future__ import annotations

from sampleui.integrations.integration import Integration


class LMEval(Integration):
    """lm-eval."""


INTEGRATION = LMEval()
