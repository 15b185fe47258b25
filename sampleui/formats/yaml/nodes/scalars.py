"""What plain scalars mean by the core schema of YAML 1.2, and which texts may be written plain."""

from __future__ import annotations

import re

from yaml.reader import Reader
from yaml.resolver import Resolver

from sampleui.formats.data import Plain, Scalar
from sampleui.formats.timestamps import text_or_moment
from sampleui.text.limits import MAX_YAML_DIGITS

NULL = frozenset({"", "~", "null", "Null", "NULL"})
BOOL = {word: word.lower() == "true" for word in ("true", "True", "TRUE", "false", "False", "FALSE")}
INT = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
SPECIAL = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")

_KINDS: dict[str, type] = {
    "null": type(None),
    "bool": bool,
    "int": int,
    "float": float,
    "str": str,
    "seq": list,
    "map": dict,
}
CORE_TAGS = {f"tag:yaml.org,2002:{name}": kind for name, kind in _KINDS.items()}
"""The tags of the core schema and the kinds of values they are for."""

BREAKS = re.compile("[\r\n\x85\u2028\u2029]")
"""What libyaml takes for the end of a line."""


def resolved(text: str) -> Scalar:
    """Return what a plain scalar means (YAML 1.2.2, core schema, §10.3.2): `yes` is a string, `0o14` is 12."""
    if text in NULL:
        return None
    if text in BOOL:
        return BOOL[text]
    if INT.fullmatch(text):
        if len(text) > MAX_YAML_DIGITS:
            return text
        return int(text, 0) if text[:2] in {"0o", "0x"} else int(text)
    if FLOAT.fullmatch(text):
        return float(text)
    if SPECIAL.fullmatch(text):
        return float(text.replace(".", ""))
    return text_or_moment(text) if text[0].isdecimal() else text


def tagged(text: str, plain: bool, tag: str | None) -> Scalar:
    """Return what a scalar means. A tag of the core schema decides if it can; any other leaves a string."""
    if tag is None:
        return resolved(text) if plain else text
    value = resolved(text)
    kind = CORE_TAGS.get(tag)
    if kind is float and type(value) is int:
        return float(value)
    return value if type(value) is kind else text


def is_of_kind(tag: str, value: Plain) -> bool:
    """Tell whether a value is of the kind that a tag of the core schema is for."""
    return type(value) is CORE_TAGS.get(tag)


def ambiguous(text: str) -> bool:
    """Tell whether YAML 1.1 or 1.2 would read a plain scalar as anything but the string it is."""
    if not isinstance(resolved(text), str) or INT.fullmatch(text) or text in {"y", "Y", "n", "N"}:
        return True
    patterns = Resolver.yaml_implicit_resolvers.get(text[0], [])
    return any(pattern.match(text) for _, pattern in patterns)


_UNSAFE_START = re.compile(r"[-?:](?:\s|$)|[,\[\]{}#&*!|>'\"%@`]|---|\.\.\.")
_UNSAFE = re.compile(r":(?:\s|$)|\s#|\t")
_UNSAFE_IN_FLOW = re.compile(r"[,\[\]{}?]|^[-:]|:[,\[\]{}]")  # PyYAML ends a plain scalar at any `?` there


def may_be_plain(text: str, flow: bool = False) -> bool:
    """Tell whether a text may stand without quotes, on one line, and be read as itself by any reader."""
    if not text or text != text.strip() or BREAKS.search(text) or not printable(text):
        return False
    if _UNSAFE_START.match(text) or _UNSAFE.search(text) or (flow and _UNSAFE_IN_FLOW.search(text)):
        return False
    return not ambiguous(text)


def printable(text: str) -> bool:
    """Tell whether a text holds nothing that YAML must escape."""
    return not Reader.NON_PRINTABLE.search(text) and "\ufeff" not in text
