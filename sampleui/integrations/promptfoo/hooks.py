"""promptfoo: the tests of its configs and of files of tests, and what else is known of it.

Source: promptfoo 0.123.1, `src/types/index.ts` and `test-cases.md`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from sampleui.integrations.integration import (
    Checks,
    Grading,
    Integration,
    Prompts,
    ReadingResults,
    References,
    Reruns,
    Trajectories,
)
from sampleui.integrations.named_files import kept_default
from sampleui.integrations.promptfoo.assertion_text import NAMED_TYPES
from sampleui.integrations.promptfoo.feedback import HANDS_BACK
from sampleui.integrations.promptfoo.grading import (
    expects_otherwise,
    failed_by,
    graded,
    recorded_outcomes,
)
from sampleui.integrations.promptfoo.joining import ByVariables
from sampleui.integrations.promptfoo.meaning import as_meant
from sampleui.integrations.promptfoo.prompts import prompted
from sampleui.integrations.promptfoo.references import place_in, with_references
from sampleui.integrations.promptfoo.repeated_variables import alike
from sampleui.integrations.promptfoo.rerun import answers, grade, graded_key, key, plan
from sampleui.integrations.promptfoo.results import PROMPTFOO as ROWS
from sampleui.integrations.promptfoo.results import parse_row
from sampleui.integrations.promptfoo.rows import columns, from_row, to_row
from sampleui.integrations.promptfoo.rules import RULES, about_file
from sampleui.integrations.promptfoo.scenarios import with_made_samples
from sampleui.integrations.promptfoo.trajectories import judged
from sampleui.review.results.adapters import adapter_by
from sampleui.sample.dialects.dialect import (
    Asserted,
    Conversion,
    Dialect,
    DialectMark,
    Expected,
    Rows,
    Turns,
    paths,
)
from sampleui.sample.dialects.field import Field, fields, keys, unoffered
from sampleui.sample.fields import Start

if TYPE_CHECKING:
    from sampleui.formats.data import Table
    from sampleui.review.samples.lookup import Lookup
    from sampleui.sample.fields import Starts
    from sampleui.sample.model import Sample

_NONE = keys(
    "id input input_messages messages criteria expected_output inputs response success gradingResult score"
)
_ALONE = ("defaultTest", "evaluateOptions", "commandLineOptions", "derivedMetrics", "nunjucksFilters", "redteam")
"""Keys of a config that no other tool's files of tests have (`UnifiedConfigSchema`)."""

_LISTED = ((), ("tests",))
_FIELDS = fields(
    """
    description:text vars:table|text|list assert:tables options:table threshold:number metadata:table provider:any
    providers:list prompts:list providerOutput:any assertScoringFunction:any
    """
)
_COLUMNS = ("__expected", *(f"__expected{number}" for number in range(1, 21)))
_SPECIAL = ("__description", "__prefix", "__suffix", "__threshold", "__metric", "__providerOutput", "__config")

_OTHER_TYPES = ("assert-set", "human", "max-score", "select-best")
_ASSERTION = keys("type value metric threshold weight provider rubricPrompt transform config assert")

PROMPTFOO = Dialect(
    name="promptfoo",
    title="promptfoo",
    integration="promptfoo",
    refuses=frozenset(
        {"reader-refuses", "bracket-shallow", "row-short"}
    ),  # js-yaml 5, JavaScript's JSON, csv-parse
    containers=_LISTED,
    formats=("yaml",),
    message_paths=paths("vars.messages"),
    expected=Expected(
        paths=(
            *paths("assert.*.value assert.*.assert.*.value"),
            *((name,) for name in _COLUMNS),
        ),
        fills=True,
        types=("equals", "iequals", "contains", "icontains", "starts-with"),
    ),
    tag_paths=paths("metadata.tags"),
    marks=(
        DialectMark((), under=(("tests",),), beside=keys("prompts providers")),
        DialectMark((), _NONE, under=(("tests",),), beside=keys("prompts targets")),
        *(DialectMark((), _NONE - keys("id"), under=(("tests",),), beside=frozenset((key,))) for key in _ALONE),
        DialectMark(paths("vars assert"), _NONE, tables=paths("vars")),
        DialectMark(paths("vars"), tables=paths("vars"), only=frozenset(_FIELDS), under=_LISTED),
        DialectMark(paths("assert"), lists=paths("assert"), only=frozenset(_FIELDS), under=_LISTED),
        DialectMark((), under=(("scenarios",),)),
        *(DialectMark(((name,),)) for name in (*_COLUMNS[:2], "__description")),
    ),
    context_messages=("prompts",),
    turns=Turns(text_path=("vars", "question")),
    elsewhere=True,
    id_paths=paths("description __description"),
    unique_ids=False,
    begins={"assert": []},
    fields=_FIELDS
    | {"assert": Field("tables", holds=_ASSERTION)}
    | unoffered(" ".join((*_COLUMNS, *_SPECIAL)), returns=True),
    rules=("test-empty", "assertions-refused", "variables-refused"),
    conversion=Conversion(
        own=keys("prompts"),
        asserted={"assert": Asserted(dict.fromkeys((*NAMED_TYPES, *_OTHER_TYPES), "any"), _ASSERTION)},
    ),
)


class Promptfoo(Integration):
    """promptfoo."""

    def dialects(self) -> Sequence[Dialect]:
        return (PROMPTFOO,)

    def checks(self) -> Checks:
        return Checks(RULES, skeletons=_starts, of_file=about_file)

    def rows(self) -> Rows:
        return Rows(to_row, from_row, columns)

    def references(self) -> References:
        """Return what the `$ref` of a test stand for, and the samples that scenarios make."""
        return References(with_references, place_in, with_made_samples=with_made_samples, meant=as_meant)

    def prompts(self) -> Prompts:
        """Return a test as each prompt of its config asks it, once for each of its values."""
        return Prompts(
            prompted,
            as_recorded=alike,
            default_test=lambda named, library: kept_default(named, replace(library, looks_above=False).read, []),
        )

    def lookup(self, samples: Sequence[Sample]) -> Lookup:
        return ByVariables(samples)

    def grading(self) -> Grading:
        """Return how the assertions of a test are judged, those of `defaultTest` before its own."""
        return Grading(
            lambda _record, sample, answer, _enough: graded(sample.data, sample.context, answer),
            nests_members=True,
            # The values of assertions tell, which the run repeats, so that a change of the sample misleads nobody.
            recorded_outcomes=lambda record, sample, _changed: recorded_outcomes(
                record.data, sample.data, sample.context
            ),
            expects_otherwise=lambda record, sample: expects_otherwise(record.data, sample.data, sample.context),
            failed_by=lambda record, sample: failed_by(record.data, sample.data, sample.context),
        )

    def results(self) -> ReadingResults:
        """Return the reader of its rows."""
        adapter = adapter_by(ROWS)._replace(parse=parse_row)
        return ReadingResults((adapter,), hands_back=lambda: HANDS_BACK)

    def reruns(self) -> Reruns:
        return Reruns(
            lambda request: [*plan(request)],
            answers,
            key,
            grade=lambda request: [*grade(request)],
            graded_key=graded_key,
        )

    def trajectories(self) -> Trajectories:
        """Return how assertions of a type `trajectory:…` are judged: all records alike."""
        return Trajectories(check=judged)


def _starts() -> Starts:
    """Return what an assertion of each usual kind starts as (its documentation of assertions and metrics)."""
    more: Table = {"weight": 1, "metric": "", "transform": ""}
    texts = ("contains", "icontains", "equals", "regex", "starts-with", "llm-rubric", "javascript", "python")
    lists = ("contains-all", "contains-any", "icontains-all", "icontains-any")
    bare = ("is-json", "is-refusal", "is-valid-openai-tools-call")
    limits = ("latency", "cost", "similar", "answer-relevance")
    return {
        "assert": {
            **{kind: Start({"type": kind, "value": ""}, {"threshold": 0.5, **more}) for kind in texts},
            **{kind: Start({"type": kind, "value": [""]}, more) for kind in lists},
            **{kind: Start({"type": kind}, {"value": "", **more}) for kind in bare},
            **{kind: Start({"type": kind, "threshold": 0}, {"value": "", **more}) for kind in limits},
            "similar": Start({"type": "similar", "value": "", "threshold": 0.8}, more),
        }
    }


INTEGRATION = Promptfoo()
