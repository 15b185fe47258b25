"""Braintrust: the rows of its data sets and of its experiments."""

from __future__ import annotations

from sampleui.integrations.integration import ReadingResults, Spellings
from sampleui.review.results.adapters import adapter_by
from sampleui.review.results.dialect import Graders, Outcomes, ResultDialect, Spent, indented
from sampleui.sample.dialects.dialect import Dialect, DialectMark, Expected, Turns, paths
from sampleui.sample.dialects.field import fields, keys
from sampleui.sample.dialects.marks import RAN, USUAL_KEYS

_ASKED = paths("input input.messages input.question")
_TAGS = paths("tags metadata.tags")
BRAINTRUST = Dialect(
    name="braintrust",
    title="Braintrust",
    purpose="rows of a dataset: input, expected, metadata",
    integration="braintrust",
    containers=((),),
    formats=("jsonl", "json", "csv"),
    message_paths=_ASKED,
    expected=Expected(paths=paths("expected")),
    tag_paths=_TAGS,
    marks=(DialectMark(paths("input expected"), USUAL_KEYS | RAN | keys("target ideal expected_output vars")),),
    turns=Turns(shorthand=True, any_input=True, text_path=("input",)),
    begins={"expected": ""},
    fields=fields("id:text input:any expected:any metadata:table tags:texts"),
)
_ANOTHERS = keys("epoch vars criteria eval_id test_id schema_version")
EXPERIMENTS = ResultDialect(
    name="braintrust",
    title="Braintrust",
    marks=(
        DialectMark(paths("scores input output"), _ANOTHERS, tables=paths("scores")),
        DialectMark(paths("scores input error"), _ANOTHERS, tables=paths("scores")),
    ),
    containers=paths("results"),
    evaluations=paths("experiment_id"),
    ids=paths("origin.id dataset_record_id"),
    labels=paths("input id"),
    join_paths=((("input",), ("input",)),),
    outcomes=Outcomes(mean=True),
    errors=paths("error"),
    actual=paths("output"),
    writes=indented,
    expected=paths("expected"),
    prompts=(*_ASKED[1:], *_ASKED[:1]),
    graders=(Graders(("scores",)),),
    targets=(paths("metadata.model"),),
    tags=_TAGS,
    spent=Spent(
        cost=paths("metrics.estimated_cost"),
        seconds=paths("metrics.duration"),
        tokens=paths("metrics"),
        timestamps=paths("created"),
    ),
)


DIALECTS = Spellings((BRAINTRUST,))
RESULTS = ReadingResults((adapter_by(EXPERIMENTS),))
