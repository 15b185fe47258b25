"""promptfoo's dialect: tests of a config, and files of tests (0.123.1, `src/types/index.ts`, `test-cases.md`)."""

from __future__ import annotations

from sampleui.integrations.promptfoo.assertion_text import NAMED_TYPES
from sampleui.sample.dialects.dialect import ALL, Asserted, Conversion, Dialect, Expected, Mark, Turns, keys

_NONE = keys(
    "id input input_messages messages criteria expected_output inputs response success gradingResult score"
)
_ALONE = ("defaultTest", "evaluateOptions", "commandLineOptions", "derivedMetrics", "nunjucksFilters", "redteam")
"""Keys of a config that no other tool's files of tests have (`UnifiedConfigSchema`)."""

_LISTED = ((), ("tests",))
_FIELDS = {
    "description": "text",
    "vars": "table|text|list",
    "assert": "tables",
    "options": "table",
    "threshold": "number",
    "metadata": "table",
    "provider": "any",
    "providers": "list",
    "prompts": "list",
    "providerOutput": "any",
    "assertScoringFunction": "any",
}
_COLUMNS = ("__expected", *(f"__expected{number}" for number in range(1, 21)))
_SPECIAL = ("__description", "__prefix", "__suffix", "__threshold", "__metric", "__providerOutput", "__config")

_OTHER_TYPES = ("assert-set", "human", "max-score", "select-best")
_ASSERTION = keys("type value metric threshold weight provider rubricPrompt transform config assert")

PROMPTFOO = Dialect(
    name="promptfoo",
    title="promptfoo",
    integration="promptfoo",
    containers=_LISTED,
    formats=("yaml",),
    message_paths=(("vars", "messages"),),
    expected=Expected(
        paths=(
            ("assert", ALL, "value"),
            ("assert", ALL, "assert", ALL, "value"),
            *((name,) for name in _COLUMNS),
        ),
        fills=True,
    ),
    tag_paths=(("metadata", "tags"),),
    marks=(
        Mark((), under=(("tests",),), beside=keys("prompts providers")),
        Mark((), _NONE, under=(("tests",),), beside=keys("prompts targets")),
        *(Mark((), _NONE - keys("id"), under=(("tests",),), beside=frozenset((key,))) for key in _ALONE),
        Mark((("vars",), ("assert",)), _NONE, tables=(("vars",),)),
        Mark((("vars",),), tables=(("vars",),), only=frozenset(_FIELDS), under=_LISTED),
        Mark((("assert",),), lists=(("assert",),), only=frozenset(_FIELDS), under=_LISTED),
        Mark((), under=(("scenarios",),)),
        *(Mark(((name,),)) for name in (*_COLUMNS[:2], "__description")),
    ),
    context_messages=("prompts",),
    nested={"assert": _ASSERTION},
    turns=Turns(text_path=("vars", "question")),
    elsewhere=True,
    id_paths=(("description",), ("__description",)),
    unique_ids=False,
    begins={"assert": []},
    fields=_FIELDS,
    known=frozenset((*_FIELDS, *_COLUMNS, *_SPECIAL)),
    conversion=Conversion(
        own=keys("prompts"),
        asserted={"assert": Asserted(dict.fromkeys((*NAMED_TYPES, *_OTHER_TYPES), "any"), _ASSERTION)},
    ),
)
