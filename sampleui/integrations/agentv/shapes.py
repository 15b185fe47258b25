"""The shapes of what stands in the fields of AgentV's eval cases, and what a new assertion begins with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Self, TypeAlias

from pydantic import ConfigDict, Discriminator, Field, Tag, model_validator
from pydantic_core import PydanticCustomError

from sampleui.formats import data
from sampleui.sample.fields import Start, Starts
from sampleui.sample.models.base import (
    SAYS_SOMETHING,
    AnyTable,
    MessageModel,
    NonEmpty,
    Open,
    Schema,
    SegmentModel,
    Shapes,
    one_of,
    tag,
)

AgentvContent: TypeAlias = Annotated[
    Annotated[str, Tag(tag("text"))]
    | Annotated[list[SegmentModel], Tag(tag("list"))]
    | Annotated[AnyTable, Tag(tag("table"))],
    one_of("text", "list", "table"),
]
Rubric: TypeAlias = Annotated[
    Annotated[str, Tag(tag("text"))] | Annotated[AnyTable, Tag(tag("table"))], one_of("text", "table")
]


class AgentvMessage(MessageModel):
    """One turn. Content may also be a table, which a model is shown as JSON."""

    model_config = SAYS_SOMETHING

    content: AgentvContent | None = Field(None, description="What is said")  # type: ignore[assignment]


class Structured(Open):
    """A table that stands for the text of one user message, which is shown it as JSON."""

    model_config = ConfigDict(json_schema_extra={"minProperties": 1, "not": {"required": ["role"]}})

    @model_validator(mode="after")
    def _holds_something(self) -> Self:
        if not self.model_extra:
            raise PydanticCustomError("lacks", "must not be empty")
        return self


def _message_form(value: object) -> str | None:
    """Return how messages are given: as a list, as one text, as one message, or as a table that is its content."""
    if isinstance(value, dict):
        return tag("message" if "role" in value else "table")
    if isinstance(value, str):
        return tag("text")
    return tag("list") if isinstance(value, list) else None


AgentvConversation: TypeAlias = Annotated[
    Annotated[NonEmpty, Tag(tag("text"))]
    | Annotated[list[AgentvMessage], Field(min_length=1), Tag(tag("list"))]
    | Annotated[AgentvMessage, Tag(tag("message"))]
    | Annotated[Structured, Tag(tag("table"))],
    Discriminator(
        _message_form, custom_error_type="one_of", custom_error_message="must be a string, a list or a table"
    ),
]


class Vars(Open):
    """Values for prompts. Where the file has none, `input` is the conversation."""

    input: AgentvConversation | None = Field(None, description="The conversation, or one user text")


_MESSAGES: Schema = {"type": ["array", "string", "object"]}
_IN_VARS: Schema = {"type": "object", "required": ["input"], "properties": {"input": _MESSAGES}}
_ASKS: Schema = {
    "anyOf": [
        {"required": ["input_messages"], "properties": {"input_messages": {"type": "array"}}},
        {"required": ["input"], "properties": {"input": _MESSAGES}},
        {"required": ["vars"], "properties": {"vars": _IN_VARS}},
    ],
}
"""A case finds its messages in one of three places, or else beside it."""

SHAPES = Shapes(
    {
        "turns": Annotated[list[AgentvMessage], Field(min_length=1)],
        "answers": list[AgentvMessage],
        "conversation": AgentvConversation,
        "variables": Vars,
        "rubrics": list[Rubric],
    },
    "AgentV eval file",
    elsewhere={"tests": {"type": "string", "description": "The path of a file that has the cases"}},
    conditions=(_ASKS,),
)
"""What the words in the table of AgentV's fields stand for; `turns` may have tables as contents."""


# What a new assertion begins with: the kinds and their keys are those of the schema of eval files of 4.42
# (`eval-schema.json`); of kinds that it spells in two ways the one with a hyphen is offered.

_COMMON: data.Table = {"name": "", "weight": 1, "required": True, "min_score": 0.5, "negate": True}
_VALUED = ("contains", "icontains", "equals", "regex", "starts-with", "ends-with")
_LISTED = ("contains-all", "contains-any", "icontains-all", "icontains-any")


_MATCHES = ("exact", "ignore", "subset", "superset")


_PURPOSES: Mapping[str, str] = {
    "contains": "the answer has a text in it",
    "rubrics": "a model says whether each criterion is met",
    "llm-grader": "a model judges the answer by a prompt of yours",
    "tool-trajectory": "the tools that were called, and in which order",
    "icontains": "the answer has a text in it, in either case",
    "equals": "the answer is this text",
    "regex": "the answer matches a pattern",
    "starts-with": "the answer begins with a text",
    "ends-with": "the answer ends with a text",
    "contains-all": "the answer has each of several texts in it",
    "contains-any": "the answer has one of several texts in it",
    "icontains-all": "the answer has each of several texts in it, in either case",
    "icontains-any": "the answer has one of several texts in it, in either case",
    "is-json": "the answer is JSON",
    "code-grader": "a program of yours judges the answer",
    "field-accuracy": "fields of the answer agree with those that are expected",
    "latency": "the answer came in time",
    "cost": "the answer cost no more than a budget",
    "token-usage": "the answer took no more than so many tokens",
    "execution-metrics": "the run made no more than so many calls, or took so long",
    "composite": "several assertions, as one score",
}


def _start(kind: str, required: data.Table, more: data.Table | None = None, **choices: tuple[str, ...]) -> Start:
    return Start({"type": kind, **required}, {**(more or {}), **_COMMON}, choices, _PURPOSES[kind])


_ASSERTIONS = {
    **{kind: _start(kind, {"value": ""}) for kind in _VALUED[:1]},
    "rubrics": _start("rubrics", {"criteria": [""]}),
    "llm-grader": _start("llm-grader", {"prompt": ""}, {"rubrics": [""], "target": "", "model": ""}),
    "tool-trajectory": _start(
        "tool-trajectory",
        {"mode": "in_order", "expected": [{"tool": ""}]},
        {"minimums": {}, "args_match": "exact"},
        mode=("in_order", "any_order", "exact", "subset", "superset"),
        args_match=_MATCHES,
    ),
    **{kind: _start(kind, {"value": ""}) for kind in _VALUED[1:]},
    **{kind: _start(kind, {"value": [""]}) for kind in _LISTED},
    "is-json": _start("is-json", {}),
    "code-grader": _start("code-grader", {"command": [""]}, {"cwd": "", "target": "", "config": {}}),
    "field-accuracy": _start(
        "field-accuracy",
        {"fields": [{"path": "", "match": "exact"}]},
        {"aggregation": "weighted_average"},
        aggregation=("weighted_average", "all_or_nothing"),
    ),
    "latency": _start("latency", {"threshold": 0}),
    "cost": _start("cost", {"budget": 0}),
    "token-usage": _start("token-usage", {"max_total": 0}, {"max_input": 0, "max_output": 0}),
    "execution-metrics": _start(
        "execution-metrics",
        {"max_tool_calls": 0},
        {"max_llm_calls": 0, "max_tokens": 0, "max_cost_usd": 0, "max_duration_ms": 0},
    ),
    "composite": _start(
        "composite",
        {"assertions": [{"type": "contains", "value": ""}], "aggregator": {"type": "weighted_average"}},
    ),
}

STARTS: Starts = dict.fromkeys(("assertions", "assert", "evaluators"), _ASSERTIONS)
