"""What is known of promptfoo."""

from __future__ import annotations

from sampleui.integrations.integration import Integration


class Promptfoo(Integration):
    """promptfoo."""


INTEGRATION = Promptfoo()
