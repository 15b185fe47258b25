"""How its results are read: logs, which are archives or JSON, and rows made of them."""

from __future__ import annotations

from sampleui.integrations.inspect_ai.header import summary_of
from sampleui.integrations.inspect_ai.log import evaluation, log_source
from sampleui.integrations.inspect_ai.records import claims, parse_row, repeated_sample, score_edits
from sampleui.integrations.integration import EditedCopy, ReadingResults
from sampleui.review.results.adapters import Adapter, always


def _edited_copy() -> EditedCopy:
    from sampleui.integrations.inspect_ai.write_back import call, missing, written

    return EditedCopy(call, written, missing)


RESULTS = ReadingResults(
    (Adapter("inspect", claims, parse_row, self_evident=always),),
    open_log=log_source,
    evaluation=evaluation,
    describe_summary=summary_of,
    repeated_sample=repeated_sample,
    score_edits=score_edits,
    edited_copy=_edited_copy,
)
