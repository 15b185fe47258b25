"""What is known of calibrate."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sampleui.integrations import index
from sampleui.integrations.integration import Answers, Checks, Converting, Grading, Integration, Results, Updates

if TYPE_CHECKING:
    from sampleui.sample.dialects.dialect import Dialect
    from sampleui.sample.models.base import Models


class Calibrate(Integration):
    """calibrate."""

    def dialects(self) -> Sequence[Dialect]:
        from sampleui.integrations.calibrate.dialect import CALIBRATE

        return (CALIBRATE,)

    def checks(self) -> Checks:
        from sampleui.integrations.calibrate.rules import ORDINARY, RULES

        return Checks(RULES, ORDINARY, _models)

    def updates(self) -> Updates:
        from sampleui.integrations.calibrate.dialect import updated

        return Updates(updated)

    def conversion(self, dialect: Dialect) -> Converting:
        from sampleui.integrations.calibrate.conversion import from_turn, to_turn

        return Converting(from_turn, to_turn)

    def answers(self) -> Answers:
        from sampleui.integrations.calibrate.answers import paths, taking

        return Answers(paths, taking)

    def grading(self) -> Grading:
        """Return what AgentV makes of assertions: they are spelled as AgentV's are."""
        return index.integration("agentv").grading()

    def results(self) -> Results:
        """Return the reader of its rows, and of the lists of them below `graderResults`."""
        from sampleui.integrations.calibrate.results import claims, parse_entry, parse_record, rows
        from sampleui.review.results.adapters import Adapter

        return Results((Adapter("calibrate", claims, parse_entry, parse_record),), rows)


def _models() -> Models:
    from sampleui.integrations.calibrate.models import MODELS

    return MODELS


INTEGRATION = Calibrate()
