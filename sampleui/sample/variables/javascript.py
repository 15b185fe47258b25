"""What JavaScript makes of texts and values, where AgentV's prompts depend on it."""

from __future__ import annotations

import json
import math

from sampleui.formats.data import Plain

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
    mantissa, _, exponent = repr(value).partition("e")
    sign = "-" if mantissa.startswith("-") else ""
    whole, _, fraction = mantissa.lstrip("-").partition(".")
    fraction = "" if fraction == "0" else fraction
    digits = (whole + fraction).lstrip("0")
    if not digits:
        return "0"
    point = len((whole + fraction).lstrip("0")) - len(fraction) + int(exponent or 0)
    digits = digits.rstrip("0")
    return sign + _placed(digits, point)


def _placed(digits: str, point: int) -> str:
    """Return digits with the decimal point after the `point`-th of them, with an exponent where it is far off."""
    if len(digits) <= point <= 21:
        return digits.ljust(point, "0")
    if 0 < point <= 21:
        return f"{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"0.{'0' * -point}{digits}"
    rest = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{digits[0]}{rest}e{point - 1:+d}"
