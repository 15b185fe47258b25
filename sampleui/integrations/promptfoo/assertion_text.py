"""An assertion in one text: its type, a threshold, and its value (promptfoo 0.123.1, `assertionFromString`)."""

from __future__ import annotations

import re
from typing import NamedTuple

from sampleui.formats.data import Table
from sampleui.integrations.javascript import SPACE, trim
from sampleui.sample.dialects.field import keys

NAMED_TYPES = keys(
    """
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
)
"""The types of assertions that a text can name (`BaseAssertionTypesSchema`)."""

LISTED = keys("contains-all contains-any icontains-all icontains-any")
"""The types whose value is a list."""

THRESHOLDS = keys(
    """
    answer-relevance classifier context-faithfulness context-recall context-relevance cost latency levenshtein
    perplexity perplexity-score rouge-n similar starts-with
    """
)
"""The types whose threshold is read, in brackets behind the type, and which have one in any case."""

_USUAL_THRESHOLD = 0.75
_OF_SIMILAR = 0.8

AS_IT_STANDS = keys("contains-json is-json")
"""The types whose value, a schema, keeps the blanks around it."""

_PREFIXES = {
    "fn:": "javascript",
    "eval:": "javascript",
    "javascript:": "javascript",
    "grade:": "llm-rubric",
    "llm-rubric:": "llm-rubric",
    "python:": "python",
}
_FILES = (
    (re.compile(r"file://.*\.[cm]?[jt]s", re.DOTALL | re.IGNORECASE), "javascript", 0),
    (re.compile(r"file://.*\.py(:.*)?", re.DOTALL), "python", len("file://")),
)
_TYPED = re.compile(
    rf"(?P<negated>not-)?(?P<kind>{'|'.join(sorted(NAMED_TYPES))})(?:\((?P<threshold>\d+(?:\.\d+)?)\))?(?::(?P<value>.*))?",
    re.DOTALL,
)
_FIELD = re.compile(rf'"(?P<quoted>(?:\\["\\]|""|[^"]|)*+)"|(?P<plain>[^",{SPACE}][^,]*)')
_BLANK = re.compile(f"[{SPACE},]*")
_AFTER_QUOTES = re.compile(f"[{SPACE}]*(?:,|\\Z)")


class SpelledAssertion(NamedTuple):
    """The parts of a text that names a type of assertion.

    Attributes:
        negated: `not-` where it is negated, "" where it is not.
        kind: the type.
        threshold: the digits in the brackets behind it; None without them.
        value: what is behind its colon, as it stands; None without one.
    """

    negated: str
    kind: str
    threshold: str | None
    value: str | None


def spelled(text: str) -> SpelledAssertion | None:
    """Return the parts of a text that names a type of assertion; None for one that names none."""
    match = _TYPED.fullmatch(text)
    if match is None:
        return None
    return SpelledAssertion(match["negated"] or "", match["kind"], match["threshold"], match["value"])


def assertion(text: str) -> Table:
    """Return the assertion that a text stands for: of the type it names, or that an answer equals it.

    Args:
        text: the text without blanks around it. A list in it that cannot be read stays a text.
    """
    for prefix, kind in _PREFIXES.items():
        if text.startswith(prefix):
            return {"type": kind, "value": trim(text.removeprefix(prefix))}
    for pattern, kind, skipped in _FILES:
        if pattern.fullmatch(text):
            return {"type": kind, "value": text[skipped:]}
    spelling = spelled(text)
    if spelling is None:
        return {"type": "equals", "value": text}
    assertion_read: Table = {"type": f"{spelling.negated}{spelling.kind}"}
    if spelling.value is not None:
        assertion_read["value"] = spelling.value if spelling.kind in AS_IT_STANDS else trim(spelling.value)
    if spelling.kind in LISTED and spelling.value:
        try:
            assertion_read["value"] = [*fields(spelling.value)]
        except ValueError:
            return assertion_read
    if spelling.kind in THRESHOLDS:
        usual = _OF_SIMILAR if spelling.kind == "similar" else _USUAL_THRESHOLD
        assertion_read["threshold"] = usual if spelling.threshold is None else _number(spelling.threshold)
    return assertion_read


def fields(value: str) -> list[str]:
    """Return the fields of a text: commas between them, quotes around those that hold one.

    Raises:
        ValueError: when promptfoo refuses the text, with the reason.
    """
    parts, position = [], 0
    while (start := _skipped(value, position)) < len(value):
        field = _FIELD.match(value, start)
        if field is None:
            raise ValueError("a quote is not closed")
        quoted, position = field["quoted"], field.end()
        if quoted is not None and not _AFTER_QUOTES.match(value, position):
            raise ValueError("a comma must follow a quote")
        parts.append(trim(field["plain"]) if quoted is None else re.sub(r'\\(["\\])|"(")', r"\1\2", quoted))
    return parts


def _skipped(value: str, position: int) -> int:
    blank = _BLANK.match(value, position)
    return position if blank is None else blank.end()


def _number(digits: str) -> int | float:
    return float(digits) if "." in digits else int(digits)
