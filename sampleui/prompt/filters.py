"""The filters of Nunjucks 3.2 whose outcome is certain, on plain values.

Whatever depends on JavaScript in a way that Python does not share (a text beyond the basic plane cut into halves, a
table as a text, a value that JavaScript would throw at) is refused and not guessed.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias
from urllib.parse import quote

from sampleui.formats.data import Plain
from sampleui.sample.variables.javascript import stringify, trim

_LITERAL = re.compile(r"""\s*(?:'([^'\\]*)'|"([^"\\]*)"|(-?\d{1,9})(?![\d.])|(true|false))\s*(?:,|\Z)""")
_INTEGER = re.compile(r"\s*([+-]?\d{1,15})(?!\d)", re.ASCII)
_NUMBER = re.compile(r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)", re.ASCII)
_UNRESERVED = "-_.!~*'()"


class UncertainError(Exception):
    """What a filter makes of a value is not known here."""


class Missing:
    """What stands for a value that is not there, JavaScript's `undefined`."""


MISSING = Missing()
Held: TypeAlias = "Plain | Missing"
"""A value, or none."""


def filtered(value: Held, name: str, written: str) -> Held:
    """Return what a filter makes of a value.

    Args:
        value: the value.
        name: the name of the filter.
        written: its arguments as the template has them, without the brackets.

    Raises:
        UncertainError: when the filter is not known, or what it makes of this value.
    """
    made = _FILTERS.get(name)
    if made is None:
        raise UncertainError
    return made(value, _arguments(written))


def printed(value: Held) -> str:
    """Return a value as a template prints it.

    Raises:
        UncertainError: when it holds a table.
    """
    if value is None or isinstance(value, Missing):
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        raise UncertainError
    if isinstance(value, list):
        return ",".join(map(printed, value))
    return stringify(value)


def _arguments(written: str) -> list[Plain]:
    found: list[Plain] = []
    at = 0
    while written[at:].strip():
        one = _LITERAL.match(written, at)
        if one is None:
            raise UncertainError
        text = one[1] if one[1] is not None else one[2]
        found.append(text if text is not None else int(one[3]) if one[3] else one[4] == "true")
        at = one.end()
    return found


def _text(value: Held, arguments: Sequence[Plain], most: int = 0) -> str:
    """Return a text; those values that most filters take for none are one without characters."""
    if len(arguments) > most:
        raise UncertainError
    if value is None or value is False or isinstance(value, Missing):
        return ""
    if not isinstance(value, str):
        raise UncertainError
    return value


def _units(text: str) -> str:
    """Return a text whose characters are JavaScript's as well."""
    if any(ord(character) > 0xFFFF for character in text):
        raise UncertainError
    return text


def _only_text(value: Held, arguments: Sequence[Plain], most: int = 0) -> str:
    if not isinstance(value, str):
        raise UncertainError
    return _text(value, arguments, most)


def _capitalized(text: str) -> str:
    lowered = text.lower()
    return _units(lowered[:1]).upper() + lowered[1:]


def _default(value: Held, arguments: Sequence[Plain]) -> Held:
    if not 1 <= len(arguments) <= 2:
        raise UncertainError
    if len(arguments) > 1 and arguments[1]:
        empty = isinstance(value, Missing) or value is None or value is False or value in (0, "")
        return arguments[0] if empty else value
    return arguments[0] if isinstance(value, Missing) else value


def _join(value: Held, arguments: Sequence[Plain]) -> Held:
    if not isinstance(value, list) or len(arguments) > 1:
        raise UncertainError
    between = arguments[0] if arguments else ""
    if not isinstance(between, str):
        raise UncertainError
    return between.join(map(printed, value))


def _length(value: Held, arguments: Sequence[Plain]) -> Held:
    if isinstance(value, list | dict) and not arguments:
        return len(value)
    return len(_text(value, arguments).encode("utf-16-le", "surrogatepass")) // 2


def _replace(value: Held, arguments: Sequence[Plain]) -> Held:
    text = _only_text(value, ())
    if not 2 <= len(arguments) <= 3:
        raise UncertainError
    old, new, most = arguments[0], arguments[1], arguments[2] if len(arguments) > 2 else -1
    if not isinstance(old, str) or not old or not isinstance(new, str) or isinstance(most, bool | str):
        raise UncertainError
    if not isinstance(most, int) or most < -1:
        raise UncertainError
    return text.replace(old, new, most)


def _end(at: int) -> Callable[[Held, Sequence[Plain]], Held]:
    def taken(value: Held, arguments: Sequence[Plain]) -> Held:
        if arguments or not isinstance(value, str | list):
            raise UncertainError
        if isinstance(value, str):
            return _units(value)[at] if value else MISSING
        return value[at] if value else MISSING

    return taken


def _int(value: Held, arguments: Sequence[Plain]) -> Held:
    if len(arguments) > 1 or isinstance(value, bool) or not isinstance(value, str | int | float):
        raise UncertainError
    text = value if isinstance(value, str) else stringify(value)
    if "e" in text.lower() and not isinstance(value, str):
        raise UncertainError
    found = _INTEGER.match(text)
    if found is None and re.match(r"\s*[+-]?\d", text, re.ASCII):
        raise UncertainError
    return int(found[1]) if found else arguments[0] if arguments else MISSING


def _float(value: Held, arguments: Sequence[Plain]) -> Held:
    if len(arguments) > 1 or isinstance(value, bool) or not isinstance(value, str | int | float):
        raise UncertainError
    if not isinstance(value, str):
        return value
    if "Infinity" in value:
        raise UncertainError
    found = _NUMBER.match(value)
    return float(found[1]) if found else arguments[0] if arguments else MISSING


def _round(value: Held, arguments: Sequence[Plain]) -> Held:
    if isinstance(value, bool) or not isinstance(value, int | float) or len(arguments) > 2:
        raise UncertainError
    precision = arguments[0] if arguments else 0
    method = str(arguments[1]) if len(arguments) > 1 else "round"
    if isinstance(precision, bool) or not isinstance(precision, int) or not 0 <= precision <= 9:
        raise UncertainError
    factor = 10.0**precision
    number = value * factor
    if not math.isfinite(number) or abs(number) > 2**52:
        raise UncertainError
    below = math.floor(number)
    rounded = {"ceil": math.ceil(number), "floor": below}.get(method, below + (number - below >= 0.5))
    return rounded / factor


def _dump(value: Held, arguments: Sequence[Plain]) -> Held:
    if isinstance(value, Missing) and not arguments:
        return MISSING
    width = arguments[0] if arguments else 0
    if isinstance(value, Missing) or len(arguments) > 1 or isinstance(width, bool) or not isinstance(width, int):
        raise UncertainError
    if not 0 <= width <= 10:
        raise UncertainError
    return stringify(value, width) if width else stringify(value)


def _reverse(value: Held, arguments: Sequence[Plain]) -> Held:
    if isinstance(value, list) and not arguments:
        return value[::-1]
    return _units(_only_text(value, arguments))[::-1]


def _words(value: Held, arguments: Sequence[Plain]) -> Held:
    return len(re.findall(r"\w+", _text(value, arguments), re.ASCII)) or None


def _safe(value: Held, arguments: Sequence[Plain]) -> Held:
    if arguments or (isinstance(value, list) and not value):
        raise UncertainError
    return printed(value)


_FILTERS: Mapping[str, Callable[[Held, Sequence[Plain]], Held]] = {
    "upper": lambda value, arguments: _text(value, arguments).upper(),
    "lower": lambda value, arguments: _text(value, arguments).lower(),
    "trim": lambda value, arguments: trim(_only_text(value, arguments)),
    "safe": _safe,
    "capitalize": lambda value, arguments: _capitalized(_text(value, arguments)),
    "title": lambda value, arguments: " ".join(map(_capitalized, _text(value, arguments).split(" "))),
    "default": _default,
    "d": _default,
    "join": _join,
    "length": _length,
    "replace": _replace,
    "first": _end(0),
    "last": _end(-1),
    "int": _int,
    "float": _float,
    "round": _round,
    "dump": _dump,
    "reverse": _reverse,
    "wordcount": _words,
    "urlencode": lambda value, arguments: quote(_only_text(value, arguments), safe=_UNRESERVED),
    "nl2br": lambda value, arguments: re.sub(r"\r?\n", "<br />\n", _only_text(value, arguments)),
}
AFTER_SAFE = frozenset({"upper", "lower", "trim", "safe"})
"""The filters that do to a text what they do to one that was called safe, which is another kind of value."""
