"""The shapes of what stands in the fields of gage-eval's standardized sample (§1.2 to §1.4)."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from pydantic import ConfigDict, Field, Tag
from pydantic.config import JsonDict

from sampleui.sample.models.base import AnyTable, Content, MessageModel, NonEmpty, Open, Shapes, one_of, tag

RELATIVE = r"^(?![/\\~]|[A-Za-z]:)(?!(?:[\s\S]*[/\\])?\.\.(?:[/\\]|$))[\s\S]+$"


_NEW_TOOL: JsonDict = {
    "type": "function",
    "function": {"name": "", "parameters": {"type": "object", "properties": {}}},
}


class OptionModel(Open):
    """One candidate of a multiple choice (§1.3.3). The order of the list is the order shown."""

    id: NonEmpty
    content: str


class ReferenceModel(Open):
    """One final answer (§1.3.3)."""

    answer: Content
    meta: AnyTable | None = None


class ToolFunction(Open):
    """The function of a tool."""

    name: NonEmpty
    description: str | None = None
    parameters: AnyTable | None = None


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
    env: AnyTable | None = None


AnyReference: TypeAlias = Annotated[
    Annotated[str, Tag(tag("text"))] | Annotated[ReferenceModel, Tag(tag("table"))], one_of("text", "table")
]
AnyToolChoice: TypeAlias = Annotated[
    Annotated[str, Tag(tag("text"))] | Annotated[ToolChoice, Tag(tag("table"))], one_of("text", "table")
]
FEW_SHOT_FORBIDDEN = ("few_shot_examples", "predict_result", "eval_result", "raw_assets", "sandbox")


class FewShot(Open):
    """A compact sample shown before the messages (§1.3.4)."""

    model_config = ConfigDict(
        json_schema_extra={"not": {"anyOf": [{"required": [key]} for key in FEW_SHOT_FORBIDDEN]}}
    )

    messages: list[MessageModel] = Field(min_length=1)
    references: list[AnyReference]
    options: list[OptionModel] | None = None
    label: str | None = None
    tools: list[Tool] | None = None
    tool_choice: AnyToolChoice | None = None


SHAPES = Shapes(
    {
        "version": Annotated[str, Field(pattern=r"\S", examples=["v1"])],
        "references": list[AnyReference],
        "options": list[OptionModel],
        "examples": list[FewShot],
        "conversations": list[list[MessageModel]],
        "sandbox": Sandbox,
        "tools": list[Tool],
        "choice": AnyToolChoice,
    },
    "gage-eval sample, or a list of samples",
)
"""What the words in the table of gage-eval's fields stand for."""
