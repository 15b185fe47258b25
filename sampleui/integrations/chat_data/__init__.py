"""What is known of chat data: OpenAI's, TRL's, ShareGPT's and the like."""

from __future__ import annotations

from sampleui.integrations.integration import Integration


class ChatData(Integration):
    """Chat data: OpenAI's, TRL's, ShareGPT's and the like."""


INTEGRATION = ChatData()
