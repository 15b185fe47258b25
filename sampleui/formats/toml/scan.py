"""The lexical shape of TOML, where the tables of a whole file begin and end, and how much of it is read.

But for the limits, everything here reads text that is known to be valid TOML: the patterns separate its parts and
check nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import tomli

from sampleui.errors import FormatError
from sampleui.formats.data import Table, deeper
from sampleui.text.limits import MAX_TOML_DEPTH, MAX_TOML_DIGITS, MAX_TOML_ITEMS, MAX_TOML_MARKS, MAX_TOML_STEPS
from sampleui.text.position import error_at

Holder = tuple[str, ...]
"""The keys that lead to the samples."""

BOM = "\ufeff"

# What repeats takes all it can and gives nothing back (`++`, `*+`): valid TOML never needs it to, and a way back
# kept for every escape, comment or quote of a long text would fill the memory.
BASIC = r'"[^"\\\n]*+(?:\\.[^"\\\n]*+|)*+"'
LITERAL = r"'[^'\n]*+'"
LONG_BASIC = r'"""[^"\\]*+(?:(?:\\[\s\S]|"(?!""))[^"\\]*+|)*+"{3,5}'
LONG_LITERAL = r"'''(?:[^']++|'(?!'')|)*+'{3,5}"
STRING = f"(?:{LONG_BASIC}|{LONG_LITERAL}|{BASIC}|{LITERAL})"
PART = f"(?:[A-Za-z0-9_-]++|{BASIC}|{LITERAL})"
KEY = rf"{PART}(?:[ \t]*\.[ \t]*{PART}|)*+"
COMMENT = r"[ \t]*(?:#[^\r\n]*)?"
TRIVIA = rf"(?:{COMMENT}\r?\n|)*+"
LINE_END = r"(?:\n|[ \t]*+(?:#[^\r\n]*+)?(?:\r?\n|\Z))"
PLAIN = r"[^\[{\"'#\s][^#\n]*"

PARTS = re.compile(PART)
_BARE = re.compile(r"[A-Za-z0-9_-]+")
FLAT = rf"[\[{{](?:[^\[\]{{}}\"'#]++|{STRING}|#[^\n]*+|)*+[\]}}]"
_NESTED = rf"[\[{{](?:[^\[\]{{}}\"'#]++|{STRING}|#[^\n]*+|{FLAT}|)*+[\]}}]"

_PAIR = rf"{KEY}[ \t]*+=[ \t]*+(?:{STRING}|{_NESTED}|{PLAIN}){LINE_END}"

TO_BRACKET = re.compile(rf"[ \t]*{KEY}[ \t]*=[ \t]*(?=[\[{{])")
TO_STATEMENT = re.compile(rf"{TRIVIA}(?:{COMMENT}\Z)?")
REST_OF_LINE = re.compile(LINE_END)
_STRING_OR_COMMENT = rf"{STRING}|(#[^\r\n]*)"
_TO_BRACKET_INSIDE = re.compile(rf"(?:[^\[\]{{}}\"'#]++|{STRING}|#[^\n]*|)*+")


_SINCE_1_1 = (
    rf"(?P<string>{STRING})|(?P<comment>#[^\r\n]*)|(?P<open>[\[{{])|(?P<close>[\]}}])"
    r"|(?P<comma>,(?=(?:\s|#[^\n]*\n)*\}))|(?P<line>\n)|(?P<time>(?<![\d:.+-])\d\d:\d\d(?![\d:]))"
)
_ESCAPE = re.compile(r"\\([\s\S])")
_MAYBE_1_1 = re.compile(r"\{|\\[ex]|\d\d:\d\d")


def since_1_1(text: str) -> Iterator[tuple[int, str]]:
    """Yield where a text is TOML 1.1 and not 1.0, and how: the first place in each inline table, and all others.

    TOML 1.1 has line breaks, comments and a comma at the end in inline tables, times without seconds, and the
    escapes e and x; readers of 1.0, such as Python's own up to 3.14, refuse them.
    """
    opened: list[str] = []
    if not _MAYBE_1_1.search(text):
        return
    for token in re.finditer(_SINCE_1_1, text):
        kind, start = token.lastgroup, token.start()
        if kind == "open":
            opened.append(token[0])
        elif kind == "close":
            del opened[-1:]
        elif kind == "time":
            yield start, f"the time {token[0]} without seconds"
        elif kind == "string" and token[0][0] == '"':
            yield from (
                (start + m.start(), f"the escape {m[0]}") for m in _ESCAPE.finditer(token[0]) if m[1] in "ex"
            )
        elif kind in ("line", "comma") and opened[-1:] == ["{"]:
            opened[-1] = "told"
            yield start, "a line break in an inline table" if kind == "line" else "a comma at the end of a table"


class TableBlock(NamedTuple):
    """A header and the pairs below it, up to the next header.

    Attributes:
        lead: where the comments directly above the header start, or the header's line.
        stop: where its last line ends, the comments directly below it included, the line feed not.
        path: the names in the header; empty for what is above the first header.
        listed: whether the header is an `[[item]]`.
        filled: whether there are pairs below the header.
    """

    lead: int
    stop: int
    path: tuple[str, ...]
    listed: bool
    filled: bool


_BLOCK = re.compile(
    rf"(?:\r?\n|[ \t]*+(?:{_PAIR}()|(?:#[^\r\n]*+)?\r?\n)|)*+(?:{COMMENT}\Z)?()"
    rf"(?:[ \t]*+(\[\[?)[ \t]*+({KEY})[ \t]*+\]\]?{LINE_END}|)?+"
)
"""Pairs, blank lines and comments, as far as no value has brackets more than two deep, and the header below them.

The two empty groups are where the last pair ends, and where the blank lines and comments below it do."""


def blocks(text: str) -> Iterator[TableBlock]:
    """Yield the blocks of a valid TOML text in order, the one above the first header first."""
    start = 1 if text.startswith("\ufeff") else 0
    lead, listed, body, offset, size = start, False, start, start, len(text)
    path: tuple[str, ...] = ()
    while block := _BLOCK.match(text, offset):
        end, below, opening = max(block.start(1), offset), block.start(2), block[3]
        if opening is None and below < size and (bracket := TO_BRACKET.match(text, below)):
            offset = line_end(text, brackets_end(text, bracket.end()))
            continue
        if text.find("#", end, below) < 0:
            stop, next_lead = end, below
        else:
            stop, next_lead = split_trivia(text, end, below, below >= size)
        yield TableBlock(lead, line_stop(text, stop), path, listed, end > body)
        if opening is None:
            break
        lead, path, listed = next_lead, names(block[4]), opening == "[["
        body = offset = block.end()


def plain_leads(text: str, path: tuple[str, ...], count: int) -> list[int]:
    """Return where the blocks of a list of so many tables begin, found in a tenth of the time that `blocks` takes.

    These are the lines that begin with the list's name in double brackets, if there are just so many and no line
    begins with double brackets otherwise, but for lists inside of the tables. For each table has such a line, and
    if there were one in a text in quotes too, there would be one more. Where it is not as plain, none is returned.
    """
    if not all(map(_BARE.fullmatch, path)):
        return []
    header = rf"[ \t]*+\[\[(?:{re.escape('.'.join(path))}([\].]))?"
    start = 1 if text.startswith("\ufeff") else 0
    on_top = re.compile(header).match(text, start)
    others = [(line.start() + 1, line[1]) for line in re.finditer(f"\n{header}", text)]
    found = [(start, on_top[1]), *others] if on_top else others
    lines = [offset for offset, closing in found if closing == "]"]
    if len(lines) != count or any(closing is None for _, closing in found):
        return []
    first = next((block.lead for block in blocks(text) if block.listed and block.path == path), None)
    leads = [_comments_above(text, line) for line in lines[1:]]
    return [] if first is None or None in leads else [first, *filter(None, leads)]


def _comments_above(text: str, line: int) -> int | None:
    """Return where the comments begin that are directly above a line; None if one may be the end of a long text."""
    while line:
        above = text.rfind("\n", 0, line - 1) + 1
        if not text[above:line].lstrip(" \t").startswith("#"):
            break
        if '"""' in text[above:line] or "'''" in text[above:line]:
            return None
        line = above
    return line


def brackets_end(text: str, pos: int) -> int:
    """Return where the array or inline table that opens at a place ends."""
    depth = 0
    while True:
        depth += 1 if text[pos] in "[{" else -1
        pos += 1
        if not depth:
            return pos
        inside = _TO_BRACKET_INSIDE.match(text, pos)
        pos = inside.end() if inside else pos


def split_trivia(text: str, start: int, end: int, at_end: bool) -> tuple[int, int]:
    """Return where the comments of what is above end and where those of what is below start.

    Blank lines and comments lie between `start` and `end`. Comments directly above what follows belong to it. Those
    directly below what precedes belong to that, unless they touch both; those between blank lines to neither.
    """
    if "#" not in text[start:end]:
        return start, end
    lines = text[start:end].split("\n")
    if not lines[-1].strip(" \t"):
        lines.pop()
    comments = [line.lstrip(" \t").startswith("#") for line in lines]
    above = next((number for number, is_comment in enumerate(comments) if not is_comment), len(comments))
    below = next((index for index, is_comment in enumerate(reversed(comments)) if not is_comment), len(comments))
    if at_end:
        below = 0
    elif above == len(comments):
        above = 0
    stop = min(start + sum(len(line) + 1 for line in lines[:above]), end)
    lead = end - sum(len(line) + 1 for line in lines[len(lines) - below :]) if below else end
    return stop, lead


def comments(text: str) -> list[str]:
    """Return the comments in a text of whole statements."""
    return [token[1].rstrip(" \t") for token in re.finditer(_STRING_OR_COMMENT, text) if token[1]]


def line_end(text: str, pos: int) -> int:
    """Return where the line that ends with blanks and a comment at a place ends, its line feed included."""
    match = REST_OF_LINE.match(text, pos)
    return match.end() if match else pos


def line_stop(text: str, pos: int) -> int:
    """Return a place after a line feed as the place before it."""
    if pos and text[pos - 1] == "\n":
        return pos - 2 if text[max(pos - 2, 0)] == "\r" else pos - 1
    return pos


@lru_cache(maxsize=1024)
def names(key: str) -> tuple[str, ...]:
    """Return the names in a dotted key as written."""
    if '"' not in key and "'" not in key:
        return tuple(part.strip(" \t") for part in key.split("."))
    return tuple(name(part) for part in PARTS.findall(key))


@lru_cache(maxsize=1024)
def name(part: str) -> str:
    """Return the name that one part of a key spells."""
    return part if part[0] not in "\"'" else str(tomli.loads(f"key = {part}")["key"])


def trivia_end(text: str, pos: int) -> int:
    """Return where the blank lines and comments at a place end, before the blanks of the next statement."""
    match = TO_STATEMENT.match(text, pos)
    return match.end() if match else pos


# What keeps a hostile file from holding up its reader, filling the memory or running out of stack


_TOO_LONG = r"(?<![0-9_])[0-9_]{4300}"  # Python's limit on the digits of an integer
_STEP = r"""(?:[A-Za-z0-9_-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+"""
_LONG_KEY = rf"(?:^|(?<=[\n\[{{,]))[ \t]*+(?:{_STEP}){{{MAX_TOML_DEPTH}}}"
_TEXT = f"{STRING}|#[^\n]*"


def marks(text: str) -> int:
    """Return how many marks a text has that cost its reader time: brackets, commas, quotes and the like."""
    data = text.encode("utf-8", "surrogatepass")
    return len(data) - len(data.translate(None, b"[{,=\"'\\"))


def guard_file(text: str) -> None:
    """Refuse a text that could not be read in a few seconds. It need not be TOML.

    Raises:
        FormatError: when it has more than MAX_TOML_MARKS marks, keys of more than MAX_TOML_DEPTH steps or of more
            than MAX_TOML_STEPS in sum, or a number that would fill the memory.
    """
    if len(text) > MAX_TOML_MARKS and marks(text) > MAX_TOML_MARKS:
        raise FormatError(
            f"more than {MAX_TOML_MARKS:,} brackets, commas, quotes and backslashes", line=1, column=1
        )
    if text.count(".") > MAX_TOML_STEPS or _may_have_long_keys(text):
        bare = re.sub(_TEXT, '""', text)
        if re.search(_LONG_KEY, bare):
            raise too_deep(text)
        if bare.count(".") > MAX_TOML_STEPS:
            raise FormatError(f"more than {MAX_TOML_STEPS:,} steps in its keys", line=1, column=1)
    # Any run twice as long as a step fills one of the steps.
    for index in range(0, len(text) - MAX_TOML_DIGITS, MAX_TOML_DIGITS):
        if not text[index : index + MAX_TOML_DIGITS].strip("0123456789_"):
            raise error_at(text, index, "a number with too many digits")


def _may_have_long_keys(text: str) -> bool:
    """Tell whether a line has as many dots as a key may not have, and stands where it may be one."""
    if text.count(".") < MAX_TOML_DEPTH or all(line.count(".") < MAX_TOML_DEPTH for line in text.split("\n")):
        return False
    return re.search(_LONG_KEY, text) is not None


def guard_piece(text: str) -> None:
    """Refuse a valid piece with so many values that they could not be placed in a few seconds.

    Raises:
        FormatError: when they have more than MAX_TOML_ITEMS brackets and commas.
    """
    if (
        sum(map(text.count, "[{,")) > MAX_TOML_ITEMS
        and sum(map(re.sub(_TEXT, "", text).count, "[{,")) > MAX_TOML_ITEMS
    ):
        raise FormatError(f"more than {MAX_TOML_ITEMS:,} brackets and commas in one sample", line=1, column=1)


def may_be_deep(piece: str) -> bool:
    """Tell whether a piece has so many brackets and dots that its values may be nested too deep."""
    return sum(map(piece.count, "[{.")) > MAX_TOML_DEPTH // 3


def guard_depth(text: str, data: Table) -> None:
    """Refuse values nested more than MAX_TOML_DEPTH levels deep. Raises FormatError."""
    if deeper(data, MAX_TOML_DEPTH):
        raise too_deep(text)


def too_deep(text: str) -> FormatError:
    """Return the error of a text with values nested too deep, at the place where that shows."""
    message = f"nested more than {MAX_TOML_DEPTH} levels deep"
    key = re.search(_LONG_KEY, text)
    if key:
        return error_at(text, key.start(), message)
    depth = 0
    for token in re.finditer(rf"{_TEXT}|[\[\]{{}}]", text):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(token[0], 0)
        if depth > MAX_TOML_DEPTH:
            return error_at(text, token.start(), message)
    return error_at(text, 0, message)


def too_long(text: str) -> FormatError:
    """Return the error of a text with an integer of more digits than Python reads."""
    number = re.search(_TOO_LONG, text)
    return error_at(text, number.start() if number else 0, "an integer with too many digits")
