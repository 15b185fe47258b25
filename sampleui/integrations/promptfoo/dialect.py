"""promptfoo: the tests of its configs and of files of tests, and what else is known of it.

Source: promptfoo 0.123.1, `src/types/index.ts` and `test-cases.md`.
"""

from __future__ import annotations

from sampleui.integrations.integration import Spellings
from sampleui.integrations.promptfoo.assertion_text import NAMED_TYPES
from sampleui.integrations.promptfoo.rows import columns, from_row, to_row
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
_OPTIONS = keys(
    """
    prefix suffix provider factuality rubricPrompt transform postprocess transformVars storeOutputAs
    disableVarExpansion disableConversationVar disableDefaultAsserts runSerially repeat
    """
)
_ASSERTION = keys("type value metric threshold weight provider rubricPrompt transform config assert")

_TEST = (
    _FIELDS
    | {"assert": Field("tables", holds=_ASSERTION), "options": Field("table", holds=_OPTIONS)}
    | unoffered(" ".join((*_COLUMNS, *_SPECIAL)), returns=True)
)
_BESIDE = unoffered(
    """
    $schema tags description providers targets prompts scenarios outputPath sharing nunjucksFilters env
    derivedMetrics extensions metadata redteam writeLatestResults tracing commandLineOptions
    """
) | {
    "defaultTest": Field("any", offered=False, holds=frozenset(_TEST)),
    "evaluateOptions": Field(
        "any",
        offered=False,
        holds=keys(
            """
            cache delay generateSuggestions suggestionsCount interactiveProviders maxConcurrency repeat
            showProgressBar timeoutMs maxEvalTimeMs isRedteam silent filterRange
            """
        ),
    ),
}
"""Keys of a config (`UnifiedConfigSchema`)."""

PROMPTFOO = Dialect(
    name="promptfoo",
    title="promptfoo",
    purpose="tests of prompts: variables and assertions",
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
    fields=_TEST,
    beside=_BESIDE,
    rules=("test-empty", "assertions-refused", "variables-refused"),
    conversion=Conversion(
        own=keys("prompts"),
        asserted={"assert": Asserted(dict.fromkeys((*NAMED_TYPES, *_OTHER_TYPES), "any"), _ASSERTION)},
    ),
)


DIALECTS = Spellings((PROMPTFOO,), rows=Rows(to_row, from_row, columns))
