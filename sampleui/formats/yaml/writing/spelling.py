"""How values are written as YAML: scalars in every style, collections in blocks and in brackets."""

from __future__ import annotations

import json
import math
import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass

from sampleui.errors import EditRefusedError
from sampleui.formats.data import Plain, Scalar, Table
from sampleui.formats.yaml.nodes import HEADER, YamlNode
from sampleui.formats.yaml.values import may_be_plain, printable
from sampleui.formats.yaml.writing.habits import NO_HABITS, Manner, YamlHabits, most_are
from sampleui.text.position import shared_end, shared_start

_ESCAPED = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff\ufffe\uffff]")
_INDICATED = frozenset(" \n\t")
"""What a block begins with that has to say how deep it is indented."""

_BETWEEN_WORDS = re.compile(r"(?<=\S) (?=\S)")
_NARROWEST = 40
"""The width that folded text gets at least, however deep it stands and however short the old lines were."""

_OTHER_BREAKS = re.compile("[\r\x85\u2028\u2029]")


def double_quoted(text: str) -> str:
    """Return a text in double quotes. Every text can be written so."""
    return _ESCAPED.sub(lambda match: f"\\u{ord(match[0]):04x}", json.dumps(text, ensure_ascii=False))


def single_quoted(text: str) -> str | None:
    """Return a text in single quotes, None if they cannot hold it on one line."""
    if "\n" in text or _OTHER_BREAKS.search(text) or not printable(text):
        return None
    return "'" + text.replace("'", "''") + "'"


def bare(value: Scalar) -> str:
    """Return a value that is not a string as the core schema of YAML 1.2 and YAML 1.1 both read it.

    Raises:
        EditRefusedError: for dates and times, which YAML 1.2 does not know.
    """
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        if math.isnan(value):
            return ".nan"
        if math.isinf(value):
            return ".inf" if value > 0 else "-.inf"
        mantissa, exponent, power = repr(value).partition("e")
        if exponent and "." not in mantissa:
            mantissa += ".0"
        return mantissa + exponent + power
    raise EditRefusedError(f"YAML has no {type(value).__name__}; write it as a string")


def may_be_block(text: str) -> bool:
    """Tell whether a `|` block can hold a text so that every reader sees all of it."""
    readable = bool(text.strip()) and printable(text) and not _OTHER_BREAKS.search(text)
    return readable and not (text[:1] in _INDICATED and ends_blank(text))


def ends_blank(text: str) -> bool:
    """Tell whether the last line of a text is blanks: npm's `yaml` drops it where the indentation is indicated."""
    last = text.rstrip("\n").rpartition("\n")[2]
    return bool(last) and not last.strip(" \t")


def chomping(text: str) -> str:
    """Return the chomping indicator that a block of a text needs."""
    if not text.endswith("\n"):
        return "-"
    return "+" if text.endswith("\n\n") or text == "\n" else ""


def block_lines(text: str) -> list[str]:
    """Return the lines of a block that stand for a text, the break of the last one left out."""
    return text.removesuffix("\n").split("\n")


def literal(text: str, parent: int, inner: int, newline: str) -> str:
    """Return a text as a `|` block whose lines are at column `inner`, inside a parent at column `parent`."""
    indicator = str(inner - parent) if text[:1] in _INDICATED else ""
    lines = [" " * inner + line if line else "" for line in block_lines(text)]
    return newline.join([f"|{indicator}{chomping(text)}", *lines])


def may_be_folded(text: str) -> bool:
    """Tell whether a `>` block holds a text as surely as a `|` block: no line of it begins or ends with a blank."""
    return not text.startswith("\n") and all(line == line.strip(" \t") for line in text.split("\n"))


def folded(text: str, inner: int, newline: str) -> str:
    """Return a text as a `>` block whose lines are at column `inner` and end before column 80 if they can."""
    lines: list[str] = []
    for line in block_lines(text):
        if lines and line:
            lines.append("")  # a break more than is meant: one alone would be read as a blank
        lines += _wrapped(line, max(80 - inner, _NARROWEST))
    return newline.join([f">{chomping(text)}", *(" " * inner + line if line else "" for line in lines)])


def _wrapped(line: str, width: int) -> list[str]:
    """Return a line in several, broken where a single blank is."""
    lines = [""]
    for word in _BETWEEN_WORDS.split(line):
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append(word)
        else:
            lines[-1] += f" {word}" if lines[-1] else word
    return lines


def string(text: str, parent: int, inner: int, manner: Manner, key: str = "") -> str:
    """Return a new string in a block: `|` or `>` for several lines, or else like the texts under that key."""
    if "\n" in text and manner.blocks and may_be_block(text):
        if most_are(manner.habits.folds, key) and may_be_folded(text):
            return folded(text, inner, manner.newline)
        return literal(text, parent, inner, manner.newline)
    return _line(text, manner.habits, key, in_flow=False)


def _line(text: str, habits: YamlHabits, key: str, *, in_flow: bool) -> str:
    quote = habits.quote(key, in_flow)
    if not quote and may_be_plain(text, in_flow):
        return text
    quote = quote or habits.spare
    return (single_quoted(text) if quote == "'" else None) or double_quoted(text)


def key_text(key: str, flow: bool = False, quoted: bool = False) -> str:
    """Return a key."""
    return key if may_be_plain(key, flow) and not quoted else double_quoted(key)


def flow(value: Plain, quoted: bool = False, habits: YamlHabits = NO_HABITS, key: str = "") -> str:
    """Return a value on one line, collections in brackets; `quoted` as in JSON, else like the texts under a key."""
    in_list, in_table = habits.pads
    if isinstance(value, dict):
        parts = (
            f"{key_text(name, True, quoted)}: {flow(item, quoted, habits, name)}" for name, item in value.items()
        )
        return "{" + in_table + ", ".join(parts) + in_table + "}" if value else "{}"
    if isinstance(value, list):
        inner = ", ".join(flow(item, quoted, habits, key) for item in value)
        return f"[{in_list}{inner}{in_list}]" if value else "[]"
    if isinstance(value, str):
        return double_quoted(value) if quoted else _line(value, habits, key, in_flow=True)
    return bare(value)


def block(value: Plain, column: int, manner: Manner, under: str = "") -> str:
    """Return a collection that is not empty, its first line without indentation, the others at `column` and on."""
    parts: Iterator[str]
    if isinstance(value, dict):
        parts = (key_text(key) + ":" + behind_key(item, column, manner, key) for key, item in value.items())
    elif isinstance(value, list):
        parts = ("- " + behind_dash(item, column, column + 2, manner, under) for item in value)
    else:
        return flow(value)
    return (manner.newline + " " * column).join(parts)


def behind_key(value: Plain, column: int, manner: Manner, key: str = "") -> str:
    """Return a value as it is after the colon of a key at a column, the space or break before it included."""
    if isinstance(value, dict | list) and value and not _is_short(value, manner.habits, key):
        inner = column + (manner.step if isinstance(value, dict) else manner.dash)
        return manner.newline + " " * inner + block(value, inner, manner, key)
    if isinstance(value, str):
        return " " + string(value, column, column + manner.step, manner, key)
    return " " + flow(value, manner.quoted, manner.habits, key)


def behind_dash(value: Plain, dash: int, inner: int, manner: Manner, key: str = "") -> str:
    """Return a value as it is after a dash, at the column `inner`."""
    if isinstance(value, dict | list) and value and not _is_short(value, manner.habits, key):
        return block(value, inner, manner)
    if isinstance(value, str):
        return string(value, dash, inner, manner, key)
    return flow(value, manner.quoted, manner.habits, key)


def _is_short(value: list[Plain] | Table, habits: YamlHabits, key: str) -> bool:
    """Tell whether a collection under a key is on one line: most like it do, and nothing in it is long."""
    if not (most_are(habits.braces if isinstance(value, dict) else habits.brackets, key)):
        return False
    items = value.values() if isinstance(value, dict) else value
    return all(not isinstance(item, dict | list) and "\n" not in str(item) for item in items)


_NEAR = 8
"""How many paragraphs to each side of its own place a changed one is looked for among."""


@dataclass(frozen=True, slots=True)
class LineRoom:
    """Where a scalar is: the column of the block around it, the column its lines get if it becomes a block."""

    parent: int
    inner: int
    flow: bool
    manner: Manner


def in_same_style(text: str, node: YamlNode, value: str, room: LineRoom) -> Iterator[str]:
    """Return spellings of a string that may take a scalar's place, those nearest to its style first."""
    newline = room.manner.newline
    if node.style in {"|", ">"} and not room.flow:
        yield from _reblocked(text, node, value, room)
        yield double_quoted(value) + header_comment(text, node)
        return
    yield from _refolded_inline(text, node, value, room)
    if node.style == "'" and (quoted := single_quoted(value)) is not None:
        yield quoted
    elif node.style == "" and may_be_plain(value, room.flow):
        yield value
    if node.style != '"' and "\n" in value and not room.flow and may_be_block(value):
        block = literal(value, room.parent, room.inner, newline)
        yield block
        if node.end == len(text):
            yield block + newline
    yield double_quoted(value)


def header_comment(text: str, node: YamlNode) -> str:
    """Return the comment on the first line of a block scalar with the space before it; empty for other nodes."""
    header = HEADER.match(text, node.start, node.end) if node.style in {"|", ">"} else None
    return header["rest"].rstrip() if header else ""


@dataclass(frozen=True, slots=True)
class _BlockScalar:
    """A block scalar taken apart: its lines without indentation, and its explicit indentation, if any."""

    lines: list[str]
    digit: str
    sign: str
    rest: str
    inner: int


def _taken_apart(text: str, node: YamlNode, room: LineRoom) -> _BlockScalar:
    header = HEADER.match(text, node.start, node.end)
    assert header is not None
    signs = header["signs"]
    digit, sign = signs.strip("+-"), signs.strip("0123456789")
    body = text[header.end() : node.end]
    lines = [line.removesuffix("\r") for line in body.split("\n")] if body else []
    inner = room.parent + int(digit) if digit else room.inner
    if not digit:
        inner = next((len(line) - len(line.lstrip(" ")) for line in lines if line.strip(" ")), inner)
    return _BlockScalar(lines, digit, sign, header["rest"].rstrip(), inner)


def _reblocked(text: str, node: YamlNode, value: str, room: LineRoom) -> Iterator[str]:
    if not may_be_block(value):
        return
    newline = room.manner.newline
    old = _taken_apart(text, node, room)
    digits = [old.digit] if old.digit else ["", str(old.inner - room.parent)]
    digits = [digit for digit in digits if not (digit and ends_blank(value))]
    kept = ["+"] if old.sign == "+" and value.endswith("\n") else []
    styles = [(">", _folded), ("|", _literal)] if node.style == ">" else [("|", _literal)]
    for style, spelled in styles:
        body = spelled(old, node.value, value)
        for sign in dict.fromkeys([*kept, chomping(value)]):
            for digit in digits:
                block = newline.join([f"{style}{digit}{sign}{old.rest}", *body])
                yield block
                if node.end == len(text):
                    yield block + newline


def _literal(old: _BlockScalar, before: str, value: str) -> list[str]:
    """Return the lines of a `|` block; those whose text did not change as they were written."""
    if not value:
        return []
    wanted, had = block_lines(value), block_lines(before)
    lines = [" " * old.inner + line if line else "" for line in wanted]
    if len(had) != len(old.lines):
        return lines
    same_head = shared_start(wanted, had)
    same_tail = shared_end(wanted[same_head:], had[same_head:])
    kept_tail = old.lines[len(had) - same_tail :] if same_tail else []
    return [*old.lines[:same_head], *lines[same_head : len(lines) - same_tail], *kept_tail]


def _folded(old: _BlockScalar, _before: str, value: str) -> list[str]:
    """Return the lines of a `>` block; paragraphs that did not change are folded where they were."""
    wanted = block_lines(value) if value else []
    had = _paragraphs([line[old.inner :] for line in old.lines])
    models = _models(had, [line for line in wanted if line and line[0] not in " \t"])
    lines: list[str] = []
    before, blanks = "", 0
    for line in wanted:
        if not line:
            blanks += 1
            continue
        # Between two lines that fold, a break more is written than is meant; around indented ones it is not.
        folds = bool(before) and before[0] not in " \t" and line[0] not in " \t"
        lines += [""] * (blanks + folds)
        lines += [line] if line[0] in " \t" else _refolded(next(models), line)
        before, blanks = line, 0
    lines += [""] * blanks
    return [" " * old.inner + line if line else "" for line in lines]


def _models(had: list[list[str]], wanted: list[str]) -> Iterator[list[str]]:
    """Yield for each new line the folded paragraph that it was most likely made from.

    Those before the first change and after the last one are known; among the others the nearest few are looked at.
    """
    joined = [" ".join(paragraph) for paragraph in had]
    head = shared_start(joined, wanted)
    tail = shared_end(joined[head:], wanted[head:])
    end = len(had) - tail
    for number, line in enumerate(wanted):
        if number < head:
            yield had[number]
        elif number >= len(wanted) - tail:
            yield had[number - len(wanted) + len(had)]
        else:
            near = range(min(max(head, number - _NEAR), end), min(end, number + _NEAR + 1))
            best = max(near, key=lambda index: _alike(joined[index], line), default=None)
            yield had[best] if best is not None else []


def _alike(text: str, other: str) -> int:
    return shared_start(text, other) + shared_end(text, other)


def _paragraphs(lines: list[str]) -> list[list[str]]:
    paragraphs: list[list[str]] = [[]]
    for line in lines:
        if line.strip() and line[0] not in " \t":
            paragraphs[-1].append(line)
        elif paragraphs[-1]:
            paragraphs.append([])
    return [lines for lines in paragraphs if lines]


def _refolded(old: list[str], text: str) -> list[str]:
    """Return a text folded where an old one was, as far as they agree from both ends."""
    head = 0
    while head < len(old) and text.startswith(old[head] + " "):
        text = text[len(old[head]) + 1 :]
        head += 1
    tail = len(old)
    while tail > head and text.endswith(" " + old[tail - 1]):
        tail -= 1
        text = text[: -len(old[tail]) - 1]
    if head < tail and text == old[head] and tail == head + 1:
        return old
    width = max(_NARROWEST, *(len(line) for line in old)) if len(old) > 1 else len(text) + 1
    middle = textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False)
    return [*old[:head], *(middle or [text]), *old[tail:]]


def _refolded_inline(text: str, node: YamlNode, value: str, room: LineRoom) -> Iterator[str]:
    """Return the text for a plain or quoted scalar of several lines, folded where the old one was."""
    written = text[node.start : node.end]
    if "\n" not in written or not value.strip():
        return
    spelled: str | None = value if may_be_plain(value, room.flow) else None
    if node.style:
        quoted = single_quoted(value) if node.style == "'" else double_quoted(value)
        spelled = quoted and quoted[1:-1]
        written = written[1:-1]
    if spelled is None:
        return
    lines = written.split("\n")
    indent = next((len(line) - len(line.lstrip()) for line in lines[1:] if line.strip()), room.inner)
    folded = _refolded([line.strip() for line in lines if line.strip()], spelled)
    yield node.style + (room.manner.newline + " " * indent).join(folded) + node.style
