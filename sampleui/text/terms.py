"""The language of filters: words, and fields with what they must hold: `role:tool`, `score<0`, `-tag:math`."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

NOTHING, SOMETHING = "none", "some"
"""What stands for a field that is missing or empty, and for one that is not."""

_TERM = re.compile(
    r"""(?P<minus>-?)(?:(?P<key>[^\W\d][\w.\[\]-]*)(?P<sign>:|<=|>=|!=|=|<|>))?(?P<value>"[^"]*"?|[^\s"]\S*)?""",
    re.VERBOSE,
)
_ORDERS: Mapping[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "=": operator.eq,
    "!=": operator.ne,
}


class Term(NamedTuple):
    """One thing that is to be so.

    Attributes:
        text: how it is written, without the minus.
        value: the word, or what the field is to hold, in lower case.
        key: the field; empty for a word.
        sign: between the two: `:`, or how numbers are compared.
        negated: whether it is to be not so.
        quoted: whether the word stood in quotes, and so means nothing else.
    """

    text: str
    value: str
    key: str = ""
    sign: str = ""
    negated: bool = False
    quoted: bool = False

    def holds(self, value: object) -> bool:
        """Tell whether a field's value, None for a missing one, is as the term wants it; the minus left aside.

        A text holds the term's, upper and lower case alike; a list does where one of its items does.
        """
        if isinstance(value, list | tuple) and value:
            return any(self.holds(item) for item in value)
        empty = value is None or value in ("", [], (), {})
        if self.value in (NOTHING, SOMETHING) and self.sign == ":":
            return empty is (self.value == NOTHING)
        if self.sign in ("<", "<=", ">", ">=") or (self.sign in ("=", "!=") and _number(self.value) is not None):
            return self._compared(value)
        if empty:
            return self.sign == "!="
        text = (str(value).lower() if isinstance(value, bool) else str(value)).casefold()
        return (text == self.value) is (self.sign == "=") if self.sign in ("=", "!=") else self.value in text

    def _compared(self, value: object) -> bool:
        wanted, number = _number(self.value), _number(value)
        if wanted is None or number is None:
            return self.sign == "!="
        return _ORDERS[self.sign](number, wanted)


def terms_of(words: str) -> tuple[Term, ...]:
    """Return the terms of a filter. One that is not finished yet, such as `role:`, does not count."""
    return tuple(_terms(words))


def _terms(words: str) -> Iterator[Term]:
    position = 0
    while position < len(words):
        term = _TERM.match(words, position)
        if term is None or term.end() == position or words[position].isspace():
            position += 1
            continue
        value = term["value"] or ""
        bare = value.strip('"').casefold()
        position = term.end()
        if bare:
            text, key = term[0].removeprefix("-"), term["key"] or ""
            quoted = not key and value.startswith('"')
            yield Term(text, bare, key, term["sign"] or "", bool(term["minus"]), quoted)


def _number(value: object) -> float | None:
    try:
        return float(value) if isinstance(value, int | float | str) else None
    except ValueError:
        return None
