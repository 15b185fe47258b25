"""OpenTelemetry: OTLP/JSON by the conventions of generative AI, OpenInference and OpenLLMetry; Phoenix's spans.

A file has spans, each a line or many in one; a trace, or a conversation of several, is a record. Spans say what was
done and what failed, and not whether an answer was right: that is said by evaluations and annotations, whose scores
are of any scale. Only a label that says pass or fail decides.
"""

from __future__ import annotations

from sampleui.integrations.integration import ReadingResults
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


RESULTS = ReadingResults((adapter_by(SPANS),), open_log=open_file, open_folder=open_folder)
