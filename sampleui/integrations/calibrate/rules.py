"""What is right in calibrate's samples and decks (sample format migration, "Sample Type Definition")."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sampleui.integrations.integration import Checks

if TYPE_CHECKING:
    from sampleui.sample.models.base import Shapes


from collections.abc import Iterator, Mapping

from sampleui.sample.model import Sample
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


RULES: Mapping[str, Rule] = {"content-segments": content_segments}


def _shapes() -> Shapes:
    from sampleui.sample.models.base import Shapes

    return Shapes({}, "calibrate deck")


CHECKS = Checks(RULES, shapes=_shapes)
