"""What is known of verifiers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sampleui.integrations.integration import Integration

if TYPE_CHECKING:
    from sampleui.review.results.adapters import Adapter


class Verifiers(Integration):
    """verifiers."""

    def adapters(self) -> Sequence[Adapter]:
        """Return the reader of its rows."""
        from sampleui.integrations.verifiers.results import VERIFIERS
        from sampleui.review.results.adapters import adapter_by

        return (adapter_by(VERIFIERS),)


INTEGRATION = Verifiers()
