"""Arguments of calls compared: whether one contains the other, and where they differ."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sampleui.formats.data import DataPath, Plain, shown
from sampleui.trace.events import ABSENT, Maybe
from sampleui.trace.preview import preview

_WORDS_LIMIT = 60


class ArgumentDiff(NamedTuple):
    """One place where the arguments of a call differ from those expected; `ABSENT` is what a side lacks."""

    path: DataPath
    expected: Maybe
    actual: Maybe

    def __str__(self) -> str:
        """Return the difference in words, values cut short."""
        where = shown(self.path) if self.path else "value"
        wanted, actual = _word(self.expected), _word(self.actual)
        if self.actual is ABSENT:
            return f"{where} missing, {wanted} expected"
        return f"{where} = {actual}, " + ("not expected" if self.expected is ABSENT else f"{wanted} expected")


def equal_in_json(value: Maybe, other: Maybe) -> bool:
    """Tell whether two values are equal as JSON: 1 equals 1.0, true does not equal 1."""
    if isinstance(value, bool) or isinstance(other, bool):
        return value is other
    if isinstance(value, dict) and isinstance(other, dict):
        return value.keys() == other.keys() and all(
            equal_in_json(value, other[key]) for key, value in value.items()
        )
    if isinstance(value, list) and isinstance(other, list):
        return len(value) == len(other) and all(map(equal_in_json, value, other))
    return value == other


def holds(actual: Maybe, expected: Plain) -> bool:
    """Tell whether a value holds an expected one: tables may have more keys, lists more items at their end."""
    if isinstance(expected, dict):
        return isinstance(actual, dict) and all(
            holds(actual.get(key, ABSENT), value) for key, value in expected.items()
        )
    if isinstance(expected, list):
        return isinstance(actual, list) and len(actual) >= len(expected) and all(map(holds, actual, expected))
    return equal_in_json(actual, expected)


def differences(actual: Maybe, expected: Maybe, path: DataPath = ()) -> Iterator[ArgumentDiff]:
    """Yield where a value differs from the expected one, one item a path, in the order of the expected one."""
    if isinstance(actual, dict) and isinstance(expected, dict):
        for key in [*expected, *(key for key in actual if key not in expected)]:
            yield from differences(actual.get(key, ABSENT), expected.get(key, ABSENT), (*path, key))
    elif isinstance(actual, list) and isinstance(expected, list):
        for index in range(max(len(actual), len(expected))):
            yield from differences(_item(actual, index), _item(expected, index), (*path, index))
    elif not equal_in_json(actual, expected):
        yield ArgumentDiff(path, expected, actual)


def _item(items: list[Plain], index: int) -> Maybe:
    return items[index] if index < len(items) else ABSENT


def _word(value: Maybe) -> str:
    return f'"{preview(value, _WORDS_LIMIT)}"' if isinstance(value, str) else preview(value, _WORDS_LIMIT) or "{}"
