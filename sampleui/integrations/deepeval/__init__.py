"""What is known of DeepEval."""

from __future__ import annotations

from sampleui.integrations.integration import Integration


class DeepEval(Integration):
    """DeepEval."""


INTEGRATION = DeepEval()
