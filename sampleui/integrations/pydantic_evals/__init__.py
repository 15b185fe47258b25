"""What is known of pydantic-evals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sampleui.integrations.integration import Integration

if TYPE_CHECKING:
    from sampleui.review.results.adapters import Adapter


class PydanticEvals(Integration):
    """pydantic-evals."""

    def adapters(self) -> Sequence[Adapter]:
        """Return the reader of its rows."""
        from sampleui.integrations.pydantic_evals.results import PYDANTIC_EVALS
        from sampleui.review.results.adapters import adapter_by

        return (adapter_by(PYDANTIC_EVALS),)


INTEGRATION = PydanticEvals()
