"""What the models of every dialect share: messages and their segments, and what an integration says of its own."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any, Literal, NamedTuple, Self, TypeAlias

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag, model_validator
from pydantic.config import JsonDict
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import PydanticCustomError
from pydantic_core.core_schema import WithDefaultSchema

from sampleui.formats.data import Plain
from sampleui.sample.models.typed import TYPES

Schema: TypeAlias = dict[str, Plain]
AnyTable: TypeAlias = dict[str, object]
NonEmpty: TypeAlias = Annotated[str, Field(min_length=1)]
Id: TypeAlias = Annotated[str, Field(pattern=r"\S")]


def tag(name: str) -> str:
    """Return a name as the tag of a union, marked so that it is told apart from keys in the place of an error."""
    return f"<{name}>"


class AsDeclared(GenerateJsonSchema):
    """Keeps keys in the order of the models and of their examples: the order in which to write them.

    Fields have no title beside their description, and no default: an editor that offers a key would write `null`.
    """

    def field_title_should_be_set(self, schema: object) -> bool:
        """Tell that a field needs no title."""
        return False

    def default_schema(self, schema: WithDefaultSchema) -> JsonSchemaValue:
        """Return the shape of a field without its default."""
        return self.generate_inner(schema["schema"])

    def sort(self, value: JsonSchemaValue, parent_key: str | None = None) -> JsonSchemaValue:
        """Return keys as they are."""
        return value


class Open(BaseModel):
    """A table whose other keys are kept. Types are taken strictly: a number is not a text."""

    # The regular expressions of Python and not of Rust, which know other white space than `str.strip`.
    model_config = ConfigDict(extra="allow", strict=True, frozen=True, regex_engine="python-re")

    @classmethod
    def as_declared(cls) -> dict[str, Any]:
        """Return the JSON Schema, its keys in the order of the model."""
        return cls.model_json_schema(schema_generator=AsDeclared)


class Shapes(NamedTuple):
    """The shapes of a dialect, of which pydantic checks values.

    Attributes:
        types: for each word in the dialect's tables of fields that is its own, or that it means in its own way, the
            type as pydantic takes it.
        title: what a deck file is called.
        elsewhere: for a key that samples stand under, the JSON Schema of what may stand there in their place.
        conditions: the JSON Schemas of what else must hold of a sample, which no type can say.
    """

    types: Mapping[str, Any]
    title: str
    elsewhere: Mapping[str, Schema] = MappingProxyType({})
    conditions: tuple[Schema, ...] = ()


NEW_MESSAGE: JsonDict = {"role": "user", "content": ""}
_NEW_CALL: JsonDict = {"id": "", "type": "function", "function": {"name": "", "arguments": {}}}
ToolCall: TypeAlias = Annotated[AnyTable, Field(examples=[_NEW_CALL])]
SAYS_SOMETHING = ConfigDict(
    json_schema_extra={
        "examples": [NEW_MESSAGE],
        "anyOf": [
            {
                "required": ["content"],
                "properties": {
                    "content": {
                        "anyOf": [
                            {"type": "string", "minLength": 1},
                            {"type": "array", "minItems": 1},
                            {"type": "object", "minProperties": 1},
                        ]
                    }
                },
            },
            {"required": ["tool_calls"], "properties": {"tool_calls": {"type": "array", "minItems": 1}}},
        ],
    }
)
"""A message has a content, and one that is not empty, or tool calls. The example is what a new one begins as."""


class TextSegmentModel(Open):
    """Text: `{type: text, text}`, or `value`."""

    model_config = ConfigDict(
        json_schema_extra={
            "anyOf": [{"required": ["text"]}, {"required": ["value"]}],
            "examples": [{"type": "text", "text": ""}],
        }
    )

    type: Literal["text"]
    text: str = ""
    value: str = ""

    @model_validator(mode="after")
    def _has_text(self) -> Self:
        if not {"text", "value"} & self.model_fields_set:
            raise PydanticCustomError("lacks", "must have a text")
        return self


class FileSegmentModel(Open):
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


def _kind(value: object) -> str | None:
    kind = value.get("type") if isinstance(value, dict) else None
    return tag(kind) if isinstance(kind, str) else None


SegmentModel: TypeAlias = Annotated[
    Annotated[TextSegmentModel, Tag(tag("text"))]
    | Annotated[FileSegmentModel, Tag(tag("file"))]
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


def one_of(*kinds: str) -> Discriminator:
    """Return the discriminator of values of some kinds (`text`, `list`, …), which names them in its error."""

    def shape(value: Plain) -> str | None:
        return next((tag(kind) for kind in kinds if TYPES[kind].test(value)), None)

    named = " or ".join(TYPES[kind].words for kind in kinds)
    return Discriminator(shape, custom_error_type="one_of", custom_error_message=f"must be {named}")


Content: TypeAlias = Annotated[
    Annotated[str, Tag(tag("text"))] | Annotated[list[SegmentModel], Tag(tag("list"))], one_of("text", "list")
]


class MessageModel(Open):
    """One turn, in OpenAI's form. A turn with tool calls may go without content."""

    model_config = SAYS_SOMETHING

    role: NonEmpty = Field(description="Who speaks")
    content: Content | None = Field(None, description="What is said")
    name: str | None = Field(None, description="The name of the speaker")
    tool_calls: list[ToolCall] | None = Field(None, description="The tools that an assistant calls")
    tool_call_id: str | None = Field(None, description="The call that a tool's message answers")

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if not self.content and not self.tool_calls:
            raise PydanticCustomError("lacks", "must have content")
        return self
