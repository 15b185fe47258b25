"""gage-eval's standardized sample (§1.2 to §1.4), field by field."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from pydantic import ConfigDict, Field, Tag
from pydantic.config import JsonDict

from sampleui.sample.models.base import Content, Id, Message, Models, NonEmpty, Open, Table, one_of, tag

RELATIVE = r"^(?![/\\~]|[A-Za-z]:)(?!(?:[\s\S]*[/\\])?\.\.(?:[/\\]|$))[\s\S]+$"


_NEW_TOOL: JsonDict = {
    "type": "function",
    "function": {"name": "", "parameters": {"type": "object", "properties": {}}},
}


class Option(Open):
    """One candidate of a multiple choice (§1.3.3). The order of the list is the order shown."""

    id: NonEmpty
    content: str


class Reference(Open):
    """One final answer (§1.3.3)."""

    answer: Content
    meta: Table | None = None


class ToolFunction(Open):
    """The function of a tool."""

    name: NonEmpty
    description: str | None = None
    parameters: Table | None = None


class Tool(Open):
    """A tool in OpenAI's form (§1.3.8)."""

    model_config = ConfigDict(json_schema_extra={"examples": [_NEW_TOOL]})

    type: NonEmpty
    function: ToolFunction | None = None


class ToolChoice(Open):
    """The one tool to call, in OpenAI's form (§1.3.8)."""

    type: NonEmpty
    function: ToolFunction | None = None


class Sandbox(Open):
    """The environment to run in (§1.3.6)."""

    image: str | None = None
    files: dict[str, str] | None = Field(
        None,
        description="Relative target path to URI or local path",
        json_schema_extra={"propertyNames": {"pattern": RELATIVE}},
    )
    setup: str | None = Field(None, description="Init script")
    env: Table | None = None


AnyReference: TypeAlias = Annotated[
    Annotated[str, Tag(tag("text"))] | Annotated[Reference, Tag(tag("table"))], one_of("text", "table")
]
AnyToolChoice: TypeAlias = Annotated[
    Annotated[str, Tag(tag("text"))] | Annotated[ToolChoice, Tag(tag("table"))], one_of("text", "table")
]
AnyInput: TypeAlias = Annotated[
    Annotated[str, Tag(tag("text"))] | Annotated[list[object], Tag(tag("list"))], one_of("text", "list")
]

FEW_SHOT_FORBIDDEN = ("few_shot_examples", "predict_result", "eval_result", "raw_assets", "sandbox")


class FewShot(Open):
    """A compact sample shown before the messages (§1.3.4)."""

    model_config = ConfigDict(
        json_schema_extra={"not": {"anyOf": [{"required": [key]} for key in FEW_SHOT_FORBIDDEN]}}
    )

    messages: list[Message] = Field(min_length=1)
    references: list[AnyReference]
    options: list[Option] | None = None
    label: str | None = None
    tools: list[Tool] | None = None
    tool_choice: AnyToolChoice | None = None


class GageSample(Open):
    """One sample (§1.2). Unknown keys are kept."""

    schema_version: Annotated[str, Field(pattern=r"\S")] = Field(description="Schema version", examples=["v1"])
    id: Id = Field(description="Unique sample id")
    messages: list[Message] = Field(min_length=1, description="OpenAI-style messages")
    references: list[AnyReference] = Field(description="Ground-truth answers")
    task_type: str | None = Field(None, description="Task or question type")
    options: list[Option] | None = Field(None, description="Multiple-choice candidates, in display order")
    label: str | None = Field(None, description="The first reference as a string")
    few_shot_examples: list[FewShot] | None = Field(None, description="In-sample few-shot items")
    golden_trajectories: list[list[Message]] | None = Field(None, description="Reference trajectories")
    sandbox: Sandbox | None = Field(None, description="Execution environment")
    metadata: Table | None = Field(None, description="Task and runtime metadata")
    data_tag: Table | None = Field(None, description="Slicing labels for statistics")
    raw_assets: Table | None = Field(None, description="Raw or large assets, never rendered directly")
    tools: list[Tool] | None = Field(None, description="OpenAI tool definitions")
    tool_choice: AnyToolChoice | None = Field(None, description="Tool choice strategy")
    sampling_params: Table | None = Field(None, description="Sampling parameters")
    generation_params: Table | None = Field(None, description="Generation parameters")
    eval_config: Table | None = Field(None, description="Per-sample evaluation control")
    unconditioned_input: AnyInput | None = Field(None, description="Debiasing input")
    predict_result: list[object] | None = Field(None, description="Runtime inference results")
    eval_result: Table | None = Field(None, description="Runtime evaluation results")


class KeyedGageSample(GageSample):
    """One sample of a table of samples, whose id is its key."""

    id: Id | None = Field(None, description="Unique sample id, where it is not the sample's key")  # type: ignore[assignment]


class GageBeside(Open):
    """What stands beside the samples of a deck file: anything."""


MODELS = Models(
    sample=GageSample,
    keyed=KeyedGageSample,
    beside=GageBeside,
    title="gage-eval sample, or a list of samples",
)
