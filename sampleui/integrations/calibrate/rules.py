"""What is right in calibrate's samples and decks (sample format migration, "Sample Type Definition")."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING

from sampleui.formats.data import is_number
from sampleui.sample.model import Sample
from sampleui.sample.models.ordinary import Ordinary, anything, are_turns, is_name, is_table, is_text, is_texts
from sampleui.sample.parse import conversation, dialect_of
from sampleui.sample.rules.every_dialect import Rule, in_message
from sampleui.text.diagnostic import Finding, Severity

if TYPE_CHECKING:
    from sampleui.sample.models.base import Models


def content_segments(sample: Sample) -> Iterator[Finding]:
    """A content is a list of segments, which is rendered here and which calibrate itself does not read."""
    for index, message in enumerate(conversation(sample)):
        if isinstance(message, dict) and isinstance(message.get("content"), list) and message["content"]:
            node = in_message(sample, index, "content")
            yield Finding(
                "content-segments",
                Severity.HINT,
                f"Content is a list of segments; {dialect_of(sample).title} itself reads text only",
                node,
            )


RULES: Mapping[str, Rule] = {"content-segments": content_segments}


ORDINARY = Ordinary(
    sample={
        "id": is_name,
        "messages": are_turns,
        "expected": anything,
        "score": is_number,
        "description": is_text,
        "tags": is_texts,
    },
    beside={"meta": is_table},
)


@cache
def models() -> Models:
    """Return the full shape of a sample, and of what stands beside samples; what it imports takes long."""
    from pydantic import Field

    from sampleui.sample.models.base import Message, Models, NonEmpty, Open, Table

    class CalibrateSample(Open):
        """One sample. Any role and any order of messages is valid."""

        messages: list[Message] = Field(min_length=1, description="The conversation, in OpenAI's form")
        id: NonEmpty | None = Field(None, description="The sample's id; in a keyed deck its key is the id")
        expected: object = Field(None, description="What a grader is given to compare with")
        score: float | None = Field(None, description="The true score of the conversation")
        description: str | None = Field(None, description="Why the score is what it is")
        tags: list[str] | None = Field(None, description="Labels")

    class CalibrateBeside(Open):
        """What stands beside the samples of a deck file."""

        meta: Table | None = Field(None, description="Settings of the deck")

    return Models(sample=CalibrateSample, keyed=CalibrateSample, beside=CalibrateBeside, title="calibrate deck")
