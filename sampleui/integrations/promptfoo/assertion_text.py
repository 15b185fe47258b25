"""An assertion in one text: its type, a threshold, and its value (promptfoo 0.123.1, `assertionFromString`)."""

from __future__ import annotations

import re

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
_FIELD = re.compile(rf'[{SPACE},]*+(?:"(?P<quoted>(?:\\["\\]|""|[^"]|)*+)"|(?P<plain>[^",{SPACE}][^,]*))')
_AFTER_QUOTES = re.compile(f"[{SPACE}]*(?:,|\\Z)")


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
    spelled = _TYPED.fullmatch(text)
    if spelled is None:
        return {"type": "equals", "value": text}
    kind, value, threshold = spelled["kind"], spelled["value"], spelled["threshold"]
    read: Table = {"type": f"{spelled['negated'] or ''}{kind}"}
    if value is not None:
        read["value"] = value if kind in AS_IT_STANDS else trim(value)
    if kind in LISTED and value:
        try:
            read["value"] = [*fields(value)]
        except ValueError:
            return read
    if kind in THRESHOLDS and threshold is not None:
        read["threshold"] = float(threshold) if "." in threshold else int(threshold)
    elif kind in THRESHOLDS:
        read["threshold"] = _OF_SIMILAR if kind == "similar" else _USUAL_THRESHOLD
    return read


def fields(value: str) -> list[str]:
    """Return the fields of a text: commas between them, quotes around those that hold one.

    Raises:
        ValueError: when promptfoo refuses the text, with the reason.
    """
    parts, position = [], 0
    while field := _FIELD.match(value, position):
        quoted, position = field["quoted"], field.end()
        if quoted is not None and not _AFTER_QUOTES.match(value, position):
            raise ValueError("a comma must follow a quote")
        parts.append(trim(field["plain"]) if quoted is None else re.sub(r'\\(["\\])|"(")', r"\1\2", quoted))
    if value[position:].strip(f"{SPACE},"):
        raise ValueError("a quote is not closed")
    return parts
