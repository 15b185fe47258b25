"""What is known of lm-eval."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sampleui.integrations.integration import Answers, Integration, Results

if TYPE_CHECKING:
    from sampleui.sample.dialects.dialect import Dialect


class LMEval(Integration):
    """lm-eval."""

    def dialects(self) -> Sequence[Dialect]:
        from sampleui.integrations.lm_eval.dialect import LM_EVAL

        return (LM_EVAL,)

    def answers(self) -> Answers:
        return Answers(choices=("choices",))

    def results(self) -> Results:
        """Return the reader of its rows, and what its files of scores are."""
        from sampleui.integrations.lm_eval.results import LM_EVAL, parse_record, summary_of
        from sampleui.review.results.adapters import adapter_by

        return Results((adapter_by(LM_EVAL)._replace(parse_record=parse_record),), summary=summary_of)


INTEGRATION = LMEval()
