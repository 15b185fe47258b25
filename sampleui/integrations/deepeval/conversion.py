"""Goldens of DeepEval: conversations have a scenario, and stand in files of their own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sampleui.formats.data import Plain, Table
from sampleui.sample.content import segments
from sampleui.sample.convert.answers import Case
from sampleui.sample.message import TextSegment

SCENARIO = "scenario"


def asks(data: Table) -> bool:
    """Tell whether a golden says what a conversation is about."""
    return SCENARIO in data


def finished(data: Table, case: Case) -> tuple[Table, Sequence[str]]:
    """Return a conversation with a scenario: where it has none, the first text of the user."""
    if not isinstance(data.get("turns"), list) or data.get(SCENARIO) or case.rest.get(SCENARIO):
        return data, ()
    asked = (
        message for message in case.messages or () if isinstance(message, dict) and message.get("role") == "user"
    )
    text = next((text for message in asked for text in _texts_of(message.get("content")) if text.strip()), "")
    if not text:
        return data, ()
    return {SCENARIO: text, **data}, (f"{SCENARIO}: written as the first text of the user, for DeepEval wants one",)


def _texts_of(content: Plain) -> Iterator[str]:
    yield from (part.text for part in segments(content) or () if isinstance(part, TextSegment))
