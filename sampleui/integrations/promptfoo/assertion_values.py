"""Which values of assertions promptfoo ends a test with an error for (0.121.20, seen with its echo provider)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from sampleui.formats.data import Plain, Table, is_number
from sampleui.sample.dialects.field import keys
from sampleui.text.confined import SCHEME

_Fits: TypeAlias = Callable[[Plain], bool]


def _is_text(value: Plain) -> bool:
    return isinstance(value, str)


def _is_words(value: Plain) -> bool:
    return isinstance(value, str) and bool(value)


def _is_listed(value: Plain) -> bool:
    return isinstance(value, list) or _is_words(value)


def _are_texts(value: Plain) -> bool:
    return _is_text(value) or (isinstance(value, list) and bool(value) and all(map(_is_text, value)))


def _is_count(value: Plain) -> bool:
    if isinstance(value, dict):
        return bool(value.keys() & {"min", "max"})
    return is_number(value) or (isinstance(value, str) and not value.isalpha())


def _are_skills(value: Plain) -> bool:
    if isinstance(value, dict):
        return bool(value.keys() & {"name", "pattern"})
    return value != "" and _are_texts(value)


_WANTED: Mapping[str, tuple[_Fits, str]] = {
    **dict.fromkeys(
        keys("contains icontains"), (lambda value: _is_words(value) or is_number(value), "a text or a number")
    ),
    **dict.fromkeys(
        keys("contains-all contains-any icontains-all icontains-any"),
        (_is_listed, "a list, or texts between commas"),
    ),
    **dict.fromkeys(keys("starts-with regex select-best"), (_is_words, "a text")),
    **dict.fromkeys(keys("levenshtein rouge-n finish-reason"), (_is_text, "a text")),
    **dict.fromkeys(keys("bleu gleu"), (_are_texts, "a text or a list of texts")),
    **dict.fromkeys(
        keys("is-xml contains-xml"), (lambda value: not isinstance(value, dict), "a text, a list or nothing")
    ),
    **dict.fromkeys(
        keys("is-sql contains-sql"),
        (lambda value: value is None or value == "" or isinstance(value, dict | list), "a table or nothing"),
    ),
    **dict.fromkeys(
        keys("is-json contains-json"),
        (lambda value: not value or isinstance(value, str | list | dict), "a JSON schema or nothing"),
    ),
    "word-count": (_is_count, "a number, or a table of min and max"),
    "tool-call-f1": (lambda value: _is_text(value) or (isinstance(value, list) and bool(value)), "names of tools"),
    "skill-used": (_are_skills, "names of skills, or a table of name or pattern"),
}
"""What the value of an assertion must be, by its type without `not-`."""

_LIMITS: Mapping[str, str] = {"latency": "milliseconds", "cost": "dollars"}
"""Types that must have a threshold, and what it is counted in."""


def value_fault(item: Table) -> str:
    """Return what the value or the threshold of an assertion of a known type must be; "" if it may be so."""
    kind, value = str(item.get("type")).removeprefix("not-"), item.get("value")
    if kind in _LIMITS:
        return "" if is_number(item.get("threshold")) else f"{kind} must have a threshold, in {_LIMITS[kind]}"
    fits, wanted = _WANTED.get(kind, (None, ""))
    if fits is None or fits(value) or (isinstance(value, str) and value.startswith(SCHEME)):
        return ""
    return f"the value of {kind} must be {wanted}"
