"""What is known of chat data: OpenAI's, TRL's, ShareGPT's and the like."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sampleui.integrations.integration import Checks, Converting, Integration

if TYPE_CHECKING:
    from sampleui.sample.dialects.dialect import Dialect


class ChatData(Integration):
    """Chat data: OpenAI's, TRL's, ShareGPT's and the like."""

    def dialects(self) -> Sequence[Dialect]:
        from sampleui.integrations.chat_data.dialect import OPENAI, SHAREGPT

        return (OPENAI, SHAREGPT)

    def conversion(self, dialect: Dialect) -> Converting:
        from sampleui.integrations.chat_data.conversion import closed, fields, finished, turns, understood

        if dialect.turns.spelling.usual:  # OpenAI's
            return Converting()
        return Converting(fields=fields, understood=understood, turns=turns, closed=closed, finished=finished)

    def checks(self) -> Checks:
        from sampleui.integrations.chat_data.rules import RULES

        return Checks(RULES)


INTEGRATION = ChatData()
