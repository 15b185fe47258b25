"""The rules of calibrate samples ("Sample Type Definition"), and values that are right at first sight."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sampleui.sample.model import Sample
from sampleui.sample.models.ordinary import (
    Ordinary,
    anything,
    are_turns,
    is_name,
    is_number,
    is_table,
    is_text,
    is_texts,
)
from sampleui.sample.parse import conversation, dialect_of
from sampleui.sample.rules.every_dialect import Rule, in_message
from sampleui.text.diagnostic import Finding, Severity


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


RULES: Mapping[str, Rule] = {
    "content-segments": content_segments,
}


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
