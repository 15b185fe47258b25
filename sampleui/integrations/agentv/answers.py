"""Where a test of AgentV has the answer that it expects: messages, or a value in their place, or a variable."""

from __future__ import annotations

from sampleui.formats.data import DataPath, Plain
from sampleui.review.samples.answers import Setting, last_answer, said_at
from sampleui.sample.model import Sample
from sampleui.sample.parse import dialect_of

LISTED, SINGLE = "expected_messages", "expected_output"
"""The keys of expected messages in the older spelling, and of messages or any value in today's."""

IN_VARS: DataPath = ("vars", "expected_output")
"""Where version 5 has the answer."""

CRITERIA = ("expected_outcome", "criteria", "outcome")
"""Keys of what makes an answer good, in words."""


def paths(sample: Sample) -> tuple[DataPath, ...]:
    """Return where a test may have its answer, the places that count first at the beginning."""
    last = (path for key in (LISTED, SINGLE) for path in last_answer(sample.data, (key,)))
    return (*last, (SINGLE,), (LISTED,), IN_VARS, *((key,) for key in CRITERIA))


def taking(sample: Sample, actual: str) -> tuple[Setting, ...]:
    """Return the edits that make an answer the expected one."""
    for key in (LISTED, SINGLE):
        if answers := last_answer(sample.data, (key,)):
            return (Setting(answers[0], actual),)
        if key in sample.data:
            return (Setting((key,), actual if key == SINGLE else _message(actual)),)
    if said_at(sample.data, IN_VARS):
        return (Setting(IN_VARS, actual),)
    if (
        sample.messages_path == dialect_of(sample).message_paths[0]
    ):  # the older spelling, which goes with the older key
        return (Setting((LISTED,), _message(actual)),)
    return (Setting((SINGLE,), actual),)


def _message(text: str) -> Plain:
    return [{"role": "assistant", "content": text}]
