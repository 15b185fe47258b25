"""OpenTelemetry: OTLP/JSON by the conventions of generative AI, OpenInference and OpenLLMetry; Phoenix's spans.

A file has spans, each a line or many in one; a trace, or a conversation of several, is a record. Spans say what was
done and what failed, and not whether an answer was right: that is said by evaluations and annotations, whose scores
are of any scale. Only a label that says pass or fail decides.
"""

from __future__ import annotations

from pathlib import Path

from sampleui.formats.data import Table, as_table
from sampleui.integrations.integration import Hydrated, ReadingResults, RunFiles, Sharing
from sampleui.integrations.otlp.source import open_file, open_folder
from sampleui.integrations.otlp.tree import MARK
from sampleui.review.results.adapters import adapter_by
from sampleui.review.results.dialect import Graders, Outcomes, ResultDialect, Spent
from sampleui.sample.dialects.dialect import DialectMark, paths

SPANS = ResultDialect(
    name=MARK,
    title="OpenTelemetry",
    marks=(DialectMark(paths(f"{MARK} id")),),
    times=paths("start_time"),
    ids=paths("id"),
    labels=paths("input"),
    outcomes=Outcomes(paths=paths("passed")),
    errors=paths("error"),
    actual=paths("output"),
    prompts=paths("input"),
    graders=(
        Graders(
            paths("scores")[0],
            scores=paths("score"),
            outcomes=paths("verdict"),
            reasons=paths("explanation"),
            details=paths("label span"),
        ),
    ),
    targets=(paths("target"),),
    spent=Spent(
        milliseconds=paths("duration_ms"),
        cost=paths("cost_usd"),
        tokens=paths("token_usage"),
        timestamps=paths("start_time"),
    ),
)


def _hydrated(row: Table, _folder: Path, _sharing: Sharing = Sharing.NOBODY) -> Hydrated | None:
    """Return a row with what could not be told of its spans."""
    left_out = as_table(row.get(MARK)).get("left_out")
    if not isinstance(left_out, int) or not left_out:
        return None
    spans = "1 span is" if left_out == 1 else f"{left_out:,} spans are"
    return Hydrated(row, (f"{spans} no agent's, model's or tool's, and left out",))


RESULTS = ReadingResults((adapter_by(SPANS),), open_log=open_file, open_folder=open_folder)
RUN_FILES = RunFiles(hydrate=_hydrated)
