"""What the models of every dialect share: messages and their segments."""

from __future__ import annotations

from typing import Annotated, Literal, Self, TypeAlias

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag, model_validator
from pydantic.config import JsonDict
from pydantic_core import PydanticCustomError

Table: TypeAlias = dict[str, object]
NonEmpty: TypeAlias = Annotated[str, Field(min_length=1)]


def tag(name: str) -> str:
    """Return a name as the tag of a union, marked so that it is told apart from keys in the place of an error."""
    return f"<{name}>"


class Open(BaseModel):
    """A table whose other keys are kept. Types are taken strictly: a number is not a text."""

    model_config = ConfigDict(extra="allow", strict=True, frozen=True)


def either(*keys: str, example: JsonDict | None = None) -> ConfigDict:
    """Return the configuration of a table that has at least one of some keys, for its JSON Schema.

    `example` is what a new such table begins as.
    """
    extra: JsonDict = {"anyOf": [{"required": [key]} for key in keys]}
    return ConfigDict(json_schema_extra={**extra, "examples": [example]} if example else extra)


NEW_MESSAGE: JsonDict = {"role": "user", "content": ""}
_NEW_CALL: JsonDict = {"id": "", "type": "function", "function": {"name": "", "arguments": "{}"}}
ToolCall: TypeAlias = Annotated[Table, Field(examples=[_NEW_CALL])]


class TextSegment(Open):
    """Text: `{type: text, text}`, or `value` as AgentV spells it."""

    model_config = either("text", "value", example={"type": "text", "text": ""})

    type: Literal["text"]
    text: str | None = None
    value: str | None = None

    @model_validator(mode="after")
    def _has_text(self) -> Self:
        if self.text is None and self.value is None:
            raise PydanticCustomError("lacks", "must have a text")
        return self


class FileSegment(Open):
    """An attached file: `{type: file, value: PATH}`."""

    type: Literal["file"]
    value: NonEmpty


class Url(Open):
    """Where a medium is: a URL or a local path."""

    url: NonEmpty


class ImageSegment(Open):
    """An image."""

    type: Literal["image_url"]
    image_url: Url


class AudioSegment(Open):
    """A sound."""

    type: Literal["audio_url"]
    audio_url: Url


class VideoSegment(Open):
    """A video."""

    type: Literal["video_url"]
    video_url: Url


class DocumentSegment(Open):
    """A document."""

    type: Literal["file_url"]
    file_url: Url


_KINDS = frozenset({"text", "file", "image_url", "audio_url", "video_url", "file_url"})


def _kind(value: object) -> str | None:
    kind = value.get("type") if isinstance(value, dict) else getattr(value, "type", None)
    return tag(kind) if isinstance(kind, str) and kind in _KINDS else None


Segment: TypeAlias = Annotated[
    Annotated[TextSegment, Tag(tag("text"))]
    | Annotated[FileSegment, Tag(tag("file"))]
    | Annotated[ImageSegment, Tag(tag("image_url"))]
    | Annotated[AudioSegment, Tag(tag("audio_url"))]
    | Annotated[VideoSegment, Tag(tag("video_url"))]
    | Annotated[DocumentSegment, Tag(tag("file_url"))],
    Discriminator(
        _kind,
        custom_error_type="segment_type",
        custom_error_message="must have a type: text, file, image_url, audio_url, video_url or file_url",
    ),
]


def text_or(kind: str) -> Discriminator:
    """Return what tells a text from a value of another kind (`list` or `table`), naming both when it is neither."""
    wanted = {"list": list, "table": dict}[kind]

    def shape(value: object) -> str | None:
        if isinstance(value, str):
            return tag("text")
        return tag(kind) if isinstance(value, wanted | BaseModel) else None

    return Discriminator(shape, custom_error_type="text_or", custom_error_message=f"must be a string or a {kind}")


Content: TypeAlias = Annotated[
    Annotated[str, Tag(tag("text"))] | Annotated[list[Segment], Tag(tag("list"))], text_or("list")
]


class Message(Open):
    """One turn, in OpenAI's form. A turn with tool calls may go without content."""

    model_config = either("content", "tool_calls", example=NEW_MESSAGE)

    role: NonEmpty = Field(description="Who speaks")
    content: Content | None = Field(None, description="What is said")
    name: str | None = Field(None, description="The name of who speaks")
    tool_calls: list[ToolCall] | None = Field(None, description="The tools that an assistant calls")
    tool_call_id: str | None = Field(None, description="The call that a tool's message answers")

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if self.content is None and not self.tool_calls:
            raise PydanticCustomError("lacks", "must have content")
        return self
