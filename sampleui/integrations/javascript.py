"""What JavaScript makes of texts and values, and its patterns in Python's spelling; several tools use it."""

from __future__ import annotations

import json
import math
import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from typing import NoReturn

from sampleui.formats.data import Plain
from sampleui.text.patterns import PatternError, compiled, limited_match

SPACE = "\t\n\v\f\r \xa0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff" + "".join(map(chr, range(0x2000, 0x200B)))
_MAX_INDEX = 2**32 - 2


def trim(text: str) -> str:
    """Return a text without the white space at its ends (`String.prototype.trim`)."""
    return text.strip(SPACE)


def stringify(value: Plain, indent: int = 0, _level: int = 0) -> str:
    """Return a value as JSON (`JSON.stringify(value, null, indent)`): keys that are whole numbers come first."""
    if isinstance(value, bool) or value is None:
        return json.dumps(value)
    if isinstance(value, int | float):
        return _number(value)
    if isinstance(value, dict):
        mark = '": ' if indent else '":'
        items = [f"{_quoted(key)[:-1]}{mark}{stringify(value[key], indent, _level + 1)}" for key in _ordered(value)]
        return _bracketed("{", items, "}", indent, _level)
    if isinstance(value, list):
        return _bracketed("[", [stringify(item, indent, _level + 1) for item in value], "]", indent, _level)
    return _quoted(value if isinstance(value, str) else str(value))


def parsed(answer: str) -> Plain:
    """Return an answer as JSON (`JSON.parse`), all numbers as doubles.

    Raises:
        ValueError: when it is not one.
        PatternError: when it is nested too deeply to find out.
    """

    def refuse(_name: str) -> NoReturn:
        raise ValueError

    try:
        parsed: Plain = json.loads(answer, parse_constant=refuse, parse_int=float)
    except RecursionError:
        raise PatternError("the answer is nested too deeply") from None
    return parsed


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _bracketed(opening: str, items: list[str], closing: str, indent: int, level: int) -> str:
    if not indent or not items:
        return opening + ",".join(items) + closing
    inner = "\n" + " " * indent * (level + 1)
    return f"{opening}{inner}{(',' + inner).join(items)}\n{' ' * indent * level}{closing}"


def _ordered(table: dict[str, Plain]) -> list[str]:
    def index(key: str) -> int:
        plain = key.isascii() and key.isdigit() and (key == "0" or key[0] != "0")
        return int(key) if plain and len(key) < 11 and int(key) <= _MAX_INDEX else _MAX_INDEX + 1

    return sorted(table, key=index)


def _number(value: float) -> str:
    """Return a number as `Number.prototype.toString` does; what is not finite is null."""
    try:
        value = float(value)
    except OverflowError:
        return "null"
    if not math.isfinite(value):
        return "null"
    text = repr(value).removesuffix(".0") if value else "0"
    mantissa, _, exponent = text.partition("e")
    if not exponent:
        return text
    if 1e-6 <= abs(value) < 1e21:  # where Python has an exponent and JavaScript has none
        from decimal import Decimal

        return f"{Decimal(text):f}"
    return f"{mantissa}e{int(exponent):+d}"


_SPACE_CLASS = r"\t\n\v\f\r \xa0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff\u2000-\u200a"
_WORD = "_A-Za-z0-9"
_CLASSES = {"d": "0-9", "w": _WORD, "s": _SPACE_CLASS}
"""The characters of a class; they end in a range, so that a hyphen behind them begins none."""
_BOUNDARY = f"(?:(?<![{_WORD}])(?=[{_WORD}])|(?<=[{_WORD}])(?![{_WORD}]))"
_LETTERS, _DIGITS = frozenset(("L", "Letter", "General_Category=Letter")), frozenset(("Nd", "Decimal_Number"))
_LINE_END = r"\n\r\u2028\u2029"
_OTHER_CASE = re.compile(
    "[\u0130\u0131\u017f\u0390\u03b0\u03d1\u03f4\u1c89\u1c8a\u1e9e\u1f80-\u1fff\u2126\u212a\u212b\ua7cb-\ua7dc\ufb05\ufb06]"
)
"""Letters that the flag `i` takes for others than Python does."""
_FAULTS = re.compile("unterminated|nothing to repeat|multiple repeat|unbalanced|bad character range|missing")
"""What Python says of patterns that no language reads."""
_FLAGS = frozenset("dgimsuvy")
_TOKEN = re.compile(
    r"\\(?:u\{[0-9A-Fa-f]+\}|u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}|[pP]\{[^}]*\}|k<\w+>|c[A-Za-z]|[1-9][0-9]*|.)|\(\?<?[:=!]?|.",
    re.DOTALL,
)
_QUANTIFIER = re.compile(r"[*+?]|\{(\d{1,9})(?:,(\d{0,9}))?\}", re.ASCII)
_SYNTAX = frozenset(r"^$\.*+?()[]{}|/-")
_CODE = re.compile(r"\\[ux][0-9A-Fa-f]+")
_PLAIN_CLASS = re.compile(r"\[\^?(?:[^\W_](?:-[^\W_])?|\s|\\[^q])*\]")
"""A class of characters without what the flag `v` adds."""
_WIDE = re.compile("[\U00010000-\U0010ffff]")
_KEPT = frozenset("tnvfr0123456789")


class InvalidPatternError(Exception):
    """JavaScript refuses a pattern or its flags. The message says why."""


class OtherPatternError(Exception):
    """A pattern may mean something in JavaScript that is not known here. The message says what."""


def check_flags(flags: str) -> None:
    """Refuse flags that JavaScript refuses.

    Raises:
        InvalidPatternError: for an unknown flag, one that is there twice, and `u` beside `v`.
    """
    if not set(flags) <= _FLAGS or len(set(flags)) < len(flags) or {"u", "v"} <= set(flags):
        raise InvalidPatternError(f"its flags {flags!r} are not flags of JavaScript")


def translated(pattern: str, flags: str) -> str:
    """Return a pattern of JavaScript as one of Python that matches the same.

    Raises:
        InvalidPatternError: for groups and quantifiers that Python has and JavaScript has not.
        OtherPatternError: for properties of characters, and some classes.
    """
    return "".join(_parts(pattern, flags))


def found_in(text: str, pattern: str, flags: str) -> bool:
    """Tell whether a JavaScript pattern is found in a text.

    Raises:
        InvalidPatternError: when JavaScript refuses it.
        PatternError: when it is not understood here, or takes too long.
    """
    check_flags(flags)
    if not _reads_code_points(flags):
        text, pattern = _code_units(text), _code_units(pattern)
    if "i" in flags and _OTHER_CASE.search(text + pattern):
        raise PatternError("it ignores the case of letters of which that is not known here")
    try:
        ready = compiled(translated(pattern, flags), re.IGNORECASE if "i" in flags else re.NOFLAG)
    except re.error as error:
        kind = InvalidPatternError if _FAULTS.match(error.msg) else PatternError
        raise kind(f"its pattern is not understood: {error}") from None
    except (OtherPatternError, OverflowError, RecursionError) as error:
        raise PatternError(f"its pattern is not understood: {error}") from None
    return limited_match(ready.match if "y" in flags else ready.search, text) is not None


def _reads_code_points(flags: str) -> bool:
    """Tell whether flags have a pattern read strictly, and wide characters as what they are, not as two halves."""
    return not {"u", "v"}.isdisjoint(flags)


def _code_units(text: str) -> str:
    """Return a text with two surrogates for each character that UTF-16 writes so."""

    def halves(match: re.Match[str]) -> str:
        above = ord(match[0]) - 0x10000
        return chr(0xD800 + (above >> 10)) + chr(0xDC00 + (above & 0x3FF))

    return _WIDE.sub(halves, text)


def pattern_fault(pattern: str, flags: str = "") -> str:
    """Return why JavaScript refuses a pattern or its flags, in words; "" if it does not, or nobody knows here."""
    try:
        found_in("", pattern, flags)
    except InvalidPatternError as error:
        return str(error)
    except PatternError:
        return ""
    return ""


def _parts(pattern: str, flags: str) -> Iterator[str]:
    position, inside, quantified, repeats = 0, False, False, False
    while position < len(pattern):
        if not inside and (repeat := _QUANTIFIER.match(pattern, position)):
            _check_repetition(repeat, repeats, quantified)
            yield repeat[0]
            quantified, position = not quantified, repeat.end()
            continue
        match = _TOKEN.match(pattern, position)
        assert match is not None
        token, quantified = match[0], False
        repeats = inside or not (token in _UNREPEATED or token.startswith("(?"))
        if inside and token[0] == "\\" and token[1:].lower() in _CLASSES:
            _check_range(pattern, position, flags)
        if not inside and pattern.startswith(("[]", "[^]"), position):
            token = "[]" if pattern[position + 1] == "]" else "[^]"
            yield "(?!)" if token == "[]" else r"[\s\S]"
        elif token == "[" and not inside:
            if "v" in flags and not _PLAIN_CLASS.match(pattern, position):
                raise OtherPatternError("a class of the flag v is not understood here")
            inside = True
            token = "[^" if pattern.startswith("[^", position) else token
            yield token
        elif token == "]" and inside:
            inside = False
            yield token
        else:
            yield _escaped(token, flags, inside) if token[0] == "\\" else _plain(token, flags, inside)
        position += len(token)


_UNREPEATED = frozenset(("^", "|", "(", r"\b", r"\B"))
"""What there is nothing of to repeat."""


def _check_repetition(repeat: re.Match[str], repeats: bool, quantified: bool) -> None:
    """Refuse a repetition of nothing or of a repetition, and one of whose numbers the first is greater."""
    if not repeats:
        raise InvalidPatternError("its pattern repeats nothing")
    if quantified and repeat[0] != "?":
        raise InvalidPatternError("its pattern repeats a repetition")
    if repeat[2] and int(repeat[1]) > int(repeat[2]):
        raise InvalidPatternError(f"the numbers of {repeat[0]} are in the wrong order")


def _check_range(pattern: str, position: int, flags: str) -> None:
    """Refuse a range of characters that begins or ends in a class of them."""
    begins = pattern[position + 2 : position + 3] == "-" and pattern[position + 3 : position + 4] != "]"
    ends = pattern[position - 1] == "-"
    if (begins or ends) and _reads_code_points(flags):
        raise InvalidPatternError("its pattern has a range that begins or ends in a class")
    if ends:
        raise OtherPatternError("a range that ends in a class is not understood here")


def _plain(token: str, flags: str, inside: bool) -> str:
    if inside:
        return "".join(f"\\{item}" if item in "[&~|" else item for item in token)
    if token == "(?":
        raise InvalidPatternError("its pattern has a group that JavaScript does not have")
    if token == "(?<":
        return "(?P<"
    if token in "{}]" and _reads_code_points(flags):
        raise InvalidPatternError(f"its pattern has {token} alone")
    if token == ".":
        return r"[\s\S]" if "s" in flags else f"[^{_LINE_END}]"
    if token == "^" and "m" in flags:
        return f"(?<![^{_LINE_END}])"
    if token == "$":
        return f"(?![^{_LINE_END}])" if "m" in flags else r"\Z"
    return "\\" + token if token in "{" else token


def _escaped(token: str, flags: str, inside: bool) -> str:
    name = token[1:2]
    if not name:
        raise InvalidPatternError("its pattern ends with a backslash")
    if name in _CLASSES:
        return _CLASSES[name] if inside else f"[{_CLASSES[name]}]"
    if name.lower() in _CLASSES:
        if inside:
            raise OtherPatternError(f"{token} inside brackets is not understood here")
        return f"[^{_CLASSES[name.lower()]}]"
    if name == "B" and not inside:
        return f"(?!{_BOUNDARY})"
    if name == "b":
        return r"\x08" if inside else _BOUNDARY
    if token.startswith("\\u{") and _reads_code_points(flags):
        return re.escape(chr(int(token[3:-1], 16)))
    if name in "pP" and _reads_code_points(flags):
        return _property(token, inside)
    if not inside and (token.startswith("\\k<") or name in "123456789"):
        again, group = (f"(?P={token[3:-1]})", token[3:-1]) if name == "k" else (token, token[1:])
        return f"(?({group}){again}|)"  # a group that was not matched is empty
    if name == "c" and len(token) == 3:
        return re.escape(chr(ord(token[2]) % 32))
    known = name in _KEPT or _CODE.fullmatch(token) is not None
    is_syntax = name in _SYNTAX and (inside or name != "-")
    if not known and not is_syntax and _reads_code_points(flags):
        raise InvalidPatternError(f"its pattern has {token}, which is no escape there")
    return token if known else "".join(map(re.escape, token[1:]))


def _property(token: str, inside: bool) -> str:
    name = token[3:-1]
    if inside or name not in _LETTERS | _DIGITS:
        raise OtherPatternError(f"{token} is not known here")
    members = r"\d" if name in _DIGITS else rf"(?![{_numerals()}])[^\W\d_]"
    return members if token[1] == "p" else f"(?!{members})[\\s\\S]"


@cache
def _numerals() -> str:
    """Return the characters that are numbers and no digits, which Python counts among the letters of a word."""
    return "".join(item for item in map(chr, range(0x20000)) if unicodedata.category(item) in ("Nl", "No"))
