"""The fields of calibrate's samples. Its entry reads them at every start, so this imports nothing slow."""

from sampleui.sample.dialects.field import MESSAGE, Field, Tells

FIELDS = {
    "messages": Field(
        "turns", required=True, purpose="The conversation, in OpenAI's form", returns=False, holds=MESSAGE
    ),
    "id": Field("filled", purpose="The sample's id; in a keyed deck its key is the id", returns=False),
    "expected": Field("any", purpose="What a grader is given to compare with", tells=Tells.MUCH, returns=False),
    "score": Field("number", purpose="The true score of the conversation", tells=Tells.MUCH),
    "description": Field("text", purpose="Why the score is what it is"),
    "tags": Field("texts", purpose="Labels"),
}

BESIDE = {"meta": Field("table", purpose="Settings of the deck", tells=Tells.MUCH)}
"""Keys beside the samples."""
