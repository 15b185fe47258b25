"""How values are written as YAML: scalars in every style, collections in blocks and in brackets."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

from sampleui.errors import EditRefusedError
from sampleui.formats.data import Plain, Scalar, Table
from sampleui.formats.yaml.values import may_be_plain, printable
from sampleui.formats.yaml.writing.habits import NO_HABITS, Habits

_ESCAPED = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff\ufffe\uffff]")
_INDICATED = frozenset(" \n\t")
"""What a block begins with that has to say how deep it is indented."""

_BETWEEN_WORDS = re.compile(r"(?<=\S) (?=\S)")
_NARROWEST = 40

_OTHER_BREAKS = re.compile("[\r\x85\u2028\u2029]")


@dataclass(frozen=True, slots=True)
class Manner:
    """How new text is laid out.

    Attributes:
        newline: the break of lines.
        step: the columns that a table stands in from the one around it.
        dash: the columns that a list stands in from the key it belongs to.
        quoted: whether keys and strings in brackets are quoted, as in JSON.
        blocks: whether strings of several lines are written as blocks.
        habits: the quotes and brackets of the text around.
    """

    newline: str
    step: int
    dash: int
    quoted: bool
    blocks: bool
    habits: Habits


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
        return (mantissa if "." in mantissa else mantissa + ".0") + exponent + power if exponent else mantissa
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
        if manner.habits.is_folded(key) and may_be_folded(text):
            return folded(text, inner, manner.newline)
        return literal(text, parent, inner, manner.newline)
    return _line(text, manner.habits, key, in_flow=False)


def _line(text: str, habits: Habits, key: str, *, in_flow: bool) -> str:
    quote = habits.quote(key, in_flow)
    if not quote and may_be_plain(text, in_flow):
        return text
    quote = quote or habits.spare
    return (single_quoted(text) if quote == "'" else None) or double_quoted(text)


def key_text(key: str, flow: bool = False, quoted: bool = False) -> str:
    """Return a key."""
    return key if may_be_plain(key, flow) and not quoted else double_quoted(key)


def flow(value: Plain, quoted: bool = False, habits: Habits = NO_HABITS, key: str = "") -> str:
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


def _is_short(value: list[Plain] | Table, habits: Habits, key: str) -> bool:
    """Tell whether a collection under a key is on one line: most like it do, and nothing in it is long."""
    if not (habits.in_braces(key) if isinstance(value, dict) else habits.in_brackets(key)):
        return False
    items = value.values() if isinstance(value, dict) else value
    return all(not isinstance(item, dict | list) and "\n" not in str(item) for item in items)
