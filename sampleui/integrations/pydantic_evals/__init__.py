"""What is known of pydantic-evals."""

from __future__ import annotations

from sampleui.integrations.integration import Integration


class PydanticEvals(Integration):
    """pydantic-evals."""


INTEGRATION = PydanticEvals()
