"""What is known of Inspect."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sampleui.integrations.integration import Converting, Grading, Integration, Results

if TYPE_CHECKING:
    from pathlib import Path

    from sampleui.formats.data import Table
    from sampleui.review.results.sources import Source
    from sampleui.sample.dialects.dialect import Dialect


class InspectAI(Integration):
    """Inspect."""

    def dialects(self) -> Sequence[Dialect]:
        from sampleui.integrations.inspect_ai.dialect import INSPECT

        return (INSPECT,)

    def conversion(self, dialect: Dialect) -> Converting:
        from sampleui.integrations.inspect_ai.conversion import medium, message, understood
        from sampleui.sample.message import flat

        return Converting(understood=understood, message=message, medium=medium, call=flat)

    def grading(self) -> Grading:
        """Return what the scorers of a log say, whatever deck its samples are in; a deck alone names none."""
        from sampleui.integrations.inspect_ai.grading import by_log, is_of_log, target_is_open

        return Grading(by_log, grades=is_of_log, target_is_open=target_is_open)

    def results(self) -> Results:
        """Return the reader of its rows, which are in archives and in logs in JSON."""
        from sampleui.integrations.inspect_ai.results import claims, parse_entry, parse_record, repeated_sample
        from sampleui.integrations.inspect_ai.scores import score_edits
        from sampleui.review.results.adapters import Adapter, always

        adapter = Adapter("inspect", claims, parse_entry, parse_record, self_evident=always)
        return Results(
            (adapter,), log=_log, summary=_summary, repeated_sample=repeated_sample, score_edits=score_edits
        )


def _log(path: Path, head: bytes) -> Source | None:
    from sampleui.integrations.inspect_ai.log import log_source

    return log_source(path, head)


def _summary(document: Table, path: Path) -> str:
    from sampleui.integrations.inspect_ai.header import summary_of

    return summary_of(document, path)


INTEGRATION = InspectAI()
