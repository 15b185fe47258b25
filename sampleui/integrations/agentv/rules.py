"""The rules of AgentV samples."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sampleui.sample.model import Sample
from sampleui.sample.rules.common import Rule
from sampleui.text.diagnostic import Finding, Severity


def expected_messages_multiple(sample: Sample) -> Iterator[Finding]:
    """Several expected messages, of which AgentV compares the first. With tool calls they are a whole run."""
    messages = sample.data.get("expected_messages")
    if not isinstance(messages, list) or len(messages) < 2:
        return
    if any(isinstance(message, dict) and message.get("tool_calls") for message in messages):
        return
    text = f"{len(messages)} expected messages; AgentV compares the answer with the first"
    yield Finding("expected-messages-multiple", Severity.WARNING, text, ("expected_messages",))


RULES: Mapping[str, Rule] = {
    "expected-messages-multiple": expected_messages_multiple,
}
