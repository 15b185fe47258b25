"""Rows for a screen reader: words in the place of signs, and nothing that is only drawn. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import zip_longest

from sampleui.tui.drawing.rows import Row

_DATA = frozenset({"text", "text-bold", "match", "gone", "come", "gone-line", "come-line"})
"""The styles of what comes from files: its characters stay as they are."""

_DRAWN = re.compile("[\u2500-\u25ff⋯╮◆●▲■○◇▤▣]")
"""Lines, blocks and shapes."""

_WORDS = {
    ("error", "✖ "): "error:",
    ("warning", "▲ "): "warning:",
    ("info", "i "): "info:",
    ("hint", "· "): "hint:",
    ("warning", "≠ "): "differs:",
    ("warning", "~ "): "changed:",
    ("accent-bold", "* "): "marked:",
    ("added", "✓ "): "yes:",
    ("added-bold", "✓ "): "passed:",
    ("error-bold", "✖ "): "failed:",
    ("faint", "· "): "undecided",
}
"""Signs that mean one thing in one style alone."""

_ALONE = {
    "✓": "passed",
    "✖": "failed",
    "–": "ungraded",
    "!": "error",
    "▼": "worse",
    "▲": "better",
    "↕": "mixed",
    "≠": "differs",
    "↩": "carried",
    "▸": "folded",
    "▾": "open",
    "[✓]": "[passed]",
    "[✖]": "[failed]",
    "∅": "null",
    "“": "text",
    "·": "none",
}
"""Signs that stand alone between others."""

_TOLD = re.compile(r"^(\s*)[–·] (?=\S)|(?<!\S)[✓✖≠≈↩] (?=\S)")
"""A sign before words that say the same."""


_COUNTED = re.compile(r"([✖▲]) ?(?=[\d,]+\s*$)")
"""A sign before a number that nothing else is said of."""

_BETWEEN = " · "
_INSIDE = {
    " › ": ", ",
    _BETWEEN: ", ",
    "→ call": "call",
    "→ ": "call ",
    "← ": "",
    "⏎": "enter",
    "⇧": "shift+",
    "↓": "down",
    "↑": "up",
}
"""Signs between words."""


def _counted(match: re.Match[str]) -> str:
    return "errors: " if match[1] == "✖" else "warnings: "


def plain_row(row: Row) -> Row:
    """Return a row as it is read aloud: `user:` for the sign of a role and its name."""
    spoken = [*_spoken(row)]
    following = [words.strip() for _, words in spoken[1:]]
    return tuple(part for part, then in zip_longest(spoken, following) if part[1].strip() != then or not then)


def _spoken(row: Row) -> Iterator[tuple[str, str]]:
    begun = False
    for style, text in row:
        words = text
        if not text.strip():
            words = text[:2] if begun else text
        elif style == "edge":
            words = _DRAWN.sub("", text)
            words = words if words.strip() else ""
        elif style not in _DATA or (style, text) in _WORDS:
            words = _words(style, text)
        begun = begun or bool(words.strip())
        if words:
            yield style, words


def _words(style: str, text: str) -> str:
    if (style, text) in _WORDS:
        return f"{_WORDS[style, text]} "
    sign = text.strip()
    if sign in _ALONE and text != _BETWEEN:
        return f"{_ALONE[sign]} "
    if style.startswith("role-") and style.endswith("-bold") and _DRAWN.match(sign):
        return f"{_DRAWN.sub('', sign).strip()}:"
    told = _TOLD.sub(r"\g<1>", _COUNTED.sub(_counted, text))
    for drawn, read in _INSIDE.items():
        told = told.replace(drawn, read)
    return re.sub(r" {3,}", "  ", _DRAWN.sub("", told).replace("›", ">")) if _DRAWN.search(told) else told
