"""JavaScript's patterns in Python's spelling, rewritten so that they mean the same in Python."""

from __future__ import annotations

import re
from collections.abc import Iterator

_SPACE = r"\t\n\v\f\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
_WORD = "A-Za-z0-9_"
_CLASSES = {"d": "0-9", "w": _WORD, "s": _SPACE}
_BOUNDARY = f"(?:(?<![{_WORD}])(?=[{_WORD}])|(?<=[{_WORD}])(?![{_WORD}]))"
_PROPERTIES = {
    **dict.fromkeys(("L", "Letter", "General_Category=Letter", "Alphabetic"), r"[^\W\d_]"),
    **dict.fromkeys(("Nd", "Decimal_Number"), r"\d"),
}
_FLAGS = frozenset("dgimsuvy")
_TOKEN = re.compile(
    r"\\(?:u\{[0-9A-Fa-f]+\}|u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}|[pP]\{[^}]*\}|k<\w+>|c[A-Za-z]|.)|\(\?<?[:=!]?|.",
    re.DOTALL,
)
_QUANTIFIER = re.compile(r"[*+?]|\{\d+(?:,\d*)?\}")
_CODE = re.compile(r"\\[ux][0-9A-Fa-f]+")
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
        OtherPatternError: for a property of characters that is not known here.
    """
    return "".join(_parts(pattern, flags))


def _parts(pattern: str, flags: str) -> Iterator[str]:
    at, inside, quantified = 0, False, False
    while at < len(pattern):
        if not inside and (repeat := _QUANTIFIER.match(pattern, at)):
            if quantified and repeat[0] != "?":
                raise InvalidPatternError("its pattern repeats a repetition")
            yield repeat[0]
            quantified, at = not quantified, repeat.end()
            continue
        found = _TOKEN.match(pattern, at)
        assert found is not None
        token, quantified = found[0], False
        if not inside and pattern.startswith(("[]", "[^]"), at):
            token = "[]" if pattern[at + 1] == "]" else "[^]"
            yield "(?!)" if token == "[]" else r"[\s\S]"
        elif token == "[" and not inside:
            inside = True
            token = "[^" if pattern.startswith("[^", at) else token
            yield token
        elif token == "]" and inside:
            inside = False
            yield token
        else:
            yield _escaped(token, flags, inside) if token[0] == "\\" else _plain(token, flags, inside)
        at += len(token)


def _plain(token: str, flags: str, inside: bool) -> str:
    if inside:
        return "\\" + token if token in "[&~|" else "".join("\\" + one if one in "[&~|" else one for one in token)
    if token == "(?":
        raise InvalidPatternError("its pattern has a group that JavaScript does not have")
    if token == "(?<":
        return "(?P<"
    if token == "." and not set("s") & set(flags):
        return r"[^\n\r\u2028\u2029]"
    if token == "$" and "m" not in flags:
        return r"\Z"
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
    if name in "bB":
        return r"\x08" if inside and name == "b" else _BOUNDARY if name == "b" else f"(?!{_BOUNDARY})"
    if token.startswith("\\u{") and set("uv") & set(flags):
        return re.escape(chr(int(token[3:-1], 16)))
    if token[:2] in ("\\p", "\\P") and set("uv") & set(flags):
        return _property(token, inside)
    if token.startswith("\\k<"):
        return f"(?P={token[3:-1]})"
    if name == "c" and len(token) == 3:
        return re.escape(chr(ord(token[2]) % 32))
    known = name in _KEPT or _CODE.fullmatch(token) is not None
    return token if known else "".join(map(re.escape, token[1:]))


def _property(token: str, inside: bool) -> str:
    found = _PROPERTIES.get(token[3:-1])
    if found is None or inside:
        raise OtherPatternError(f"{token} is not known here")
    return found if token[1] == "p" else f"(?!{found})[\\s\\S]"
