"""Why a text is not YAML, in plain words, and how to mend it.

libyaml says what it wanted to read; most mistakes are of a few kinds. A cure is only told if it was tried: with it
the text is read on beyond the place of the error.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

import yaml

from sampleui.errors import FormatError
from sampleui.formats.yaml.nodes import events_of, is_too_deep, span_of
from sampleui.text.limits import MAX_EXPLAINED_LINE
from sampleui.text.position import error_at, position_at

_ITEM = r"(?P<before>[ ]*(?:-[ ]+)*)"
_KEY = r"(?P<key>[^\s#:'\"\[\]{}][^:#\n]*|\"[^\"\n]*\"|'[^'\n]*')"
_PAIR = re.compile(rf"{_ITEM}{_KEY}:[ ]+(?P<value>\S[^\n]*?)[ ]*\r?$")
_VALUE = re.compile(rf"{_ITEM}(?P<value>\S[^\n]*?)[ ]*\r?$")
_STARTS = "@`%*&!|>?-[]{},"
_NO_BLANK = re.compile(r"[ ]*(?:-[ ]+)*[\w.-]+:(?=[^\s:/])")
_BRACKETS = {"[": "]", "{": "}"}
_SHOWN = 40


class _Fault(NamedTuple):
    """Where libyaml stops reading.

    Attributes:
        offset: the place.
        opened: where what it was reading begins.
        message: what it says.
        quoted: the quoted text that it read last, as where it begins and ends.
    """

    offset: int
    opened: int | None
    message: str
    quoted: tuple[int, int] | None


def explained(text: str, error: FormatError) -> FormatError:
    """Return the error of a text with what cures it, if that is known; else the error as it is."""
    fault = _fault(text)
    if fault is None:
        return error
    mistake = _quote(text, fault) or _tab(text, fault) or _bracket(text, fault) or next(_cured(text, fault), None)
    if mistake is None:
        return error
    offset, message = mistake
    return error_at(text, offset, message)


def _fault(text: str) -> _Fault | None:
    """Return where a text stops being YAML; None if it does not, or is refused for other reasons."""
    quoted: tuple[int, int] | None = None
    try:
        for event in events_of(text.removeprefix("\ufeff")):
            if isinstance(event, yaml.ScalarEvent) and event.style in ("'", '"'):
                quoted = span_of(event)
    except yaml.MarkedYAMLError as error:
        if is_too_deep(error):
            return None
        shift = int(text.startswith("\ufeff"))
        mark = error.problem_mark or error.context_mark
        opened = error.context_mark.index + shift if error.context_mark else None
        quoted_span = (quoted[0] + shift, quoted[1] + shift) if quoted else None
        return _Fault(mark.index + shift if mark else 0, opened, error.problem or "", quoted_span)
    except (yaml.YAMLError, UnicodeEncodeError):
        return None
    return None


def _quote(text: str, fault: _Fault) -> tuple[int, str] | None:
    """Explain a quote that is never closed, or is closed before its text ends."""
    if fault.opened is not None and text[fault.opened : fault.opened + 1] in ("'", '"'):
        if "end of stream" in fault.message or "document indicator" in fault.message:
            return fault.opened, "the quote that begins here is never closed"
        if "escape" in fault.message:
            cure = r"write \\ for a backslash, or put the text in '…'"
            return fault.offset, f'{fault.message}: in "…" a backslash begins an escape; {cure}'
    if fault.quoted is None or text[fault.quoted[1] : fault.offset].strip(" \t"):
        return None
    start, end = fault.quoted
    behind = text[end:].lstrip(" \t")[:1]
    if "\n" in text[start:end]:
        line = position_at(text, end - 1).line
        return start, f"the quote that begins here is closed in line {line} only, and text follows: one is missing"
    if behind and behind not in "\r\n#:":
        sign = text[start]
        doubled = "''" if sign == "'" else r"\""
        return (
            start,
            f"text follows the closing quote: write {doubled} for {sign} inside, or quote the whole text",
        )
    return None


def _tab(text: str, fault: _Fault) -> tuple[int, str] | None:
    start = text.rfind("\n", 0, fault.offset) + 1
    indent = text[start : len(text) - len(text[start:].lstrip(" \t"))]
    if "\t" not in indent:
        return None
    return start + indent.index("\t"), "a tab cannot indent YAML: write blanks in its place"


def _bracket(text: str, fault: _Fault) -> tuple[int, str] | None:
    """Explain a bracket that its line does not close."""
    bracket = -1 if fault.opened is None else fault.opened
    sign = text[bracket : bracket + 1] if bracket >= 0 else ""
    if sign not in _BRACKETS or "expected ','" not in fault.message:
        return None
    line = text[bracket : _end(text, bracket)]
    closed = line.count(_BRACKETS[sign]) >= line.count(sign)
    return None if closed else (bracket, f"the {sign} that begins here is not closed")


def _cured(text: str, fault: _Fault) -> Iterator[tuple[int, str]]:
    """Yield what cures an error: what makes the text read on beyond its place."""
    for start, line in _lines(text, fault):
        for offset, message, cured in _cures(text, start, line):
            again = _fault(text[:start] + cured + text[start + len(line) :])
            shift = len(cured) - len(line)
            if again is None or again.offset - shift > max(fault.offset, start + len(line)):
                yield offset, message


def _lines(text: str, fault: _Fault) -> Iterator[tuple[int, str]]:
    """Yield the line with the error, that where what was being read begins, and the ones before them with text."""
    starts: dict[int, None] = {}
    for offset in (fault.offset, fault.opened if fault.opened is not None else fault.offset):
        start = text.rfind("\n", 0, offset) + 1
        while start and not text[start : _end(text, start)].strip():
            start = text.rfind("\n", 0, start - 1) + 1
        before = text.rfind("\n", 0, start - 1) + 1 if start else start
        starts |= dict.fromkeys((start, before))
    lines = ((start, text[start : _end(text, start)]) for start in starts)
    yield from ((start, line) for start, line in lines if len(line) <= MAX_EXPLAINED_LINE)


def _end(text: str, start: int) -> int:
    end = text.find("\n", start)
    return len(text) if end < 0 else end


def _cures(text: str, start: int, line: str) -> Iterator[tuple[int, str, str]]:
    """Yield what may be wrong with a line: where, the words, and the line without it."""
    if (match := _NO_BLANK.match(line)) is not None:
        position = match.end()
        yield start + position - 1, "a blank is missing behind this colon", f"{line[:position]} {line[position:]}"
    for pattern in (_PAIR, _VALUE):
        if (match := pattern.match(line)) is not None:
            position, value = match.start("value"), match["value"]
            quoted = json.dumps(value, ensure_ascii=False)
            yield start + position, _why_quotes(value), line[:position] + quoted + line[position + len(value) :]
    if ":" not in line and line.strip():
        message = "this line is no key, and is not indented enough to go on with the text above"
        yield start + len(line) - len(line.lstrip(" ")), message, f"  {line}"
    before = text[:start].rstrip("\r\n").rpartition("\n")[2]
    indent, above = len(line) - len(line.lstrip(" ")), len(before) - len(before.lstrip(" -"))
    if indent != above and start:
        message = f"this line is indented by {indent}, and the one before it by {above}"
        yield start + indent, message, " " * above + line.lstrip(" ")


def _why_quotes(value: str) -> str:
    shown = value if len(value) <= _SHOWN else f"{value[: _SHOWN - 1]}…"
    cure = f"put the text in quotes: {json.dumps(shown, ensure_ascii=False)}"
    if value[0] in _BRACKETS and _BRACKETS[value[0]] not in value:
        return f"the {value[0]} that begins here is not closed"
    if value[0] in _STARTS:
        return f"a text cannot begin with {value[0]} here; {cure}"
    if ": " in value or value.endswith(":"):
        return f'a ": " inside a text without quotes begins another key; {cure}'
    return f"this text needs quotes; {cure}"
