"""JSON, TOML and YAML in colour: keys, texts, numbers and signs differ by colour as well as by their spelling."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sampleui.tui.drawing.rows import Row
from sampleui.tui.limits import MAX_COLOURED_ROW

_STRING = r"""(?P<string>"(?:[^"\\]|\\.|)*+"?|'(?:[^']|)*+'?)"""
_NUMBER = r"(?P<number>(?<![\w.-])[-+]?\d[\d_]*(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w.:/-]))"
_WORD = r"(?P<word>(?<![\w.-])(?:true|false|null|nan|inf)(?![\w.-]))"
_SIGN = r"(?P<sign>[\[\]{}=,:|>]+)"

_JSON = rf"(?P<key>\"(?:[^\"\\]|\\.)*\"(?=\s*:))|{_STRING}|{_NUMBER}|{_WORD}|{_SIGN}"
_TOML = (
    rf"(?P<comment>(?:^|(?<=\s))\#.*)|(?P<header>^\s*\[\[?[^=]*\]\]?)"
    rf"|(?P<key>(?:[\w-]+|\"[^\"]*\")(?:\s*\.\s*[\w\"-]+)*(?=\s*=))|{_STRING}|{_NUMBER}|{_WORD}|{_SIGN}"
)
_YAML_KEY = r"""(?:[\w$./-]+(?: [\w./-]+)*|"[^"]*"|'[^']*')(?=:(?:\s|$))"""
_YAML = (
    rf"(?P<comment>(?:^|(?<=\s))\#.*)|(?P<key>(?<![^\s{{,\[-]){_YAML_KEY})"
    rf"|(?P<mark>^\s*-(?=\s|$)|(?<=\s)[&*!][\w./-]+)|{_STRING}|{_NUMBER}|{_WORD}|{_SIGN}"
)
_PATTERNS = {"json": _JSON, "jsonl": _JSON, "toml": _TOML, "yaml": _YAML}
"""Each is compiled with the first line to paint: no start needs them all."""

_STYLES = {
    "key": "accent",
    "header": "accent-bold",
    "string": "text",
    "number": "role-tool",
    "word": "role-assistant",
    "comment": "muted",
    "mark": "role-user",
    "sign": "muted",
}


def json_row(line: str) -> Row:
    """Return a line of JSON, painted."""
    return code_row(line, "json")


def code_row(line: str, form: str) -> Row:
    """Return a line of a deck of some format, painted. Each line is looked at alone; the text stays as it is."""
    pattern = _PATTERNS.get(form)
    if pattern is None or len(line) > MAX_COLOURED_ROW:
        return (("text", line),)
    return tuple(_pieces(line, re.compile(pattern)))


def _pieces(line: str, pattern: re.Pattern[str]) -> Iterator[tuple[str, str]]:
    start = 0
    for match in pattern.finditer(line):
        if match.start() > start:
            yield "text", line[start : match.start()]
        yield _STYLES[str(match.lastgroup)], match[0]
        start = match.end()
    if start < len(line) or not line:
        yield "text", line[start:]
