"""What is known of lm-eval."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sampleui.integrations.integration import Integration

if TYPE_CHECKING:
    from pathlib import Path

    from sampleui.formats.data import Table
    from sampleui.review.results.adapters import Adapter
    from sampleui.sample.dialects.dialect import Dialect


class LMEval(Integration):
    """lm-eval."""

    def dialects(self) -> Sequence[Dialect]:
        from sampleui.integrations.lm_eval.dialect import LM_EVAL

        return (LM_EVAL,)

    def adapters(self) -> Sequence[Adapter]:
        """Return the reader of its rows."""
        from sampleui.integrations.lm_eval.results import LM_EVAL
        from sampleui.review.results.adapters import adapter_by

        return (adapter_by(LM_EVAL),)

    def summary(self, document: Table, path: Path) -> str:
        """Return what a document is that has scores or headers alone."""
        from sampleui.integrations.lm_eval.results import summary_of

        return summary_of(document, path)


INTEGRATION = LMEval()
