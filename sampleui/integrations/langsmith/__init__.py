"""What is known of LangSmith."""

from __future__ import annotations

from sampleui.integrations.integration import Integration


class LangSmith(Integration):
    """LangSmith."""


INTEGRATION = LangSmith()
