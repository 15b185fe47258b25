"""What is known of chat data: OpenAI's, TRL's, ShareGPT's and the like."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from sampleui.integrations.integration import Integration

if TYPE_CHECKING:
    from sampleui.sample.dialects.dialect import Dialect
    from sampleui.sample.rules.common import Rule


class ChatData(Integration):
    """Chat data: OpenAI's, TRL's, ShareGPT's and the like."""

    def dialects(self) -> Sequence[Dialect]:
        from sampleui.integrations.chat_data.dialect import OPENAI, SHAREGPT

        return (OPENAI, SHAREGPT)

    def rules(self) -> Mapping[str, Rule]:
        from sampleui.integrations.chat_data.rules import RULES

        return RULES


INTEGRATION = ChatData()
