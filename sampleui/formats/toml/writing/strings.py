"""Strings as TOML text, in the style of the old string as far as the new one can be written in it.

tomlkit says which texts a literal string can hold. Escapes are made here, because tomlkit leaves characters that
editors take for the end of a line, writes tabs of long strings as escapes, and loses carriage returns
(`tests/formats/test_toml_items.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tomlkit.exceptions import InvalidStringError
from tomlkit.items import String, StringType, Trivia

from sampleui.formats.toml import scan
from sampleui.formats.toml.writing.habits import TomlHabits

_ESCAPES = {"\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r", '"': '\\"', "\\": "\\\\"}
_ESCAPED = {escape[1]: character for character, escape in _ESCAPES.items()} | {"e": "\x1b"}
# Beside what TOML forbids: characters that editors and terminals take for the end of a line or for nothing at all.
_UNSAFE = "\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff"
_IN_LINE = re.compile(f'[\\\\"\t\n{_UNSAFE}]')
_IN_LINES = re.compile(f"[\\\\{_UNSAFE}]")
_UNITS = re.compile(
    r"\\(?:u(?P<u4>[0-9A-Fa-f]{4})|U(?P<u8>[0-9A-Fa-f]{8})|x(?P<x>[0-9A-Fa-f]{2})"
    r"|(?P<join>[ \t]*\r?\n[ \t\r\n]*)|(?P<esc>.))"
    r"|(?P<line>\r?\n)|(?P<plain>[^\\\r\n]+)"
)
_STRING = re.compile(scan.STRING)
_BLANK = ('""', "''")
"""A text that is empty says nothing of the style that one in its place would have."""


def basic(text: str) -> str:
    """Return a string as `"..."`."""
    return f'"{_IN_LINE.sub(_escape, text)}"'


def long_basic(text: str, newline: str, opened: str) -> str:
    """Return a string between three double quotes. `opened` is what follows them: a line feed, or nothing."""
    return f'"""{_start(text, newline, opened)}{_lines(text, newline, ends=True)}"""'


def literal(text: str) -> str | None:
    """Return a string as `'...'`, None if it cannot be one."""
    try:
        return String.from_raw(text, StringType.SLL).as_string()
    except InvalidStringError:
        return None


def long_literal(text: str, newline: str, opened: str) -> str | None:
    """Return a string between three single quotes, None if it cannot be one."""
    if "\r" in text or text.endswith("'"):
        return None
    try:
        String.from_raw(text, StringType.MLL)
    except InvalidStringError:
        return None
    return f"'''{_start(text, newline, opened)}{text.replace(chr(10), newline)}'''"


def new_string(text: str, newline: str, habits: TomlHabits) -> str:
    """Return a new string: over several lines when it has them, in the quotes that most have."""
    if "\n" in text:
        literal_lines = long_literal(text, newline, newline) if habits.long_quote == "'''" else None
        return literal_lines or long_basic(text, newline, newline)
    return (literal(text) if habits.quote == "'" else None) or basic(text)


def string_item(written: str, text: str) -> String:
    """Return a string as an item."""
    quotes = written[:3] if written[:3] in {'"""', "'''"} and len(written) > 5 else written[0]
    return String(StringType(quotes), text, written[len(quotes) : -len(quotes)], Trivia())


def replacements(old: str, text: str, newline: str, habits: TomlHabits) -> Iterator[str]:
    """Yield texts for a string that takes the place of another, `old` as written, the most alike first.

    The first keeps, as written, what both have in common at their start and their end: escapes, and line ends
    after a backslash. It may read otherwise at the seams; the others do not.
    """
    if not _STRING.fullmatch(old) or old in _BLANK:
        yield new_string(text, newline, habits)
        return
    quotes = old[:3] if old[:3] in {'"""', "'''"} else old[0]
    body = old[len(quotes) : -len(quotes)]
    opened = body[: len(body) - len(body.removeprefix("\r\n").removeprefix("\n"))] if len(quotes) == 3 else ""
    patched = _patched(quotes, body[len(opened) :], text, newline)
    if patched is not None:
        yield f"{quotes}{opened}{patched}{quotes}"
    if len(quotes) == 3:
        in_style = long_literal if quotes == "'''" else long_basic
        if (same := in_style(text, newline, opened)) is not None:
            yield same
        yield long_basic(text, newline, opened or newline)
        return
    if quotes == "'" and "\n" in text and (lines := long_literal(text, newline, newline)) is not None:
        yield lines
    yield new_string(text, newline, habits)


def _patched(quotes: str, body: str, text: str, newline: str) -> str | None:
    """Return the body of a string with only the part that differs from the wanted text rewritten."""
    units = list(_units(body, raw=quotes[0] == "'"))
    start, index = 0, 0
    while index < len(units) and text.startswith(units[index][1], start):
        start += len(units[index][1])
        index += 1
    end, last = len(text), len(units)
    while last > index and end - len(units[last - 1][1]) >= start and text.endswith(units[last - 1][1], 0, end):
        end -= len(units[last - 1][1])
        last -= 1
    middle = text[start:end]
    if "\n" in middle and quotes == '"' and "\\n" not in body:
        return None
    written: str | None
    match quotes:
        case "'":
            written = literal(middle)
        case '"':
            written = basic(middle)
        case "'''":
            written = long_literal(middle, newline, "")
        case _:
            written = f'"""{_lines(middle, newline, ends=last == len(units))}"""'
    if written is None:
        return None
    kept = len(quotes)
    before, after = ("".join(raw for raw, _ in part) for part in (units[:index], units[last:]))
    return before + written[kept:-kept] + after


def _units(body: str, raw: bool) -> Iterator[tuple[str, str]]:
    """Yield the parts of a string's body: as written, and as read."""
    if raw:
        yield from ((part, part.replace("\r\n", "\n")) for part in re.findall(r"\r?\n|[^\r\n]+", body))
        return
    for unit in _UNITS.finditer(body):
        code = unit["u4"] or unit["u8"] or unit["x"]
        if code:
            yield unit[0], chr(int(code, 16))
        elif unit["esc"]:
            yield unit[0], _ESCAPED.get(unit["esc"], unit["esc"])
        else:
            yield unit[0], unit["plain"] or ("\n" if unit["line"] else "")


def _start(text: str, newline: str, opened: str) -> str:
    # A line feed right after the opening quotes is not read: one that is to be read needs another before it.
    return newline if opened or text.startswith("\n") else ""


def _lines(text: str, newline: str, ends: bool) -> str:
    """Return the lines of a long string, quotes escaped where three would be together or the string ends."""
    escaped = _IN_LINES.sub(_escape, text).replace('"""', '""\\"')
    if ends and escaped.endswith('"') and not escaped.endswith('""\\"'):
        escaped = escaped[:-1] + '\\"'
    return escaped.replace("\n", newline)


def _escape(match: re.Match[str]) -> str:
    character = match[0]
    return _ESCAPES.get(character) or f"\\u{ord(character):04X}"
