"""An assertion in one text: its type, a threshold, and its value (promptfoo 0.123.1, `assertionFromString`)."""

from __future__ import annotations

import re
from typing import NamedTuple

_TYPES = """
    agent-rubric answer-relevance bleu classifier contains contains-all contains-any contains-html
    contains-json contains-sql contains-xml context-faithfulness context-recall context-relevance
    conversation-relevance cost equals factuality finish-reason g-eval gleu guardrails icontains
    icontains-all icontains-any is-html is-json is-refusal is-sql is-valid-function-call
    is-valid-openai-function-call is-valid-openai-tools-call is-xml javascript latency levenshtein llm-rubric
    pi meteor model-graded-closedqa model-graded-factuality moderation perplexity perplexity-score python
    regex rouge-n ruby similar similar:cosine similar:dot similar:euclidean starts-with tool-call-f1
    skill-used trajectory:goal-success trajectory:tool-args-match trajectory:step-count
    trajectory:tool-sequence trajectory:tool-used trace-error-spans trace-span-count trace-span-duration
    search-rubric webhook word-count
"""
"""The types of promptfoo 0.123.1 (`BaseAssertionTypesSchema`)."""

_TYPED = re.compile(
    rf"(?P<negated>not-)?(?P<kind>{'|'.join(_TYPES.split())})(?:\(\d+(?:\.\d+)?\))?(?::(?P<value>.*))?", re.DOTALL
)


class Spelled(NamedTuple):
    """The parts of a text that names a type of assertion.

    Attributes:
        negated: `not-` where it is negated, "" where it is not.
        kind: the type.
        value: what is behind its colon, as it stands; None without one.
    """

    negated: str
    kind: str
    value: str | None


def spelled(text: str) -> Spelled | None:
    """Return the parts of a text that names a type of assertion; None for one that names none."""
    found = _TYPED.fullmatch(text)
    return None if found is None else Spelled(found["negated"] or "", found["kind"], found["value"])
