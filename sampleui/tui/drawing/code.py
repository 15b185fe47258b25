"""JSON, TOML, YAML, diffs and Markdown in colour: what differs by its spelling differs by its colour too."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from sampleui.text.limits import MAX_COLOURED_ROW
from sampleui.text.visible import visible_lines
from sampleui.tui.drawing.rows import Row, row_text, text_rows, untabbed, wrap_line, wrapped

_STRING = r"""(?P<string>"(?:[^"\\]|\\.|)*+"?|'(?:[^']|)*+'?)"""
_NUMBER = r"(?P<number>(?<![\w.-])[-+]?\d[\d_]*(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w.:/-]))"
_WORD = r"(?P<word>(?<![\w.-])(?:true|false|null|nan|inf)(?![\w.-]))"
_SIGN = r"(?P<sign>[\[\]{}=,:|>]+)"

_TEXT = r"(?P<text>^\s*│ .*)"
"""A line of a text that is shown as it is inside JSON."""

_JSON = rf"{_TEXT}|(?P<key>\"(?:[^\"\\]|\\.)*\"(?=\s*:))|{_STRING}|{_NUMBER}|{_WORD}|{_SIGN}"
_TOML = (
    rf"(?P<comment>(?:^|(?<=\s))\#.*)|(?P<header>^\s*\[\[?[^=]*\]\]?)"
    rf"|(?P<key>(?:[\w-]+|\"[^\"]*\")(?:\s*\.\s*[\w\"-]+)*(?=\s*=))|{_STRING}|{_NUMBER}|{_WORD}|{_SIGN}"
)
_YAML_KEY = r"""(?:[\w$./-]+(?: [\w./-]+)*|"[^"]*"|'[^']*')(?=:(?:\s|$))"""
_YAML = (
    rf"(?P<comment>(?:^|(?<=\s))\#.*)|(?P<key>(?<![^\s{{,\[-]){_YAML_KEY})"
    rf"|(?P<mark>^\s*-(?=\s|$)|(?<=\s)[&*!][\w./-]+)|{_STRING}|{_NUMBER}|{_WORD}|{_SIGN}"
)
_DIFF = r"(?P<file>^(?:---|\+\+\+).*)|(?P<added>^\+.*)|(?P<removed>^-.*)|(?P<hunk>^@.*)"
_PATTERNS = {"json": _JSON, "jsonl": _JSON, "toml": _TOML, "yaml": _YAML, "diff": _DIFF}
"""Each is compiled with the first line to paint: no start needs them all."""

_STYLES = {
    "key": "accent",
    "header": "accent-bold",
    "string": "text",
    "text": "text",
    "number": "role-tool",
    "word": "role-assistant",
    "comment": "muted",
    "mark": "role-user",
    "sign": "muted",
    "file": "muted-bold",
    "added": "added",
    "removed": "removed",
    "hunk": "accent",
}


def code_row(line: str, form: str) -> Row:
    """Return a line of a deck of some format, painted. Each line is looked at alone; the text stays as it is."""
    pattern = _PATTERNS.get(form)
    if pattern is None or len(line) > MAX_COLOURED_ROW:
        return (("text", line),)
    return tuple(painted(line, re.compile(pattern), _STYLES))


def code_rows(text: str, form: str, width: int) -> list[Row]:
    """Return a text of some format, painted and wrapped; of a very long line each row is painted alone.

    A line of a diff has one style, however long it is: what begins a row of it is no sign.
    """
    rows = list[Row]()
    for line in map(untabbed, visible_lines(text).split("\n")):
        if len(line) <= MAX_COLOURED_ROW:
            rows += wrapped(code_row(line, form), width)
        elif form == "diff":
            style = code_row(line[:MAX_COLOURED_ROW], form)[0][0]
            rows += (((style, part),) for part in wrap_line(line, width))
        else:
            rows += (code_row(part, form) for part in wrap_line(line, width))
    return rows


def diff_rows(text: str, width: int) -> list[Row]:
    """Return a unified diff as rows."""
    return code_rows(text.removesuffix("\n"), "diff", width)


def painted(
    text: str, pattern: re.Pattern[str], styles: Mapping[str, str], usual: str = "text"
) -> Iterator[tuple[str, str]]:
    """Yield the pieces of a text: what a pattern matches in the style of the group that does, the rest as usual."""
    start = 0
    for match in pattern.finditer(text):
        if match.start() > start:
            yield usual, text[start : match.start()]
        yield styles[str(match.lastgroup)], match[0]
        start = match.end()
    if start < len(text) or not text:
        yield usual, text[start:]


_MARKED = re.compile(r"(?P<code>`[^`\n]++`)|(?P<strong>\*\*[^*\n]++\*\*)|(?P<list>^\s*(?:[-*+]|\d{1,9}[.)])\s)")
_MARKED_STYLES = {"code": "accent", "strong": "text-bold", "list": "accent"}
_TITLE = re.compile(r" {0,3}#{1,6}\s")
_FENCE = re.compile(r"\s*(?:```|~~~)")
_ON_ONE_LINE = ("{", "["), ("}", "]")


def readable_rows(text: str, width: int) -> list[Row]:
    """Return a text that is sent as it is: signs of Markdown stay and are painted; JSON on a line is laid out."""
    begins, ends = _ON_ONE_LINE
    if text.startswith(begins) and text.endswith(ends) and "\n" not in text:
        from sampleui.sample.sections import laid_out

        return code_rows(laid_out(text), "json", width)
    rows, fenced = list[Row](), False
    for line in text.split("\n"):
        is_fence = _FENCE.match(line) is not None
        style = "muted" if is_fence else "accent-bold" if _TITLE.match(line) and not fenced else "text"
        for row in text_rows(line, style, width):
            rows.append(
                row if fenced or style != "text" else tuple(painted(row_text(row), _MARKED, _MARKED_STYLES))
            )
        fenced ^= is_fence
    return rows
