"""AgentV's eval case and eval file, in the older (`evalcases`) and in today's (`tests`) spelling."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from pydantic import ConfigDict, Field, Tag

from sampleui.sample.models.base import (
    NEW_MESSAGE,
    NonEmpty,
    Open,
    Segment,
    Table,
    ToolCall,
    either,
    tag,
    text_or,
)

Content: TypeAlias = str | list[Segment] | Table
Rubric: TypeAlias = Annotated[
    Annotated[str, Tag(tag("text"))] | Annotated[Table, Tag(tag("table"))], text_or("table")
]


class AgentvMessage(Open):
    """One turn. Content may also be a table, which a model is shown as JSON."""

    model_config = either("content", "tool_calls", example=NEW_MESSAGE)

    role: NonEmpty = Field(description="Who speaks")
    content: Content | None = Field(None, description="What is said")
    name: str | None = Field(None, description="The name of who speaks")
    tool_calls: list[ToolCall] | None = Field(None, description="The tools that an assistant calls")
    tool_call_id: str | None = Field(None, description="The call that a tool's message answers")


class AgentvCase(Open):
    """One eval case. Its messages stand in `input_messages`, in `input`, in `vars.input`, or come from a prompt."""

    id: NonEmpty = Field(description="Unique id of the case")
    input_messages: list[AgentvMessage] | None = Field(None, min_length=1, description="The conversation")
    input: str | list[AgentvMessage] | Table | None = Field(None, description="The conversation, or one user text")
    input_files: list[str] | None = Field(None, description="Files attached before a text input")
    vars: Table | None = Field(None, description="Values for the prompts; input is the conversation")
    expected_messages: list[AgentvMessage] | None = Field(None, description="The reference answer")
    expected_output: object = Field(None, description="The reference answer: a text, a table or messages")
    expected_outcome: str | None = Field(None, description="What makes an answer good")
    criteria: str | None = Field(None, description="What makes an answer good")
    outcome: str | None = Field(None, description="What makes an answer good")
    description: str | None = Field(None, description="What the case is about")
    conversation_id: str | None = Field(None, description="The conversation this case is a part of")
    execution: Table | None = Field(None, description="Target and evaluators of this case")
    rubrics: list[Rubric] | None = Field(None, description="Points to grade by")
    evaluators: list[Rubric] | None = Field(None, description="Evaluators of this case, by name or in full")
    assertions: list[Rubric] | None = Field(None, description="What must hold of the answer")
    asserts: list[Rubric] | None = Field(None, alias="assert", description="What must hold of the answer")
    metadata: Table | None = Field(None, description="Whatever else is to be kept with the case")


class AgentvDeck(Open):
    """An eval file."""

    model_config = ConfigDict(
        json_schema_extra={"anyOf": [{"required": [key]} for key in ("evalcases", "tests", "cases", "eval_cases")]}
    )

    evalcases: list[AgentvCase] | None = None
    tests: list[AgentvCase] | str | None = Field(None, description="The cases, or the path of a file that has them")
    cases: list[AgentvCase] | None = None
    eval_cases: list[AgentvCase] | None = None
    description: str | None = None
    target: str | None = Field(None, description="The target to run against by default")
    execution: Table | None = None
