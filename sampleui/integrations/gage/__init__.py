"""What is known of gage-eval."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sampleui.integrations import index
from sampleui.integrations.integration import (
    Answers,
    Checks,
    Converting,
    Grading,
    Integration,
    Prompts,
    Recognition,
    Results,
    Updates,
)

if TYPE_CHECKING:
    from sampleui.sample.dialects.dialect import Dialect
    from sampleui.sample.models.base import Models


class Gage(Integration):
    """gage-eval."""

    def dialects(self) -> Sequence[Dialect]:
        from sampleui.integrations.gage.dialect import GAGE

        return (GAGE,)

    def recognition(self) -> Recognition:
        from sampleui.integrations.gage.dialect import claims, uncounted

        return Recognition(uncounted, claims)

    def checks(self) -> Checks:
        from sampleui.integrations.gage.rules import RULES
        from sampleui.sample.models.ordinary import Ordinary

        return Checks(RULES, Ordinary(), _models)

    def updates(self) -> Updates:
        from sampleui.integrations.gage.older import updated

        return Updates(updated)

    def prompts(self) -> Prompts:
        """Return the few-shot examples of a sample, and its media that are files."""
        from sampleui.integrations.gage.prompts import examples, media

        return Prompts(examples=examples, media=media)

    def conversion(self, dialect: Dialect) -> Converting:
        from sampleui.integrations.gage.conversion import from_references, to_references

        return Converting(from_references, to_references)

    def answers(self) -> Answers:
        from sampleui.integrations.gage.conversion import paths, taking

        return Answers(paths, taking)

    def grading(self) -> Grading:
        """Return what AgentV makes of assertions: they are spelled as AgentV's are."""
        return index.integration("agentv").grading()

    def results(self) -> Results:
        """Return the readers of its rows, and the standardized sample that a run wrote its results into."""
        from sampleui.integrations.gage import results, run_results
        from sampleui.review.results.adapters import Adapter

        adapters = (
            Adapter("gage run", run_results.claims, run_results.parse_entry, run_results.parse_record),
            Adapter("gage", results.claims, results.parse_entry, results.parse_record),
        )
        return Results(adapters, repeated_sample=results.repeated_sample)


def _models() -> Models:
    from sampleui.integrations.gage.models import MODELS

    return MODELS


INTEGRATION = Gage()
