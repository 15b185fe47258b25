"""calibrate's sample and deck (sample format migration, "Sample Type Definition")."""

from __future__ import annotations

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


MODELS = Models(sample=CalibrateSample, keyed=CalibrateSample, beside=CalibrateBeside, title="calibrate deck")
