"""The checks of an answer that need neither a model nor a program, as one table for all tools.

A tool has the types by which it spells them (`TextCheck`), and how it reads their values; what else it has it
grades itself (`regrade --by-tool`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from sampleui.integrations.javascript import found_in, parsed


class TextCheck(NamedTuple):
    """How a type of assertion compares an answer with its values.

    Attributes:
        holds: tells whether it holds of the answer and one value, given flags for a pattern.
        several: what is to be true of its values, where there are several: `any` or `all`.
        form: what the answer and each value become before they are compared, such as small letters.
    """

    holds: Callable[[str, str, str], bool]
    several: Callable[[Iterable[bool]], bool] = all
    form: Callable[[str], str] = str

    def passes(self, answer: str, values: Sequence[str], flags: str = "") -> bool:
        """Tell whether it holds.

        Raises:
            PatternError: when a pattern cannot be matched.
        """
        formed = self.form(answer)
        return self.several(self.holds(formed, self.form(value), flags) for value in values)


def equals(answer: str, value: str, _flags: str = "") -> bool:
    """Tell whether an answer is a text."""
    return answer == value


def contains(answer: str, value: str, _flags: str = "") -> bool:
    """Tell whether a text is in an answer."""
    return value in answer


def starts(answer: str, value: str, _flags: str = "") -> bool:
    """Tell whether an answer starts with a text."""
    return answer.startswith(value)


def ends(answer: str, value: str, _flags: str = "") -> bool:
    """Tell whether an answer ends with a text."""
    return answer.endswith(value)


def is_json(answer: str, _value: str = "", _flags: str = "") -> bool:
    """Tell whether an answer is JSON as JavaScript reads it."""
    try:
        parsed(answer)
    except ValueError:
        return False
    return True


IN_JAVASCRIPT: Mapping[str, TextCheck] = MappingProxyType(
    {
        "equals": TextCheck(equals),
        "contains": TextCheck(contains),
        "contains-any": TextCheck(contains, any),
        "contains-all": TextCheck(contains),
        "icontains": TextCheck(contains, form=str.lower),
        "icontains-any": TextCheck(contains, any, str.lower),
        "icontains-all": TextCheck(contains, all, str.lower),
        "starts-with": TextCheck(starts),
        "regex": TextCheck(found_in),
        "is-json": TextCheck(is_json),
    }
)
"""The types that tools written in JavaScript share."""
