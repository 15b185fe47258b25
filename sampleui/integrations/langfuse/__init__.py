"""What is known of Langfuse."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sampleui.integrations.integration import Integration

if TYPE_CHECKING:
    from sampleui.sample.dialects.dialect import Dialect


class Langfuse(Integration):
    """Langfuse."""

    def dialects(self) -> Sequence[Dialect]:
        from sampleui.integrations.langfuse.dialect import LANGFUSE

        return (LANGFUSE,)


INTEGRATION = Langfuse()
