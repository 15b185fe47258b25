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

    def holds(self, held: object) -> bool:
        """Tell whether a field's value, None for a missing one, is as the term wants it; the minus left aside.

        A text holds the term's, upper and lower case alike; a list does where one of its items does.
        """
        if isinstance(held, list | tuple) and held:
            return any(self.holds(item) for item in held)
        empty = held is None or held in ("", [], (), {})
        if self.value in (NOTHING, SOMETHING) and self.sign == ":":
            return empty is (self.value == NOTHING)
        if self.sign in ("<", "<=", ">", ">=") or (self.sign in ("=", "!=") and _number(self.value) is not None):
            return self._compared(held)
        if empty:
            return self.sign == "!="
        said = (str(held).lower() if isinstance(held, bool) else str(held)).casefold()
        return (said == self.value) is (self.sign == "=") if self.sign in ("=", "!=") else self.value in said

    def _compared(self, held: object) -> bool:
        wanted, number = _number(self.value), _number(held)
        if wanted is None or number is None:
            return self.sign == "!="
        return _ORDERS[self.sign](number, wanted)


def terms_of(words: str) -> tuple[Term, ...]:
    """Return the terms of a filter. One that is not finished yet, such as `role:`, does not count."""
    return tuple(_terms(words))


def _terms(words: str) -> Iterator[Term]:
    at = 0
    while at < len(words):
        found = _TERM.match(words, at)
        if found is None or found.end() == at or words[at].isspace():
            at += 1
            continue
        value = found["value"] or ""
        bare = value.strip('"').casefold()
        at = found.end()
        if bare:
            text, key = found[0].removeprefix("-"), found["key"] or ""
            quoted = not key and value.startswith('"')
            yield Term(text, bare, key, found["sign"] or "", bool(found["minus"]), quoted)


def _number(value: object) -> float | None:
    try:
        return float(value) if isinstance(value, int | float | str) else None
    except ValueError:
        return None
